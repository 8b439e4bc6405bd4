"""Models that run elsewhere with the same numbers: C, Python, SQL, ONNX, JSON, scikit-learn.

Names are imported when they are first used.
"""

from softwood._lazy import lazy_names

_HOME = {
    "compile_model": "softwood.export.compiled",
    "export_c": "softwood.export.c",
    "export_json": "softwood.export.as_json",
    "export_python": "softwood.export.python",
    "export_sql": "softwood.export.sql",
    "from_json": "softwood.export.as_json",
    "register_with_skl2onnx": "softwood.export.onnx_pipeline",
    "to_onnx": "softwood.export.as_onnx",
    "to_sklearn": "softwood.export.as_sklearn",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOME)
