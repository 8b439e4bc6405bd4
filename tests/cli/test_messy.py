"""Files as people have them: read as a person would, or refused in a sentence that helps."""

import io
import json
import sys
from importlib import import_module
from importlib.util import find_spec
from types import SimpleNamespace

import numpy as np
import pandas as pd
import polars as pl
import pytest

from softwood import load
from softwood.cli._training import Columns, training_of
from softwood.cli.main import main
from softwood.data.readers.options import ReadOptions
from tests.cli.messy.case import N_ROWS, PLAIN, lines, size, text, y
from tests.cli.messy.cells import moment
from tests.cli.messy.files import READ, REFUSED, write
from tests.cli.messy.formats import DECLARED

FIT = ("--model", "c45", "--folds", "0", "--json")


def run(capsys, *words):
    code = main([str(word) for word in words])
    out, err = capsys.readouterr()
    return SimpleNamespace(code=code, out=out, err=err)


def fitted(capsys, folder, *data, target="y", options=()):
    """Return the facts of a fit, and the lines that its model answers to the same files."""
    model = folder / "model.softwood"
    told = run(capsys, "fit", *data, "--target", target, *FIT, "-o", model, *options)
    assert told.code == 0, told.err
    answers = run(capsys, "predict", model, *data)
    assert answers.code == 0, answers.err
    return json.loads(told.out), told.err, answers.out.splitlines()


def check_refused(told, *words):
    assert told.code == 2, told.err
    last = told.err.strip().splitlines()[-1]
    assert last.startswith("softwood: ")
    assert "Traceback" not in told.err
    assert all(word in last for word in words), last
    assert "softwood-" not in last  # the folder that files are unpacked to


@pytest.mark.parametrize("case", READ, ids=lambda case: case.file)
def test_a_messy_file_is_read_as_a_person_reads_it(case, tmp_path, capsys):
    path = write(case, tmp_path)
    facts, said, answers = fitted(capsys, tmp_path, path, target=case.target, options=case.options)
    assert {column["name"]: column["kind"] for column in facts["columns"]} == case.kinds
    assert facts["n_rows"] == case.n_rows
    assert facts["classes"] == list(case.classes)
    assert all(word in said for word in case.says), said
    without_target = facts["n_rows_without_target"]
    assert len(answers) == 1 + case.n_rows + without_target  # predictions have a heading

    keep = [word for word in case.options if word != "--keep"]
    X = training_of([str(path)], case.target, ReadOptions(), Columns(keep=keep)).X
    for name, values in case.values.items():
        column = X[name]
        read = column.as_objects() if column.is_nominal else column.values
        expected = [np.nan if v is None and not column.is_nominal else v for v in values]
        check_equal(read[: len(values)].tolist(), expected)


def check_equal(read, expected):
    if isinstance(expected[0], str):
        assert read == expected
    else:
        np.testing.assert_allclose(read, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.file)
def test_a_file_that_nobody_can_read_is_refused_in_one_sentence(case, tmp_path, capsys):
    path = write(case, tmp_path)
    told = run(capsys, "fit", path, "--target", "y", *FIT, *case.options)
    check_refused(told, *case.words)


def test_there_are_many_of_them():
    names = [case.file for case in (*READ, *REFUSED)]
    assert len(set(names)) == len(names) > 100


# -- several files, and none ----------------------------------------------------------------


def test_several_files_with_columns_in_another_order(tmp_path, capsys):
    (tmp_path / "part-1.csv").write_bytes(text(PLAIN))
    (tmp_path / "part-2.csv").write_bytes(
        text({name: PLAIN[name] for name in reversed(PLAIN)}, ";")
    )
    parts = [tmp_path / "part-1.csv", tmp_path / "part-2.csv"]
    for data in (parts, [tmp_path / "part-*.csv"]):
        facts, _, answers = fitted(capsys, tmp_path, *data)
        assert facts["features"] == ["size", "wood"]
        assert facts["n_rows"] == 2 * N_ROWS == len(answers) - 1
        assert answers[1 : 1 + N_ROWS] == answers[1 + N_ROWS :]


def test_files_whose_columns_differ_are_refused_by_name(tmp_path, capsys):
    (tmp_path / "a.csv").write_bytes(text(PLAIN))
    (tmp_path / "b.csv").write_bytes(text({"size": size, "bark": y, "y": y}))
    told = run(capsys, "fit", tmp_path / "a.csv", tmp_path / "b.csv", "--target", "y", *FIT)
    check_refused(told, "b.csv", "lacks 'wood'", "has 'bark'")
    check_refused(run(capsys, "fit", tmp_path / "z*.csv", "--target", "y"), "no file fits")
    check_refused(run(capsys, "fit", tmp_path / "z.csv", "--target", "y"), "is not a file")
    check_refused(run(capsys, "fit", tmp_path, "--target", "y"), "is not a file")


def test_standard_input(tmp_path, capsys, monkeypatch):
    def rows(raw):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(raw)))

    model = tmp_path / "m.softwood"
    rows(text(PLAIN, ";"))
    told = run(capsys, "fit", "-", "--target", "y", *FIT, "-o", model)
    assert json.loads(told.out)["n_rows"] == N_ROWS
    rows(text(PLAIN))
    assert len(run(capsys, "predict", model, "-").out.splitlines()) == 1 + N_ROWS
    rows(b"")
    check_refused(run(capsys, "fit", "-", "--target", "y"), "<stdin>", "empty")


def test_c45_files(tmp_path, capsys):
    names = "a, b.\nsize: continuous.\nwood: oak, fir, elm.\n"
    (tmp_path / "w.names").write_text(names, encoding="utf-8")
    (tmp_path / "w.data").write_text("\n".join(lines(PLAIN)[1:]), encoding="utf-8")
    facts, _, answers = fitted(capsys, tmp_path, tmp_path / "w.data", target="class")
    assert facts["features"] == ["size", "wood"]
    assert len(answers) == 1 + N_ROWS


WORKBOOKS = find_spec("fastexcel") is not None and find_spec("xlsxwriter") is not None
ZSTD = find_spec("compression") is not None or find_spec("backports") is not None


@pytest.mark.parametrize(
    ("name", "package", "raw"),
    [
        ("a.xlsx", "fastexcel", b"PK\x03\x04" + bytes(50)),
        ("a.csv.zst", "backports.zstd", b"\x28\xb5\x2f\xfd" + bytes(9)),
    ],
)
def test_missing_packages_are_named(tmp_path, capsys, monkeypatch, name, package, raw):
    for module in (package, package.partition(".")[0], "compression"):
        monkeypatch.setitem(sys.modules, module, None)
    (tmp_path / name).write_bytes(raw)
    told = run(capsys, "fit", tmp_path / name, "--target", "y")
    check_refused(told, package, "pip install")


@pytest.mark.skipif(not WORKBOOKS, reason="needs fastexcel, and xlsxwriter to write the file")
def test_workbooks(tmp_path, capsys):
    path = tmp_path / "a.xlsx"
    columns = {**PLAIN, "day": lambda i: moment(i).date(), "gap": lambda i: i if i % 3 else None}
    frame = pl.DataFrame({k: [cell(i) for i in range(N_ROWS)] for k, cell in columns.items()})
    frame.write_excel(path, worksheet="rows")
    facts, _, answers = fitted(capsys, tmp_path, path)
    kinds = {column["name"]: column["kind"] for column in facts["columns"]}
    assert kinds == {"size": "number", "wood": "category", "day": "date", "gap": "number"}
    assert len(answers) == 1 + N_ROWS
    told = run(capsys, "fit", path, "--target", "y", "--sheet", "other", *FIT)
    check_refused(told, "a.xlsx", "other")
    path.write_bytes(path.read_bytes()[:900])
    check_refused(run(capsys, "fit", path, "--target", "y", *FIT), "a.xlsx", "workbook")


@pytest.mark.skipif(not ZSTD, reason="needs backports.zstd before Python 3.14")
def test_zstd(tmp_path, capsys):
    zstd = import_module("compression.zstd" if find_spec("compression") else "backports.zstd")
    path, raw = tmp_path / "a.csv.zst", zstd.compress(text(PLAIN))
    path.write_bytes(raw)
    assert fitted(capsys, tmp_path, path)[0]["n_rows"] == N_ROWS
    for damaged in (raw[:-9], raw[:20] + bytes(20) + raw[40:], text(PLAIN)):
        path.write_bytes(damaged)
        check_refused(run(capsys, "fit", path, "--target", "y"), "a.csv.zst", "complete zstd")


# -- names and cells that mean harm ------------------------------------------------------------


@pytest.mark.parametrize("target", ["y", "date.month"])
def test_a_column_called_like_a_part_of_a_date(target, tmp_path, capsys):
    columns = {"date": lambda i: moment(i).date(), "date.month": lambda i: i % 5, "y": y}
    path = tmp_path / "dates.csv"
    path.write_bytes(text(columns))
    facts, _, answers = fitted(capsys, tmp_path, path, target=target)
    assert len(set(facts["features"])) == len(facts["features"])
    assert "date.weekday" in facts["features"]
    model = load(tmp_path / "model.softwood")
    raw = pd.read_csv(path)
    assert [str(label) for label in model.predict(raw)] == answers[1:]


def test_a_column_called_prediction(tmp_path, capsys):
    columns = {"prediction": size, "set": size, "because": y, "y": y}
    path = tmp_path / "p.csv"
    path.write_bytes(text(columns))
    _, _, answers = fitted(capsys, tmp_path, path)
    assert answers[0] == "prediction"
    model = tmp_path / "model.softwood"
    both = run(capsys, "predict", model, path, "--pass", "prediction").out.splitlines()
    assert both[0] == "prediction,prediction (model)"
    assert both[1] == f"0.0,{answers[1]}"


def test_names_that_would_be_commands_markup_or_options(tmp_path, capsys):
    names = ['"a\nb"', '"c""d"', "=cmd()|x", "<script>", "[red]x[/red]", "@relation", "--json"]
    names += ["{0}", "%s", "\x1b[31mred", "'; drop"]
    rows = [",".join([*names, "y"])]
    rows += [",".join([*(str((i + j) % 5) for j in range(len(names))), y(i)]) for i in range(24)]
    path = tmp_path / "names.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    facts, _, answers = fitted(capsys, tmp_path, path)
    assert facts["features"][:3] == ["a b", 'c"d', "=cmd()|x"]
    assert len(facts["features"]) == len(names)
    assert len(answers) == 1 + 24


def test_five_thousand_columns(tmp_path, capsys):
    names = [f"c{j}" for j in range(5000)]
    rows = [",".join([*names, "y"])]
    rows += [",".join([*(str(i * j % 7) for j in range(5000)), y(i)]) for i in range(12)]
    path = tmp_path / "wide.csv"
    path.write_text("\n".join(rows), encoding="utf-8")
    facts, _, _ = fitted(capsys, tmp_path, path)
    assert len(facts["columns"]) == 5000


@pytest.mark.parametrize("cell", ["a" * 1_000_000, "1,2." * 250_000, "(" * 500_000, " " * 900_000])
@pytest.mark.parametrize("row", [0, 3])
def test_a_cell_of_a_million_letters(tmp_path, capsys, cell, row):
    path = tmp_path / "cell.csv"
    path.write_bytes(text({"t": lambda i: f'"{cell}"' if i == row else 3, "size": size, "y": y}))
    facts, _, answers = fitted(capsys, tmp_path, path)
    assert facts["n_rows"] == N_ROWS == len(answers) - 1


def test_arff_of_another_encoding_is_refused_with_its_line(tmp_path, capsys):
    path = tmp_path / "a.arff"
    path.write_bytes((DECLARED.replace("elm", "ulme ä") + "@data\n1,oak,a\n").encode("cp1252"))
    check_refused(run(capsys, "fit", path, "--target", "y"), "a.arff", "line 3", "UTF-8")
