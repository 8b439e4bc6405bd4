"""The oblique grower: every node searches for the hyperplane that parts its classes best."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray
from softwood.data.training import TrainingSet
from softwood.grow.agenda import Agenda
from softwood.grow.oblique_buffers import ObliqueNodeBuffers
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.oblique.scratch import Finding, Frame

NO_LIMIT = 2**31 - 1
OBJECTIVES = {"oc1": 0, "moc1": 1, "moc2": 2}
CRITERIA = {"gini": 0, "entropy": 1, "twoing": 2, "max_minority": 4, "sum_minority": 5}
ORDERS = {"sequential": 0, "best_first": 1, "random": 2}
FEW_CATEGORIES = 8  # nominal columns with more have no place in a hyperplane
LARGE = 192  # nodes with more rows are split in several tasks
SURVEY, SETTLE = (True, 0, 0, False), (False, 0, 0, True)  # phases of splitting a large node
ROWS_PER_TASK = 2048  # climbs are grouped until a task has so many rows to go over

Run = Callable[[Callable[[Any], Any], Iterable[Any]], Any]


@dataclass(frozen=True, slots=True)
class Oblique:
    """How an oblique tree grows.

    Parameters
    ----------
    objective : {"oc1", "moc1", "moc2"}, default="oc1"
        What a hyperplane is worth: its score alone, or its margin too.
    criterion : {"twoing", "gini", "entropy", "max_minority", "sum_minority"}, default="twoing"
        What score is.
    search : {"exact", "classic"}, default="exact"
        The best place of every line, or OC1's own sweep.
    order : {"sequential", "best_first", "random"}, default="sequential"
        Which coefficient is moved next.
    n_restarts, n_jumps : int
        Climbs of a node, and random directions tried where a climb stands still.
    margin_weight : float, default=0.05
        Weight of the margin in MOC1.
    margin_scale : {"scaled", "raw"}, default="scaled"
        Whether margins are measured in standard deviations of the node, or in the units of
        the table.
    max_depth : int, optional
        Most tests on a path.
    min_samples_split : int, default=4
        Fewest rows of a node that is split.
    """

    objective: str = "oc1"
    criterion: str = "twoing"
    search: str = "exact"
    order: str = "sequential"
    n_restarts: int = 20
    n_jumps: int = 5
    margin_weight: float = 0.05
    margin_scale: str = "scaled"
    max_depth: int | None = None
    min_samples_split: int = 4

    def rules(self) -> Any:
        """Return the rules as the kernels take them."""
        from softwood._kernels.oblique.scratch import ObliqueRules

        exact = self.search == "exact"
        without_margin = self.objective == "oc1"
        return ObliqueRules(
            criterion=CRITERIA[self.criterion],
            objective=OBJECTIVES[self.objective],
            exact=exact,
            order=ORDERS[self.order],
            n_restarts=self.n_restarts,
            n_jumps=self.n_jumps,
            margin_weight=float(self.margin_weight),
            scaled=exact if without_margin else self.margin_scale == "scaled",
        )

    @property
    def deepest(self) -> int:
        """The depth at which nodes are leaves."""
        return NO_LIMIT if self.max_depth is None else self.max_depth


@dataclass(frozen=True, slots=True)
class ObliqueGrower:
    """Grow an oblique tree.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.oblique import Oblique, ObliqueGrower
    >>> X = np.random.default_rng(0).random((200, 2))
    >>> data = TrainingSet.of_classes(X, X[:, 0] + X[:, 1] > 1)
    >>> tree = ObliqueGrower(Oblique()).grow(data, np.random.SeedSequence(0))
    >>> tree
    Tree(n_nodes=3, n_leaves=2, depth=1, n_features=2, n_outputs=2)
    >>> tree.terms(0)[1].round(1).tolist()
    [1.0, 1.0]
    """

    policy: Oblique

    def grow(
        self,
        data: TrainingSet,
        seed: np.random.SeedSequence,
        run: Run = map,
        n_workers: int = 1,
        report: Callable[[int], None] | None = None,
    ) -> Tree:
        """Return a tree, the same for any number of workers.

        Parameters
        ----------
        data : TrainingSet
            The table, of classes.
        seed : SeedSequence
            Where the random numbers of all nodes come from.
        run : callable, default=map
            Calls a function with each of some arguments, perhaps in several threads.
        n_workers : int, default=1
            How many calls are worth making at once.
        report : callable, optional
            Called with the number of rows of a leaf whenever one is finished.

        Returns
        -------
        Tree
        """
        growth = _Growth(self.policy, data, seed, report)
        list(run(growth.work, range(n_workers)))
        return growth.buffers.finished()


@dataclass(slots=True)
class _Large:
    """A node whose climbs are tasks of their own."""

    waiting: _Waiting
    frame: Frame
    finding: Finding
    n_climbing: int = 0


@dataclass(frozen=True, slots=True)
class _Waiting:
    """A node to be split: its place in the buffers, its rows, its depth, its random stream."""

    node: int
    start: int
    stop: int
    depth: int
    state: AnyArray

    @property
    def n_rows(self) -> int:
        return self.stop - self.start


class _Growth:
    """One tree while it grows: the table, the buffers, and the nodes that wait."""

    def __init__(
        self,
        policy: Oblique,
        data: TrainingSet,
        seed: np.random.SeedSequence,
        report: Callable[[int], None] | None,
    ) -> None:
        from softwood._kernels.randomness import random_state

        self.policy, self.rules, self.report = policy, policy.rules(), report
        self.table = _table_of(data)
        self.rows = np.arange(data.n_rows)
        self.n_classes = data.n_classes
        self.most_levels = int(data.n_categories.max(initial=0))
        self.buffers = ObliqueNodeBuffers(data)
        self.agenda = Agenda()
        root = _Waiting(0, 0, data.n_rows, 0, random_state(seed))
        if self._may_split(root, self.buffers.class_weight(0)):
            self.agenda.add([root])

    def work(self, _: int) -> None:
        """Do what is on the agenda, beside other workers, until nothing is left."""
        scratch = _Scratch(self)
        for task in self.agenda.tasks():
            if isinstance(task, _Waiting):
                self._split(task, scratch)
            else:
                large, first, last = task
                self._climb(large, first, last, scratch)

    def _split(self, waiting: _Waiting, scratch: _Scratch) -> None:
        """Split a node, and all below it where it is small."""
        from softwood._kernels.oblique.split import split_node

        small, n_restarts = [waiting], self.rules.n_restarts
        while small:
            waiting = small.pop()
            rows = self.rows[waiting.start : waiting.stop]
            is_large = rows.size > LARGE
            frame, finding = scratch.room_for(rows.size, is_large)
            self._gather(waiting, frame, finding)
            phase = SURVEY if is_large else (True, 0, n_restarts, True)
            answer = split_node(
                self.table, rows, self.rules, frame, finding, scratch.scratch, phase
            )
            if is_large and answer:
                self._plan_climbs(_Large(waiting, frame, finding))
                continue
            if is_large:
                answer = split_node(
                    self.table, rows, self.rules, frame, finding, scratch.scratch, SETTLE
                )
            children = self._children(waiting, finding, answer)
            small += [child for child in children if child.n_rows <= LARGE]
            if self.agenda.n_idle and len(small) > 1:
                self.agenda.add(small[:-1])
                del small[:-1]
            self.agenda.add([child for child in children if child.n_rows > LARGE])

    def _gather(self, waiting: _Waiting, frame: Frame, finding: Finding) -> None:
        from softwood._kernels.oblique.split import gather_node

        rows = self.rows[waiting.start : waiting.stop]
        gather_node(self.table, rows, waiting.state, self.rules, frame, finding)
        if self.most_levels:
            from softwood._kernels.oblique.nominal import best_nominal

            best_nominal(self.table, frame, self.rules.criterion, finding)

    def _plan_climbs(self, large: _Large) -> None:
        n_restarts = self.rules.n_restarts
        at_once = max(1, ROWS_PER_TASK // large.waiting.n_rows)
        firsts = range(0, n_restarts, at_once)
        large.n_climbing = len(firsts)
        self.agenda.add([(large, k, min(k + at_once, n_restarts)) for k in reversed(firsts)])

    def _climb(self, large: _Large, first: int, last: int, scratch: _Scratch) -> None:
        """Climb some of the starts of a large node; who comes last sends its rows on."""
        from softwood._kernels.oblique.split import split_node

        rows = self.rows[large.waiting.start : large.waiting.stop]
        rest = (rows, self.rules, large.frame, large.finding, scratch.scratch)
        split_node(self.table, *rest, (False, first, last, False))
        with self.agenda.lock:
            large.n_climbing -= 1
            is_last = large.n_climbing == 0
        if is_last:
            n_left = split_node(self.table, *rest, SETTLE)
            self.agenda.add(self._children(large.waiting, large.finding, n_left))

    def _children(self, waiting: _Waiting, finding: Finding, n_left: int) -> list[_Waiting]:
        """Note the test of a node; return those of its children that may be split in turn."""
        if n_left == 0:
            self._tell(waiting.n_rows)
            return []
        with self.agenda.lock:
            first = self.buffers.add(waiting.node, self.table, finding)
        middle, depth = waiting.start + n_left, waiting.depth + 1
        states = finding.stream[-2:].copy()
        children = [
            _Waiting(first, waiting.start, middle, depth, states[0]),
            _Waiting(first + 1, middle, waiting.stop, depth, states[1]),
        ]
        return [
            child
            for child, weights in zip(children, finding.side, strict=True)
            if self._may_split(child, weights)
        ]

    def _may_split(self, waiting: _Waiting, class_weight: AnyArray) -> bool:
        may = (
            waiting.n_rows >= self.policy.min_samples_split
            and waiting.depth < self.policy.deepest
            and np.count_nonzero(class_weight) > 1
        )
        if not may:
            self._tell(waiting.n_rows)
        return bool(may)

    def _tell(self, n_rows: int) -> None:
        if self.report is not None:
            with self.agenda.lock:
                self.report(n_rows)


class _Scratch:
    """The room that one worker has; large nodes get a frame of their own."""

    def __init__(self, growth: _Growth) -> None:
        from softwood._kernels.oblique.scratch import room_of

        table = growth.table
        self.growth, self.n_usable = growth, table.usable.size
        n_rows, objective = growth.rows.size, growth.rules.objective
        self.scratch = room_of(n_rows, self.n_usable, growth.n_classes, objective)
        self._frame, self._finding = self._made(min(n_rows, LARGE))

    def room_for(self, n_rows: int, is_large: bool) -> tuple[Frame, Finding]:
        """Return room for a node; that of a small one is used again for the next."""
        from softwood._kernels.oblique.scratch import part_of_frame

        if is_large:
            return self._made(n_rows)
        return part_of_frame(self._frame, n_rows), self._finding

    def _made(self, n_rows: int) -> tuple[Frame, Finding]:
        from softwood._kernels.oblique.scratch import finding_of, frame_of

        growth = self.growth
        frame = frame_of(n_rows, self.n_usable, growth.n_classes)
        n_restarts = growth.rules.n_restarts
        return frame, finding_of(n_restarts, self.n_usable, growth.n_classes, growth.most_levels)


def _repeats(data: TrainingSet) -> AnyArray:
    """Return which columns have a value twice; a nominal one that has none tells nothing."""
    many = data.n_categories > data.n_rows // 2
    columns = zip(many.tolist(), data.X.T, strict=True)
    return np.array([not is_many or np.unique(x).size < x.size for is_many, x in columns])


def _table_of(data: TrainingSet) -> Any:
    from softwood._kernels.oblique.scratch import ObliqueTable

    return ObliqueTable(
        X=data.X,
        label=data.label,
        weight=data.weight / data.weight.mean(),  # scores are products of weights: none too small
        usable=np.flatnonzero(data.n_categories <= FEW_CATEGORIES),
        nominal=np.flatnonzero(data.is_nominal & _repeats(data)),
        n_levels=data.n_categories.astype(np.int64),
    )
