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


def test_sets_hold_the_probability_asked_for(messy_churn, fitted_churn, capsys):
    words = ["predict", str(fitted_churn), str(messy_churn), "--set", "0.9", "--proba"]
    assert main(words) == 0
    rows = rows_of(capsys.readouterr().out)
    for row in rows:
        classes = row["set"].split(" | ")
        shares = sorted((float(row["P(no)"]), float(row["P(yes)"])))
        assert sum(float(row[f"P({label})"]) for label in classes) >= 0.9
        assert len(classes) == 1 + (shares[-1] < 0.9)
        assert classes[0] == row["prediction"]
    assert {len(row["set"].split(" | ")) for row in rows} == {1, 2}


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
        (["--set", "1.5"], "--set must be between 0 and 1"),
        (["--pass", "colour"], "no column 'colour' to copy"),
    ],
)
def test_mistakes(words, complaint, messy_churn, fitted_churn, capsys):
    assert main(["predict", str(fitted_churn), str(messy_churn), *words]) == 2
    assert complaint in capsys.readouterr().err
