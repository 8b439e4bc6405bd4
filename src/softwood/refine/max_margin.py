"""The widest gap: the direction in which two separable sets of points are farthest apart.

The shortest ``w`` with ``w @ x + b`` at least ``m`` on the right and at most ``-m`` on the
left is a least-distance problem, and non-negative least squares solve it (Lawson and Hanson
1974, chapter 23). That would make ``b`` short as well as ``w``, so the points are moved until
the middle of the gap is the origin, where ``b`` is 0. Few points decide: the problem is solved
for those nearest to the gap, and the others that a solution cuts off join them.

The weights of the least squares also make one point inside either set. No gap can be wider
than the distance of these two: that tells when to stop, and proves what was found.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from softwood._types import AnyArray, FloatArray

MOST_ROUNDS = 60
IDLE_ROUNDS = 3  # without a better direction, a lower limit or another point: rounding is left
ENOUGH = 1e-8  # relative distance to the limit at which the search ends
CERTAIN = 1e-6  # relative distance to the limit that counts as none
SMALLEST = 1e-12  # a gap to begin with, where rounding has closed it; no number exceeds 1
FREE = 8.0  # by how much the constant may be longer than the direction, at the same price
MORE = 2  # points that join on either side, beyond the number of features


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """A direction in which two sets of points are apart.

    Attributes
    ----------
    direction : ndarray of shape (n_features,)
        Of length 1, from left to right.
    margin : float
        Half the width of the gap.
    limit : float
        What the margin of no direction can exceed; infinite if nothing is known.
    """

    direction: FloatArray
    margin: float
    limit: float

    @property
    def is_widest(self) -> bool:
        """Whether it is proved that no direction is better by more than a millionth."""
        return self.limit <= self.margin * (1.0 + CERTAIN)


def widest_gap(left: FloatArray, right: FloatArray, direction: FloatArray) -> Gap:
    """Return the direction in which two sets of points are farthest apart.

    Parameters
    ----------
    left, right : ndarray of shape (n_points, n_features)
        The points, at least one of each.
    direction : ndarray of shape (n_features,)
        One in which all of ``left`` come before all of ``right``; of any length.

    Returns
    -------
    Gap
        Never narrower than that of ``direction``.

    Examples
    --------
    Between two points it is the perpendicular bisector:

    >>> import numpy as np
    >>> gap = widest_gap(np.array([[0.0, 0.0]]), np.array([[3.0, 4.0]]), np.array([1.0, 0.0]))
    >>> gap.direction.round(6).tolist(), round(gap.margin, 6), gap.is_widest
    ([0.6, 0.8], 2.5, True)
    """
    points = np.concatenate([left, right])
    is_right = np.arange(len(points)) >= len(left)
    points = points - points.mean(axis=0)
    # One scale for all features: margins are Euclidean.
    scale = float(np.abs(points).max()) or 1.0
    search = _Search(points / scale, is_right, direction / np.linalg.norm(direction))
    search.run()
    return Gap(search.best, search.width * scale / 2.0, search.limit * scale / 2.0)


class _Search:
    """Solve for some of the points, see which others are cut off, let them join, and again."""

    def __init__(self, points: FloatArray, is_right: AnyArray, direction: FloatArray) -> None:
        self.points, self.is_right = points, is_right
        self.joined = np.zeros(is_right.size, dtype=bool)
        self.best, self.limit = direction, np.inf
        along = _along(points, direction)
        low, high = self._edges(along, slice(None))
        self.width, self.middle = high - low, direction * (low + high) / 2.0
        self._let_join(along, along.min() - 1.0, along.max() + 1.0)  # the nearest ones

    def run(self) -> None:
        n_idle = 0
        for _ in range(MOST_ROUNDS):
            known = self.width, self.limit, int(self.joined.sum())
            direction = self._solve(np.flatnonzero(self.joined))
            if direction is None:
                return
            along = _along(self.points, direction)
            low, high = self._edges(along, slice(None))
            if high - low > self.width:
                self.best, self.width = direction, high - low
            if self.width >= self.limit * (1.0 - ENOUGH):
                return
            low, high = self._edges(along, self.joined)
            self.middle = direction * (low + high) / 2.0
            self._let_join(along, low, high)
            n_idle = 0 if self._goes_on(*known) else n_idle + 1
            if n_idle == IDLE_ROUNDS:
                return

    def _goes_on(self, width: float, limit: float, n_joined: int) -> bool:
        is_better = self.width > width * (1.0 + ENOUGH) or self.limit < limit * (1.0 - ENOUGH)
        return is_better or int(self.joined.sum()) > n_joined

    def _edges(self, along: FloatArray, among: AnyArray | slice) -> tuple[float, float]:
        """Return where the left ends and where the right begins."""
        along, is_right = along[among], self.is_right[among]
        return float(along[~is_right].max()), float(along[is_right].min())

    def _let_join(self, along: FloatArray, low: float, high: float) -> None:
        """Add the points that lie farthest beyond the edge of their side."""
        beyond = np.where(self.is_right, high - along, along - low)
        for side in (self.is_right, ~self.is_right):
            others = np.flatnonzero(side & ~self.joined & (beyond > 0.0))
            first = np.argsort(-beyond[others], kind="stable")[: self.points.shape[1] + MORE]
            self.joined[others[first]] = True

    def _solve(self, rows: AnyArray) -> FloatArray | None:
        """Return the best direction for some of the points, and lower the limit."""
        from scipy.optimize import nnls

        points, is_right = self.points[rows] - self.middle, self.is_right[rows]
        sign = np.where(is_right, 1.0, -1.0)
        # A margin near the one to be found keeps the numbers near 1.
        margin = np.full(rows.size, max(self.width, SMALLEST) / 2.0)
        system = np.vstack([points.T * sign, FREE * sign, margin])
        goal = np.zeros(len(system))
        goal[-1] = 1.0
        if rows.size == 0 or not np.isfinite(system).all():  # nnls would crash
            return None
        try:
            weight, _ = nnls(system, goal)
        except RuntimeError:  # too many steps; what has been found so far will do
            return None
        on_right, on_left = weight[is_right], weight[~is_right]
        if on_right.sum() == 0.0 or on_left.sum() == 0.0:
            return None
        inside_right = on_right @ points[is_right] / on_right.sum()
        inside_left = on_left @ points[~is_right] / on_left.sum()
        self.limit = min(self.limit, float(np.linalg.norm(inside_right - inside_left)))
        direction: FloatArray = system[:-2] @ weight
        length = float(np.linalg.norm(direction))
        return direction / length if length > 0.0 else None


def _along(points: FloatArray, direction: FloatArray) -> FloatArray:
    """Return how far each point is in a direction: the same bits for any number of threads."""
    return np.asarray(np.einsum("ij,j->i", points, direction))
