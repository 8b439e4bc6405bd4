import numpy as np
import pytest

from softwood import (
    CARTClassifier,
    CoalescenceClassifier,
    EvolvedTreeClassifier,
    SoftTreeClassifier,
)
from softwood.flow import Gaussian, Hard, Ramp, Sampled
from softwood.view.explorer.columns import ColumnFacts
from softwood.view.explorer.softness import NOISE, WIDTHS, softness_of

FACTS = [ColumnFacts(0.0, 4.0, 2.0, deviation=1.5), ColumnFacts(0.0, 1.0, 0.0, shares=(0.3, 0.7))]


@pytest.fixture(scope="module")
def rows():
    X = np.random.default_rng(0).normal(size=(60, 2))
    return X, (X[:, 0] > 0).astype(int)


def test_a_hard_model_is_blurred_by_deviations(rows):
    found = softness_of(CARTClassifier().fit(*rows), [Hard()], FACTS)
    assert (found.kind, found.start, found.unit) == (NOISE, 0.0, 1.0)
    assert found.flows[0].scale == (1.5, 0.0)
    assert found.flows[0].marginals == ((), (0.3, 0.7))


def test_ramps_are_widened():
    found = softness_of(None, [Ramp()], FACTS)
    assert (found.kind, found.start) == (WIDTHS, 1.0)


def test_noise_begins_where_the_model_has_it(rows):
    model = SoftTreeClassifier(method="perturb", smoothing=0.3, random_state=0).fit(*rows)
    found = softness_of(model, [model.flow_], FACTS)
    assert found.start == found.unit == 0.3
    assert found.flows[0] == model.flow_


def test_each_tree_keeps_its_flow(rows):
    model = CoalescenceClassifier(3, smoothing=0.2, random_state=0).fit(*rows)
    found = softness_of(model, [model.flow_] * 3, FACTS)
    assert len(found.flows) == 3


def test_an_evolved_tree_is_as_sure_as_its_noise_says(rows):
    model = EvolvedTreeClassifier(n_iter=500, random_state=0).fit(*rows)
    found = softness_of(model, [model.flow_], FACTS)
    assert found.confidence_at is not None
    assert found.flows[0].scale == model.noise_.scale


def test_random_copies_are_said_to_be_replaced():
    found = softness_of(None, [Sampled(0.5, 16)], FACTS)
    assert isinstance(found.flows[0], Gaussian)
    assert "many copies" in found.note
