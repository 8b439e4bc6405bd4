"""What all estimators on Dask collections share: their parameters, and how they are asked."""

from __future__ import annotations

from collections.abc import Sequence
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ClassVar, Self

from softwood._types import AnyArray, FloatArray
from softwood.dask.answers import ask_later
from softwood.dask.exchange import AUTO
from softwood.dask.partitions import Part, is_collection, need_dask, partitions_of
from softwood.estimators._base import Estimator
from softwood.estimators._limits import limit_of
from softwood.estimators._sklearn_compat import StrOptions, check_is_fitted, fit_context

EXCHANGE: dict[str, tuple[Any, list[Any]]] = {
    "exchange": (AUTO, [StrOptions({AUTO}), limit_of(1), None]),
}


class Distributed(Estimator):
    """Base of the estimators that are fitted to Dask collections.

    A subclass also inherits from the estimator of the same name for tables in memory,
    ``_local``, which says how trees grow.
    """

    _local: ClassVar[type[Estimator]]
    _own_parameters: ClassVar[dict[str, tuple[Any, list[Any]]]] = EXCHANGE
    _only_here: ClassVar[tuple[str, ...]] = ("partition_of_tree_", "exchange_")

    exchange: Any

    def __init_subclass__(cls, **options: Any) -> None:
        """Give an estimator the parameters that it has in memory, and those of here."""
        super().__init_subclass__(**options)
        if "_local" not in vars(cls):
            return
        own = cls._own_parameters
        defaults = {name: default for name, (default, _) in own.items()}
        cls.__init__ = _with_more(cls._local.__init__, defaults)  # type: ignore[method-assign]
        cls._parameter_constraints = {
            **cls._local._parameter_constraints,
            **{name: ranges for name, (_, ranges) in own.items()},
        }

    @fit_context(prefer_skip_nested_validation=True)  # type: ignore[untyped-decorator]
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the model.

        The partitions are read once to compare them, and once to grow trees or to deal samples;
        with ``exchange=None`` once more for ``alpha="search"``, ``smoothing="oob"`` and
        ``oob_score=True`` each. If they fit into the memory of the cluster, ``X.persist()`` spares
        the work of loading them again.

        Parameters
        ----------
        X : Dask array or dataframe of shape (n_samples, n_features)
            Numbers, dates, categories, text and booleans; NaN and None are missing. Empty
            partitions are skipped.
        y : Dask array or series of shape (n_samples,)
            The target, partitioned like X.
        sample_weight : Dask array or series of shape (n_samples,), optional
            Weights, partitioned like X; rows of weight 0 are left out.

        Returns
        -------
        self
        """
        need_dask()
        self._check_parameters()
        return self._fit_parts(partitions_of(X, y, sample_weight))

    def _check_parameters(self) -> None:
        """Complain of parameters that do not go together, or not with Dask."""
        raise NotImplementedError

    def _fit_parts(self, parts: Sequence[Part]) -> Self:
        """Fit to partitions: rows, target and weights of each, not computed yet."""
        raise NotImplementedError

    def _unfitted(self) -> Any:
        """Return the estimator that workers read rows with."""
        parameters = {"n_jobs": 1, "random_state": None}
        return self._local(**{**self._local_parameters(), **parameters})

    def _local_parameters(self) -> dict[str, Any]:
        parameters = self.get_params(deep=False)
        return {
            name: value for name, value in parameters.items() if name not in self._own_parameters
        }

    def _note_columns(self, estimator: Any) -> None:
        self.__dict__.pop("feature_names_in_", None)
        for name in ("n_features_in_", "feature_names_in_", "schema_"):
            if hasattr(estimator, name):
                setattr(self, name, getattr(estimator, name))

    # -- answers ---------------------------------------------------------------

    def to_local(self) -> Any:
        """Return the ordinary estimator with the same trees, for tables in memory.

        It predicts the same, and :func:`softwood.save` writes it.

        Returns
        -------
        estimator
            The estimator of the same name in :mod:`softwood`, fitted.
        """
        check_is_fitted(self)
        local = self._local(**self._local_parameters())
        for name, value in vars(self).items():
            if name not in (*self._only_here, *self._own_parameters):
                setattr(local, name, value)
        return local

    def _ask_later(self, method: str, X: Any, template: AnyArray) -> Any:
        model = self.to_local()
        model.n_jobs = 1  # workers have their own idea of how much runs at once
        return ask_later(model, method, X, template)

    def _rows(self, X: Any) -> FloatArray:
        if is_collection(X):
            raise TypeError(
                "only predictions are lazy; for other answers use a table in memory, or call "
                "X.map_partitions or X.map_blocks with a method of to_local()"
            )
        return super()._rows(X)

    def _table_of_folds(self, X: Any, read: FloatArray, y: AnyArray, weight: Any) -> Any:
        # A table in memory is one partition, and its models are better than this one.
        raise ValueError(
            "method='cv' is not for models of Dask collections; call calibrate(X, y) with rows "
            "that are new to the model"
        )


def _with_more(init: Any, defaults: dict[str, Any]) -> Any:
    """Return a constructor that takes these parameters, too."""

    @wraps(init)
    def extended(self: Any, *args: Any, **options: Any) -> None:
        own = {name: options.pop(name, default) for name, default in defaults.items()}
        init(self, *args, **options)
        for name, value in own.items():
            setattr(self, name, value)

    known = signature(init)
    more = [
        Parameter(name, Parameter.KEYWORD_ONLY, default=default)
        for name, default in defaults.items()
    ]
    extended.__signature__ = known.replace(  # type: ignore[attr-defined]
        parameters=[*known.parameters.values(), *more]
    )
    return extended
