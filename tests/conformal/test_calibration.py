"""Sets and intervals against slow references; records that cannot be."""

import pickle
from dataclasses import replace

import numpy as np
import pytest

from softwood.conformal import Calibration, threshold
from softwood.conformal.calibration import MOST_SCORES


def classes(n_rows=60, n_classes=3, seed=0, **options):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, n_classes, n_rows)
    scores = rng.random(n_rows).round(2)
    return (
        Calibration.of_classes(scores, labels, n_classes, np.ones(n_rows), method="cv", **options),
        scores,
        labels,
    )


def test_a_class_is_in_the_set_if_it_fits_as_well_as_most_true_ones_did():
    calibration, scores, _ = classes()
    new = np.random.default_rng(1).random((20, 3))
    for alpha in (0.03, 0.1, 0.5):
        worst = np.sort(scores)[int(np.ceil(61 * (1 - alpha))) - 1]
        assert calibration.sets(new, alpha).tolist() == (new <= worst).tolist()


def test_each_class_can_have_a_threshold_of_its_own():
    calibration, scores, labels = classes()
    for alpha in (0.03, 0.1, 0.5):
        expected = [
            threshold(scores[labels == k], np.ones((labels == k).sum()), alpha) for k in range(3)
        ]
        assert calibration.thresholds(alpha, by_class=True).tolist() == expected


def test_a_class_without_rows_can_never_be_ruled_out():
    calibration = Calibration.of_classes(
        np.array([0.1] * 50), np.zeros(50, int), 2, np.ones(50), method="holdout"
    )
    assert calibration.thresholds(0.1, by_class=True).tolist() == [0.1, np.inf]
    assert calibration.sets(np.array([[0.2, 1.0]]), 0.1, by_class=True).tolist() == [[False, True]]


def test_no_rows_rule_nothing_out():
    nothing = np.empty(0)
    calibration = Calibration.of_classes(nothing, np.empty(0, int), 2, nothing, method="cv")
    assert calibration.sets(np.array([[0.0, 1.0]]), 0.1).all()
    numbers = Calibration.of_numbers(nothing, nothing, method="cv")
    assert numbers.intervals(np.array([3.0]), 0.1).tolist() == [[-np.inf, np.inf]]
    assert numbers.n_rows == 0


def test_the_scale_of_weights_makes_no_difference():
    rng = np.random.default_rng(0)
    scores, labels, weight = rng.random(40), rng.integers(0, 2, 40), rng.random(40) + 0.1
    made = [
        Calibration.of_classes(scores, labels, 2, factor * weight, method="cv")
        for factor in (1.0, 2.0**-10, 2.0**1020)
    ]
    for by_class in (False, True):
        found = [one.thresholds(0.2, by_class).tolist() for one in made]
        assert found[0] == found[1] == found[2]
    even = Calibration.of_classes(scores, labels, 2, np.ones(40), method="cv")
    assert even.thresholds(0.2).tolist() != made[0].thresholds(0.2).tolist()


def test_weights_of_any_size_count():
    weight = np.array([1e-320, 1.0, 1e308])
    calibration = Calibration.of_numbers(np.array([3.0, 2.0, 1.0]), weight, method="cv")
    assert calibration.thresholds(0.3).tolist() == [1.0]


def test_intervals_reach_as_far_as_residuals():
    rng = np.random.default_rng(0)
    residuals = rng.normal(size=99)
    calibration = Calibration.of_numbers(residuals, np.ones(99), method="oob")
    low, high = calibration.intervals(np.array([10.0, -5.0]), 0.1).T
    reach = np.sort(np.abs(residuals))[89]
    np.testing.assert_allclose(high - low, 2 * reach, rtol=1e-9)
    np.testing.assert_allclose((high + low) / 2, [10.0, -5.0])


def test_where_trees_are_further_apart_intervals_are_wider():
    rng = np.random.default_rng(0)
    spread = rng.random(99) + 0.1
    residuals = rng.normal(size=99) * spread
    calibration = Calibration.of_numbers(residuals, np.ones(99), spread, method="oob")
    average = spread.mean()
    assert calibration.spread == pytest.approx(average)
    scores = np.abs(residuals) / (0.5 + 0.5 * spread / average)
    reach = np.sort(scores)[89] * np.array([0.5, 1.0, 2.0])
    found = calibration.intervals(np.zeros(3), 0.1, np.array([0.0, average, 3 * average]))
    np.testing.assert_allclose(found[:, 1], reach, rtol=1e-9)


def test_a_target_at_the_end_is_inside_whatever_rounding_does():
    """Whole numbers and means of them: residuals meet the threshold exactly, time and again."""
    rng = np.random.default_rng(0)
    y, answer = rng.integers(0, 30, 20_000), rng.choice([2.1, 7.3, 11.7, 0.1 + 0.2], 20_000)
    calibration = Calibration.of_numbers(y - answer, np.ones(y.size), method="cv")
    for alpha in (0.1, 0.2, 0.5):
        low, high = calibration.intervals(answer, alpha).T
        covered = (low <= y) & (y <= high)
        exact = np.abs(y - answer) <= calibration.thresholds(alpha)[0]
        assert (covered == exact).mean() == 1.0


def test_many_scores_are_merged_upwards():
    rng = np.random.default_rng(0)
    scores, labels = rng.random(100_000), rng.integers(0, 3, 100_000)
    merged = Calibration.of_classes(scores, labels, 3, np.ones(scores.size), method="cv")
    assert merged.scores.size <= MOST_SCORES
    assert merged.counts.tolist() == np.bincount(labels).tolist()
    for alpha in (0.01, 0.1, 0.3):
        exact = threshold(scores, np.ones(scores.size), alpha)
        assert exact <= merged.thresholds(alpha)[0] <= exact + 1e-3


def test_a_record_is_frozen_and_can_be_pickled():
    calibration, *_ = classes()
    with pytest.raises(ValueError, match="read-only"):
        calibration.scores[0] = 1.0
    again = pickle.loads(pickle.dumps(calibration))
    assert (
        again.thresholds(0.1, by_class=True).tolist() == calibration.thresholds(0.1, True).tolist()
    )


MANY = np.array([2**62, 2**62, 2**62], dtype=np.int64)
WRONG = {
    "method": ({"method": "guess"}, "method must be one of oob, cv, holdout"),
    "length": ({"weights": np.ones(2)}, "of one length"),
    "dimensions": ({"scores": np.ones((2, 2)), "weights": np.ones((2, 2))}, "of one length"),
    "negative": ({"scores": -np.ones(3)}, "finite and not negative"),
    "not a number": ({"scores": np.full(3, np.nan)}, "finite and not negative"),
    "infinite": ({"scores": np.full(3, np.inf)}, "finite and not negative"),
    "no weight": ({"weights": np.zeros(3)}, "weights must be positive"),
    "too heavy": ({"weights": np.full(3, 1e308)}, "weights must be positive"),
    "spread": ({"spread": np.nan}, "spread must be finite"),
    "no class": ({"counts": np.empty(0, int), "n_scores": np.empty(0, int)}, "for each class"),
    "classes": ({"counts": np.array([3])}, "for each class"),
    "too few": ({"n_scores": np.array([1, 1])}, "add up to the number of scores, 3"),
    "below 0": ({"n_scores": np.array([4, -1])}, "add up to the number of scores, 3"),
    "fewer rows than scores": ({"counts": np.array([2, 1])}, "at least as many"),
    "rows without scores": (
        {"counts": np.array([3, 1]), "n_scores": np.array([3, 0])},
        "at least as many",
    ),
    "rows": ({"counts": np.array([9, 9])}, "add up to the number of rows"),
    "many rows": ({"counts": MANY, "n_scores": np.ones(3, int)}, "add up to the number of rows"),
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_cannot_be_is_refused(wrong):
    right = Calibration(
        np.array([0.1, 0.2, 0.3]), np.ones(3), np.array([1, 2]), np.array([1, 2]), "cv"
    )
    changes, message = WRONG[wrong]
    with pytest.raises(ValueError, match=message):
        replace(right, **changes)
