"""Comparing methods: protocols, metrics, a store of results, tables and tests.

:func:`compare` runs estimators over data sets and returns a :class:`Comparison`. The
tests themselves are in :mod:`softwood.statistics` and can be had from here too. Names are
imported when they are first used.
"""

from importlib import import_module
from typing import Any

_HOME = {
    "compare": "softwood.evaluate.comparing",
    "Comparison": "softwood.evaluate.comparison",
    "KFoldProtocol": "softwood.evaluate.protocols",
    "Metric": "softwood.evaluate.metrics",
    "RandomSplitsProtocol": "softwood.evaluate.protocols",
    "SplitterProtocol": "softwood.evaluate.protocols",
    "TableEncoder": "softwood.evaluate.encoding",
    "bias_variance": "softwood.evaluate.decomposition",
    "encoded": "softwood.evaluate.encoding",
    "margin_bound": "softwood.evaluate.tree_margins",
    "margins": "softwood.evaluate.tree_margins",
    "protocol_of": "softwood.evaluate.protocols",
    "stability": "softwood.evaluate.tree_stability",
    "strength_correlation": "softwood.evaluate.strength",
}

__all__ = list(_HOME)


def __getattr__(name: str) -> Any:
    if name.startswith("__"):
        raise AttributeError(name)
    if name in _HOME:
        value = getattr(import_module(_HOME[name]), name)
    else:
        statistics = import_module("softwood.statistics")
        if name not in statistics.__all__:
            raise AttributeError(f"module 'softwood.evaluate' has no attribute {name!r}")
        value = getattr(statistics, name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *import_module("softwood.statistics").__all__])
