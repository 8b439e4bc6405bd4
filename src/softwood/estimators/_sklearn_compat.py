"""The only place that imports scikit-learn's private names, or tells its versions apart.

From 1.6 on. What a version lacks has a stand-in here, so that nobody else asks which one it is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from softwood._lean import collection_paused
from softwood.data.table import Table

with collection_paused():
    from sklearn import __version__
    from sklearn.base import BaseEstimator as _BaseEstimator
    from sklearn.base import ClassifierMixin, RegressorMixin
    from sklearn.base import _fit_context as fit_context
    from sklearn.utils import _safe_indexing
    from sklearn.utils._param_validation import (
        HasMethods,
        Interval,
        StrOptions,
        validate_parameter_constraints,
    )
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import (
        _check_sample_weight,
        check_array,
        check_consistent_length,
        check_is_fitted,
        check_random_state,
        column_or_1d,
    )
    from sklearn.utils.validation import validate_data as _validate_data

if TYPE_CHECKING:
    from sklearn.callback import CallbackSupportMixin

__all__ = [
    "BaseEstimator",
    "CallbackSupportMixin",
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
    "validate_parameter_constraints",
]

DOCUMENTATION = "https://softwood-trees.github.io/softwood/api/generated/{name}.html"


class BaseEstimator(_BaseEstimator):
    """Base of all our estimators: in notebooks, their question mark leads to our pages.

    The page of a class is that of the API reference, under its public name.
    """

    _doc_link_module = "softwood"
    _doc_link_template = DOCUMENTATION

    def _doc_link_url_param_generator(self) -> dict[str, str]:
        package = "softwood.dask" if ".dask." in type(self).__module__ else "softwood"
        return {"name": f"{package}.{type(self).__name__}"}

    def _repr_html_inner(self) -> str:
        return f"{self._card()}{super()._repr_html_inner()}"

    def _repr_mimebundle_(self, **options: Any) -> dict[str, str]:
        bundle: dict[str, str] = super()._repr_mimebundle_(**options)
        if "text/html" in bundle:
            bundle["text/html"] = self._repr_html_inner()
        return bundle

    def _card(self) -> str:
        """Return a fitted model at a glance; nothing for what is not fitted, or has no trees."""
        if not (hasattr(self, "schema_") and (hasattr(self, "tree_") or hasattr(self, "forest_"))):
            return ""
        from softwood.plot.card import card

        return card(self)


_FROM_1_9 = tuple(map(int, __version__.split(".")[:2])) >= (1, 9)


def check_sample_weight(
    sample_weight: Any, X: Any, *, allow_all_zero_weights: bool = False, **options: Any
) -> Any:
    """Return weights as scikit-learn checks them; before 1.9 it let all of them be 0."""
    if _FROM_1_9:
        options["allow_all_zero_weights"] = allow_all_zero_weights
    return _check_sample_weight(sample_weight, X, **options)


def validate_data(estimator: Any, X: Any, **options: Any) -> Any:
    """Check X as scikit-learn does; names and number of the columns of any frame too."""
    is_new = hasattr(X, "columns") and not hasattr(X, "__dataframe__")
    if is_new and options.get("skip_check_array") and not _FROM_1_9:
        _validate_data(estimator, ColumnNames(X), **options)
        return X
    return _validate_data(estimator, X, **options)


def take_rows(X: Any, rows: Any) -> Any:
    """Return some rows of an array, list or frame; scikit-learn 1.6 knows no tables of Arrow."""
    is_arrow = hasattr(type(X), "column_names") and hasattr(X, "take")
    return X.take(rows) if is_arrow or isinstance(X, Table) else _safe_indexing(X, rows)


class ColumnNames:
    """The columns of a frame as scikit-learn before 1.9 asks for them; polars 2 has no such door.

    Without it no model would know the names of its columns, nor see that their order has changed.
    """

    def __init__(self, frame: Any) -> None:
        import narwhals.stable.v2 as nw

        read = nw.from_native(frame, eager_only=True)
        self.shape, self._names = read.shape, read.columns

    def __dataframe__(self) -> ColumnNames:
        return self

    def column_names(self) -> list[str]:
        """Return the names."""
        return list(self._names)


class NoCallbacks:
    """The stand-in for scikit-learn's ``CallbackSupportMixin``.

    It has no ``set_callbacks``: so no fit has anybody to tell.
    """

    def _init_callback_context(self, **_: Any) -> SilentContext:
        return SilentContext()


class SilentContext:
    """The stand-in for scikit-learn's ``CallbackContext``."""

    def call_on_fit_task_begin(self, **_: Any) -> None:
        """Tell nobody that a fit begins."""

    def call_on_fit_task_end(self, **_: Any) -> None:
        """Tell nobody that it is done."""


if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        # Importing callbacks takes a while, and single trees have none.
        if name != "CallbackSupportMixin":
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        try:
            from sklearn.callback import CallbackSupportMixin
        except ModuleNotFoundError:  # scikit-learn 1.8 and before
            return NoCallbacks
        return CallbackSupportMixin
