"""What others are shown of a model: a report, and a page to explore it, each in one HTML file.

Names are imported when they are first used.
"""

from softwood._lazy import lazy_names

_HOME = {
    "Explorer": "softwood.view.explorer.exploring",
    "Report": "softwood.view.reporting",
    "explore": "softwood.view.explorer.exploring",
    "report": "softwood.view.reporting",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOME)
