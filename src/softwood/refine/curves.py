"""What a forest answers under many lambdas at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from softwood._types import AnyArray, BoolArray, FloatArray
from softwood.flow import Gaussian
from softwood.forest import Forest
from softwood.forest.end_to_end import EndToEnd
from softwood.forest.sums import ALL_OUTPUTS
from softwood.refine.perturbation import DROP, Perturbation, redraw_of


class Curves(Protocol):
    """What a model answers to rows under some lambdas."""

    def answers(self, lambdas: Sequence[float], rows: AnyArray) -> FloatArray:
        """Return the answers, lambdas by rows by outputs."""


class ForestCurves:
    """The answers of a forest to rows that ask some or all of its trees.

    All lambdas go through the trees in one pass. A forest whose trees add to single outputs, and
    perturbations that are sampled, are asked once for every lambda.

    Parameters
    ----------
    forest : Forest
        The trees.
    X : ndarray of shape (n_rows, n_features)
        The rows.
    use : ndarray of bool of shape (n_rows, n_trees) or None
        Which trees each row asks; None for all.
    perturbation : Perturbation
        What lambda multiplies.
    drop : float
        A branch with less mass is not followed; its siblings get the mass.
    """

    def __init__(
        self,
        forest: Forest,
        X: FloatArray,
        use: BoolArray | None,
        perturbation: Perturbation,
        drop: float = DROP,
    ) -> None:
        self._forest, self._X, self._use = forest, np.ascontiguousarray(X), use
        self._perturbation, self._drop = perturbation, drop
        is_whole = bool((forest.output == ALL_OUTPUTS).all())
        self._pass = (
            _OnePass(forest, perturbation) if is_whole and _is_closed(perturbation) else None
        )

    def answers(self, lambdas: Sequence[float], rows: AnyArray) -> FloatArray:
        """Return what some rows are answered.

        Parameters
        ----------
        lambdas : sequence of float
            Ascending.
        rows : ndarray of int
            Which rows.

        Returns
        -------
        ndarray of shape (n_lambdas, n_rows, n_answers)
        """
        X, use = self._X[rows], None if self._use is None else self._use[rows]
        hard = [smoothing for smoothing in lambdas if smoothing == 0.0]
        soft = [smoothing for smoothing in lambdas if smoothing > 0.0]
        at_once = soft if self._pass is not None else []
        one_by_one = hard if at_once else lambdas
        parts = [self._forest.predict(X, self._perturbation.at(one), use) for one in one_by_one]
        if self._pass is not None and soft:
            raw = self._pass.raw(X, use, soft, self._drop)
            parts += [self._forest.answer(scores) for scores in raw]
        return np.stack(parts)


def _is_closed(perturbation: Perturbation) -> bool:
    return isinstance(perturbation.at(1.0), Gaussian)


class _OnePass:
    """The nodes of all trees, ready for rows."""

    def __init__(self, forest: Forest, perturbation: Perturbation) -> None:
        from softwood._kernels.smoothing.layout import Layout, directions_of_tests, lay_out

        self._forest, self._trees = forest, EndToEnd.of(forest.trees)
        nodes, marginals = self._trees.nodes, perturbation.marginals
        scale = np.array(perturbation.scale)
        sd, direction, is_drawn = directions_of_tests(nodes, scale, marginals)
        n_nodes, is_root = sd.size, np.zeros(sd.size, dtype=np.bool_)
        is_root[self._trees.root] = True
        start = np.concatenate(([0], np.cumsum([len(shares) for shares in marginals])))
        share = np.array([part for shares in marginals for part in shares], dtype=np.float64)
        self._layout = Layout(
            sd=sd,
            home=np.zeros(n_nodes, np.int32),
            is_home=np.zeros(n_nodes, np.bool_),
            slot=np.zeros(n_nodes, np.int32),
            drawn=np.zeros(n_nodes),
            is_drawn=is_drawn,
            answer=self._trees.answer,
            only=np.zeros(len(self._trees.response), np.int32),
        )
        exact = perturbation.flow == "exact"
        self._n_slots = lay_out(
            nodes,
            is_root,
            direction,
            exact,
            start.astype(np.int64),
            share,
            self._trees.response,
            self._layout,
        )

    def raw(
        self, X: FloatArray, use: BoolArray | None, lambdas: Sequence[float], drop: float
    ) -> FloatArray:
        """Return raw scores, lambdas by rows by outputs."""
        from softwood._kernels.normal import cdf_table
        from softwood._kernels.smoothing.curve import add_curves

        forest, trees = self._forest, self._trees
        total = np.zeros((X.shape[0], len(lambdas), forest.n_outputs))
        asked = np.empty((0, 0), dtype=np.bool_) if use is None else np.ascontiguousarray(use)
        slope, chance = 1.0 / np.array(lambdas), np.array([redraw_of(one) for one in lambdas])
        columns = np.ascontiguousarray(X.T)
        add_curves(
            trees.nodes, self._layout, self._n_slots, trees.root, forest.factor, X, columns,
            asked, trees.response, slope, chance, drop, cdf_table(), total,
        )  # fmt: skip
        scores = np.ascontiguousarray(total.transpose(1, 0, 2))
        if forest.is_mean:
            scores /= forest.divisor(use)
        return scores + forest.base
