"""Tables: files and frames in, arrays of features out. Names are imported when first used."""

from softwood._lazy import lazy_names

_HOME = {
    "describe": "softwood.data.columns.describe",
    "TableDescription": "softwood.data.columns.describe",
    "read_table": "softwood.data.readers",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOME)
