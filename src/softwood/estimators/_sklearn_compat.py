"""The only place that imports scikit-learn's private names, and it imports them leanly.

``sklearn.utils.fixes`` imports scipy.stats and pandas at the top and uses neither until
asked, which more than doubles the time to the first fit of a fresh process. While
scikit-learn is imported from here, both names stand for modules that load on first use.
See docs/decisions/004-lean-import.md.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from importlib import import_module
from types import ModuleType
from typing import Any

from softwood._lean import collection_paused

_HEAVY = ("scipy.stats", "pandas")


@contextmanager
def _deferred(names: tuple[str, ...]) -> Iterator[None]:
    """Let ``import name`` succeed without importing; what was not used is as before."""
    stand_ins = {name: _stand_in(name) for name in names if name not in sys.modules}
    sys.modules.update(stand_ins)
    try:
        yield
    finally:
        for name, module in stand_ins.items():
            if sys.modules.get(name) is module:
                del sys.modules[name]


def _stand_in(name: str) -> ModuleType:
    """Return a module that fetches its attributes from the real one, once it is asked."""
    module = ModuleType(name)

    def fetch(attribute: str) -> Any:
        if attribute.startswith("__"):
            raise AttributeError(attribute)
        if sys.modules.get(name) is module:
            del sys.modules[name]
        return getattr(import_module(name), attribute)

    module.__getattr__ = fetch  # type: ignore[method-assign]
    return module


_IMPORTED = "sklearn" in sys.modules
with collection_paused(), nullcontext() if _IMPORTED else _deferred(_HEAVY):
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.base import _fit_context as fit_context
    from sklearn.utils import _safe_indexing as take_rows
    from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight as check_sample_weight
    from sklearn.utils.validation import (
        check_array,
        check_consistent_length,
        check_is_fitted,
        check_random_state,
        column_or_1d,
        validate_data,
    )

__all__ = [
    "BaseEstimator",
    "ClassifierMixin",
    "HasMethods",
    "Interval",
    "RegressorMixin",
    "StrOptions",
    "check_array",
    "check_classification_targets",
    "check_consistent_length",
    "check_is_fitted",
    "check_random_state",
    "check_sample_weight",
    "column_or_1d",
    "fit_context",
    "take_rows",
    "validate_data",
]
