"""softwood explain: one row of a file, in words."""

import json

import pandas as pd
import pytest

from softwood import load
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
