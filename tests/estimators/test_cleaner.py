"""TableCleaner: a messy table made ready, in a pipeline as from the command line."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import parametrize_with_checks

from softwood import CARTClassifier, CoalescenceClassifier, TableCleaner
from softwood.datasets import make_churn
from softwood.datasets.generators.churn import CHURN_COLUMNS

X, Y = make_churn(300, random_state=0)
FRAME = pd.DataFrame(X, columns=list(CHURN_COLUMNS))


@parametrize_with_checks([TableCleaner()])
def test_scikit_learn_checks(estimator, check):
    check(estimator)


def test_pandas_and_polars_become_the_same_features():
    from_pandas = TableCleaner().fit_transform(FRAME)
    from_polars = TableCleaner().fit_transform(pl.from_pandas(FRAME))
    assert isinstance(from_pandas, pd.DataFrame)
    assert isinstance(from_polars, pl.DataFrame)
    assert list(from_pandas.columns) == from_polars.columns
    for name in from_polars.columns:
        assert from_pandas[name].astype(object).where(from_pandas[name].notna(), None).tolist() == (
            from_polars[name].to_list()
        )


def test_names_of_features_and_of_what_is_left_out():
    cleaner = TableCleaner().fit(FRAME)
    names = cleaner.get_feature_names_out().tolist()
    assert names == list(cleaner.transform(FRAME).columns)
    assert "customer_id" not in names
    assert "signed_up.weekday" in names
    assert "last_comment" in TableCleaner(keep=["last_comment"]).fit(FRAME).get_feature_names_out()
    assert "plan" not in TableCleaner(drop=["plan"]).fit(FRAME).get_feature_names_out()
    with pytest.raises(ValueError, match="keep names 'colour'"):
        TableCleaner(keep=["colour"]).fit(FRAME)


@pytest.mark.parametrize("model", [CARTClassifier(max_depth=5), CoalescenceClassifier(20)])
def test_a_pipeline_learns_from_a_messy_table(model):
    model = clone(model).set_params(random_state=0)
    scores = cross_val_score(make_pipeline(TableCleaner(), model), FRAME, Y, cv=3)
    assert scores.mean() > np.mean(Y == "no") + 0.04


def test_a_table_of_which_nothing_is_left_is_refused():
    with pytest.raises(ValueError, match="no column is left to learn from"):
        TableCleaner().fit(FRAME[["customer_id", "last_comment"]])
