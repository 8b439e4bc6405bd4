"""Runs of evolution side by side: progress, interruption, checkpoints, and what they found."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, NamedTuple

import numpy as np

from softwood._progress import tell_progress
from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.grow.evolve import Evolution
from softwood.grow.evolve_front import Candidate
from softwood.grow.evolve_run import Run
from softwood.grow.evolve_state import resumed, state_of
from softwood.learn.checkpoint import Checkpoint, Saved
from softwood.learn.evolving_choices import Choice
from softwood.tree import Tree

# A run is done in parts, after each of which it can be seen, kept and interrupted.
N_PARTS, LEAST_PART, LARGEST_PART = 100, 1000, 10_000
SECONDS_BETWEEN_LINES = 1.0


class Progress(NamedTuple):
    """Where a fit is.

    Attributes
    ----------
    iteration, n_iter : int
        Breeding events of each run so far, and in all.
    risk : float
        Least training risk so far.
    n_nodes : int
        Nodes of the tree that has it, those that decide nothing included.
    """

    iteration: int
    n_iter: int
    risk: float
    n_nodes: int


@dataclass
class Watch:
    """Who is told of the progress.

    Attributes
    ----------
    verbose : int
        Whether lines are written to stderr.
    callback : callable or None
        Takes a :class:`Progress`; the fit ends early if it returns True.
    report : callable or None
        Called after each part.
    keeps_best : bool
        Whether a fit that is interrupted ends with the best tree so far.
    """

    verbose: int = 0
    callback: Callable[[Progress], Any] | None = None
    report: Callable[[], None] | None = None
    keeps_best: bool = True
    _next_line: float = field(default_factory=monotonic)

    def tell(self, progress: Progress) -> bool:
        """Tell everybody; return whether the fit is to end."""
        is_last = progress.iteration == progress.n_iter
        tell_progress("iterations", progress.iteration, progress.n_iter)
        if self.verbose and (is_last or monotonic() >= self._next_line):
            self._next_line = monotonic() + SECONDS_BETWEEN_LINES
            sys.stderr.write(
                f"softwood: {progress.iteration} of {progress.n_iter} iterations, "
                f"least risk {progress.risk:.4f} ({progress.n_nodes} nodes)\n"
            )
        if self.report is not None:
            self.report()
        return self.callback is not None and self.callback(progress) is True


def reporter_of(estimator: Any, context: Any) -> Callable[[], None] | None:
    """Return what tells scikit-learn's callbacks of each part; None if nobody listens."""
    if not hasattr(estimator, "_skl_callbacks"):
        return None

    def report() -> None:
        task = context.subcontext(task_name="part")
        task.call_on_fit_task_begin(estimator=estimator)
        task.call_on_fit_task_end(estimator=estimator)

    return report


def n_parts_of(n_iter: int) -> int:
    """Return in how many parts a run is done."""
    return -(-n_iter // _part_of(n_iter))


def _part_of(n_iter: int) -> int:
    return max(LEAST_PART, min(LARGEST_PART, -(-n_iter // N_PARTS)))


class Evolving:
    """Some runs that go on together.

    Parameters
    ----------
    evolution : Evolution
        The rules of all of them.
    data : TrainingSet
        The training set.
    choice : Choice
        The noise; it is kept with their state.
    checkpoint : Checkpoint
        Where that is kept.
    """

    def __init__(
        self, evolution: Evolution, data: TrainingSet, choice: Choice, checkpoint: Checkpoint
    ) -> None:
        self.evolution = evolution
        self.data = data
        self.choice = choice
        self.checkpoint = checkpoint
        self.runs: list[Run] = []
        self.history: dict[str, list[Any]] = {"iteration": [], "risk": [], "n_nodes": []}

    def start(self, seeds: Sequence[np.random.SeedSequence], trees: Sequence[Tree]) -> None:
        """Found a population for each seed, all with the same trees in it."""
        self.runs = [self.evolution.start(self.data, seed, trees) for seed in seeds]
        self._note()

    def resume(self, saved: Saved) -> None:
        """Go on from a checkpoint, unless it is not one of runs like these."""
        with self.checkpoint.explained():
            runs = [resumed(self.evolution, self.data, state) for state in saved.states]
            if {run.iteration for run in runs} != {saved.history["iteration"][-1]}:
                raise ValueError("its runs must be in step, and its history end where they are")
        self.runs, self.history = runs, saved.history

    def go_on(self, n_iter: int, jobs: Jobs, watch: Watch) -> None:
        """Breed until each run has had ``n_iter`` events, or somebody ends it."""
        try:
            while self.runs[0].iteration < n_iter:
                part = min(_part_of(n_iter), n_iter - self.runs[0].iteration)
                self._advance(part, jobs)
                if watch.tell(self._note()._replace(n_iter=n_iter)):
                    break
                if self.checkpoint.is_due:
                    self._save()
        except KeyboardInterrupt:
            if not watch.keeps_best:
                raise
            self._say_interrupted(n_iter)
        self._save()

    def candidates(self) -> list[Candidate]:
        """Return the fronts of all runs together."""
        return [one for run in self.runs for one in run.front()]

    def _advance(self, part: int, jobs: Jobs) -> None:
        if len(self.runs) == 1:
            self.runs[0].advance(part)
        else:
            jobs.each(lambda run: run.advance(part), self.runs)

    def _note(self) -> Progress:
        risks = [run.best_risk for run in self.runs]
        nodes = [run.best_n_nodes for run in self.runs]
        iteration = self.runs[0].iteration
        self.history["iteration"].append(iteration)
        self.history["risk"].append(risks)
        self.history["n_nodes"].append(nodes)
        best = int(np.argmin(risks))
        return Progress(iteration, iteration, risks[best], nodes[best])

    def _save(self) -> None:
        if self.checkpoint.path is None:
            return
        states = [state_of(run) for run in self.runs]
        # Runs that were interrupted are not in step, and could not go on together.
        if len({int(state["iteration"][0]) for state in states}) == 1:
            facts = self.checkpoint.facts
            self.checkpoint.write(Saved(facts, self.choice, self.history, states))

    def _say_interrupted(self, n_iter: int) -> None:
        from sklearn.exceptions import ConvergenceWarning

        for run in self.runs:  # wait until every one is at rest
            with run.rests:
                pass
        done = min(run.iteration for run in self.runs)
        warnings.warn(
            f"interrupted after {done} of {n_iter} iterations: the model is the best so far",
            ConvergenceWarning,
            stacklevel=2,
        )
