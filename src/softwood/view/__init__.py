"""What others are shown of a model: a report in one HTML file.

Names are imported when they are first used.
"""

from softwood._lazy import lazy_names

_HOME = {
    "Report": "softwood.view.reporting",
    "report": "softwood.view.reporting",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOME)
