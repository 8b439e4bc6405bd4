"""The runs that most tables and figures share: cross-validated errors and votes.

An ensemble is run once on each data set: parts of the paper that are asked for together
share the runs, and so do those that are asked for later with ``--resume``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Finding
from softwood.papers.printed import printed
from softwood.papers.setting import Setting, load_available
from softwood.papers.spectrum.methods import ensemble
from softwood.papers.spectrum.votes import MEANS, Votes, vote_metrics

if TYPE_CHECKING:
    from softwood.datasets.dataset import Dataset
    from softwood.evaluate.comparison import Comparison

FOLDS = {"quick": "kfold:5", "full": "kfold:10"}
SETS_IN_PAPER = 45
RINGS = (8.5, 10.5)  # abalone has three classes of age: up to 8 rings, 9 and 10, and more


@dataclass(frozen=True)
class Problem:
    """A data set of the paper: what it is called there and here."""

    title: str
    name: str
    stand_in: str = ""


@dataclass(frozen=True)
class Score:
    """What an ensemble came to over all folds; the error in percent."""

    error: float
    votes: Votes


@dataclass(frozen=True, eq=False)
class Runs:
    """The scores of ensembles, by data set.

    Attributes
    ----------
    scores : dict of str to dict of str to Score
        By title of the data set, by name of the ensemble.
    n_rows : dict of str to int
        Rows of each data set.
    stand_ins : dict of str to str
        Data sets that were not at hand, and what was run in their place.
    missing : dict of str to str
        Data sets that were not run, and why.
    """

    scores: dict[str, Mapping[str, Score]] = field(default_factory=dict)
    n_rows: dict[str, int] = field(default_factory=dict)
    stand_ins: dict[str, str] = field(default_factory=dict)
    missing: dict[str, str] = field(default_factory=dict)

    @property
    def enough(self) -> bool:
        """Whether there are data sets to take ranks and means over."""
        return len(self.scores) > 1

    @property
    def titles(self) -> tuple[str, ...]:
        """The data sets that were run."""
        return tuple(self.scores)

    def errors(self, names: Sequence[str]) -> FloatArray:
        """Return errors in percent, data sets by ensembles."""
        lines = [[of[name].error for name in names] for of in self.scores.values()]
        return np.array(lines).reshape(len(lines), len(names))

    def votes(self, what: str, names: Sequence[str]) -> FloatArray:
        """Return "strength", "rho" or "rho_unsquared", data sets by ensembles."""
        lines = [[getattr(of[name].votes, what) for name in names] for of in self.scores.values()]
        return np.array(lines).reshape(len(lines), len(names))


def problems(setting: Setting) -> tuple[Problem, ...]:
    """Return the paper's data sets, or in a quick run ten small ones.

    Examples
    --------
    >>> len(problems(Setting(full=True))), len(problems(Setting()))
    (45, 10)
    """
    table = printed("spectrum", "sets", text=("set", "stand-in"))
    lines = zip(table.rows, table.text["set"], table.text["stand-in"], strict=True)
    small = table.column("quick") == 1
    return tuple(
        Problem(*line)
        for line, is_small in zip(lines, small, strict=True)
        if setting.full or is_small
    )


def all_runs(setting: Setting, names: Sequence[str]) -> Runs:
    """Run ensembles on all data sets that can be had.

    Parameters
    ----------
    setting : Setting
        Quick or full.
    names : sequence of str
        Of ensembles, as in :mod:`softwood.papers.spectrum.methods`.

    Returns
    -------
    Runs
    """
    shared, runs = replace(setting, experiment="spectrum/runs"), Runs()
    for problem in problems(setting):
        loaded = load(problem)
        if isinstance(loaded, str):
            runs.missing[problem.title] = loaded
            continue
        known = _run_before(shared, problem)
        lacking = [name for name in names if name not in known]
        if lacking:
            known.update(_run(shared, problem, loaded, lacking))
        failed = [name for name in names if name not in known]
        if failed:
            runs.missing[problem.title] = f"failed: {', '.join(failed)}"
            continue
        runs.scores[problem.title] = known
        runs.n_rows[problem.title] = len(loaded.y)
        if loaded.name != problem.name:
            runs.stand_ins[problem.title] = loaded.name
    return runs


def describe(setting: Setting, runs: Runs) -> tuple[str, ...]:
    """Return how the runs differ from the paper's."""
    folds = setting.pick(quick="5 folds, where the paper has 10", full="10 folds")
    notes = [
        f"{len(runs.titles)} of the paper's {SETS_IN_PAPER} data sets; {folds}, stratified, the "
        "same for all ensembles; 100 trees."
    ]
    if runs.stand_ins:
        pairs = (f"{name} for {title}" for title, name in runs.stand_ins.items())
        notes.append(f"Other versions of data sets: {', '.join(pairs)}.")
    return tuple(notes)


def nothing_to_compare(setting: Setting, runs: Runs) -> Finding:
    """Return what a part finds that has fewer than two data sets: nothing but why."""
    return Finding(missing=runs.missing, notes=describe(setting, runs))


@dataclass(frozen=True, eq=False)
class Loaded:
    """A data set that is at hand."""

    name: str
    X: Any
    y: Any


def load(problem: Problem) -> Loaded | str:
    """Return a data set, or its stand-in, or why neither can be had."""
    reasons: dict[str, str] = {}
    for name in filter(None, (problem.name, problem.stand_in)):
        sets, missing = load_available([name])
        if name in sets:
            return _loaded(name, sets[name])
        reasons |= missing
    return reasons[problem.name]


def _loaded(name: str, dataset: Dataset) -> Loaded:
    target = dataset.target
    if target.is_nominal:
        y = np.asarray(target.as_objects(), dtype=str)
    else:
        y = np.array(["young", "middle", "old"])[np.digitize(target.values, RINGS)]
    return Loaded(name, dataset.table.drop([dataset.target_name]), y)


@lru_cache(maxsize=4 * SETS_IN_PAPER)
def _run_before(setting: Setting, problem: Problem) -> dict[str, Score]:
    """Return what is known about a data set: a place to note it, empty at first."""
    return {}


def _run(
    setting: Setting, problem: Problem, loaded: Loaded, names: Iterable[str]
) -> dict[str, Score]:
    comparison = setting.compare(
        loaded.name,
        {name: ensemble(name) for name in names},
        {problem.title: (loaded.X, loaded.y)},
        setting.pick(**FOLDS),
        ["error", *vote_metrics()],
    )
    return scores_of(comparison)


def scores_of(comparison: Comparison) -> dict[str, Score]:
    """Return the scores of the methods of a comparison on one data set; none of those failed."""
    failed = {record.cell.method for record in comparison.failures}
    errors = 100 * comparison.scores("error")[0]
    means = np.array([comparison.scores(metric)[0] for metric in MEANS])
    return {
        name: Score(float(errors[j]), Votes.of_means(*means[:, j].tolist()))
        for j, name in enumerate(comparison.methods)
        if name not in failed
    }
