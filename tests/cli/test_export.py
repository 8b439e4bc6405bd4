import json

import pytest

from softwood.cli.main import main


@pytest.mark.parametrize(
    ("to", "ending"),
    [("c", ".c"), ("python", ".py"), ("json", ".json"), ("sql", ".sql"), ("onnx", ".onnx")],
)
def test_a_model_is_written_beside_itself(to, ending, fitted_churn, tmp_path, capsys):
    if to == "onnx":
        pytest.importorskip("onnx", reason="onnx is not installed")
    model = tmp_path / "model.softwood"
    model.write_bytes(fitted_churn.read_bytes())
    assert main(["export", str(model), "--to", to, "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    written = tmp_path / f"model{ending}"
    assert said == {"file": str(written), "format": to, "bytes": written.stat().st_size}


def test_the_name_of_the_file_says_the_format(fitted_churn, tmp_path):
    assert main(["export", str(fitted_churn), "-o", str(tmp_path / "a.py")]) == 0
    assert "def predict_proba(row)" in (tmp_path / "a.py").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "say which format by --to"),
        (["--to", "fortran"], "--to must be one of c, python, json, sql, onnx; got 'fortran'"),
        (["-o", "model.txt"], "does not end in .c, .py, .json, .sql, .onnx"),
    ],
)
def test_mistakes_are_told(words, complaint, fitted_churn, capsys):
    assert main(["export", str(fitted_churn), *words]) == 2
    assert complaint in " ".join(capsys.readouterr().err.split())


def test_sql_is_that_of_a_dialect(fitted_churn, tmp_path):
    words = ["--dialect", "sqlite", "--table", "visits", "--keep", "id"]
    assert main(["export", str(fitted_churn), "-o", str(tmp_path / "a.sql"), *words]) == 0
    text = (tmp_path / "a.sql").read_text(encoding="utf-8")
    assert 'FROM "visits"' in text
    assert 'AS "id"' in text
    assert main(["export", str(fitted_churn), "-o", str(tmp_path / "a.sql"), "--dialect", "x"]) == 2
