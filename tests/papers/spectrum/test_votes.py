"""Strength and correlation, gathered from the folds."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier

from softwood import VRForestClassifier
from softwood.datasets import make_waveform
from softwood.evaluate import strength_correlation
from softwood.evaluate.metrics import Prediction
from softwood.papers.spectrum import votes


def seen_by(model, X, y):
    return Prediction(model, X, np.asarray(y), model.predict(X))


def measured(model, X, y):
    seen = seen_by(model, X, y)
    return votes.Votes.of_means(*(metric.measure(seen) for metric in votes.vote_metrics()))


@pytest.mark.parametrize("alpha", [0.0, 0.5])
def test_large_samples_have_the_librarys_strength_and_correlation(alpha):
    X, y = make_waveform(1200, random_state=0)
    model = VRForestClassifier(20, alpha=alpha, random_state=0).fit(X[:300], y[:300])
    ours, peer = measured(model, X[300:], y[300:]), strength_correlation(model, X[300:], y[300:])
    assert ours.strength == pytest.approx(peer.strength, rel=1e-12)
    # The trees are taken to be equally good, which they nearly are.
    assert ours.rho == pytest.approx(peer.rho, rel=0.02)
    assert ours.rho <= peer.rho
    assert ours.rho_unsquared == pytest.approx(peer.rho_unsquared, rel=0.02)


def test_forests_of_others_can_be_asked_too():
    X, y = load_wine(return_X_y=True)
    names = np.array(["a", "b", "c"])[y]
    model = RandomForestClassifier(10, max_depth=2, random_state=0).fit(X[::2], names[::2])
    peer = strength_correlation(model, X[1::2], names[1::2])
    assert measured(model, X[1::2], names[1::2]).strength == pytest.approx(peer.strength)


def test_equal_trees_have_correlation_one():
    X, y = load_wine(return_X_y=True)
    model = VRForestClassifier(5, alpha=1.0, random_state=0).fit(X[::2], y[::2])
    found = measured(model, X[1::2], y[1::2])
    assert found.rho == pytest.approx(1.0, rel=1e-12)
    assert 0.0 < found.strength < 1.0


def test_trees_that_never_err_agree():
    found = votes.Votes.of_means(1.0, 1.0, 1.0)
    assert (found.strength, found.rho, found.rho_unsquared) == (1.0, 1.0, 0.0)


def test_pipelines_have_no_votes():
    class Piped:
        steps = ()

    seen = Prediction(Piped(), None, np.array(["a"]), np.array(["a"]))
    assert all(np.isnan(metric.measure(seen)) for metric in votes.vote_metrics())


@given(st.data())
def test_shares_are_those_of_a_count(data):
    n_trees, n_rows, n_classes = (data.draw(st.integers(1, 5)) for _ in range(3))
    codes = st.integers(0, n_classes - 1)
    ballots = np.array(
        data.draw(
            st.lists(
                st.lists(codes, min_size=n_rows, max_size=n_rows),
                min_size=n_trees,
                max_size=n_trees,
            )
        )
    )
    # The last class is one that no tree knows.
    truth = np.array(data.draw(st.lists(st.integers(0, n_classes), min_size=n_rows)))[:n_rows]
    right, rival = votes.vote_shares(ballots, truth, np.arange(n_classes))
    for i in range(n_rows):
        ballot = ballots[:, i].tolist()
        counts = [ballot.count(k) for k in range(n_classes) if k != truth[i]]
        assert right[i] == pytest.approx(ballot.count(truth[i]) / n_trees)
        assert rival[i] == pytest.approx(max(counts, default=0) / n_trees)
