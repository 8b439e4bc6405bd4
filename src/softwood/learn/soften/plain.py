"""Plain trees that a taught one must not be worse than: CART, pruned by folds, and C4.5.

A soft tree of few leaves cannot always say what its teachers know: an exact rule over categories
has a leaf for every case. There a tree grown on the labels is better. Which it is, is judged on
rows that neither has been grown on.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.data.folds import deal_folds
from softwood.data.training import TrainingSet
from softwood.flow import Flow, Hard
from softwood.learn.c45 import C45Learner
from softwood.learn.soften.ensembles import fully_grown
from softwood.learn.soften.method import Setting
from softwood.learn.soften.sizes import SIZES
from softwood.learn.soften.teacher import loss_out_of_bag
from softwood.refine.cost_complexity import (
    choose_by_folds,
    pruning_sequence,
    validation_costs,
)
from softwood.refine.crisp import for_ramps
from softwood.refine.losses import error
from softwood.refine.shrink import distance
from softwood.tree import Tree

# Chosen on half of the tables; decision 19 says what was tried.
BEHIND = 1.25  # times the teachers' log loss: a tree that is further off does not follow them
NEAR = 1.4  # times the teachers' errors: plain trees that err more often are out of the question
FEWEST = 30  # rows that can tell trees apart
# Up to so many rows, teachers learn anew from the rows of a fold: of few rows each says much of
# its neighbours, and those who have seen it would tell. And plain trees are asked for as well where
# the taught one follows its teachers, but then have to be better by more standard errors.
FEW_TAUGHT, SURE = 500, 1.5
FOLDS = 3
GLANCE = 3  # folds of ten that may tell that a plain tree is hopeless
GrowFrom = Callable[[AnyArray], Tree]  # which rows to grow from
Folds = Sequence[tuple[AnyArray, AnyArray]]


def falls_behind(answers: FloatArray, taught: AnyArray, data: TrainingSet) -> bool:
    """Return whether a tree is clearly further from its teachers than they are from the truth.

    Parameters
    ----------
    answers : ndarray of shape (n_rows, n_classes)
        Of the tree.
    taught : ndarray of shape (n_rows, n_classes)
        Of its teachers, who have not seen the row.
    data : TrainingSet
        The rows.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.learn.soften.plain import falls_behind
    >>> data = TrainingSet.of_classes(np.zeros((10, 1)), np.arange(10) == 9)
    >>> taught = np.tile([0.9, 0.1], (10, 1))
    >>> falls_behind(taught, taught, data), falls_behind(np.full((10, 2), 0.5), taught, data)
    (False, True)
    """
    off = np.average(distance(answers, taught, False), weights=data.weight)
    return bool(off > BEHIND * loss_out_of_bag(taught, data))


def most_errors(answers: FloatArray, taught: AnyArray, data: TrainingSet) -> float:
    """Return the share of errors at which a plain tree is out of the question.

    Where the tree follows its teachers, plain trees have to err less often than these on rows
    unseen; among more than ``FEW_TAUGHT`` they are not asked. Where it falls behind, they may
    err much more often, or as often as the tree on its own training rows. The arguments
    are those of :func:`falls_behind`.
    """
    own, theirs = (
        float(np.average(error(np.asarray(said), data), weights=data.weight))
        for said in (answers, taught)
    )
    if falls_behind(answers, taught, data):
        return max(own, NEAR * theirs)
    return theirs if data.n_rows <= FEW_TAUGHT else 0.0


class Plain(NamedTuple):
    """A tree grown on all rows, and which rows trees of the other folds get wrong."""

    tree: Tree
    wrong: FloatArray


@dataclass(eq=False)
class Grown:
    """Trees of one learner, each grown on the rows of all folds but one, when it is asked for.

    Parameters
    ----------
    grow : callable
        Grows a tree from a training set.
    data : TrainingSet
        The rows.
    folds : sequence of (train, test) index pairs
        The folds.
    """

    grow: Callable[[TrainingSet], Tree]
    data: TrainingSet
    folds: Folds
    _trees: dict[int, Tree] = field(default_factory=dict)

    def tree(self, fold: int) -> Tree:
        """Return the tree that has not seen the rows of a fold."""
        if fold not in self._trees:
            self._trees[fold] = self.grow(self.data.take(self.folds[fold][0]))
        return self._trees[fold]

    @property
    def trees(self) -> list[Tree]:
        """The trees of all folds."""
        return [self.tree(fold) for fold in range(len(self.folds))]


def better_plain_tree(
    data: TrainingSet, most: float, learn: GrowFrom, flow: Flow, setting: Setting, n_errors: float
) -> Tree | None:
    """Return the plain tree that clearly errs less often than a taught one, if there is one.

    Trees are judged out of fold. Of the plain ones a larger tree must be clearly better than a
    smaller one; clearly is by more than standard errors of the difference. Where a few folds tell
    clearly who is ahead, others are not asked.

    Parameters
    ----------
    data : TrainingSet
        The rows, with classes.
    most : float
        Share of errors at which plain trees are out of the question; see :func:`most_errors`. If
        all are, the taught tree is not asked.
    learn : callable
        Learns the taught tree from some of the rows; it gets their indices.
    flow : Flow
        Of all trees.
    setting : Setting
        Draws the folds.
    n_errors : float
        How many standard errors are clearly more.
    """
    if data.n_rows < FEWEST or most == 0.0:
        return None
    folds = setting.folds(data)
    cart = Grown(fully_grown(data).grow_full, data, folds)
    c45 = Grown(C45Learner().grow, data, folds)
    if min(least_errors(cart, pruned=True), least_errors(c45, pruned=False)) >= most:
        return None
    plain = [*pruned_trees(cart), c45_tree(c45)]
    in_question = [one for one in plain if np.average(one.wrong, weights=data.weight) < most]
    if not in_question:
        return None
    wrong, found = _wrong_of_taught(data, learn, flow, setting, in_question), None
    if wrong is None:
        return None
    for one in in_question:
        if clearly_less(one.wrong, wrong, data.weight, n_errors):
            wrong, found = one.wrong, one.tree
    return None if found is None else for_ramps(found)


def least_errors(grown: Grown, pruned: bool) -> float:
    """Return the share of errors that is the least to be expected, by the first of the folds.

    It is lower than what they show by a standard error; a tree that is still to be pruned errs
    as seldom as whatever pruning is best for the rows held out.
    """
    missed, total, n_rows = 0.0, 0.0, 0
    for fold in range(min(GLANCE, len(grown.folds))):
        tree, held_out = grown.tree(fold), grown.data.take(grown.folds[fold][1])
        if pruned:
            sequence = pruning_sequence(tree)
            lost = sequence.total(validation_costs(tree, held_out), sequence.alphas).min()
        else:
            lost = held_out.weight @ _wrong(tree, Hard(), held_out)
        missed, total = missed + float(lost), total + float(held_out.weight.sum())
        n_rows += held_out.n_rows
    share = min(missed / total, 1.0)
    return float(share - np.sqrt(share * (1.0 - share) / n_rows))


def _wrong_of_taught(
    data: TrainingSet, learn: GrowFrom, flow: Flow, setting: Setting, rivals: Sequence[Plain]
) -> FloatArray | None:
    """Return which rows the taught tree gets wrong out of fold; None once it is clearly ahead."""
    wrong, judged = np.zeros(data.n_rows), np.zeros(data.n_rows, dtype=np.bool_)
    # Blurred rows make up for those that are held out, but cost time: fewer folds will do.
    for train, test in deal_folds(data.label, FOLDS, np.random.default_rng(setting.seed)):
        wrong[test] = _wrong(learn(train), flow, data.take(test))
        judged[test] = True
        weight = data.weight[judged]
        if all(clearly_less(wrong[judged], one.wrong[judged], weight) for one in rivals):
            return None
    return wrong


def pruned_trees(grown: Grown) -> list[Plain]:
    """Return CART at the price that folds chose: of few leaves at most, and of any number."""
    data, folds = grown.data, grown.folds
    sequence = pruning_sequence(grown.grow(data))
    of_folds = [pruning_sequence(tree) for tree in grown.trees]
    in_turn = iter(of_folds)
    alpha = choose_by_folds(sequence, data, folds, lambda _: next(in_turn).tree)
    few = float(sequence.alphas[np.argmax(sequence.n_leaves() <= SIZES[-1])])
    return [
        Plain(
            sequence.at(price),
            wrong_out_of_fold([one.at(price) for one in of_folds], Hard(), data, folds),
        )
        for price in (max(alpha, few), alpha)
    ]


def c45_tree(grown: Grown) -> Plain:
    """Return C4.5 with its own pruning."""
    data = grown.data
    return Plain(grown.grow(data), wrong_out_of_fold(grown.trees, Hard(), data, grown.folds))


def wrong_out_of_fold(
    trees: Sequence[Tree], flow: Flow, data: TrainingSet, folds: Folds
) -> FloatArray:
    """Return 1 for each row that the tree of the other folds takes for another class."""
    wrong = np.zeros(data.n_rows)
    for tree, (_, test) in zip(trees, folds, strict=True):
        wrong[test] = _wrong(tree, flow, data.take(test))
    return wrong


def _wrong(tree: Tree, flow: Flow, held_out: TrainingSet) -> FloatArray:
    return error(flow.predict(tree, held_out.X), held_out)


def clearly_less(
    ours: FloatArray, theirs: FloatArray, weight: FloatArray, n_errors: float = 1.0
) -> bool:
    """Return whether the mean of ours is less by more than standard errors of the difference.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.learn.soften.plain import clearly_less
    >>> rare, seldom, often = np.arange(100) < 3, np.arange(100) > 95, np.arange(100) < 20
    >>> [clearly_less(rare * 1.0, other * 1.0, np.ones(100)) for other in (seldom, often)]
    [False, True]
    """
    difference = theirs - ours
    mean = np.average(difference, weights=weight)
    spread = np.average((difference - mean) ** 2, weights=weight)
    return bool(mean > n_errors * np.sqrt(spread / (len(weight) - 1)))
