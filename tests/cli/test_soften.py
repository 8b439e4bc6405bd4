"""``softwood soften`` as a user types it."""

import csv
import re
import subprocess
import sys

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from softwood import CARTClassifier, CARTRegressor, load, save, soften
from softwood.cli.main import main
from softwood.data.readers import read_table
from softwood.estimators.softened import SoftenedClassifier
from softwood.evaluate.protocols import KFoldProtocol
from softwood.flow import Gaussian

N_ROWS = 90


@pytest.fixture
def churn(tmp_path):
    """A table whose classes overlap, with a category, gaps, and a row that has no target."""
    rng = np.random.default_rng(0)
    path = tmp_path / "churn.csv"
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["plan", "months", "spend", "churned"])
        for i in range(N_ROWS):
            plan, months = ["basic", "pro", "team"][i % 3], int(rng.integers(1, 60))
            spend = "" if i % 7 == 0 else f"{rng.normal(30, 9):.2f}"
            churned = months + rng.normal(0, 8) < 25 and plan != "pro"
            writer.writerow([plan, months, spend, "yes" if churned else "no"])
        writer.writerow(["pro", 3, 20, ""])
    return path


@pytest.fixture
def rows(churn):
    table = read_table(churn).take(np.arange(N_ROWS))
    return table.drop(["churned"]), table["churned"].as_objects().astype(str)


@pytest.fixture
def saved(rows, tmp_path):
    path = tmp_path / "hard.softwood"
    save(CARTClassifier(min_samples_leaf=3).fit(*rows), path)
    return path


def printed_pairs(text):
    """Return the numbers before and after, by metric, once for each part of the report."""
    lines = re.findall(r"^  (\S.*?) +before ([\d.e+-]+).* after ([\d.e+-]+)", text, re.MULTILINE)
    return [(name, float(before), float(after)) for name, before, after in lines]


@pytest.mark.parametrize("method", ["perturb", "anneal", "confidence", "gradient"])
def test_the_file_holds_what_soften_returns(method, churn, rows, saved, tmp_path, capsys):
    output = tmp_path / "soft.softwood"
    arguments = ["soften", str(saved), str(churn), "--method", method, "--seed", "3"]
    assert main([*arguments, "--folds", "0", "-o", str(output)]) == 0
    printed = capsys.readouterr().out
    assert f"saved to {output}" in printed
    assert "cross-validated" not in printed
    X, y = rows
    options = {"smoothing": "cv"} if method == "perturb" else {}
    expected = soften(load(saved), X, y, method, random_state=3, **options)
    again = load(output)
    assert isinstance(again, SoftenedClassifier)
    np.testing.assert_array_equal(again.predict_proba(X), expected.predict_proba(X))
    before = load(saved).predict(X)
    n_changed = np.count_nonzero(before != expected.predict(X))
    assert f"{n_changed} of {N_ROWS} predictions change" in printed
    errors = [np.mean(predicted != y) for predicted in (before, expected.predict(X))]
    assert printed_pairs(printed)[0] == ("error", *(float(f"{error:.4g}") for error in errors))
    if method == "perturb":
        assert isinstance(again.flow_, Gaussian)
        assert f"lambdas {expected.smoothing_:.4g} has the least error" in printed
    else:
        widths = expected.tree_.below + expected.tree_.above
        n_tests = np.count_nonzero(expected.tree_.n_children)
        assert f"{np.count_nonzero(widths)} of {n_tests} tests are soft" in printed


def test_cross_validation_softens_anew(churn, rows, saved, capsys):
    command = ["soften", str(saved), str(churn), "--smoothing", "0.4", "--folds", "3"]
    assert main(command) == 0
    printed = capsys.readouterr().out
    assert "lambda 0.4, as given" in printed
    assert "3-fold cross-validated" in printed
    X, y = rows
    errors, briers = np.zeros((2, 3)), np.zeros((2, 3))
    for fold, (train, test) in enumerate(KFoldProtocol(3).splits(y, seed=0)):
        hard = CARTClassifier(min_samples_leaf=3).fit(X.take(train), y[train])
        soft = soften(hard, X.take(train), y[train], smoothing=0.4)
        for model, judged in enumerate((hard, soft)):
            of_yes = judged.predict_proba(X.take(test))[:, 1]
            errors[model, fold] = np.mean(judged.predict(X.take(test)) != y[test])
            briers[model, fold] = np.mean((of_yes - (y[test] == "yes")) ** 2)
    expected = {"error": errors.mean(axis=1), "Brier score": briers.mean(axis=1)}
    found = printed_pairs(printed)[2:]
    assert [name for name, *_ in found] == list(expected)
    for name, *pair in found:
        assert pair == pytest.approx(expected[name], abs=6e-4)


def test_held_out_rows_are_not_fitted_to(churn, saved, capsys):
    assert main(["soften", str(saved), str(churn), "--smoothing", "holdout"]) == 0
    printed = capsys.readouterr().out
    assert "least error on these rows" in printed
    assert "on which lambda was chosen: they flatter" in printed
    assert "cross-validated" not in printed


def test_what_lambda_is_chosen_by(churn, saved, capsys):
    assert main(["soften", str(saved), str(churn), "--loss", "log_loss", "--folds", "0"]) == 0
    assert "has the least log loss on folds" in capsys.readouterr().out


def test_a_number_to_predict(churn, rows, tmp_path, capsys):
    X, _ = rows
    months = X["months"].values
    saved, output = tmp_path / "months.softwood", tmp_path / "soft.softwood"
    save(CARTRegressor(min_samples_leaf=5).fit(X.drop(["months"]), months), saved)
    command = ["soften", str(saved), str(churn), "--target", "months", "--smoothing", "0.5"]
    assert main([*command, "--folds", "3", "-o", str(output)]) == 0
    (name, before, after), (again, *_) = printed_pairs(capsys.readouterr().out)
    assert name == again == "mean squared error"
    table = read_table(churn)
    for path, printed in ((saved, before), (output, after)):
        predicted = load(path).predict(table.drop(["months", "churned"]))
        loss = np.mean((predicted - table["months"].values) ** 2)
        assert printed == pytest.approx(loss, rel=1e-3)


def test_labels_and_categories_that_look_like_numbers(tmp_path, capsys):
    train, saved, output = (tmp_path / name for name in ("a.csv", "m.softwood", "s.softwood"))
    train.write_text("code,x,y\n" + "007,1,01\n1a,2,x2\n007,3,x2\n1a,4,01\n" * 6)
    main(["fit", str(train), "--target", "y", "--folds", "0", "-o", str(saved)])
    train.write_text("code,x,y\n" + "007,1,01\n" * 6)
    command = ["soften", str(saved), str(train), "--smoothing", "0.1", "--folds", "0"]
    assert main([*command, "-o", str(output)]) == 0
    assert load(output).classes_.tolist() == ["01", "x2"]


@pytest.mark.parametrize("kind", [bool, float, int])
def test_classes_that_are_not_text(kind, tmp_path, capsys):
    y = np.repeat([0, 1], 6)
    saved, data = tmp_path / "m.softwood", tmp_path / "d.csv"
    save(CARTClassifier().fit(np.arange(12.0)[:, None], y.astype(kind)), saved)
    written = y.astype(bool) if kind is bool else y
    data.write_text("x0,y\n" + "".join(f"{x},{label}\n" for x, label in enumerate(written)))
    assert main(["soften", str(saved), str(data), "--smoothing", "0"]) == 0
    printed = capsys.readouterr().out
    assert "0 of 12 predictions change" in printed
    assert printed_pairs(printed)[0] == ("error", 0.0, 0.0)


def test_a_leaf_has_nothing_to_soften(tmp_path, capsys):
    data, saved = tmp_path / "d.csv", tmp_path / "m.softwood"
    data.write_text("x0,y\n" + "1,a\n1,b\n" * 5)
    save(CARTClassifier().fit(np.ones((4, 1)), ["a", "b", "b", "a"]), saved)
    assert main(["soften", str(saved), str(data)]) == 0
    assert "there is no test to soften" in capsys.readouterr().out


def test_what_another_library_fitted_is_not_fitted_again(rows, churn, tmp_path, capsys):
    X, y = rows
    numbers = np.column_stack([X["months"].values, np.nan_to_num(X["spend"].values)])
    theirs = DecisionTreeClassifier(max_depth=3, random_state=0).fit(numbers, y)
    saved, data = tmp_path / "theirs.softwood", tmp_path / "numbers.csv"
    save(soften(theirs, numbers, y, smoothing=0.2), saved)
    lines = [f"{a!r},{b!r},{label}" for (a, b), label in zip(numbers.tolist(), y, strict=True)]
    data.write_text("\n".join(["x0,x1,y", *lines]))
    assert main(["soften", str(saved), str(data)]) == 2
    assert "it cannot be fitted again to folds; use --smoothing holdout" in capsys.readouterr().err
    assert main(["soften", str(saved), str(data), "--smoothing", "0.4"]) == 0
    printed = capsys.readouterr().out
    assert "lambda 0.4, as given" in printed
    assert "cross-validated" not in printed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{saved}"], "Missing argument"),
        (["nowhere.softwood", "{churn}"], "nowhere.softwood"),
        (["{saved}", "nowhere.csv"], "nowhere.csv is not a file"),
        (["{saved}", "{churn}", "--target", "gone"], "no column 'gone'; the columns are"),
        (["{saved}", "{churn}", "--target", "spend"], "the model reads the column 'spend'"),
        (["{saved}", "{churn}", "--method", "melt"], "melt"),
        (["{saved}", "{churn}", "--smoothing", "-1"], "a number from 0 on; got '-1'"),
        (["{saved}", "{churn}", "--smoothing", "much"], "must be cv, holdout or a number"),
        (
            ["{saved}", "{churn}", "--method", "anneal", "--smoothing", "0.2"],
            "--smoothing is for --method perturb, not for anneal",
        ),
        (["{saved}", "{churn}", "--loss", "squared_error"], "got 'squared_error'"),
        (["{saved}", "{churn}", "-o", "no/such/folder/m.softwood"], "there is no folder"),
    ],
)
def test_mistakes_end_in_one_line(churn, saved, capsys, arguments, words):
    places = {"saved": saved, "churn": churn}
    assert main(["soften", *(argument.format(**places) for argument in arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    *notes, complaint = captured.err.strip().splitlines()
    assert all("rows have no 'churned'" in note for note in notes)
    assert words in complaint


@pytest.mark.parametrize(
    ("header", "line", "words"),
    [
        ("months,spend,churned", "3,20,no", "lacks the column 'plan'"),
        ("plan,months,spend", "pro,3,20", "no column besides those that the model reads"),
        ("plan,months,spend,churned,city", "pro,3,20,no,Ulm", "one of churned, city"),
        ("plan,months,spend,churned", "pro,3,20,maybe", "has 'maybe', which the model never saw"),
        ("plan,months,spend,churned", "pro,3,20,1.5", "has '1.5', which the model never saw"),
    ],
)
def test_tables_that_do_not_fit(header, line, words, saved, tmp_path, capsys):
    data = tmp_path / "other.csv"
    data.write_text(f"{header}\n{line}\n")
    assert main(["soften", str(saved), str(data)]) == 2
    assert words in capsys.readouterr().err


def test_text_is_no_number_to_predict(churn, rows, tmp_path, capsys):
    X, _ = rows
    saved = tmp_path / "m.softwood"
    save(CARTRegressor().fit(X.drop(["plan"]), X["months"].values), saved)
    assert main(["soften", str(saved), str(churn), "--target", "plan"]) == 2
    assert "predicts a number, and column 'plan' has 'basic'" in capsys.readouterr().err


def test_help_is_there_at_once():
    code = (
        "import sys; from softwood.cli.main import main; main(['soften', '--help']); "
        "heavy = {'sklearn', 'numba', 'pandas', 'scipy'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True)
    assert "--smoothing" in done.stdout
