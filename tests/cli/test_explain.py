"""softwood explain: one row of a file, in words."""

import json

import pandas as pd
import pytest

from softwood import CARTRegressor, load, save
from softwood.cli.main import main


@pytest.mark.parametrize("model", ["fitted_churn", "fitted_forest"])
def test_a_row_is_explained_as_in_python(model, messy_churn, request, capsys):
    path = request.getfixturevalue(model)
    assert main(["explain", str(path), str(messy_churn), "--row", "7"]) == 0
    printed = capsys.readouterr().out
    row = pd.read_csv(messy_churn, dtype=str).iloc[6].to_dict()
    assert printed.startswith(f"row 7: customer_id = {row['customer_id']}, ")
    assert str(load(path).explain(row)) in printed


def test_facts_for_programs(messy_churn, fitted_churn, capsys):
    assert main(["explain", str(fitted_churn), str(messy_churn), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["row"] == 1
    assert found["values"]["contract"] == "monthly"
    assert found["prediction"] in ("no", "yes")


@pytest.mark.parametrize(("row", "words"), [("0", "counts from 1"), ("401", "there are 400 rows")])
def test_rows_that_are_not_there(row, words, messy_churn, fitted_churn, capsys):
    assert main(["explain", str(fitted_churn), str(messy_churn), "--row", row]) == 2
    assert words in capsys.readouterr().err


# -- why not -------------------------------------------------------------------------------


@pytest.mark.parametrize("model", ["fitted_churn", "fitted_forest"])
@pytest.mark.parametrize("row", [1, 2, 7])
def test_the_nearest_row_is_answered_otherwise(model, row, messy_churn, request, tmp_path, capsys):
    path = request.getfixturevalue(model)
    words = ["explain", str(path), str(messy_churn), "--row", str(row), "--why-not"]
    assert main([*words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert main(words) == 0
    first, blank, sentence, footing, _, last = capsys.readouterr().out.splitlines()
    assert first.startswith(f"row {row}: customer_id = ")
    assert blank == ""
    assert sentence == found["text"]
    assert "distance" in footing
    assert last.startswith("the nearest row: signed_up = ")
    assert "churned" not in last  # the truth of the row is not that of another

    # The row as the command writes it, read again by the command.
    other = tmp_path / "other.csv"
    pd.DataFrame([found["nearest"]]).to_csv(other, index=False)
    assert main(["predict", str(path), str(other), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["prediction"] == found["prediction"] != found["was"]


def test_columns_that_stay_and_the_class_that_is_wanted(messy_churn, fitted_churn, capsys):
    words = ["explain", str(fitted_churn), str(messy_churn), "--row", "7", "--why-not", "--json"]
    other = ["--target", "yes", "--fixed", "contract, plan", "--fixed", "discount"]
    free, held = [], ({"contract"}, {"contract", "plan", "discount"})
    for options in ([], other):
        assert main([*words, *options]) == 0
        found = json.loads(capsys.readouterr().out)
        free.append({one["column"] for one in found["changes"]})
        assert found["prediction"] == "yes"
    assert free[0] == held[0]
    assert free[1]
    assert not free[1] & held[1]


def test_numbers_that_are_wanted(tmp_path, capsys):
    frame = pd.DataFrame({"a, b": range(20), "c": [0, 1] * 10})
    model, data = tmp_path / "m.softwood", tmp_path / "d.csv"
    save(CARTRegressor().fit(frame, frame["a, b"] + 0.5 * frame["c"]), model)
    frame.to_csv(data, index=False)
    words = ["explain", str(model), str(data), "--row", "3", "--why-not", "--json"]
    for target in ("10", ">= 10"):
        assert main([*words, "--target", target, "--fixed", "c"]) == 0
        found = json.loads(capsys.readouterr().out)
        assert found["prediction"] >= 10
        assert found["nearest"] == {"a, b": 10, "c": 0}
    assert main([*words, "--target", "10", "--fixed", "a, b,c"]) == 2
    assert "the columns are ['a, b', 'c']" in capsys.readouterr().err
    assert main([*words, "--target", "10", "--fixed", "a, b"]) == 2
    assert "because of fixed" in capsys.readouterr().err
    assert main(words) == 2
    assert "for a model that predicts numbers" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--target", "yes"], "--target belongs to --why-not"),
        (["--fixed", "plan"], "--fixed belongs to --why-not"),
        (["--why-not", "--target", "perhaps"], "'perhaps' is no class; those are no, yes"),
        (["--why-not", "--fixed", "plan,gone"], "fixed has 'gone'; the columns are"),
    ],
)
def test_wishes_that_cannot_be_read(options, words, messy_churn, fitted_churn, capsys):
    assert main(["explain", str(fitted_churn), str(messy_churn), *options]) == 2
    captured = capsys.readouterr()
    assert words in captured.err
    assert "would be" not in captured.out
