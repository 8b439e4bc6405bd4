"""Softening by simulated annealing: ramps that make training rows surer of their class."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.training import TrainingSet
from softwood.flow import Hard, Ramp
from softwood.refine.cost_complexity import pruning_sequence
from softwood.refine.phases import draw, open_desk, open_outputs, phase_groups, room_of_tests
from softwood.tree import NUMERIC, Tree

if TYPE_CHECKING:
    from softwood._kernels.soft.anneal import Schedule

SCHEDULES = ("sann", "fast")
# Of the fast schedule: the ramps it starts from, as a share of their room; the rows for which
# ``temp`` is meant; and the share of the cost by which a phase must lower it to count.
FIRST_WIDTH, TEMPERATE_ROWS, WORTHWHILE = 0.01, 50_000, 5e-4


@dataclass(frozen=True, slots=True)
class SoftenByAnnealing:
    r"""Choose the ramps of a fitted tree by simulated annealing (Dvořák and Savický).

    The widths of all numeric tests are to minimise
    :math:`f = \sum_i w_i \exp(-\alpha T_{y_i}(x_i))`, T_y being the probability that the
    soft tree gives to class y. With two classes this is the cost of the paper, equation 1.
    Thresholds and leaves stay as they are. Predict with :class:`softwood.flow.Ramp`.

    Annealing goes in phases. Each moves a few neighbouring widths: one of some test, on the
    side of a child that is a test too, and those of that child and of its children. The
    search is over when a number of phases in a row have not lowered the cost.

    Parameters
    ----------
    schedule : {"sann", "fast"}, default="sann"
        ``"sann"`` is the paper's: it starts from hard tests, and every phase is a run of R's
        ``optim(method="SANN")``, whose proposals move all widths of the group; those with a
        negative width are refused. ``"fast"`` starts from narrow ramps, moves one width at a
        time, mirrors it at zero, scales the temperature to the weight of the rows, and does
        not count a phase as a success for lowering the cost by less than 0.05 %.
    patience : int, default=50
        Phases in a row without success after which the search is over.
    maxit : int, default=101
        Evaluations of the cost in a phase, that of its starting point included.
    temp : float, default=10.0
        Temperature at the start of a phase, in units of f; for ``"fast"`` in units of f per
        50 000 rows.
    tmax : int, default=10
        Proposals at one temperature.
    alpha : float, default=4.0
        How much more a row on the wrong side costs than one on the right side.
    random_state : int, SeedSequence, Generator or None, default=None
        Seed of the proposals.

    See Also
    --------
    soften_sequence : The best of several soft trees of different sizes.
    softwood.refine.confidence.SoftenByConfidence : Ramps as C5.0 and C4.5 choose them.

    Notes
    -----
    R takes a penalty for negative widths and could accept it on a handful of rows; here it is
    infinite. A test whose threshold is the value of one of its rows, as C4.5 has them, is
    first moved to the middle of the gap above: a ramp halves what lies on its threshold.
    Nominal and oblique tests stay as they are, and missing values spread by weight.

    The answers of all subtrees to all rows are kept: 8 bytes for each test and row.

    References
    ----------
    .. [1] J. Dvořák, P. Savický. Softening Splits in Decision Trees Using Simulated
       Annealing, sections 3 and 4.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.anneal import SoftenByAnnealing, softening_cost
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1.0, 1.0, (300, 2))
    >>> data = TrainingSet.of_classes(X, X[:, 0] + X[:, 1] > 0.0)
    >>> tree = GreedyGrower(Cart(max_depth=3, min_samples_leaf=5)).grow(data)
    >>> soft = SoftenByAnnealing(patience=10, random_state=0).refine(tree, data)
    >>> bool(softening_cost(soft, data) < 0.9 * softening_cost(tree, data))
    True
    """

    schedule: str = "sann"
    patience: int = 50
    maxit: int = 101
    temp: float = 10.0
    tmax: int = 10
    alpha: float = 4.0
    random_state: Any = None

    def __post_init__(self) -> None:
        if self.schedule not in SCHEDULES:
            raise ValueError(
                f"schedule must be one of {', '.join(SCHEDULES)}; got {self.schedule!r}"
            )
        for name, least in (("patience", 1), ("maxit", 2), ("tmax", 1)):
            if getattr(self, name) < least:
                raise ValueError(f"{name} must be at least {least}; got {getattr(self, name)!r}")
        for name in ("temp", "alpha"):
            if not 0.0 < getattr(self, name) < np.inf:
                raise ValueError(f"{name} must be positive; got {getattr(self, name)!r}")

    def refine(self, tree: Tree, data: TrainingSet) -> Tree:
        """Return the soft tree; ``data`` is what the widths are fitted to."""
        if data.is_regression:
            raise ValueError("SoftenByAnnealing compares classes: it cannot soften a regression")
        from softwood._kernels.soft.anneal import anneal_phase
        from softwood._kernels.soft.outputs import fill_outputs

        tree = _off_the_rows(tree, data.X)
        groups = phase_groups(tree)
        if not groups:
            return tree
        room = room_of_tests(tree, data.X)
        start = FIRST_WIDTH if self.schedule == "fast" else 0.0
        soft, scratch = open_outputs(tree, data, start * room), open_desk(tree, data, self.maxit)
        cost = fill_outputs(soft, float(self.alpha))
        schedule, rng = self._schedule(data), np.random.default_rng(self.random_state)
        n_failures = 0
        while n_failures < self.patience:
            group, draws = groups[int(rng.integers(len(groups)))], draw(rng, self.maxit - 1)
            before, after = anneal_phase(soft, room, group, schedule, draws, scratch)
            cost += after - before
            success = before - after > (WORTHWHILE * cost if schedule.single else 0.0)
            n_failures = 0 if success else n_failures + 1
        return tree.replace(below=soft.width[:, 0], above=soft.width[:, 1])

    def _schedule(self, data: TrainingSet) -> Schedule:
        from softwood._kernels.soft.anneal import Schedule

        fast = self.schedule == "fast"
        temperature = self.temp * (data.weight.sum() / TEMPERATE_ROWS if fast else 1.0)
        return Schedule(float(temperature), int(self.tmax), float(self.alpha), fast)


def softening_cost(tree: Tree, data: TrainingSet, alpha: float = 4.0) -> float:
    r"""Return the cost that annealing minimises, :math:`\sum_i w_i \exp(-\alpha T_{y_i}(x_i))`.

    Parameters
    ----------
    tree : Tree
        A tree with the widths that it has.
    data : TrainingSet
        Rows and their classes.
    alpha : float, default=4.0
        As in :class:`SoftenByAnnealing`.

    Returns
    -------
    float
        Positive, and at most the weight of the rows.
    """
    sure = Ramp().predict(tree, data.X)[np.arange(data.n_rows), data.label]
    return float(np.sum(data.weight * np.exp(-alpha * sure)))


def soften_sequence(
    tree: Tree,
    data: TrainingSet,
    annealing: SoftenByAnnealing | None = None,
    *,
    n_candidates: int = 10,
    least_ratio: float = 1.01,
    max_attempts: int = 200,
) -> Tree:
    """Soften pruned versions of a tree, and return the one that errs least.

    In step i the i largest trees of the cost-complexity sequence are softened, each time
    from its hard state and with new random numbers. This goes on until enough of them have
    become better; a tree can be among them several times.

    Parameters
    ----------
    tree : Tree
        The full tree, grown on a part of ``data`` or on all of it.
    data : TrainingSet
        What the widths are fitted to and the soft trees are compared on.
    annealing : SoftenByAnnealing, optional
        How to soften; by default as in the paper.
    n_candidates : int, default=10
        Soft trees to choose from.
    least_ratio : float, default=1.01
        Soft trees whose cost is not lower by this factor are thrown away.
    max_attempts : int, default=200
        Attempts after which the choice is made from what there is.

    Returns
    -------
    Tree
        The soft tree with the least weight of errors on ``data``, the first among equals; the
        full tree, hard, if none has become better.

    References
    ----------
    .. [1] J. Dvořák, P. Savický. Softening Splits in Decision Trees Using Simulated
       Annealing, section 5.2.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.greedy import Cart, GreedyGrower
    >>> from softwood.refine.anneal import SoftenByAnnealing, soften_sequence
    >>> rng = np.random.default_rng(0)
    >>> X = rng.uniform(-1.0, 1.0, (300, 2))
    >>> data = TrainingSet.of_classes(X, X[:, 0] + X[:, 1] > 0.0)
    >>> tree = GreedyGrower(Cart(min_samples_leaf=5)).grow(data)
    >>> annealing = SoftenByAnnealing("fast", patience=5, random_state=0)
    >>> soften_sequence(tree, data, annealing, n_candidates=3).n_leaves > 2
    True
    """
    for name, value in (("n_candidates", n_candidates), ("max_attempts", max_attempts)):
        if value < 1:
            raise ValueError(f"{name} must be at least 1; got {value!r}")
    annealing = SoftenByAnnealing() if annealing is None else annealing
    rng = np.random.default_rng(annealing.random_state)
    sequence = pruning_sequence(tree)
    pruned = [sequence.at(alpha) for alpha in sequence.alphas[:-1]]  # the last is a leaf
    best, least_error, n_found = tree, np.inf, 0
    for candidate in _largest_first(pruned, max_attempts):
        trial = replace(annealing, random_state=rng.spawn(1)[0])
        soft = trial.refine(candidate, data)
        cost = softening_cost(candidate, data, annealing.alpha)
        if cost < least_ratio * softening_cost(soft, data, annealing.alpha):
            continue
        error = _error_weight(soft, data)
        if error < least_error:
            best, least_error = soft, error
        n_found += 1
        if n_found == n_candidates:
            break
    return best


def _largest_first(trees: list[Tree], n_attempts: int) -> list[Tree]:
    """Return the first tree, then the first two, the first three and so on."""
    order: list[Tree] = []
    step = 1
    while trees and len(order) < n_attempts:
        order += trees[:step]
        step += 1
    return order[:n_attempts]


def _error_weight(tree: Tree, data: TrainingSet) -> float:
    wrong = Ramp().predict(tree, data.X).argmax(axis=1) != data.label
    return float(data.weight[wrong].sum())


def _off_the_rows(tree: Tree, X: FloatArray) -> Tree:
    """Move cuts on which rows of their node lie half way to the next value above."""
    reach = Hard().reach(tree, X).tocsc()
    threshold = tree.threshold.copy()
    for node in np.flatnonzero(tree.kind == NUMERIC):
        rows: AnyArray = reach.indices[reach.indptr[node] : reach.indptr[node + 1]]
        value, cut = X[rows, tree.feature[node]], threshold[node]
        above = value[value > cut]
        if above.size and np.any(value == cut):
            threshold[node] = cut + (above.min() - cut) / 2.0
    return tree.replace(threshold=threshold)
