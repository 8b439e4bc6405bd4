"""What cannot be saved or loaded is refused by name."""

import pickle
from fractions import Fraction

import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

from softwood import C45Classifier, CARTClassifier, load, save
from softwood.data.schema import Feature, Schema
from softwood.errors import ModelFileError
from tests.persist.models import numeric_rows


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.softwood"


def test_categories_that_json_cannot_hold_are_refused(path):
    X = pd.DataFrame({"age": ["young", "old"] * 3})
    model = C45Classifier().fit(X, [0, 1] * 3)
    model.schema_ = Schema((Feature("age", (Fraction(1, 2), Fraction(1, 3))),))
    with pytest.raises(TypeError, match=r"the feature 'age' holds Fraction.* text or a number"):
        save(model, path)
    assert not path.exists()


def test_intervals_are_texts_and_can_be_saved(path):
    X = pd.DataFrame({"age": pd.cut([1, 5, 9, 1, 5, 9], [0, 3, 6, 10])})
    model = C45Classifier(min_samples_leaf=1).fit(X, [0, 1, 1, 0, 1, 1])
    save(model, path)
    again = load(path)
    assert again.schema_.features[0].categories == ("(0, 3]", "(3, 6]", "(6, 10]")
    assert again.predict(X).tolist() == [0, 1, 1, 0, 1, 1]
    assert again.predict(X.astype(str)).tolist() == [0, 1, 1, 0, 1, 1]


def test_a_parameter_that_json_cannot_hold_is_named(path):
    X, y = numeric_rows()
    model = CARTClassifier(class_weight={0: 1.0, 1: 1.0}).fit(X, y)
    model.class_weight = {0: Fraction(1, 2)}
    with pytest.raises(TypeError, match=r"parameter 'class_weight' of CARTClassifier .* Fraction"):
        save(model, path)
    assert list(path.parent.iterdir()) == []


def test_parameters_that_are_not_valid_are_not_saved(path):
    X, y = numeric_rows()
    model = CARTClassifier().fit(X, y).set_params(max_depth=-1)
    with pytest.raises(ValueError, match=r"cannot be saved.*'max_depth'"):
        save(model, path)
    assert not path.exists()


@pytest.mark.parametrize("what", [None, 3, CARTClassifier, DecisionTreeClassifier(), "model"])
def test_only_our_estimators_are_saved(what, path):
    with pytest.raises(TypeError, match="save takes a fitted softwood estimator"):
        save(what, path)


def test_a_subclass_is_not_mistaken_for_its_parent(path):
    class CARTClassifier_(CARTClassifier):
        pass

    CARTClassifier_.__name__ = "CARTClassifier"
    model = CARTClassifier_().fit(*numeric_rows())
    with pytest.raises(TypeError, match="save takes a fitted softwood estimator"):
        save(model, path)


def test_an_unfitted_model_is_refused(path):
    with pytest.raises(ValueError, match="is not fitted yet"):
        save(CARTClassifier(), path)


def test_an_undeclared_attribute_is_not_lost_in_silence(path):
    model = CARTClassifier().fit(*numeric_rows())
    model.history_ = [1, 2]
    with pytest.raises(TypeError, match=r"'history_'.*_saved_attributes"):
        save(model, path)


def test_a_pickle_is_refused(path):
    path.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(ModelFileError, match="looks like a pickle, which softwood never reads"):
        load(path)


@pytest.mark.parametrize("content", [b"", b"PK", b"hello", b"PK\x05\x06" + bytes(18)])
def test_other_files_are_refused(content, path):
    path.write_bytes(content)
    with pytest.raises(ModelFileError, match=r"model\.softwood: "):
        load(path)


def test_folders_and_missing_files_are_the_usual_errors(tmp_path):
    model = CARTClassifier().fit(*numeric_rows())
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nothing")
    with pytest.raises((IsADirectoryError, PermissionError)):
        load(tmp_path)
    with pytest.raises(IsADirectoryError):
        save(model, tmp_path)
    with pytest.raises(FileNotFoundError, match="no folder"):
        save(model, tmp_path / "no folder" / "model")
