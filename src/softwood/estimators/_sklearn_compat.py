"""The only place that imports scikit-learn's private names."""

from __future__ import annotations

from softwood._lean import collection_paused

with collection_paused():
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.base import _fit_context as fit_context
    from sklearn.utils import _safe_indexing as take_rows
    from sklearn.utils._param_validation import (
        HasMethods,
        Interval,
        StrOptions,
        validate_parameter_constraints,
    )
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
    "validate_parameter_constraints",
]
