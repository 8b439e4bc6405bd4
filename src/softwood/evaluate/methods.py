"""Methods: the estimators of a comparison, under names, with all that tells them apart."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


@dataclass(frozen=True, eq=False)
class Method:
    """An estimator of a comparison.

    Attributes
    ----------
    name : str
        How tables call it.
    estimator : estimator
        Not fitted; never changed.
    parameters : str
        The class and all parameters, those of nested estimators too.
    versions : str
        The packages the estimator is made of.
    """

    name: str
    estimator: Any
    parameters: str
    versions: str


def methods_of(estimators: Any) -> list[Method]:
    """Return the estimators a user gave, named.

    Parameters
    ----------
    estimators : mapping of str to estimator, or sequence of estimators
        In a sequence the classes make the names, and the parameters too where two
        estimators are of one class.

    Returns
    -------
    list of Method

    Examples
    --------
    >>> from sklearn.tree import DecisionTreeClassifier
    >>> from softwood.evaluate.methods import methods_of
    >>> for method in methods_of([DecisionTreeClassifier(), DecisionTreeClassifier(max_depth=2)]):
    ...     print(method.name)
    DecisionTreeClassifier()
    DecisionTreeClassifier(max_depth=2)
    """
    if not isinstance(estimators, Mapping):
        if hasattr(estimators, "fit") or not isinstance(estimators, Iterable):
            estimators = [estimators]
        estimators = _named(list(estimators))
    if not estimators:
        raise ValueError("estimators is empty; give at least one")
    for name, estimator in estimators.items():
        if isinstance(estimator, type) or not (
            hasattr(estimator, "fit") and hasattr(estimator, "predict")
        ):
            raise TypeError(
                f"estimators: {name!r} is {estimator!r}, which is not an estimator with fit and "
                "predict" + ("; add () to make one" if isinstance(estimator, type) else "")
            )
    return [
        Method(str(name), estimator, described(estimator), versions_of(estimator))
        for name, estimator in estimators.items()
    ]


def _named(estimators: list[Any]) -> dict[str, Any]:
    classes = [type(estimator).__name__ for estimator in estimators]
    names = [
        name if classes.count(name) == 1 else re.sub(r"\s+", " ", repr(estimator))
        for name, estimator in zip(classes, estimators, strict=True)
    ]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise ValueError(
            f"estimators has {twice} twice; give a mapping, name to estimator, to tell them apart"
        )
    return dict(zip(names, estimators, strict=True))


def task_of(methods: Iterable[Method]) -> str | None:
    """Return what the methods do, None if none of them says."""
    from sklearn.base import is_classifier, is_regressor

    kinds: dict[str, str] = {}
    for method in methods:
        if not hasattr(method.estimator, "__sklearn_tags__"):
            continue
        if is_classifier(method.estimator):
            kinds.setdefault("classification", method.name)
        elif is_regressor(method.estimator):
            kinds.setdefault("regression", method.name)
    if len(kinds) == 2:
        raise ValueError(
            f"{kinds['classification']!r} predicts classes and {kinds['regression']!r} numbers; "
            "compare methods of one task at a time"
        )
    return next(iter(kinds), None)


def seeded(estimator: Any, seed: int) -> Any:
    """Return a clone with a seed wherever ``random_state`` is None, in nested estimators too."""
    from sklearn.base import clone

    fresh = clone(estimator, safe=False)  # what cannot be cloned is copied
    if not hasattr(fresh, "get_params"):
        return fresh
    empty = sorted(
        name
        for name, value in fresh.get_params(deep=True).items()
        if name.split("__")[-1] == "random_state" and value is None
    )
    seeds = np.random.SeedSequence(seed).generate_state(max(len(empty), 1))
    # Half the range of 32 bits: some libraries take no more.
    fresh.set_params(**{name: int(s >> 1) for name, s in zip(empty, seeds, strict=False)})
    return fresh


def described(value: Any) -> str:
    """Return a text that two values share only if they are alike.

    Estimators are their class and all their parameters, arrays the digest of their
    contents, functions their name and code.

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from softwood.evaluate.methods import described
    >>> described(DummyClassifier(strategy="prior"))
    "sklearn.dummy.DummyClassifier(constant=None, random_state=None, strategy='prior')"
    """
    if hasattr(value, "get_params") and not isinstance(value, type):
        return f"{_home(type(value))}({_pairs(value.get_params(deep=False))})"
    if isinstance(value, Mapping):
        return f"{{{_pairs(value)}}}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(described, value))}]"
    if isinstance(value, np.ndarray):
        digest = hashlib.sha256(repr(value.tolist()).encode()).hexdigest()[:16]
        return f"array({value.dtype}, {value.shape}, {digest})"
    if isinstance(value, np.random.RandomState):
        return f"RandomState({described(list(value.get_state()))})"
    if isinstance(value, np.random.Generator):
        return f"Generator({described(value.bit_generator.state)})"
    if hasattr(value, "__code__"):
        return f"{_home(value)}({_code_digest(value)})"
    if hasattr(value, "__qualname__"):
        return _home(value)
    text = _ADDRESS.sub("", repr(value))
    # The default repr tells nothing but the class.
    is_bare = text == f"<{_home(type(value))} object>"
    return f"{text}({_pairs(vars(value))})" if is_bare and hasattr(value, "__dict__") else text


def _pairs(values: Mapping[Any, Any]) -> str:
    names = {str(name): value for name, value in values.items()}
    return ", ".join(f"{name}={described(names[name])}" for name in sorted(names))


def _code_digest(function: Any) -> str:
    """Return what tells functions of one name apart, such as lambdas: code, constants, closure."""
    code = function.__code__
    cells = [cell.cell_contents for cell in function.__closure__ or ()]
    parts = repr((code.co_names, code.co_consts, function.__defaults__, cells))
    return hashlib.sha256(code.co_code + _ADDRESS.sub("", parts).encode()).hexdigest()[:16]


def _home(thing: Any) -> str:
    return f"{thing.__module__}.{thing.__qualname__}"


def versions_of(estimator: Any) -> str:
    """Return the packages that the parts of an estimator come from, with their versions."""
    packages = {"softwood", *(type(part).__module__.split(".")[0] for part in _parts(estimator))}
    return ", ".join(f"{name} {_version(name)}".strip() for name in sorted(packages))


def _parts(estimator: Any) -> Iterator[Any]:
    yield estimator
    if hasattr(estimator, "get_params"):
        for value in estimator.get_params(deep=True).values():
            if hasattr(value, "get_params") and not isinstance(value, type):
                yield value


@cache
def _version(package: str) -> str:
    number = getattr(import_module(package), "__version__", None)
    if number is not None:
        return str(number)
    try:
        return version(package)
    except PackageNotFoundError:
        return ""
