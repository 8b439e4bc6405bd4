"""``softwood compare`` as a user types it."""

import csv
import subprocess
import sys

import numpy as np
import pytest

from softwood.cli import _models
from softwood.cli.main import main

FAST = ["--protocol", "kfold:3", "--models", "c45,sklearn-tree,baseline"]


@pytest.fixture
def churn(tmp_path):
    """A file with text, gaps, a class and a number."""
    rng = np.random.default_rng(0)
    path = tmp_path / "churn.csv"
    with open(path, "w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["plan", "months", "spend", "churned"])
        for i in range(60):
            plan, months = ["basic", "pro", "free"][i % 3], int(rng.integers(1, 60))
            spend = "" if i % 7 == 0 else f"{rng.normal(30, 9):.2f}"
            writer.writerow([plan, months, spend, "yes" if months < 20 else "no"])
    return path


def test_files_and_named_sets_side_by_side(churn, tmp_path, capsys):
    table, picture = tmp_path / "t.md", tmp_path / "cd.png"
    arguments = [str(churn), "iris", "--target", "churned", *FAST, "--metric", "error"]
    arguments += ["--metric", "leaves", "-o", str(table), "--plot", str(picture)]
    assert main(["compare", *arguments]) == 0
    captured = capsys.readouterr()
    assert "3 methods on 2 data sets, kfold:3, seed 0; mean error" in captured.out
    assert "mean leaves" in captured.out
    assert "failed" not in captured.out
    assert captured.err.splitlines()[-1] == "18 of 18 cells done"
    lines = table.read_text().splitlines()
    assert lines[0] == "| data set | c45 | sklearn-tree | baseline |"
    assert lines[2].startswith("| churn |")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_number_to_predict(churn, capsys):
    arguments = [str(churn), "--target", "spend", "--protocol", "half_splits:2"]
    assert main(["compare", *arguments, "--models", "cart-unpruned,boosting,baseline"]) == 0
    assert "mean squared_error" in capsys.readouterr().out
    assert main(["compare", *arguments, "--models", "c45,cart"]) == 2
    assert "c45 predicts classes; there are cart" in capsys.readouterr().err


def test_formats_that_know_their_target(tmp_path, capsys):
    path = tmp_path / "woods.arff"
    rows = "".join(f"{i},{'fir' if i % 30 < 15 else 'oak'}\n" for i in range(60))
    path.write_text(f"@relation w\n@attribute h numeric\n@attribute k {{fir,oak}}\n@data\n{rows}")
    assert main(["compare", str(path), *FAST]) == 0
    assert "woods" in capsys.readouterr().out


def test_a_store_is_resumed_only_when_asked(tmp_path, capsys):
    store = ["--store", str(tmp_path / "r.sqlite")]
    assert main(["compare", "iris", *FAST, *store]) == 0
    first = capsys.readouterr().out
    assert main(["compare", "iris", *FAST, *store]) == 2
    message = capsys.readouterr().err
    assert "already has 9 of the 9 cells" in message
    assert "--resume" in message
    assert "--restart" in message
    for option in ("--resume", "--restart", "--retry-failed"):
        assert main(["compare", "iris", *FAST, *store, option]) == 0
        assert capsys.readouterr().out == first


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["irsi"], "did you mean 'iris'"),
        (["nowhere.csv", "--target", "y"], "nowhere.csv is not a file"),
        (["{churn}"], "give the column to predict by --target"),
        (["{churn}", "--target", "gone"], "no column 'gone'; the columns are"),
        (["iris", "{churn}", "--target", "spend"], "compare on one kind at a time"),
        (["iris", "--models", "c45,forrest"], "there is no model 'forrest'; did you mean 'forest'"),
        (["iris", "--protocol", "kfolds"], "did you mean 'kfold'"),
        (["iris", "--metric", "eror"], "did you mean 'error'"),
        (["iris", "--output", "t.docx"], "--output must end in .md, .tex, .csv, .txt"),
        (["iris", "--output", "no/t.md"], "there is no folder no"),
        (["iris", "--resume"], "need --store"),
        (["iris", "--store", "r.sqlite", "--resume", "--restart"], "either --restart or --resume"),
        (["iris", "--store", "{churn}"], "not a SQLite file"),
        (["{bad}", "--target", "y"], "bad.csv"),
        ([], "Missing argument"),
    ],
)
def test_mistakes_end_in_one_line(churn, tmp_path, capsys, arguments, words):
    bad = tmp_path / "bad.csv"
    bad.write_bytes(b"x,y\n1,2,3\n\xff\xfe\n")
    assert main(["compare", *(text.format(churn=churn, bad=bad) for text in arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    *notes, complaint = captured.err.strip().splitlines()
    assert all("rows have no 'spend'" in note for note in notes)
    assert words in complaint


@pytest.mark.parametrize("name", _models.MODELS)
def test_every_model_can_be_made(name):
    model = _models.model_named(name)
    tasks = [t for t in _models.USUAL if t == _models.CLASSES or model.regressor is not None]
    assert _models.CLASSES in tasks
    for task in tasks:
        estimator = model.make(task, 3)
        assert hasattr(estimator, "fit")
        assert estimator.get_params().get("random_state", 3) == 3


def test_help_imports_nothing_heavy():
    code = (
        "import sys; from softwood.cli.main import main; main(['compare', '--help']); "
        "heavy = {'sklearn', 'numba', 'pandas', 'scipy', 'matplotlib'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, stdout=subprocess.DEVNULL)
