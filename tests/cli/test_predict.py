"""softwood predict: some rows at a time, the same as all at once."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest

from softwood import load
from softwood.cli import _fitted
from softwood.cli.main import main


def rows_of(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_batches_give_what_one_table_gives(messy_churn, fitted_churn, capsys, monkeypatch):
    assert main(["predict", str(fitted_churn), str(messy_churn), "--proba"]) == 0
    whole = capsys.readouterr().out
    inner = _fitted.batches_for
    monkeypatch.setattr("softwood.cli._fitted.batches_for", lambda *words: inner(*words, size=37))
    assert main(["predict", str(fitted_churn), str(messy_churn), "--proba"]) == 0
    assert capsys.readouterr().out == whole
    rows = rows_of(whole)
    assert len(rows) == 400
    assert list(rows[0]) == ["customer_id", "prediction", "P(no)", "P(yes)"]
    model, raw = load(fitted_churn), pd.read_csv(messy_churn, dtype=str)
    shares = np.array([[float(row["P(no)"]), float(row["P(yes)"])] for row in rows])
    np.testing.assert_array_equal(shares, model.predict_proba(raw))
    assert [row["prediction"] for row in rows] == model.predict(raw).tolist()
    assert [row["customer_id"] for row in rows] == raw["customer_id"].tolist()


@pytest.fixture(scope="module")
def calibrated(messy_churn):
    """A model file that is calibrated by the folds of its error."""
    path = messy_churn.with_name("calibrated.softwood")
    fitting = ["fit", str(messy_churn), "--target", "churned", "--model", "cart", "--folds", "5"]
    assert main([*fitting, "-o", str(path), "-q"]) == 0
    return path


@pytest.fixture(scope="module")
def numbers(tmp_path_factory):
    """A table with a number to predict, and two calibrated models: by folds, and out of bag."""
    folder = tmp_path_factory.mktemp("numbers")
    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2))
    frame = pd.DataFrame({"a": X[:, 0], "b": X[:, 1], "low": 1, "y": X[:, 0] + X[:, 1] ** 2})
    frame.to_csv(folder / "table.csv", index=False)
    for name, words in (("cart", []), ("coalescence", ["--folds", "0"])):
        fitting = ["fit", str(folder / "table.csv"), "--target", "y", "--model", name, *words]
        assert main([*fitting, "-o", str(folder / name), "-q"]) == 0
    return folder


def test_sets_are_those_of_python(messy_churn, calibrated, capsys):
    model, raw = load(calibrated), pd.read_csv(messy_churn, dtype=str)
    assert model.calibration_.method == "cv"
    assert model.calibration_.n_rows == 400
    for alpha in (None, 0.1, 0.02, 0.4):
        words = ["--set"] if alpha is None else ["--set", "--alpha", str(alpha)]
        assert main(["predict", str(calibrated), str(messy_churn), *words]) == 0
        rows = rows_of(capsys.readouterr().out)
        assert list(rows[0]) == ["customer_id", "prediction", "set"]
        expected = model.predict_set(raw, alpha or 0.1, as_labels=True)
        assert [row["set"] for row in rows] == [" | ".join(labels) for labels in expected]
        assert [row["prediction"] for row in rows] == model.predict(raw).tolist()


def test_rows_that_may_be_of_several_classes_are_left_unanswered(messy_churn, calibrated, capsys):
    words = ["predict", str(calibrated), str(messy_churn), "--reject", "--set", "--proba"]
    assert main(words) == 0
    rows = rows_of(capsys.readouterr().out)
    assert list(rows[0]) == ["customer_id", "prediction", "P(no)", "P(yes)", "set"]
    for row in rows:
        assert row["prediction"] == (row["set"] if row["set"] in ("no", "yes") else "")
    assert {row["prediction"] for row in rows} == {"no", "yes", ""}
    assert main([*words, "--json"]) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [line["prediction"] or "" for line in lines] == [row["prediction"] for row in rows]


@pytest.mark.parametrize("name", ["cart", "coalescence"])
def test_intervals_are_those_of_python(name, numbers, capsys):
    model, frame = load(numbers / name), pd.read_csv(numbers / "table.csv")
    assert model.calibration_.method == {"cart": "cv", "coalescence": "oob"}[name]
    words = ["predict", str(numbers / name), str(numbers / "table.csv"), "--interval"]
    assert main([*words, "--alpha", "0.2"]) == 0
    rows = rows_of(capsys.readouterr().out)
    found = [[float(row["low"]), float(row["high"])] for row in rows]
    np.testing.assert_array_equal(found, model.predict_interval(frame, 0.2))
    assert main([*words, "--pass", "low"]) == 0
    assert list(rows_of(capsys.readouterr().out)[0]) == ["low", "prediction", "low (model)", "high"]


def test_rows_that_are_new_to_the_model_calibrate_it(messy_churn, fitted_churn, tmp_path, capsys):
    lines = messy_churn.read_text().splitlines(keepends=True)
    new = tmp_path / "new.csv"
    new.write_text("".join([lines[0], *lines[200:]]))
    words = ["predict", str(fitted_churn), str(messy_churn), "--set", "--alpha", "0.05"]
    assert main(words) == 2
    said = capsys.readouterr().err
    assert "is not calibrated. Name a table with the target" in said
    assert "--calibrate FILE" in said
    assert main([*words, "--calibrate", str(new)]) == 0
    rows = rows_of(capsys.readouterr().out)
    frame = pd.read_csv(new, dtype=str)
    model = load(fitted_churn)
    model.calibrate(frame, churned(frame))
    expected = model.predict_set(pd.read_csv(messy_churn, dtype=str), 0.05, as_labels=True)
    assert [row["set"] for row in rows] == [" | ".join(labels) for labels in expected]


def churned(frame):
    """The target of the table, which is spelled in many ways, as the command reads it."""
    is_yes = frame["churned"].str.strip().str.lower().str.startswith(("y", "t", "1"))
    return np.where(is_yes, "yes", "no")


def test_json_lines_and_other_columns(messy_churn, fitted_churn, capsys):
    words = ["predict", str(fitted_churn), str(messy_churn), "--pass", "plan", "--json"]
    assert main(words) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert len(lines) == 400
    assert set(lines[0]) == {"plan", "prediction"}


def test_reasons_in_words(messy_churn, fitted_churn, tmp_path, capsys):
    few = tmp_path / "few.csv"
    few.write_text("".join(messy_churn.read_text().splitlines(keepends=True)[:4]))
    assert main(["predict", str(fitted_churn), str(few), "--explain"]) == 0
    rows = rows_of(capsys.readouterr().out)
    assert [row["because"].startswith("1. contract is ") for row in rows] == [True] * 3


def test_standard_input_and_output(messy_churn, fitted_churn, capsys, monkeypatch):
    assert main(["predict", str(fitted_churn), str(messy_churn)]) == 0
    expected = capsys.readouterr().out
    with messy_churn.open("rb") as file:
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(file.raw)))
        assert main(["predict", str(fitted_churn), "-"]) == 0
    assert capsys.readouterr().out == expected


def test_a_file_that_fails_in_the_middle_leaves_nothing(
    messy_churn, fitted_churn, tmp_path, capsys
):
    lines = messy_churn.read_text().splitlines(keepends=True)
    bad, answers = tmp_path / "bad.csv", tmp_path / "answers.csv"
    bad.write_text("".join([*lines[:300], lines[300].replace("$", "soon "), *lines[301:]]))
    answers.write_text("before")
    assert main(["predict", str(fitted_churn), str(bad), "-o", str(answers)]) == 2
    assert "column 'monthly_charge' holds 'soon " in capsys.readouterr().err
    assert answers.read_text() == "before"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["answers.csv", "bad.csv"]


def test_rows_are_counted_over_batches(messy_churn, fitted_churn, tmp_path, capsys, monkeypatch):
    lines = messy_churn.read_text().splitlines(keepends=True)
    bad = tmp_path / "bad.csv"
    bad.write_text("".join([*lines[:300], lines[300].replace("$", "soon "), *lines[301:]]))
    inner = _fitted.batches_for
    monkeypatch.setattr("softwood.cli._fitted.batches_for", lambda *words: inner(*words, size=37))
    assert main(["predict", str(fitted_churn), str(bad)]) == 2
    assert "(row 299), which cannot be read as a number" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--set", "--alpha", "1.5"], "--alpha must be between 0 and 1, such as 0.1; got 1.5"),
        (["--alpha", "0.1"], "--alpha is for --set, --interval and --reject"),
        (["--calibrate", "rows.csv"], "--calibrate is for --set, --interval and --reject"),
        (["--interval"], "predicts classes; --interval is for numbers, and it has --set"),
        (["--reject"], "is not calibrated"),
        (["--pass", "colour"], "no column 'colour' to copy"),
    ],
)
def test_mistakes(words, complaint, messy_churn, fitted_churn, capsys):
    assert main(["predict", str(fitted_churn), str(messy_churn), *words]) == 2
    assert complaint in capsys.readouterr().err


@pytest.mark.parametrize("option", ["--set", "--reject", "--proba"])
def test_numbers_have_no_classes(option, numbers, capsys):
    words = ["predict", str(numbers / "cart"), str(numbers / "table.csv"), option]
    assert main(words) == 2
    assert "predicts a number, no classes; it has --interval" in capsys.readouterr().err


def test_score_is_that_of_all_rows_some_at_a_time(tmp_path, capsys, monkeypatch):
    from sklearn.metrics import log_loss, r2_score

    from softwood import CARTRegressor, CoalescenceClassifier, save
    from softwood.cli import _streamed

    rng = np.random.default_rng(0)
    X = rng.normal(size=(300, 2)).round(2)
    way = np.where(X[:, 0] + 0.3 * rng.normal(size=300) > 0, "up", "down")
    lines = [f"{a!r},{b!r},{w},{a + b!r}" for (a, b), w in zip(X.tolist(), way, strict=True)]
    data = tmp_path / "rows.csv"
    data.write_text("\n".join(["x0,x1,way,sum", *lines, "0.5,0.5,,"]))
    batches = _streamed.batches_with_target
    monkeypatch.setattr(_streamed, "batches_with_target", lambda *given: batches(*given, size=70))

    def score(model, target):
        save(model, tmp_path / "m.softwood")
        words = ["predict", str(tmp_path / "m.softwood"), str(data), "--score", "--json"]
        assert main([*words, "--target", target]) == 0
        return json.loads(capsys.readouterr().out)

    model = CoalescenceClassifier(9, random_state=0).fit(X[:200], way[:200])
    found = score(model, "way")
    assert found["n_rows"] == 300
    assert found["error"] == pytest.approx(np.mean(model.predict(X) != way))
    shares = np.clip(model.predict_proba(X), np.finfo(float).eps, 1.0)
    assert found["log_loss"] == pytest.approx(log_loss(way, shares), rel=1e-6)
    model = CARTRegressor(max_leaf_nodes=5).fit(X, X.sum(axis=1))
    found = score(model, "sum")
    assert found["r2"] == pytest.approx(r2_score(X.sum(axis=1), model.predict(X)))
    words = ["predict", str(tmp_path / "m.softwood"), str(data), "--score", "-o", "x.csv"]
    assert main(words) != 0
    assert "--score writes no predictions" in capsys.readouterr().err
