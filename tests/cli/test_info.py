"""softwood info: what a model file holds."""

import json

from softwood import CARTRegressor, save
from softwood.cli.main import main


def test_a_model_of_the_command(fitted_churn, capsys):
    assert main(["info", str(fitted_churn)]) == 0
    printed = capsys.readouterr().out
    assert "CARTClassifier" in printed
    assert "max_depth = 4" in printed
    assert "answers: churned: no, yes" in printed
    assert "  monthly_charge: money" in printed
    assert "contract = monthly" in printed
    assert main(["info", str(fitted_churn), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["target"] == "churned"
    assert found["parameters"]["max_depth"] == 4
    assert {"name": "discount", "kind": "percent"} in found["columns"]


def test_a_forest(fitted_forest, capsys):
    assert main(["info", str(fitted_forest), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["n_trees"] == 10
    assert found["n_leaves"] > 10


def test_a_model_of_python(tmp_path, capsys):
    path = tmp_path / "m.softwood"
    save(CARTRegressor().fit([[1.0], [2.0]], [1.0, 2.0]), path)
    assert main(["info", str(path)]) == 0
    printed = capsys.readouterr().out
    assert "answers: a number" in printed
    assert "  x0: number" in printed
    assert "sets and intervals: not calibrated" in printed
    save(CARTRegressor().fit([[1.0], [2.0]], [1.0, 2.0]).calibrate(), path)
    assert main(["info", str(path)]) == 0
    assert "sets and intervals: calibrated on 2 rows by folds" in capsys.readouterr().out
