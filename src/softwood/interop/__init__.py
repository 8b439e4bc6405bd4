"""Models of other libraries, read as forests.

Names are imported when they are first used.
"""

from softwood._lazy import lazy_names

_HOME = {
    "Imported": "softwood.interop.imported",
    "SklearnArrays": "softwood.interop.sklearn",
    "from_sklearn": "softwood.interop.sklearn",
    "import_model": "softwood.interop.imported",
    "to_sklearn_arrays": "softwood.interop.sklearn",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOME)
