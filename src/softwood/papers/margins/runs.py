"""The runs that all tables and figures share: four methods, cross-validated.

They are made once: parts of the paper that are asked for together share them, and so do
those that are asked for later with ``--resume``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.papers.margins.methods import CLASSIC, DEFAULT, NAMES, OC1, default, methods
from softwood.papers.printed import printed
from softwood.papers.setting import Setting, load_available

if TYPE_CHECKING:
    from softwood.datasets.dataset import Dataset
    from softwood.evaluate.comparison import Comparison
    from softwood.evaluate.metrics import Prediction
    from softwood.statistics.paired import TTestResult

N_FOLDS = 10
PROTOCOLS = {"quick": f"kfold:{N_FOLDS}", "full": f"repeated_kfold:10x{N_FOLDS}"}
LEVEL = 0.05


@dataclass(frozen=True)
class Problem:
    """A data set of the paper: what it is called there and here."""

    title: str
    name: str


@dataclass(frozen=True, eq=False)
class Runs:
    """The scores of the four methods over the folds of one data set.

    Attributes
    ----------
    title : str
        What the paper calls the data set.
    scores : mapping of str to ndarray of shape (n_methods, n_splits)
        "error", "leaves" and "depth", in the order of ``NAMES``; then those of softwood's
        defaults, if they were run.
    """

    title: str
    scores: Mapping[str, FloatArray]

    def mean(self, metric: str, method: str) -> float:
        """Return the mean over the folds."""
        return float(self.scores[metric][NAMES.index(method)].mean())

    def accuracy(self, method: str) -> float:
        """Return the mean accuracy in percent."""
        return 100.0 * (1.0 - self.mean("error", method))

    def difference(self, method: str) -> FloatArray:
        """Return by how many percent a method is better than OC1, fold by fold."""
        error = self.scores["error"]
        return 100.0 * np.asarray(error[NAMES.index(OC1)] - error[NAMES.index(method)])

    def test(self, method: str) -> TTestResult:
        """Return the corrected t-test of a method against OC1."""
        from softwood.statistics import corrected_t_test

        return corrected_t_test(self.difference(method), test_over_train=1 / (N_FOLDS - 1))

    def outcome(self, method: str) -> int:
        """Return 1, 0 or -1: the method is better than OC1, not clearly different, or worse."""
        if not self.test(method).pvalue < LEVEL:
            return 0
        return 1 if self.difference(method).mean() > 0 else -1

    @property
    def best(self) -> tuple[str, ...]:
        """The methods with the highest mean accuracy; more than one if they are tied."""
        accuracy = np.array([self.accuracy(method) for method in NAMES])
        return tuple(np.array(NAMES)[accuracy >= accuracy.max() - 1e-9].tolist())


def problems() -> tuple[Problem, ...]:
    """Return the data sets of the paper, and one more of its kind.

    Examples
    --------
    >>> problems()[2]
    Problem(title='Cancer', name='wisconsin')
    """
    table = printed("margins", "sets", text=("set",))
    return tuple(Problem(*pair) for pair in zip(table.rows, table.text["set"], strict=True))


def all_runs(setting: Setting, search: str = CLASSIC) -> tuple[list[Runs], dict[str, str]]:
    """Return the runs on all data sets that can be had, and for each other one the reason."""
    made, missing = [], {}
    for problem in problems():
        found = _made_once(replace(setting, experiment=f"margins/{search}"), problem, search)
        if isinstance(found, str):
            missing[problem.title] = found
        else:
            made.append(found)
    return made, missing


def printed_for(made: list[Runs], table: str, columns: Sequence[str]) -> FloatArray:
    """Return what a table of the paper says about some data sets; NaN if it says nothing.

    Examples
    --------
    >>> printed_for([Runs("Iris", {}), Runs("WDBC", {})], "table2", ["OC1", "FAT"]).tolist()
    [[95.33, 96.0], [nan, nan]]
    """
    theirs = printed("margins", table, text=("best",) if table == "table2" else ())
    lines = dict(zip(theirs.rows, theirs.values, strict=True))
    nothing = np.full(len(theirs.columns), np.nan)
    chosen = [theirs.columns.index(column) for column in columns]
    return np.array([lines.get(runs.title, nothing)[chosen] for runs in made])


def sets_used(made: list[Runs]) -> tuple[int, int]:
    """Return how many of the paper's data sets were run, and how many it has."""
    in_paper = printed("margins", "table2", text=("best",)).rows
    return sum(runs.title in in_paper for runs in made), len(in_paper)


def describe(setting: Setting, made: list[Runs]) -> tuple[str, ...]:
    """Return how the runs differ from the paper's."""
    n_same, n_in_paper = sets_used(made)
    folds = setting.pick(quick="10 folds, once, as in the paper", full="10 folds, ten times")
    return (
        f"{n_same} of the paper's {n_in_paper} data sets, and WDBC; {folds}; stratified; "
        "corrected t at 5 %. The paper calls a difference significant if a paired t-test over one "
        "run of ten folds has p below 0.22.",
        "Cancer has 683 complete rows; the paper counts 682. Categories of Heart are numbers, "
        "in the order of their codes. Gaps of Prognosis are filled by the mean. Pruning may leave "
        "the root alone; OC1 keeps at least two leaves.",
    )


@lru_cache(maxsize=32)
def _made_once(setting: Setting, problem: Problem, search: str) -> Runs | str:
    from softwood.evaluate.metrics import Metric

    sets, missing = load_available([problem.name])
    if missing:
        return missing[problem.name]
    chosen = methods(search)
    if search == CLASSIC:
        chosen[DEFAULT] = default()
    comparison = setting.compare(
        problem.name,
        chosen,
        {problem.title: as_numbers(sets[problem.name])},
        setting.pick(**PROTOCOLS),
        ["error", "leaves", Metric("depth", depth)],
    )
    return gathered(problem, comparison)


def as_numbers(dataset: Dataset) -> tuple[FloatArray, AnyArray]:
    """Return features and classes as arrays: a category is its code, a gap the column's mean."""
    features = dataset.table.drop([dataset.target_name]).columns
    X = np.column_stack([column.values.astype(np.float64) for column in features])
    X = np.where(np.isnan(X), np.nanmean(X, axis=0), X)
    return X, np.asarray(dataset.target.as_objects(), dtype=str)


def depth(seen: Prediction) -> float:
    """Return the depth of a model's tree."""
    return float(seen.model.get_depth())


def gathered(problem: Problem, comparison: Comparison) -> Runs | str:
    """Return the scores of a comparison on one data set; or which methods failed."""
    failed = sorted({record.cell.method for record in comparison.failures})
    if failed:
        return f"failed: {', '.join(failed)}"
    scores = {metric: comparison.split_scores(metric)[0] for metric in comparison.metrics}
    return Runs(problem.title, scores)


def wins(made: list[Runs], method: str) -> tuple[int, int, int]:
    """Return on how many data sets a method has a higher, an equal and a lower mean than OC1.

    Examples
    --------
    >>> error = np.array([[0.2, 0.4], [0.2, 0.3], [0.3, 0.3], [0.3, 0.4]])
    >>> made = [Runs("Iris", {"error": error})]
    >>> [wins(made, method) for method in ("FAT", "MOC1", "MOC2")]
    [(1, 0, 0), (0, 1, 0), (0, 0, 1)]
    """
    means = [runs.difference(method).mean() for runs in made]
    signs = [0 if abs(mean) < 1e-9 else int(np.sign(mean)) for mean in means]
    return signs.count(1), signs.count(0), signs.count(-1)
