"""Missing categories: spread over all branches, or a category of their own."""

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_array_equal

from softwood import CoalescenceClassifier, VRForestClassifier, load, save
from softwood.explain.labels import test_text
from softwood.tree import NOMINAL

test_text.__test__ = False  # a function of the library, not a test


def frame(n=200, seed=0):
    """A column that is missing wherever the class is "b", and one that says nothing."""
    rng = np.random.default_rng(seed)
    y = rng.choice(["a", "b"], n)
    colour = pd.Series(rng.choice(["red", "blue"], n)).where(y == "a")
    return pd.DataFrame({"colour": colour.astype("category"), "size": rng.normal(size=n)}), y


def test_what_is_missing_can_be_the_test():
    X, y = frame()
    later, answer = frame(seed=1)
    own = CoalescenceClassifier(20, random_state=0).fit(X, y)
    spread = CoalescenceClassifier(20, handle_missing="spread", random_state=0).fit(X, y)
    assert own.score(later, answer) > 0.95 > spread.score(later, answer)
    assert own.schema_.features[0].categories == ("blue", "red", None)
    assert spread.schema_.features[0].categories == ("blue", "red")


def test_it_is_the_same_as_a_category_of_that_name():
    X, y = frame()
    named = X.assign(colour=X["colour"].cat.add_categories("zz").fillna("zz"))
    own = CoalescenceClassifier(10, random_state=0).fit(X, y)
    by_name = CoalescenceClassifier(10, handle_missing="spread", random_state=0).fit(named, y)
    assert_array_equal(own.predict_proba(X), by_name.predict_proba(named))


def test_a_column_without_gaps_in_training_spreads_later():
    X, y = frame()
    whole = X.assign(colour=X["colour"].fillna("red"))
    model = CoalescenceClassifier(10, random_state=0).fit(whole, y)
    assert model.schema_.features[0].categories == ("blue", "red")
    assert np.isfinite(model.predict_proba(X)).all()


@pytest.mark.filterwarnings("ignore::softwood.errors.UnknownCategoryWarning")
def test_unknown_categories_may_count_as_missing():
    X, y = frame()
    model = CoalescenceClassifier(10, handle_unknown="missing", random_state=0).fit(X, y)
    gone = X.assign(colour=pd.Series([None] * len(X), dtype=object))
    green = X.assign(colour="green")
    assert_array_equal(model.predict_proba(green), model.predict_proba(gone))


def test_alpha_one_stays_c45_by_default():
    assert VRForestClassifier().handle_missing == "spread"
    assert CoalescenceClassifier().handle_missing == "category"
    with pytest.raises(ValueError, match="handle_missing"):
        CoalescenceClassifier(handle_missing="guess").fit(*frame())


def test_files_and_texts_know_the_category(tmp_path):
    X, y = frame()
    model = CoalescenceClassifier(5, nominal_split="multiway", random_state=0).fit(X, y)
    save(model, tmp_path / "m.softwood")
    again = load(tmp_path / "m.softwood")
    assert_array_equal(again.predict_proba(X), model.predict_proba(X))
    tested = next(tree for tree in model.trees_ if tree.kind[0] == NOMINAL)
    categories = [feature.categories for feature in model.schema_.features]
    words = [test_text(tested, 0, branch, None, categories, 3) for branch in range(3)]
    assert words == ["x0 = blue", "x0 = red", "x0 = (missing)"]
