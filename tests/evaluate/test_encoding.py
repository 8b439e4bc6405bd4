import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.ensemble import HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier

from softwood import C45Classifier
from softwood.data.encode import table_of
from softwood.evaluate.encoding import (
    TableEncoder,
    categories_and_gaps,
    encoded,
    fitting_for,
    rows_for,
)

FRAME = pd.DataFrame(
    {
        "size": [1.0, np.nan, 3.0, 4.0, 6.0],
        "colour": pd.Categorical(["red", "blue", None, "red", "blue"], ["red", "blue"]),
    }
)


def test_as_scikit_learn_encodes():
    peer = make_column_transformer(
        (SimpleImputer(strategy="median"), ["size"]),
        (OneHotEncoder(categories=[["red", "blue"]], handle_unknown="ignore"), ["colour"]),
        sparse_threshold=0,
    )
    expected = peer.fit_transform(FRAME)
    for X in (FRAME, table_of(FRAME)):
        np.testing.assert_array_equal(TableEncoder().fit_transform(X), expected)
    later = pd.DataFrame({"size": [np.nan], "colour": ["green"]})
    np.testing.assert_array_equal(TableEncoder().fit(FRAME).transform(later), [[3.5, 0, 0]])


def test_ordinal_codes_and_gaps_left_alone():
    codes = TableEncoder("ordinal", impute=False).fit_transform(FRAME)
    np.testing.assert_array_equal(codes[:, 1], [0, 1, -1, 0, 1])
    np.testing.assert_array_equal(codes[:, 0], FRAME["size"])
    with pytest.raises(ValueError, match="onehot, ordinal; got 'hash'"):
        TableEncoder("hash").fit(FRAME)


def test_only_what_needs_it_is_encoded():
    numbers, gaps = np.ones((3, 2)), np.array([[1.0, np.nan]] * 3)
    own_way = make_pipeline(TableEncoder(), DecisionTreeClassifier())
    for estimator in (C45Classifier(), HistGradientBoostingClassifier(), own_way):
        assert fitting_for(estimator, True, True) is estimator
    for X, estimator, needed in (
        (FRAME, RandomForestClassifier(), True),
        (table_of(FRAME), LogisticRegression(), True),
        (numbers, LogisticRegression(), False),
        (gaps, LogisticRegression(), True),
        (gaps, RandomForestClassifier(), False),  # it takes gaps
        (np.array([["a"], ["b"]], dtype=object), LogisticRegression(), True),
    ):
        assert hasattr(fitting_for(estimator, *categories_and_gaps(X)), "steps") == needed
    forest = fitting_for(RandomForestClassifier(), True, True)
    assert forest.steps[0][1].impute is False


def test_everyone_gets_rows_they_can_read():
    table = table_of(FRAME)
    assert rows_for(C45Classifier(), table) is table
    assert rows_for(encoded(LogisticRegression()), table) is table
    assert isinstance(rows_for(HistGradientBoostingClassifier(), table), pd.DataFrame)
    numbers = rows_for(LogisticRegression(), table_of(FRAME[["size"]]))
    np.testing.assert_array_equal(numbers, FRAME[["size"]])
    assert rows_for(LogisticRegression(), FRAME) is FRAME
