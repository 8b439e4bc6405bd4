from softwood import C45Classifier, CARTClassifier, CARTRegressor
from softwood.evaluate import compare
from softwood.view import _rivals
from softwood.view._rivals import rivals_of
from tests.view.tables import hostile_table

FIRST = ["CART, pruned", "C4.5", "random forest"]


def test_the_usual_ones():
    rivals = list(rivals_of("usual", CARTClassifier(), is_classes=True))
    assert rivals[:3] == FIRST
    assert rivals[-1] == "always the most frequent class"
    numbers = list(rivals_of("usual", CARTRegressor(), is_classes=False))
    assert numbers[:2] == ["CART, pruned", "random forest"]
    assert "C4.5" not in numbers


def test_what_is_just_like_the_model_is_left_out():
    alike = CARTClassifier(pruning="cv", random_state=5)
    assert "CART, pruned" not in rivals_of("usual", alike, is_classes=True)
    other = C45Classifier(min_samples_leaf=7)
    assert "C4.5" in rivals_of("usual", other, is_classes=True)
    given = {"twin": C45Classifier()}
    assert rivals_of(given, C45Classifier(), is_classes=True) == given


def test_without_lightgbm_there_are_the_others(monkeypatch):
    monkeypatch.setattr(_rivals, "find_spec", lambda name: None)
    assert "LightGBM" not in rivals_of("usual", CARTClassifier(), is_classes=True)
    assert rivals_of(None, CARTClassifier(), is_classes=True) == {}


def test_all_of_them_take_hostile_tables():
    X, y = hostile_table()
    rivals = rivals_of("usual", None, is_classes=True)
    result = compare(rivals, {"data": (X, y)}, "kfold:2")
    assert result.failures == []
