"""softwood fit: what is said, what is saved, what is refused."""

import json

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.model_selection import StratifiedKFold

from softwood import load
from softwood.cli import _honest, fit
from softwood.cli._training import Columns, training_of
from softwood.cli.main import main
from softwood.conformal import class_scores
from softwood.data.readers.options import ReadOptions

FAST = ["--folds", "0", "--model", "cart-unpruned"]


def facts(capsys, *words):
    assert main([*map(str, words), "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_facts_for_programs(messy_churn, tmp_path, capsys):
    saved = tmp_path / "m.softwood"
    found = facts(capsys, "fit", messy_churn, "--target", "churned", *FAST, "-o", saved)
    assert found["model"] == "CARTClassifier"
    assert found["classes"] == ["no", "yes"]
    assert found["n_rows"] == 400
    kinds = {column["name"]: column["kind"] for column in found["columns"]}
    assert kinds == {
        "customer_id": "identifier",
        "signed_up": "date",
        "plan": "category",
        "contract": "category",
        "monthly_charge": "money",
        "discount": "percent",
        "support_calls": "number",
        "paperless": "yes or no",
        "data_used": "number",
        "last_comment": "free text",
    }
    assert found["features"] == load(saved).feature_names_in_.tolist()
    assert sum(found["importances"].values()) == pytest.approx(1.0)
    assert found["error"]["training"] == 0.0
    assert found["error"]["baseline"] == pytest.approx(np.mean(labels(messy_churn) == "yes"))
    assert found["saved"] == str(saved)


def labels(path):
    return np.array([line.rsplit(",", 1)[1] for line in path.read_text().split("\n")[1:-1]])


def test_parameters_of_the_model(messy_churn, tmp_path, capsys):
    saved = tmp_path / "m.softwood"
    words = ["-p", "max_depth=2", "-p", "criterion=entropy"]
    facts(capsys, "fit", messy_churn, "--target", "churned", *FAST, *words, "-o", saved)
    model = load(saved)
    assert (model.max_depth, model.criterion, model.get_depth()) == (2, "entropy", 2)
    assert main(["fit", str(messy_churn), "--target", "churned", *FAST, "-p", "max_deph=2"]) == 2
    assert "did you mean 'max_depth'?" in capsys.readouterr().err


@pytest.mark.parametrize("many", [False, True])
def test_the_model_is_chosen_by_a_line_that_says_why(many, messy_churn, capsys, monkeypatch):
    chosen = []
    monkeypatch.setattr(fit, "_estimator", lambda model, *_: chosen.append(model.title) or 1 / 0)
    if many:
        monkeypatch.setattr(fit, "MANY_CELLS", 100)
    with pytest.raises(ZeroDivisionError):
        main(["fit", str(messy_churn), "--target", "churned"])
    assert chosen == ["Coalescence" if many else "soft tree"]
    line = "model: Coalescence, an ensemble" if many else "model: a soft tree, one that can be read"
    assert line in capsys.readouterr().out


def test_rows_without_a_target_are_told(tmp_path, capsys):
    data = tmp_path / "rows.csv"
    data.write_text("x,y\n" + "1,a\n2,\n3,b\n" * 10)
    found = facts(capsys, "fit", data, "--target", "y", *FAST)
    assert (found["n_rows"], found["n_rows_without_target"]) == (20, 10)
    assert main(["fit", str(data), "--target", "y", *FAST]) == 0
    assert "10 of 30 rows have no 'y' and are left out" in capsys.readouterr().err


def test_categories_are_read_as_the_file_writes_them(tmp_path, capsys):
    data, saved = tmp_path / "rows.csv", tmp_path / "m.softwood"
    data.write_text("code,y\n" + "1.10,a\n1.1,b\n" * 10)
    words = ["--target", "y", "--nominal", "code", *FAST, "-o", saved]
    assert facts(capsys, "fit", data, *words)["error"]["training"] == 0.0
    assert load(saved).schema_.features[0].categories == ("1.1", "1.10")


def test_data_sets_by_name(capsys):
    found = facts(capsys, "fit", "iris", *FAST)
    assert (found["n_rows"], found["target"]) == (150, "class")
    assert found["features"] == ["sepal_length", "sepal_width", "petal_length", "petal_width"]
    assert main(["fit", "irish", "--target", "y"]) == 2
    assert "irish" in capsys.readouterr().err


def test_a_forest_shows_columns_and_typical_rules(messy_churn, capsys):
    words = ["--target", "churned", "--model", "coalescence", "-p", "n_estimators=10"]
    assert main(["fit", str(messy_churn), *words, "--folds", "2"]) == 0
    printed = capsys.readouterr().out
    assert "importance of columns\n" in printed
    rules = printed.split("most typical rules\n")[1]
    assert "contract = monthly" in rules
    assert "10 trees of " in printed
    assert "2-fold cross-validated" in printed


def test_many_rows_are_measured_by_trees_that_have_not_seen_them(messy_churn, capsys, monkeypatch):
    monkeypatch.setattr(fit, "MANY_ROWS", 300)
    monkeypatch.setattr(_honest, "MANY_ROWS", 300)
    words = ["--target", "churned", "--model", "coalescence", "-p", "n_estimators=30"]
    found = facts(capsys, "fit", messy_churn, *words)
    assert found["error"]["how"] == "by trees that have not seen a row"
    assert 0.0 < found["error"]["mean"] < found["error"]["baseline"]
    held_out = facts(capsys, "fit", messy_churn, "--target", "churned", "--model", "cart-unpruned")
    assert held_out["error"]["how"] == "on a fifth of the rows, held out"
    assert len(held_out["error"]["losses"]) == 1


def fitted(path, table, *words):
    """The model that the command saves."""
    assert main(["fit", str(table), "--target", "churned", *words, "-o", str(path), "-q"]) == 0
    return load(path)


def test_folds_that_measure_the_error_calibrate_too(messy_churn, tmp_path, monkeypatch):
    path, cart = tmp_path / "m", ["--model", "cart-unpruned"]
    model = fitted(path, messy_churn, *cart, "--folds", "4", "--seed", "3")
    training = training_of([str(messy_churn)], "churned", ReadOptions(), Columns((), (), ()))
    X, y, blur = training.X, training.y, model.calibration_.blur
    expected = []
    for train, test in StratifiedKFold(4, shuffle=True, random_state=3).split(y, y):
        part = clone(model).fit(X.take(train), y[train])
        rows = part._rows(X.take(test))
        scores = class_scores(part.flow_.predict(part.tree_, rows), blur.predict(part.tree_, rows))
        expected += scores[np.arange(test.size), np.searchsorted(part.classes_, y[test])].tolist()
    assert model.calibration_.n_rows == 400
    np.testing.assert_allclose(model.calibration_.scores.max(), max(expected))
    found = np.repeat(model.calibration_.scores, model.calibration_.weights.round().astype(int))
    np.testing.assert_allclose(np.sort(found), np.sort(expected), atol=1e-12)
    assert not hasattr(fitted(path, messy_churn, *cart, "--folds", "0"), "calibration_")
    monkeypatch.setattr(_honest, "MANY_ROWS", 300)
    assert fitted(path, messy_churn, *cart).calibration_.n_rows == 80
    monkeypatch.setattr(fit, "MANY_ROWS", 300)
    forest = fitted(path, messy_churn, "--model", "coalescence", "-p", "n_estimators=30")
    assert forest.calibration_.method == "oob"


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--target", "churn"], "did you mean 'churned'?"),
        ([], "name the column to predict by --target"),
        (["--target", "signed_up"], "holds dates or times"),
        (["--target", "customer_id"], "different texts in 400 rows"),
        (["--target", "churned", "--keep", "id"], "keep names 'id'"),
        (["--target", "churned", "--delimiter", "ab"], "the delimiter must be one character"),
        (["--target", "churned", "--encoding", "klingon"], "there is no encoding 'klingon'"),
    ],
)
def test_mistakes(words, complaint, messy_churn, capsys):
    assert main(["fit", str(messy_churn), *words]) == 2
    assert complaint in capsys.readouterr().err
