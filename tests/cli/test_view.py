import json
import webbrowser
from pathlib import Path

import pytest

from softwood.cli.main import main


def test_a_page_with_rows(messy_churn, fitted_churn, tmp_path, capsys):
    page = tmp_path / "tree.html"
    assert main(["view", str(fitted_churn), str(messy_churn), "-o", str(page)]) == 0
    assert f"written to {page}" in " ".join(capsys.readouterr().out.split())
    data = page.read_text(encoding="utf-8")
    assert "Predicting churned" in data
    assert '"rows": null' not in data


def test_a_page_without_rows(fitted_churn, tmp_path, capsys):
    page = tmp_path / "tree.html"
    assert main(["view", str(fitted_churn), "-o", str(page), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said == {"file": str(page), "bytes": page.stat().st_size}


def test_rows_without_the_target_will_do(messy_churn, fitted_churn, tmp_path):
    import polars as pl

    rows = pl.read_csv(messy_churn, infer_schema=False)
    bare = tmp_path / "bare.csv"
    rows.drop("churned").write_csv(bare)
    page = tmp_path / "tree.html"
    assert main(["view", str(fitted_churn), str(bare), "-o", str(page)]) == 0
    assert '"target": null' in page.read_text(encoding="utf-8")


def test_without_a_file_a_browser_opens(fitted_churn, monkeypatch, tmp_path):
    opened = []
    monkeypatch.setattr(webbrowser, "open", lambda url: opened.append(url) or True)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert main(["view", str(fitted_churn)]) == 0
    assert len(opened) == 1
    assert Path(opened[0].removeprefix("file://")).is_file()


def test_a_model_is_not_written_over(fitted_churn, capsys):
    assert main(["view", str(fitted_churn), "-o", str(fitted_churn)]) == 2
    assert "name another file" in " ".join(capsys.readouterr().err.split())


def test_two_models(fitted_churn, messy_churn, tmp_path):
    page = tmp_path / "pair.html"
    words = ["view", str(fitted_churn), str(messy_churn), "--other", str(fitted_churn)]
    assert main([*words, "-o", str(page)]) == 0
    assert '"isPair": true' in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("most", ["0", "5"])
def test_rows_can_be_kept_back(most, messy_churn, fitted_churn, tmp_path):
    page = tmp_path / "tree.html"
    words = ["view", str(fitted_churn), str(messy_churn), "-o", str(page), "--max-rows", most]
    assert main(words) == 0
    text = page.read_text(encoding="utf-8")
    assert ('"rows": null' in text) == (most == "0")
