"""Evolved trees as learners: genetic programming for the least empirical or vicinal risk."""

from __future__ import annotations

from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from softwood.data.training import TrainingSet
from softwood.ensemble.jobs import Jobs
from softwood.flow import Flow, Gaussian, Hard
from softwood.grow.evolve import Evolution, can_evolve
from softwood.grow.evolve_front import ParetoFront, single_leaf
from softwood.learn.checkpoint import Checkpoint, Saved, digest_of
from softwood.learn.evolving import Evolving, Watch
from softwood.learn.evolving_choices import Choice, choose_sigma2, founders, given_sigma2
from softwood.learn.fitted import ONE_JOB, Fitted
from softwood.learn.vicinity import vicinity
from softwood.refine.responses import in_given_units
from softwood.tree import Tree

SHORT = 10  # runs that choose the variance have one iteration in so many
DEFAULT_SIGMA2 = 0.1
# What must be the same for a checkpoint to go on from.
CHECKED = ("risk", "objectives", "sigma2", "population_size", "max_depth", "n_runs", "init",
           "refine", "cuts")  # fmt: skip


@dataclass(frozen=True)
class EvolvedLearner:
    """Evolution; the options are the parameters of :class:`softwood.EvolvedTreeClassifier`.

    ``keeps_seed`` says whether a checkpoint must be of the same seed: so it is where the user has
    given one. ``watch`` is told of the progress.
    """

    risk: str = "vicinal"
    objectives: str = "multi"
    sigma2: Any = DEFAULT_SIGMA2
    population_size: int = 100
    n_iter: int = 200_000
    max_depth: int = 10
    n_runs: int = 1
    init: str = "random"
    refine: str = "none"
    prediction: str = "hard"
    cuts: str = "uniform"
    n_folds: int = 5
    checkpoint: Any = None
    keeps_seed: bool = True
    watch: Watch | None = None

    def fit(self, data: TrainingSet, seed: int, jobs: Jobs = ONE_JOB) -> Fitted:
        """Return the tree of least risk, the front that it is from, and the noise."""
        is_given = not isinstance(self.sigma2, str)
        choice = given_sigma2(self.sigma2 if is_given else DEFAULT_SIGMA2, data.X.shape[1])
        if not can_evolve(data):
            return self._found(ParetoFront.of([single_leaf(data)]), data, choice, {})
        choosing, *running = np.random.SeedSequence(seed).spawn(1 + self.n_runs)
        checkpoint = Checkpoint(self.checkpoint, self._facts(data, seed))
        saved = checkpoint.read()
        if saved is not None:
            with checkpoint.explained():
                choice = self._choice_of(saved, choice, is_given)
        elif not is_given:
            choice = choose_sigma2(data, self._fit_to, self.n_folds, choosing, jobs)
        evolving = Evolving(self._evolution(data, choice), data, choice, checkpoint)
        if saved is not None:
            evolving.resume(saved)
        else:
            evolving.start(running, self._founders(data))
        evolving.go_on(self.n_iter, jobs, self.watch or Watch())
        front = ParetoFront.of(evolving.candidates())
        return self._found(front, data, choice, evolving.history)

    @property
    def shared_flow(self) -> Flow:
        """How rows flow through trees of an ensemble."""
        if self.prediction == "soft":
            raise ValueError(
                "prediction='soft' blurs the rows of each tree by noise of its own; in an ensemble "
                "use prediction='hard', and smoothing='oob' of the ensemble to blur them"
            )
        return Hard()

    def _founders(self, data: TrainingSet) -> list[Tree]:
        return founders(data, self.population_size) if self.init == "seeded" else []

    def _choice_of(self, saved: Saved, given: Choice, is_given: bool) -> Choice:
        """Return the noise of a checkpoint, which must be of as many runs, and what was given."""
        sigma2 = saved.choice.sigma2
        if len(saved.states) != self.n_runs:
            raise ValueError(f"it must have {self.n_runs} runs; got {len(saved.states)}")
        if is_given and not np.array_equal(sigma2, given.sigma2):
            raise ValueError("its sigma2 must be what was given")
        if not is_given and saved.choice.path is None:
            raise ValueError("it must have what cross-validation came to")
        return given_sigma2(sigma2, given.sigma2.size)._replace(path=saved.choice.path)

    def _evolution(self, data: TrainingSet, choice: Choice) -> Evolution:
        return Evolution(
            flow=vicinity(data, choice.sigma2) if self.risk == "vicinal" else Hard(),
            objectives=self.objectives,
            population_size=self.population_size,
            max_depth=self.max_depth,
            cuts=self.cuts,
            descent=self.refine == "descent",
        )

    def _fit_to(
        self, data: TrainingSet, sigma2: float, seed: np.random.SeedSequence
    ) -> tuple[Tree, Flow]:
        """Return a tree for one variance, after a short run, and the flow to ask it with."""
        choice = given_sigma2(sigma2, data.X.shape[1])
        flow = self._flow_for(vicinity(data, choice.sigma2))
        if not can_evolve(data):
            return single_leaf(data).tree, flow
        run = self._evolution(data, choice).start(data, seed, self._founders(data))
        run.advance(self.n_iter // SHORT)
        return run.best().tree, flow

    def _flow_for(self, noise: Gaussian) -> Flow:
        return noise if self.prediction == "soft" else Hard()

    def _facts(self, data: TrainingSet, seed: int) -> dict[str, Any]:
        """Return what must be the same for a checkpoint to go on from."""
        facts: dict[str, Any] = {name: getattr(self, name) for name in CHECKED}
        if not isinstance(self.sigma2, str | Real):
            facts["sigma2"] = np.asarray(self.sigma2).tolist()
        # Without a seed of the user's, that of the first attempt goes on.
        facts["seed"] = seed if self.keeps_seed else None
        return {**facts, "training set": digest_of(data)}

    def _found(
        self, front: ParetoFront, data: TrainingSet, choice: Choice, history: dict[str, list[Any]]
    ) -> Fitted:
        noise = vicinity(data, choice.sigma2)
        return Fitted.of_tree(
            front.trees[-1],
            self._flow_for(noise),
            risk=float(front.risks[-1]),
            n_nodes_evolved=int(front.n_nodes_evolved[-1]),
            front_trees=tuple(in_given_units(tree, data) for tree in front.trees),
            front_risks=front.risks,
            front_n_nodes_evolved=front.n_nodes_evolved,
            history={name: np.array(values) for name, values in history.items()},
            noise=noise,
            sigma2=choice.sigma2,
            sigma2_path=choice.path,
        )
