"""``softwood diff`` as a user types it."""

import csv
import io
import json

import numpy as np
import polars as pl
import pytest

from softwood import CARTClassifier, CARTRegressor, diff, load, save
from softwood.cli.main import main


@pytest.fixture
def later(messy_churn, tmp_path):
    """A smaller tree, fitted to a part of the rows."""
    rows, path = tmp_path / "part.csv", tmp_path / "later.softwood"
    rows.write_text("".join(messy_churn.read_text().splitlines(keepends=True)[:251]))
    fitting = ["fit", str(rows), "--target", "churned", "--model", "cart-unpruned", "-q"]
    assert main([*fitting, "-p", "max_depth=3", "--folds", "0", "-o", str(path)]) == 0
    return path


@pytest.fixture
def numbered(tmp_path):
    """Two models of numbers without preparation, and a file whose third row has no target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    y = np.where(X[:, 0] > 0, "up", "down")
    paths = []
    for name, model in (
        ("a", CARTClassifier(max_depth=1).fit(X, y)),
        ("b", CARTClassifier(max_depth=1).fit(X, np.where(X[:, 1] > 0, "up", "down"))),
    ):
        paths.append(tmp_path / f"{name}.softwood")
        save(model, paths[-1])
    data = tmp_path / "rows.csv"
    labels = np.where(np.arange(60) == 2, "", y)
    lines = [f"{a!r},{b!r},{label}" for (a, b), label in zip(X.tolist(), labels, strict=True)]
    data.write_text("\n".join(["x0,x1,way", *lines]))
    return *paths, data, X, y


def test_what_is_printed_is_what_diff_says(numbered, capsys):
    a, b, data, X, y = numbered
    assert main(["diff", str(a), str(b), str(data)]) == 0
    printed = capsys.readouterr().out
    kept = np.arange(60) != 2
    assert printed == f"{diff(load(a), load(b), X[kept], y[kept])}\n"
    assert "error 0 -> " in printed
    assert "x0 <= " in printed


def test_rows_that_change_are_numbered_as_in_the_file(numbered, tmp_path, capsys):
    a, b, data, X, _ = numbered
    output = tmp_path / "rows.CSV"
    assert main(["diff", str(a), str(b), str(data), "-o", str(output)]) == 0
    assert f"written to {output}" in capsys.readouterr().out
    table = list(csv.DictReader(io.StringIO(output.read_text())))
    old, new = load(a).predict(X), load(b).predict(X)
    changed = [row for row in table if row["changed"] == "True"]
    expected = [k + 1 for k in np.flatnonzero(old != new) if k != 2]
    assert [int(row["row"]) for row in changed] == expected
    assert [row["new"] for row in changed] == [new[k - 1] for k in expected]

    assert main(["diff", str(a), str(b), str(data), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert [row["row"] for row in said["rows"] if row["old"] != row["new"]] == expected
    assert (said["n_changed"], said["saved"]) == (len(expected), None)
    assert said["judged"]["old_error"] == 0.0


@pytest.mark.parametrize("suffix", ["png", "svg"])
def test_a_picture(suffix, messy_churn, fitted_churn, later, tmp_path):
    plt = pytest.importorskip("matplotlib.pyplot")
    output, before = tmp_path / f"changes.{suffix}", plt.get_fignums()
    words = ["diff", str(fitted_churn), str(later), str(messy_churn), "-o", str(output)]
    assert main(words) == 0
    assert output.stat().st_size > 5000
    assert plt.get_fignums() == before


def test_a_model_and_itself(messy_churn, fitted_churn, capsys):
    words = ["diff", str(fitted_churn), str(fitted_churn), str(messy_churn)]
    assert main([*words, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["n_changed"], said["mass_moved"], said["rows"]) == (0, 0.0, [])
    assert {test["change"] for test in said["tests"]} == {"same"}


def test_each_model_reads_the_rows_as_its_own_table(messy_churn, fitted_churn, later, capsys):
    assert main(["diff", str(fitted_churn), str(later), str(messy_churn), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    answers = []
    for path in (fitted_churn, later):
        assert main(["predict", str(path), str(messy_churn)]) == 0
        rows = csv.DictReader(io.StringIO(capsys.readouterr().out))
        answers.append([row["prediction"] for row in rows])
    known = pl.read_csv(messy_churn, infer_schema=False)["churned"].is_not_null().to_list()
    n_changed = sum(a != b for a, b, k in zip(*answers, known, strict=True) if k)
    assert found["n_changed"] == n_changed > 0


def test_rows_without_the_target_will_do(messy_churn, fitted_churn, later, tmp_path, capsys):
    bare = tmp_path / "bare.csv"
    pl.read_csv(messy_churn, infer_schema=False).drop("churned").write_csv(bare)
    assert main(["diff", str(fitted_churn), str(later), str(bare)]) == 0
    printed = capsys.readouterr().out
    assert "truth" not in printed
    assert "answers" in printed


def test_a_tree_and_a_forest(messy_churn, fitted_churn, fitted_forest, tmp_path, capsys):
    output = tmp_path / "rows.csv"
    words = ["diff", str(fitted_churn), str(fitted_forest), str(messy_churn), "-o", str(output)]
    assert main(words) == 0
    assert "CARTClassifier -> CoalescenceClassifier, 400 rows" in capsys.readouterr().out
    assert "new_scatter" in output.read_text().splitlines()[0]


def test_rows_from_a_pipe(numbered, capsys, monkeypatch):
    a, b, data, *_ = numbered
    assert main(["diff", str(a), str(b), str(data)]) == 0
    expected = capsys.readouterr().out
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data.read_bytes())))
    assert main(["diff", str(a), str(b), "-"]) == 0
    assert capsys.readouterr().out == expected


def test_labels_that_only_one_of_them_knows(tmp_path, capsys):
    X = np.arange(12.0)[:, None]
    paths, data = [tmp_path / "a.softwood", tmp_path / "b.softwood"], tmp_path / "d.csv"
    for path, labels in zip(paths, (["a", "b"], ["b", "c"]), strict=True):
        save(CARTClassifier().fit(X, np.repeat(labels, 6)), path)
    data.write_text("x0,y\n1,a\n2,b\n11,c\n")
    assert main(["diff", *map(str, paths), str(data), "--json"]) == 0
    judged = json.loads(capsys.readouterr().out)["judged"]
    assert (judged["n_better"], judged["n_worse"]) == (2, 1)
    data.write_text("x0,y\n1,a\n2,d\n")
    assert main(["diff", *map(str, paths), str(data)]) == 2
    assert "has 'd', which the model never saw; its classes are a, b, c" in capsys.readouterr().err


def test_what_is_text_to_one_is_read_for_both(tmp_path, capsys):
    import pandas as pd

    frame = pd.DataFrame({"code": [1, 2, 3, 4] * 5, "x": range(20)})
    y = np.where(frame["code"] > 2, "yes", "no")
    paths, data = [tmp_path / "a.softwood", tmp_path / "b.softwood"], tmp_path / "d.csv"
    save(CARTClassifier().fit(frame, y), paths[0])
    save(CARTClassifier().fit(frame.astype({"code": str}), y), paths[1])
    data.write_text(frame.assign(y=y).to_csv(index=False))
    assert main(["diff", *map(str, paths), str(data)]) == 0
    printed = capsys.readouterr().out
    assert "answers   0 of 20 change" in printed
    assert "error 0 -> 0" in printed
    assert "code <= 2.5 -> code in {3, 4}" in printed


def test_numbers_that_may_differ(tmp_path, capsys):
    X, y = np.arange(12.0)[:, None], np.arange(12.0)
    paths, data = [tmp_path / "a.softwood", tmp_path / "b.softwood"], tmp_path / "d.csv"
    for path, shift in zip(paths, (0.0, 0.3), strict=True):
        save(CARTRegressor().fit(X, y + shift), path)
    data.write_text("x0\n1\n2\n")
    for tolerance, n_changed in (("0.2", 2), ("0.5", 0)):
        words = ["diff", *map(str, paths), str(data), "--json", "--tolerance", tolerance]
        assert main(words) == 0
        assert json.loads(capsys.readouterr().out)["n_changed"] == n_changed


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{a}", "{b}"], "Missing argument"),
        (["{a}", "nowhere.softwood", "{data}"], "nowhere.softwood"),
        (["{a}", "{b}", "nowhere.csv"], "nowhere.csv is not a file"),
        (["{a}", "{b}", "{data}", "-o", "{a}"], "is read as well"),
        (["{a}", "{b}", "{data}", "-o", "{b}"], "is read as well"),
        (["{a}", "{b}", "{data}", "-o", "changes.oak"], "a picture must end in"),
        (["{a}", "{b}", "{data}", "-o", "no/such/c.csv"], "there is no folder"),
        (["{a}", "{b}", "{data}", "--target", "gone"], "no column 'gone'"),
        (["{a}", "{b}", "{data}", "--target", "x1"], "the model reads the column 'x1'"),
        (["{a}", "{b}", "{data}", "--tolerance", "-1"], "tolerance must be finite"),
    ],
)
def test_mistakes_end_in_one_line(numbered, capsys, arguments, words):
    pytest.importorskip("matplotlib")
    places = dict(zip(("a", "b", "data"), numbered[:3], strict=True))
    assert main(["diff", *(argument.format(**places) for argument in arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in " ".join(captured.err.strip().splitlines()[-1].split())
