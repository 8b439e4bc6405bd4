"""Nominal columns of many categories and few rows, which tell no more than chance would.

CART does not count what chance would tell when it chooses. A random test is not chosen by
gain: a column that says nothing would be drawn as often as others, and tear the rows of a node
to pieces. So variable-random trees do not test such a column at all. Columns of few
categories, or of rows enough to learn what each of them means, are never left out.
"""

from __future__ import annotations

import numpy as np

from softwood._types import FEW_CATEGORIES, AnyArray, BoolArray
from softwood.data.training import TrainingSet

# So many rows of each category, in the mean, are enough: noise then does little harm. Up to some
# categories fewer are, though noise does harm there: the paper's own tables have such columns.
SOME_CATEGORIES = 16
ENOUGH_ROWS_OF_SOME, ENOUGH_ROWS_OF_MANY = 20, 200
N_DEVIATIONS = 4.0  # by which a column must tell more: three are passed by 1 % of chance's own
ROUNDING = 1e-9


def trusted_features(data: TrainingSet) -> BoolArray:
    """Return which features variable-random trees may test; all, if none could be.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.grow.distrusted import trusted_features
    >>> X = np.column_stack([np.arange(60.0) % 2, np.arange(60.0), np.arange(60.0) % 12])
    >>> label = np.arange(60) % 3 == 0
    >>> data = TrainingSet.of_classes(X, label, n_categories=np.array([2, 60, 12]))
    >>> trusted_features(data).tolist()
    [True, False, True]
    """
    trusted = np.ones(data.X.shape[1], dtype=bool)
    target: AnyArray = data.label
    if data.is_regression and data.n_categories.max(initial=0) > FEW_CATEGORIES:
        # Ranks: a few numbers far away from all others would make any category matter.
        target = np.unique(data.target, return_inverse=True)[1].astype(float)
    for feature in np.flatnonzero(data.n_categories > FEW_CATEGORIES):
        known = ~np.isnan(data.X[:, feature])
        code = data.X[known, feature].astype(np.intp)
        trusted[feature] = _tells(code, target[known], data.n_classes)
    return trusted if trusted.any() else ~trusted


def _tells(code: AnyArray, target: AnyArray, n_classes: int) -> bool:
    """Whether categories tell clearly more of the target than they would if it were shuffled.

    Shuffled, they tell (k - 1) / (n - 1) of it in the mean, of squared error and of gini
    impurity alike; the deviation is that of a normal target.
    """
    count = np.bincount(code)
    count = count[count > 0]
    n, k = code.size, count.size
    enough = ENOUGH_ROWS_OF_SOME if k <= SOME_CATEGORIES else ENOUGH_ROWS_OF_MANY
    if k <= FEW_CATEGORIES or n >= enough * k:
        return True
    if n == k:
        return False
    mean = (k - 1) / (n - 1)
    deviation = np.sqrt(2 * (k - 1) * (n - k) / (n + 1)) / (n - 1)
    told = _part_told(code, target, n_classes)
    return bool(told > mean + N_DEVIATIONS * deviation + ROUNDING)


def _part_told(code: AnyArray, target: AnyArray, n_classes: int) -> float:
    """Return by what part the categories decrease the impurity of the target."""
    count = np.maximum(np.bincount(code), 1)
    before, after = 0.0, 0.0
    if n_classes == 0:
        away = target - target.mean()
        before = float(np.sum(away * away))
        after = before - float(np.sum(np.bincount(code, away) ** 2 / count))
    for c in range(n_classes):  # gini is the squared error of all classes, one against the rest
        of_class = np.bincount(code[target == c], minlength=count.size)
        total = of_class.sum()
        before += total - total**2 / code.size
        after += total - float(np.sum(of_class**2 / count))
    return 1.0 - after / before if before > 0.0 else 0.0
