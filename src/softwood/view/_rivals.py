"""The models that a report compares with: those that readers know."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

from softwood.evaluate.encoding import encoded
from softwood.evaluate.methods import described

USUAL = "usual"


def rivals_of(rivals: Any, model: Any, is_classes: bool) -> dict[str, Any]:
    """Return the rivals a user asked for, by name.

    Parameters
    ----------
    rivals : "usual", None, or mapping of str to estimator
        None is without any.
    model : estimator
        What they are to be compared with: of the usual ones, the one that is just like it is
        left out.
    is_classes : bool
        Whether they are to predict classes.

    Returns
    -------
    dict of str to estimator

    Examples
    --------
    >>> from softwood import C45Classifier
    >>> from softwood.view._rivals import rivals_of
    >>> list(rivals_of("usual", C45Classifier(), is_classes=True))[:2]
    ['CART, pruned', 'random forest']
    """
    if rivals is None:
        return {}
    if isinstance(rivals, Mapping):
        return {str(name): estimator for name, estimator in rivals.items()}
    if not (isinstance(rivals, str) and rivals == USUAL):
        raise ValueError(
            f"rivals must be {USUAL!r}, None, or map names to estimators; got {rivals!r}"
        )
    usual = _classifiers() if is_classes else _regressors()
    return {name: rival for name, rival in usual.items() if not _is_alike(rival, model)}


def _classifiers() -> dict[str, Any]:
    from sklearn.dummy import DummyClassifier
    from sklearn.ensemble import RandomForestClassifier

    from softwood.estimators.c45 import C45Classifier
    from softwood.estimators.cart import CARTClassifier

    rivals = {
        "CART, pruned": CARTClassifier(pruning="cv"),
        "C4.5": C45Classifier(),
        "random forest": encoded(RandomForestClassifier()),
    }
    if find_spec("lightgbm") is not None:
        from lightgbm import LGBMClassifier

        rivals["LightGBM"] = _of_numbers(LGBMClassifier)
    return rivals | {"always the most frequent class": DummyClassifier()}


def _regressors() -> dict[str, Any]:
    from sklearn.dummy import DummyRegressor
    from sklearn.ensemble import RandomForestRegressor

    from softwood.estimators.cart import CARTRegressor

    rivals = {
        "CART, pruned": CARTRegressor(pruning="cv"),
        "random forest": encoded(RandomForestRegressor()),
    }
    if find_spec("lightgbm") is not None:
        from lightgbm import LGBMRegressor

        rivals["LightGBM"] = _of_numbers(LGBMRegressor)
    return rivals | {"always the mean": DummyRegressor()}


def _is_alike(rival: Any, model: Any) -> bool:
    """Whether two estimators have one class and the same parameters, but for the seed."""
    if type(rival) is not type(model):
        return False
    own, other = (each.get_params() | {"random_state": None} for each in (rival, model))
    return described(own) == described(other)


def _of_numbers(kind: Any) -> Any:
    """Return LightGBM for tables of any kind; names of columns, which it may refuse, stay here."""
    return encoded(kind(verbose=-1, n_jobs=1, deterministic=True), impute=False)
