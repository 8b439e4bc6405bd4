"""``softwood distil`` as a user types it."""

import json

import numpy as np
import pytest

from softwood import CoalescenceRegressor, SoftTreeClassifier, distil, load, save
from softwood.cli.main import main
from softwood.data.readers import read_table


def test_the_file_holds_a_tree_that_reads_the_same_files(
    fitted_forest, messy_churn, tmp_path, capsys
):
    output, answers = tmp_path / "tree.softwood", tmp_path / "answers.csv"
    command = ["distil", str(fitted_forest), str(messy_churn), "-o", str(output)]
    assert main([*command, "--max-leaf-nodes", "8"]) == 0
    printed = capsys.readouterr().out
    tree = load(output)
    assert isinstance(tree, SoftTreeClassifier)
    assert tree.get_n_leaves() <= 8
    assert f"CoalescenceClassifier as one tree of {tree.get_n_leaves()} leaves" in printed
    assert "right on these rows: the model" in printed
    said = []
    for model in fitted_forest, output:
        assert main(["predict", str(model), str(messy_churn), "-o", str(answers), "-q"]) == 0
        said.append(answers.read_text().splitlines())
    assert len(said[0]) == 401
    assert np.mean([a == b for a, b in zip(*said, strict=True)]) > 0.85


def test_files_without_the_target_will_do(fitted_forest, messy_churn, tmp_path, capsys):
    bare, output = tmp_path / "bare.csv", tmp_path / "tree.softwood"
    lines = messy_churn.read_text().splitlines()
    place = lines[0].split(",").index("churned")
    assert place == len(lines[0].split(",")) - 1
    bare.write_text("\n".join(line.rpartition(",")[0] for line in lines) + "\n")
    command = ["distil", str(fitted_forest), str(bare), "--hard", "--straight"]
    assert main([*command, "-o", str(output), "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["model_score"] is None
    assert told["saved"] == str(output)
    assert load(output).tree_.below.max() == 0.0
    assert main(["predict", str(output), str(bare), "-q", "-o", str(tmp_path / "a.csv")]) == 0
    assert main([*command, "--labels"]) == 2
    assert "--labels needs the target" in capsys.readouterr().err


def test_numbers_are_followed_as_the_function_follows_them(tmp_path, capsys):
    rng = np.random.default_rng(0)
    data, saved = tmp_path / "rows.csv", tmp_path / "forest.softwood"
    x = rng.normal(size=(120, 2)).round(3)
    lines = [f"{a},{b},{a - b:.3f}" for a, b in x.tolist()]
    data.write_text("\n".join(["a,b,y", *lines]) + "\n")
    table = read_table(data)
    X, y = table.drop(["y"]), table["y"].values
    model = CoalescenceRegressor(10, random_state=0).fit(X, y)
    save(model, saved)
    assert main(["distil", str(saved), str(data), "--labels", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    tree = distil(model, X, y, random_state=0)
    assert told["agreement"] == pytest.approx(tree.fidelity_.agreement)
    assert told["tree_score"] == pytest.approx(tree.score(X, y))
    assert main(["distil", str(saved), str(data)]) == 0
    assert "it answers as the model does: R² 0." in capsys.readouterr().out


def test_mistakes_end_in_one_line(fitted_forest, messy_churn, capsys):
    assert main(["distil", str(fitted_forest), "nowhere.csv"]) == 2
    assert "nowhere.csv" in capsys.readouterr().err
    command = ["distil", str(fitted_forest), str(messy_churn), "-o", str(fitted_forest)]
    assert main(command) == 2
    assert capsys.readouterr().out == ""
