"""What each case loses, against scikit-learn, and which loss is meant."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn import metrics

from softwood.data.training import TrainingSet
from softwood.refine.losses import SURROGATE, brier, case_losses, loss_name


@st.composite
def predictions(draw):
    """Draw probabilities with ties, zeros and ones, and a truth that has every class."""
    n_classes = draw(st.integers(2, 4))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    label = rng.permutation(np.arange(3 * n_classes) % n_classes)
    raw = rng.integers(0, 3, (label.size, n_classes)) + 0.0
    raw[raw.sum(axis=1) == 0] = 1.0
    data = TrainingSet.of_classes(np.zeros((label.size, 1)), label, n_classes=n_classes)
    return raw / raw.sum(axis=1, keepdims=True), data


@given(predictions())
def test_means_are_scikit_learns(case):
    predicted, data = case
    wrong = case_losses("error", predicted, data).plain.mean()
    assert wrong == pytest.approx(
        1 - metrics.accuracy_score(data.label, predicted.argmax(axis=1))
    )  # of tied classes the first
    log_loss = case_losses("log_loss", predicted, data).plain.mean()
    assert log_loss == pytest.approx(metrics.log_loss(data.label, predicted))


@given(predictions())
def test_brier_is_the_square_of_the_distance_and_half_of_it_for_two_classes(case):
    predicted, data = case
    distance = ((predicted - np.eye(data.n_classes)[data.label]) ** 2).sum(axis=1)
    expected = distance / 2 if data.n_classes == 2 else distance
    np.testing.assert_allclose(brier(predicted, data), expected, atol=1e-15)


@given(predictions())
def test_what_breaks_ties_never_outweighs_an_error(case):
    predicted, data = case
    plain, judged = case_losses("error", predicted, data)
    assert np.all(judged >= plain)
    assert (judged - plain).max() < 3 * SURROGATE
    for name in ("log_loss", "brier"):
        plain, judged = case_losses(name, predicted, data)
        assert judged is plain


def test_numbers_lose_squares():
    data = TrainingSet.of_target(np.zeros((2, 1)), np.array([1.0, -1.0]))
    losses = case_losses("squared_error", np.array([[3.0], [-1.0]]), data)
    assert losses.plain.tolist() == losses.judged.tolist() == [4.0, 0.0]


def test_the_usual_loss_is_that_of_the_task():
    classes = TrainingSet.of_classes(np.zeros((2, 1)), [0, 1])
    numbers = TrainingSet.of_target(np.zeros((2, 1)), np.zeros(2))
    assert loss_name(None, classes) == "error"
    assert loss_name("brier", classes) == "brier"
    assert loss_name(None, numbers) == "squared_error"
    with pytest.raises(ValueError, match="squared_error for regression; got 'brier'"):
        loss_name("brier", numbers)
    with pytest.raises(ValueError, match="error, log_loss, brier for classification; got 'l2'"):
        loss_name("l2", classes)
