"""What columns are, said by all partitions together: dates, identifiers, categories."""

import numpy as np
import pandas as pd
import pytest

import softwood
from softwood.errors import (
    DateWarning,
    IdentifierWarning,
    UnknownCategoryWarning,
    UntestedColumnWarning,
)

dask = pytest.importorskip("dask")
dd = pytest.importorskip("dask.dataframe")
distributed = pytest.importorskip("softwood.dask")

N = 90
DAYS = pd.Series(pd.date_range("2024-01-01", periods=N))
LABELS = pd.Series(np.where(np.arange(N) % 30 > 12, "late", "early"))


@pytest.fixture(autouse=True)
def _in_this_thread():
    with dask.config.set(scheduler="synchronous", **{"dataframe.convert-string": False}):
        yield


def fitted(when, **options):
    frame = pd.DataFrame({"when": when, "size": np.resize([1.0, 2.0, 3.0], N)})
    model = distributed.VRForestClassifier(6, random_state=0, **options)
    X, y = dd.from_pandas(frame, npartitions=3), dd.from_pandas(LABELS, npartitions=3)
    return model.fit(X, y), frame


def test_dates_of_every_kind():
    of_type, frame = fitted(DAYS)
    assert of_type.schema_.features[0].is_date
    with pytest.warns(DateWarning, match="'when' holds dates as text") as told:
        of_text, texts = fitted(DAYS.astype(str))
    assert len(told) == 1
    assert of_text.schema_ == of_type.schema_
    np.testing.assert_array_equal(of_text.predict_proba(texts), of_type.predict_proba(frame))
    local = softwood.VRForestClassifier(2, random_state=0).fit(frame, LABELS)
    assert local.schema_ == of_type.schema_


def test_a_partition_with_one_date_goes_along():
    one_here = DAYS.astype(str).where(np.arange(N) >= 30, "2024-01-01")
    with pytest.warns(DateWarning):
        assert fitted(one_here)[0].schema_.features[0].is_date
    gone = one_here.where(np.arange(N) >= 30, None)
    with pytest.warns(DateWarning):
        assert fitted(gone, categorical_features=None)[0].schema_.features[0].is_date


def test_one_partition_without_dates_makes_categories():
    weeks = pd.Series(np.resize(["2024-01-01", "2024-01-08"], N))
    words = weeks.where(np.arange(N) < 60, "soon")
    model, _ = fitted(words)
    assert model.schema_.features[0].categories == ("2024-01-01", "2024-01-08", "soon")
    assert fitted(weeks, categorical_features=["when"])[0].schema_.features[0].is_nominal
    with pytest.raises(ValueError, match="'when' holds 'soon', which is not a number"):
        fitted(words, categorical_features=None)


def test_identifiers_are_named_once():
    with (
        pytest.warns(UntestedColumnWarning, match="column 'when' is not tested"),
        pytest.warns(IdentifierWarning, match="90 different categories in 90 rows") as told,
    ):
        fitted(pd.Series([f"id {i}" for i in range(N)]))
    assert sorted((w.category for w in told), key=str) == [IdentifierWarning, UntestedColumnWarning]
    fitted(pd.Series([f"id {i % 30}" for i in range(N)]))  # only a partition would say so


def test_categories_are_the_same_by_the_same_rule():
    flags = pd.Series(np.arange(N) % 2 == 0)
    model, frame = fitted(flags)
    expected = model.predict_proba(frame)
    for spelled in (flags.astype(str), flags.astype(int), flags.astype(str).str.lower()):
        rows = dd.from_pandas(frame.assign(when=spelled), npartitions=2)
        np.testing.assert_array_equal(model.predict_proba(rows).compute(), expected)
    with pytest.warns(UnknownCategoryWarning, match=r"column 'when' in 45 rows \('maybe'\)"):
        model.predict(dd.from_pandas(frame.assign(when="maybe"), npartitions=2)).compute()
