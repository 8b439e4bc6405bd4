"""What a hyperplane is worth, by definition, and the best place on a line, by trying all."""

import numpy as np

CRITERIA = {"gini": 0, "entropy": 1, "twoing": 2, "max_minority": 4, "sum_minority": 5}


def class_weights(label, weight, n_classes):
    return np.bincount(label, weights=weight, minlength=n_classes)


def score(criterion, left, right):
    """How much better two sides are than the node, from the class weights on each."""
    left, right = np.asarray(left, float), np.asarray(right, float)
    n_left, n_right = left.sum(), right.sum()
    n = n_left + n_right
    if criterion == "sum_minority":
        return -(n_left - left.max() + n_right - right.max())
    if criterion == "max_minority":
        return -max(n_left - left.max(), n_right - right.max())
    if n_left <= 0 or n_right <= 0:
        return 0.0
    p, q, node = left / n_left, right / n_right, (left + right) / n
    if criterion == "twoing":
        return n_left * n_right / n**2 * np.abs(p - q).sum() ** 2 / 4
    impurity = gini if criterion == "gini" else entropy
    return impurity(node) - n_left / n * impurity(p) - n_right / n * impurity(q)


def gini(p):
    return 1 - np.sum(p**2)


def entropy(p):
    p = p[p > 0]
    return -np.sum(p * np.log2(p))


def score_of_value(criterion, value, label, weight, n_classes):
    """The score of a hyperplane, from the values that it gives to the points."""
    left = class_weights(label, weight * (value < 0), n_classes)
    return score(criterion, left, class_weights(label, weight, n_classes) - left)


def places(value, step, narrow=1e-7):
    """A step into every cell of a line that is not narrow."""
    moving = step != 0
    events = np.sort(-value[moving] / step[moving])
    if not events.size:
        return np.zeros(0)
    apart = np.diff(events) > narrow * (1 + np.abs(events[1:]))
    middles = (events[1:] + events[:-1])[apart] / 2
    far = 1 + np.abs(events).max()
    return np.concatenate(([-2 * far], middles, [2 * far]))


def best_on_line(criterion, value, step, label, weight, n_classes):
    """The best score on a line."""
    found = [
        score_of_value(criterion, value + s * step, label, weight, n_classes)
        for s in places(value, step)
    ]
    return max(found, default=-np.inf)


def impurity(criterion, left, right):
    """Impurity as OC1 has it."""
    worth = score(criterion, left, right)
    if criterion in ("twoing", "entropy"):
        return 1 / worth if worth > 0 else np.inf
    if criterion == "gini":
        total = np.add(left, right)
        return gini(total / total.sum()) - worth
    return -worth


def moc1(criterion, w, b, X, label, margin_weight):
    """Minus the objective of MOC1, section 4.3 of the paper, points of weight 1."""
    n_classes, value = label.max() + 1, X @ w + b
    one = np.ones(len(X))
    left = class_weights(label, one * (value < 0), n_classes)
    right = class_weights(label, one * (value >= 0), n_classes)
    gap = (value[value >= 0].min() - value[value < 0].max()) / np.linalg.norm(w)
    price = margin_weight * np.log(10 * len(X)) / gap
    return -(1 - margin_weight) * impurity(criterion, left, right) - price


def moc2(value, label, band):
    """The objective of MOC2, section 4.4 of the paper, points of weight 1."""
    n_classes, n = label.max() + 1, len(value)

    def shares(chosen):
        return class_weights(label, 1.0 * chosen, n_classes) / chosen.sum()

    off_left, off_right = value <= -band, value >= band
    if not off_left.any() or not off_right.any():
        return 0.0
    plain = np.abs(shares(value < 0) - shares(value >= 0)).sum()
    off = np.abs(shares(off_left) - shares(off_right)).sum()
    return off_left.sum() / n * off_right.sum() / n * plain * off
