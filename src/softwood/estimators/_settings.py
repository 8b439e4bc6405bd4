"""Parameters of Coalescence that are "auto": their usual values, and what is tried beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from softwood.grow.random import VariableRandom
from softwood.learn.settings import Setting

AUTO = "auto"
CHOSEN = ("alpha_range", "max_features", "min_samples_split", "min_samples_leaf", "curtail")
USUAL_OF_CLASSES: dict[str, Any] = {
    "alpha_range": (0.25, 1.0),
    "max_features": 1 / 3,
    "min_samples_split": 4,
    "min_samples_leaf": 2,
    "curtail": 1.0,
}
# Of rows too many to ask them: trees grow in four fifths of the time, and err no more.
OF_MANY_ROWS: dict[str, Any] = {"max_features": 1 / 4}
USUAL_OF_NUMBERS: dict[str, Any] = {
    **USUAL_OF_CLASSES,
    "alpha_range": (0.0, 1.0),
    "max_features": 2 / 3,
    "curtail": 0.0,
}
# What rows out of bag choose from, as it differs from what is usual.
OF_CLASSES: dict[str, dict[str, Any]] = {
    "large leaves": {"min_samples_split": 10, "curtail": 4.0},
}
OF_NUMBERS: dict[str, dict[str, Any]] = {
    "small leaves": {"min_samples_split": 2, "min_samples_leaf": 1},
    "random": {"alpha_range": (0.0, 0.5)},
    "all features": {
        "alpha_range": (0.5, 1.0),
        "max_features": None,
        "min_samples_split": 2,
        "min_samples_leaf": 1,
    },
    "large leaves": {"min_samples_split": 20, "curtail": 9.0},
}


def settings_of(
    estimator: Any, usual: dict[str, Any], tried: dict[str, dict[str, Any]]
) -> list[Setting]:
    """Return the usual setting of an estimator, and others that are not the same.

    What was given is in all of them, which may make some the same.
    """
    found: list[Setting] = []
    for name, changes in {"usual": {}, **tried}.items():
        setting = setting_of(estimator, name, {**usual, **changes})
        if all(replace(setting, name=other.name) != other for other in found):
            found.append(setting)
    return found


def setting_of(estimator: Any, name: str, values: dict[str, Any]) -> Setting:
    """Return a setting of these values, but with what was given to the estimator in any case."""
    given = {key: getattr(estimator, key) for key in CHOSEN}
    values = values | {key: value for key, value in given.items() if not _is_auto(value)}
    policy = VariableRandom(
        min_split=values["min_samples_split"],
        min_leaf=values["min_samples_leaf"],
        max_depth=estimator.max_depth,
        curtail=values["curtail"],
        max_features=values["max_features"],
        n_random_tests=estimator.n_random_tests,
    )
    return Setting(name, range_of(values["alpha_range"]), policy)


def _is_auto(value: Any) -> bool:
    return isinstance(value, str) and value == AUTO


def range_of(alpha_range: Any) -> tuple[float, float]:
    """Return the two ends; complain if these are none."""
    wanted = "alpha_range must be two numbers, 0 <= low <= high <= 1"
    try:
        low, high = (float(end) for end in alpha_range)
    except (TypeError, ValueError) as error:
        raise ValueError(f"{wanted}; got {alpha_range!r}") from error
    if not 0.0 <= low <= high <= 1.0:
        raise ValueError(f"{wanted}; got {alpha_range!r}")
    return low, high


def check_choice(choice: Any, n_trees: int) -> None:
    """Complain of a restored choice that does not share out all trees."""
    told = list(choice.values()) if isinstance(choice, dict) else [None]
    owned = [number for facts in told for number in _trees_of(facts)]
    if told and sorted(owned) != list(range(n_trees)):
        raise ValueError("the attribute 'choice_' must share out all trees")


def _trees_of(facts: Any) -> list[int]:
    """Return the trees that a line of a choice has; a number of no tree if it is none."""
    trees = facts.get("trees") if isinstance(facts, dict) else None
    if not isinstance(trees, list) or type(facts.get("loss")) is not float:
        return [-1]
    if type(facts.get("curtail")) not in (int, float):
        return [-1]
    return trees if all(type(tree) is int for tree in trees) else [-1]


def curtail_of_trees(
    choice: dict[str, dict[str, Any]], usual: float, n_trees: int
) -> tuple[float, ...]:
    """Return below what weight the leaves of each tree do not answer themselves."""
    found = [float(usual)] * n_trees
    for facts in choice.values():
        for number in facts["trees"]:
            found[number] = float(facts["curtail"])
    return tuple(found)
