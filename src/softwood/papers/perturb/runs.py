"""The runs behind Table 2 and Figures 2, 3 and 5: every method on the splits of every set.

They are made once: parts of the paper that are asked for together share them, and so do
those that are asked for later with ``--resume``.

Sizes of the splits are those of the paper's Table 1 (its two Pumadyn test sizes have two
digits exchanged: 8192 rows less 2000 leave 6192). The last three rows of that table are lost
in the text that is left of the paper: Torgo's sets stand in for them. Their sizes are from memory,
those of Torgo's two files of each; of Ailerons, Elevators and Pole they add up to all rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.papers.perturb.methods import DEFAULT, LARGEST_DEFAULT, default, methods
from softwood.papers.printed import printed
from softwood.papers.setting import Setting, load_available

if TYPE_CHECKING:
    from softwood.datasets.dataset import Dataset
    from softwood.evaluate.comparison import Comparison
    from softwood.evaluate.metrics import Prediction

QUICK_RUNS = 5
QUICK_BAGGED = 1000  # training rows up to which a quick run has bags
LEVEL = 0.05


@dataclass(frozen=True)
class Problem:
    """A line of the paper's Table 1; ``times`` is what it multiplies errors by."""

    title: str
    name: str
    task: str
    n_train: int
    n_test: int
    n_runs: int
    times: float


@dataclass(frozen=True, eq=False)
class Runs:
    """The scores of all methods over the splits of one data set."""

    problem: Problem
    scores: Mapping[str, Mapping[str, FloatArray]]  # by metric, by method
    failed: tuple[str, ...] = ()  # methods that are left out, as some split has no score

    @property
    def methods(self) -> tuple[str, ...]:
        """Names of the methods that were run."""
        return tuple(self.scores["smoothing"])

    @property
    def errors(self) -> Mapping[str, FloatArray]:
        """Error rates, or squared errors, by method: one for each split."""
        is_classified = self.problem.task == "classification"
        return self.scores["error" if is_classified else "squared_error"]

    def mean(self, metric: str, method: str) -> float:
        """Return the mean over the splits; NaN for a method that was not run."""
        if method not in self.methods:
            return float("nan")
        return float(np.mean(self.scores[metric][method]))

    def ratio(self, crisp: str, smooth: str) -> float:
        """Return the mean error of one method by that of another; NaN if one was not run."""
        if crisp not in self.methods or smooth not in self.methods:
            return float("nan")
        return float(np.mean(self.errors[smooth]) / np.mean(self.errors[crisp]))

    def best(self, methods: Sequence[str]) -> str:
        """Return which of some methods has the least mean error."""
        known = [method for method in methods if method in self.methods]
        return min(known, key=lambda method: float(np.mean(self.errors[method])))

    def outcome(self, a: str, b: str) -> int:
        """Return 1, 0 or -1: ``a`` wins, draws or loses against ``b``, by a corrected t-test."""
        from softwood.statistics import corrected_t_test

        n_train, n_test = self.problem.n_train, self.problem.n_test
        test = corrected_t_test(self.errors[a], self.errors[b], n_train=n_train, n_test=n_test)
        if not test.pvalue < LEVEL:
            return 0
        return -1 if np.mean(self.errors[a]) > np.mean(self.errors[b]) else 1


def problems() -> tuple[Problem, ...]:
    """Return the data sets of Table 1.

    Examples
    --------
    >>> problems()[0].title, problems()[0].n_train
    ('Waveform', 300)
    """
    table = printed("perturb", "table1", text=("set", "task"))
    numbers = zip(*(table.column(c) for c in ("train", "test", "runs", "times")), strict=True)
    lines = zip(table.rows, table.text["set"], table.text["task"], numbers, strict=True)
    return tuple(
        # Error rates are shown in percent.
        Problem(title, name, task, int(n), int(m), int(k), 100.0 if np.isnan(times) else times)
        for title, name, task, (n, m, k, times) in lines
    )


def all_runs(setting: Setting) -> tuple[list[Runs], dict[str, str]]:
    """Return the runs on all data sets that can be had, and for each other one the reason."""
    made, missing = [], {}
    for problem in problems():
        found = runs_of(setting, problem)
        if isinstance(found, str):
            missing[problem.name] = found
        else:
            made.append(found)
    return made, missing


def runs_of(setting: Setting, problem: Problem) -> Runs | str:
    """Return the runs on one data set, or why it cannot be had."""
    return _made_once(replace(setting, experiment="perturb/runs"), problem)


def describe(setting: Setting, made: list[Runs]) -> str:
    """Return how the runs differ from the paper's."""
    bagged = sum("TB" in runs.methods for runs in made)
    splits = setting.pick(quick=str(QUICK_RUNS), full="10 or 50")
    failed = [f"{method} on {runs.problem.title}" for runs in made for method in runs.failed]
    return (
        f"{len(made)} of the paper's 20 data sets, bags on {bagged} of them; {splits} splits "
        f"each; corrected t at {LEVEL:.0%}.{' Failed: ' if failed else ''}{', '.join(failed)}"
    )


@lru_cache(maxsize=64)
def _made_once(setting: Setting, problem: Problem) -> Runs | str:
    from softwood.evaluate.metrics import Metric
    from softwood.evaluate.protocols import RandomSplitsProtocol

    sets, missing = load_available([problem.name])
    if missing:
        return missing[problem.name]
    n_splits = setting.pick(quick=QUICK_RUNS, full=problem.n_runs)
    protocol = RandomSplitsProtocol(n_splits, problem.n_train, problem.n_test)
    chosen = methods(problem.task, setting.full or problem.n_train <= QUICK_BAGGED)
    if problem.n_train <= setting.pick(quick=QUICK_BAGGED, full=LARGEST_DEFAULT):
        chosen[DEFAULT] = default(problem.task)
    first = ["error", "auc"] if problem.task == "classification" else ["squared_error"]
    wanted = [*first, "leaves", Metric("smoothing", smoothing)]
    numbers = {problem.name: as_numbers(sets[problem.name])}
    return _gathered(problem, setting.compare(problem.name, chosen, numbers, protocol, wanted))


def as_numbers(dataset: Dataset) -> tuple[FloatArray, AnyArray]:
    """Return features and target as arrays; a category is its number, as in the paper.

    Only Abalone has one, the sex; the paper counts eight numerical attributes.
    """
    features = dataset.table.drop([dataset.target_name]).columns
    target = dataset.target
    y = np.asarray(target.as_objects(), dtype=str) if target.is_nominal else target.values
    return np.column_stack([column.values.astype(np.float64) for column in features]), y


def smoothing(seen: Prediction) -> float:
    """Return the lambda of a model; NaN if it is crisp."""
    model = seen.model.steps[-1][1] if hasattr(seen.model, "steps") else seen.model
    return float(getattr(model, "smoothing_", np.nan))


def _gathered(problem: Problem, comparison: Comparison) -> Runs:
    failed = {record.cell.method for record in comparison.failures}
    whole = [method for method in comparison.methods if method not in failed]
    scores = {}
    for metric in comparison.metrics:
        cube = comparison.split_scores(metric)[0]
        scores[metric] = {method: cube[comparison.methods.index(method)] for method in whole}
    return Runs(problem, scores, tuple(sorted(failed)))
