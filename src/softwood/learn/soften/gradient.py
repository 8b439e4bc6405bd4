"""Softening by gradients: cuts, widths and leaves are trained, with the help of a teacher.

Labels alone let a soft tree of many leaves over-fit. A teacher's answers are smoother, and
there are answers for rows that were never seen. The tree learns three times from them:
its tests are chosen on the teacher's verdicts, cuts, widths and leaves descend on its
probabilities, and a last slow descent on the true rows alone sets the probabilities right.
On request, tests that tell little about the teacher's answers are not trained but dropped.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from softwood._types import AnyArray
from softwood.data.folds import deal_folds
from softwood.data.training import TrainingSet
from softwood.flow import Flow, Ramp
from softwood.learn.soften import effort
from softwood.learn.soften.contest import Contest, Cut
from softwood.learn.soften.ensembles import MANY
from softwood.learn.soften.lessons import Lessons
from softwood.learn.soften.method import Grow, Method, Setting, Soft
from softwood.learn.soften.plain import (
    FEW_TAUGHT,
    SURE,
    better_plain_tree,
    falls_behind,
    most_errors,
)
from softwood.learn.soften.sizes import SizePath
from softwood.learn.soften.teacher import AUTO, Teacher
from softwood.learn.soften.wide import grown_on
from softwood.refine.gradient import Report, SoftenByGradient
from softwood.refine.gradient_terms import columns_to_combine
from softwood.refine.idle_tests import DropCheapTests, without_idle_tests
from softwood.refine.responses import with_flow_weights, with_mean_answers
from softwood.refine.shrink import best_shrunk
from softwood.tree import NUMERIC, OBLIQUE, Tree


@dataclass
class Gradient(Method):
    """Train cuts, widths and leaves by gradients, on the answers of a teacher.

    Parameters
    ----------
    teacher : "auto", int or ensemble, default="auto"
        Who answers for the rows: bagged trees or Coalescence, whichever knows the rows better
        that it has not seen, by log loss or the squared error, or both together; so many
        bagged trees; or any ensemble of ours that leaves out rows. 0 learns from the labels
        alone.
    shape : {"logistic", "linear", "normal"}, default="logistic"
        The curve of a soft test.
    n_epochs : int, optional
        Passes through the rows; at least 30 by default.
    learning_rate : float, default=0.03
        Size of the steps, at most 1.
    width_penalty : float, default=0.0
        How strongly widths are held where they start.
    test_price : float, default=0.15
        With a teacher, and if the tree was not grown by a learner that was asked for: a test is
        trained if it tells so much about the teacher's answers, in nats over all training
        rows. 0 trains every test; more makes smaller trees of small data.
    term_price : float, default=1e-4
        What an oblique test pays for spreading over many features, in units of the loss per
        row. More makes shorter sums, and 0.001 costs accuracy.
    early_stopping : float, optional
        Without a teacher: share of the rows that is not learnt from; the epoch with the least
        loss on it is kept.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import Gradient, SoftTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> method = Gradient(teacher=20, shape="normal")
    >>> SoftTreeClassifier(method=method, random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """

    name: ClassVar[str] = "gradient"
    takes_numbers: ClassVar[bool] = True
    grows_large: ClassVar[bool] = True

    teacher: Any = AUTO
    shape: str = "logistic"
    n_epochs: int | None = None
    learning_rate: float = 0.03
    width_penalty: float = 0.0
    test_price: float = 0.15
    term_price: float = 1e-4
    early_stopping: float | None = None

    @property
    def shared_flow(self) -> Flow:
        """How rows flow through trees of an ensemble that were all trained so."""
        return Ramp(shape=self.shape)

    def can_soften(self, tree: Tree) -> bool:
        """Whether there are cuts to train."""
        return bool(np.any((tree.kind == NUMERIC) | (tree.kind == OBLIQUE)))

    def learn(self, data: TrainingSet, grow: Grow, setting: Setting) -> Soft:
        """Grow a tree on the teacher's verdicts and train it."""
        return Soft(self._trained(data, grow, setting), self.shared_flow)

    def _softened(self, tree: Tree, data: TrainingSet, grow: Grow, setting: Setting) -> Soft:
        # The tests of a tree that is there already all stay.
        keeping = replace(self, test_price=0.0)
        return Soft(keeping._trained(data, lambda _: tree, setting), self.shared_flow)

    def learn_best(
        self,
        data: TrainingSet,
        grow: Grow,
        cuts: Sequence[Cut],
        setting: Setting,
        may_turn: bool = False,
    ) -> Soft:
        """Train a tree of each size, all on the same answers; return the smallest good one.

        Parameters
        ----------
        data : TrainingSet
            The rows.
        grow : callable
            Grows the tree that is cut to all sizes.
        cuts : sequence of Cut
            To the sizes, from small to large.
        setting : Setting
            What else the method is told.
        may_turn : bool
            Whether oblique trees take part; see :meth:`Contest.leader`.
        """
        lessons = self._lessons(data, setting)
        contest = Contest(self, data, self._grown(data, grow, lessons), cuts, lessons, setting)
        few = lessons.targets.columns is None  # a sum of thousands of terms tells nobody anything
        sizes = contest.leader(may_turn and few and columns_to_combine(data).size > 1)
        plain = None
        if self.teacher == AUTO and few and not data.is_regression:
            plain = self._with_plain(sizes, contest, grow)
        sizes = contest.finished(sizes) if plain is None else plain
        return Soft(sizes.tree, self.shared_flow, sizes=sizes)

    def _with_plain(self, sizes: SizePath, contest: Contest, grow: Grow) -> SizePath | None:
        """Return the path with a plain tree, if one is better out of fold."""
        data, lessons, setting = contest.data, contest.lessons, contest.setting
        flow = self.shared_flow
        taught = lessons.taught(data)
        answers = flow.predict(sizes.tree, data.X)

        def learn(rows: AnyArray) -> Tree:
            part = data.take(rows)
            few = data.n_rows <= FEW_TAUGHT
            fewer = self._lessons(part, setting) if few else lessons.of_rows(rows, data.n_rows)
            cut = contest.cuts[-1].refine(self._grown(part, grow, fewer))
            first = self.without_cheap_tests(cut, part, fewer)
            turned = replace(setting, oblique=bool(np.any(sizes.tree.kind == OBLIQUE)))
            return self.taught(first, part, fewer, turned, brief=True)

        most = most_errors(answers, taught, data)
        n_errors = 1.0 if falls_behind(answers, taught, data) else SURE
        plain = better_plain_tree(data, most, learn, flow, setting, n_errors)
        if plain is None:
            return None
        plain = best_shrunk(plain, flow, data, lessons.targets.target[: data.n_rows])
        return sizes.instead(plain, contest.loss(plain))

    def _trained(self, data: TrainingSet, grow: Grow, setting: Setting) -> Tree:
        if self.teacher == 0:
            learnt, held_out = self._held_out(data, setting.seed)
            tree = self._descent(setting).refine(
                grow(data), learnt, validation=held_out, report=_report(setting)
            )
            return self._weighed(tree, data)
        lessons = self._lessons(data, setting)
        first = self.without_cheap_tests(self._grown(data, grow, lessons), data, lessons)
        return self.taught(first, data, lessons, setting)

    def _weighed(self, tree: Tree, data: TrainingSet) -> Tree:
        """Return the tree without tests that no row needs, and with the mass of all nodes."""
        flow = self.shared_flow
        return with_flow_weights(without_idle_tests(tree, flow, data), flow, data)

    def _lessons(self, data: TrainingSet, setting: Setting) -> Lessons:
        n_copies = effort.copies_for(*data.X.shape)
        teacher = Teacher.of(self.teacher, data, n_copies=n_copies)
        if self.teacher == AUTO and self.trains_long(data):
            teacher = replace(teacher, trust=effort.TRUST_OF_MANY)
        targets = teacher.soft_targets(data, setting.seed, setting.jobs)
        return Lessons(targets, teacher.noise(data, targets), teacher.trust)

    def _grown(self, data: TrainingSet, grow: Grow, lessons: Lessons) -> Tree:
        """Return the tree to be trained: its tests are chosen on the teacher's verdicts."""
        targets = lessons.targets
        return grown_on(targets.columns, grow, targets.as_training_set(data))

    def without_cheap_tests(self, tree: Tree, data: TrainingSet, lessons: Lessons) -> Tree:
        """Return the tree without tests that tell little about what was taught."""
        cheap = DropCheapTests(self.test_price)
        return cheap.refine(tree, lessons.targets, data.n_rows, lessons.noise)

    def taught(
        self,
        tree: Tree,
        data: TrainingSet,
        lessons: Lessons,
        setting: Setting,
        brief: bool = False,
    ) -> Tree:
        """Return the tree, trained on all answers, then on those for the true rows, and shrunk.

        Parameters
        ----------
        tree : Tree
            Where training begins.
        data : TrainingSet
            The rows.
        lessons : Lessons
            What was taught.
        setting : Setting
            What else the method is told.
        brief : bool
            Whether to train only as long as it takes to compare trees with each other.
        """
        if not self.can_soften(tree):
            # Grown on verdicts, in which classes may be missing that are merely unlikely.
            rows, flow = lessons.of_true_rows(data), self.shared_flow
            weighed = with_mean_answers(with_flow_weights(tree, flow, data), flow, rows)
            return best_shrunk(weighed, flow, data, rows.target)
        return self._learnt(tree, data, lessons, self._descent(setting), setting, brief)

    def trains_long(self, data: TrainingSet) -> bool:
        """Whether there are so many rows that oblique trees take long to learn from them."""
        return data.n_rows >= MANY and not data.is_regression

    def taught_on(
        self,
        tree: Tree,
        data: TrainingSet,
        lessons: Lessons,
        setting: Setting,
        brief: bool = False,
    ) -> Tree:
        """Return a soft tree trained on from where it is; its tests get no other terms.

        The parameters are those of :meth:`taught`.
        """
        onwards = replace(self._descent(setting), oblique=False, width=None)
        return self._learnt(tree, data, lessons, onwards, setting, brief)

    def _learnt(
        self,
        tree: Tree,
        data: TrainingSet,
        lessons: Lessons,
        descent: SoftenByGradient,
        setting: Setting,
        brief: bool,
    ) -> Tree:
        """Return the tree after a descent on all answers and a last one on those for true rows."""
        rows = lessons.of_true_rows(data)
        turns = descent.oblique or descent.width is None
        n_epochs, rate = effort.LAST_OF_OBLIQUE if turns else effort.LAST
        if brief:
            few = effort.brief_epochs(lessons.targets.weight.size)
            n_epochs = n_epochs if data.is_regression else min(n_epochs, few)
            descent = replace(descent, n_epochs=min(self.n_epochs or few, few))
        elif descent.oblique and self.trains_long(data):
            descent = replace(descent, n_epochs=self.n_epochs or effort.LONG)
            n_epochs = effort.LONG
        soft = descent.refine(tree, data, lessons.targets, report=_report(setting))
        slow = replace(
            descent,
            n_epochs=n_epochs,
            learning_rate=rate * descent.learning_rate,
            width=None,
            oblique=False,  # the terms that were kept go on, others do not come back
        )
        trained = self._weighed(slow.refine(soft, data, rows), data)
        return best_shrunk(trained, self.shared_flow, data, rows.target)

    def _descent(self, setting: Setting) -> SoftenByGradient:
        return SoftenByGradient(
            shape=self.shape,
            n_epochs=self.n_epochs,
            learning_rate=self.learning_rate,
            width_penalty=self.width_penalty,
            oblique=setting.oblique,
            term_price=self.term_price,
            seed=setting.seed,
        )

    def _held_out(self, data: TrainingSet, seed: int) -> tuple[TrainingSet, TrainingSet | None]:
        """Return the rows to learn from, and those that say when to stop, if any."""
        if self.early_stopping is None:
            return data, None
        n_parts = max(2, min(round(1 / self.early_stopping), data.n_rows))
        learnt, held_out = deal_folds(data.label, n_parts, np.random.default_rng(seed))[0]
        return data.take(learnt), data.take(held_out)


def _report(setting: Setting) -> Report | None:
    if not setting.verbose:
        return None

    def report(epoch: int, loss: float) -> None:
        sys.stderr.write(f"softwood: epoch {epoch + 1}, loss {loss:.4f}\n")

    return report
