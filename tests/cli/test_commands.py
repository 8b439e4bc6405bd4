"""The command line as a user types it."""

import csv
import io
import re
import subprocess
import sys

import numpy as np
import pytest

from softwood import load
from softwood.cli.main import main


@pytest.fixture
def churn(tmp_path):
    rng = np.random.default_rng(0)
    path = tmp_path / "churn.csv"
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["plan, yearly", "months", "spend", "churned"])
        for i in range(120):
            plan, months = ["basic", "pro", "ünlimited"][i % 3], int(rng.integers(1, 60))
            spend = "" if i % 7 == 0 else f"{rng.normal(30, 9):.2f}"
            churned = "yes" if months < 12 and plan != "pro" else "no"
            writer.writerow([plan, months, spend, churned])
    return path


@pytest.mark.parametrize("model", ["c45", "cart"])
def test_fit_then_predict(churn, tmp_path, capsys, model):
    saved = tmp_path / "m.softwood"
    arguments = [str(churn), "--target", "churned", "--model", model, "-o", str(saved)]
    assert main(["fit", *arguments]) == 0
    printed = capsys.readouterr().out
    assert "months <= " in printed
    assert "10-fold cross-validated" in printed
    assert "120 rows, 1 of 3 columns nominal, 2 classes" in printed

    assert main(["predict", str(saved), str(churn), "--proba"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert len(rows) == 120
    assert set(rows[0]) == {"prediction", "P(no)", "P(yes)"}
    assert float(rows[0]["P(no)"]) + float(rows[0]["P(yes)"]) == pytest.approx(1)

    answers = tmp_path / "answers.csv"
    assert main(["predict", str(saved), str(churn), "-o", str(answers)]) == 0
    with open(answers, newline="") as file:
        again = [row["prediction"] for row in csv.DictReader(file)]
    assert again == [row["prediction"] for row in rows]
    assert load(saved).feature_names_in_.tolist() == ["plan, yearly", "months", "spend"]


@pytest.mark.parametrize("model", ["coalescence", "vr-forest", "bagged"])
def test_an_ensemble_from_the_command_line(churn, tmp_path, capsys, model):
    saved = tmp_path / "m.softwood"
    arguments = ["--target", "churned", "--model", model, "--folds", "2", "--max-lines", "2"]
    assert main(["fit", str(churn), *arguments, "-o", str(saved)]) == 0
    printed = capsys.readouterr().out
    assert re.search(
        r"importance of columns\n0\.\d+  months\n0\.\d+  .*\n\.\.\. and 1 more\n", printed
    )
    assert re.search(r"100 trees of \d+ leaves on average\n", printed)
    assert "2-fold cross-validated" in printed

    assert main(["predict", str(saved), str(churn)]) == 0
    answers = capsys.readouterr().out.split()[1:]
    with open(churn, newline="") as file:
        right = [row["churned"] for row in csv.DictReader(file)]
    assert np.mean(np.array(right) == answers) > 0.95


def test_a_number_to_predict(churn, capsys):
    assert main(["fit", str(churn), "--target", "months", "--model", "cart", "--folds", "3"]) == 0
    assert "mean squared error" in capsys.readouterr().out
    assert main(["fit", str(churn), "--target", "months", "--model", "c45"]) == 2
    assert "use --model cart" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fit"], "Missing argument"),
        (["fit", "nowhere.csv", "--target", "y"], "nowhere.csv is not a file"),
        (["fit", "{churn}", "--target", "gone"], "no column 'gone'; the columns are"),
        (["fit", "{churn}", "--target", "churned", "--model", "oak"], "oak"),
        (["predict", "nowhere.softwood", "{churn}"], "nowhere.softwood"),
        (["predict", "{churn}", "{churn}"], "churn.csv"),
        (["datasets", "no-such-set"], "no-such-set"),
        (["grow"], "grow"),
    ],
)
def test_mistakes_end_in_one_line(churn, capsys, arguments, words):
    assert main([argument.format(churn=churn) for argument in arguments]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.strip().splitlines()) == 1
    assert captured.err.startswith("softwood: ")
    assert words in captured.err


def test_columns_that_are_missing_are_named(churn, tmp_path, capsys):
    saved, other = tmp_path / "m.softwood", tmp_path / "other.csv"
    main(["fit", str(churn), "--target", "churned", "--folds", "0", "-o", str(saved)])
    other.write_text("months\n3\n")
    assert main(["predict", str(saved), str(other)]) == 2
    assert "lacks the columns 'plan, yearly', 'spend'" in capsys.readouterr().err


def test_categories_that_look_like_numbers_are_read_as_text(tmp_path, capsys):
    train, test, saved = tmp_path / "a.csv", tmp_path / "b.csv", tmp_path / "m.softwood"
    train.write_text("code,y\n" + "007,no\n1a,yes\n" * 6)
    test.write_text("code\n007\n")
    main(["fit", str(train), "--target", "y", "--folds", "0", "-o", str(saved)])
    capsys.readouterr()
    assert main(["predict", str(saved), str(test)]) == 0
    assert capsys.readouterr().out == "prediction\nno\n"


def test_datasets_and_cards(capsys):
    assert main(["datasets"]) == 0
    assert "tic-tac-toe" in capsys.readouterr().out
    assert main(["datasets", "tic-tac-toe"]) == 0
    assert "958 rows" in capsys.readouterr().out


def test_the_demo(tmp_path, capsys):
    assert main(["demo", "-o", str(tmp_path / "demo.softwood")]) == 0
    printed = capsys.readouterr().out
    for words in ("worst area <= 880.8", "scikit-learn tree", "it predicts the same"):
        assert words in printed
    for name in ("-report.html", "-explorer.html", ".c", ".py", ".json"):
        path = tmp_path / f"demo{name}"
        assert path.stat().st_size > 1000
        assert str(path) in printed


def test_help_and_version(capsys):
    assert main(["--version"]) == 0
    assert capsys.readouterr().out.startswith("softwood 0.")
    assert main(["--help"]) == 0
    assert "predict" in capsys.readouterr().out


def test_importing_softwood_imports_next_to_nothing():
    code = (
        "import sys; import softwood; "
        "heavy = {'numpy', 'sklearn', 'numba', 'pandas', 'scipy'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
