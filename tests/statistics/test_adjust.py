import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from statsmodels.stats.multitest import multipletests

from softwood.statistics import adjust_bonferroni, adjust_hochberg, adjust_holm

PVALUES = st.lists(
    st.sampled_from([0.0, 0.001, 0.01, 0.02, 0.04, 0.3, 0.5, 1.0]), min_size=1, max_size=9
)
ADJUSTMENTS = [
    (adjust_bonferroni, "bonferroni"),
    (adjust_holm, "holm"),
    (adjust_hochberg, "simes-hochberg"),
]


@pytest.mark.parametrize(("adjust", "name"), ADJUSTMENTS)
@settings(max_examples=10)
@given(pvalues=PVALUES)
def test_as_statsmodels(adjust, name, pvalues):
    expected = multipletests(pvalues, method=name)[1]
    np.testing.assert_allclose(adjust(pvalues), expected, rtol=1e-12)


@given(PVALUES)
def test_adjusted_values_keep_order_and_only_grow(pvalues):
    holm, hochberg = adjust_holm(pvalues), adjust_hochberg(pvalues)
    order = np.argsort(pvalues)
    assert (np.diff(holm[order]) >= 0).all()
    assert (np.array(pvalues) <= hochberg).all()
    assert (hochberg <= holm).all()
    assert (holm <= adjust_bonferroni(pvalues)).all()


@given(PVALUES)
def test_holm_rejects_step_by_step(pvalues):
    """The procedure as Holm tells it: go on while p is at most alpha over those left."""
    alpha, rejected = 0.05, np.zeros(len(pvalues), dtype=bool)
    for step, i in enumerate(np.argsort(pvalues, kind="stable")):
        if pvalues[i] > alpha / (len(pvalues) - step):
            break
        rejected[i] = True
    assert (adjust_holm(pvalues) <= alpha).tolist() == rejected.tolist()


@pytest.mark.parametrize("pvalues", [[0.1, 1.2], [-0.1], [np.nan], [[0.1]]])
def test_bad_pvalues_are_refused(pvalues):
    with pytest.raises(ValueError, match="pvalues must"):
        adjust_holm(pvalues)
