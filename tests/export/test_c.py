import ctypes
import shutil
import subprocess

import numpy as np
import pytest

from softwood import C45Classifier, export_c
from tests.export.models import LINKED, as_codes, asked
from tests.view.explorer.models import MAKE, made
from tests.view.tables import hostile_table

DOUBLES = ctypes.POINTER(ctypes.c_double)
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-shared", "-fPIC")
COMPILER = shutil.which("cc") or shutil.which("gcc")
needs_compiler = pytest.mark.skipif(COMPILER is None, reason="there is no C compiler here")


@pytest.fixture(scope="module")
def compiled(tmp_path_factory):
    """Return what compiles a model, once."""
    folder, made_here = tmp_path_factory.mktemp("c"), {}

    def library_of(name):
        if name not in made_here:
            place = folder / f"model{len(made_here)}"
            export_c(made(name)[0], place.with_suffix(".c"))
            command = [COMPILER, *STRICT, "-o", f"{place}.so", f"{place}.c", "-lm"]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr[:2000]
            made_here[name] = ctypes.CDLL(f"{place}.so")
        return made_here[name]

    return library_of


def answers(library, rows, n_outputs):
    out = np.empty((len(rows), n_outputs))
    for row, answer in zip(rows, out, strict=True):
        failed = library.softwood_predict(
            row.ctypes.data_as(DOUBLES), answer.ctypes.data_as(DOUBLES)
        )
        assert failed == 0
    return out


@needs_compiler
@pytest.mark.parametrize("name", MAKE)
def test_compiled_answers_are_those_of_python(name, compiled):
    _, imported, rows, expected, labels = asked(name, 1500)
    codes = as_codes(rows)
    found = answers(compiled(name), codes, expected.shape[1])
    if name in LINKED:
        assert np.abs(found - expected).max() < 1e-15
    else:
        assert np.array_equal(found, expected)
    if imported.classes is not None:
        places = [
            compiled(name).softwood_predict_class(row.ctypes.data_as(DOUBLES)) for row in codes
        ]
        assert imported.classes[places].tolist() == labels.tolist()


@needs_compiler
def test_what_is_infinite_is_refused(compiled):
    row = np.full(30, np.inf)
    out = np.empty(2)
    library = compiled("1000 leaves")
    given = row.ctypes.data_as(DOUBLES), out.ctypes.data_as(DOUBLES)
    assert library.softwood_predict(*given) == 1
    assert library.softwood_predict_class(given[0]) == -1


@needs_compiler
def test_categories_have_codes(compiled):
    library = compiled("m-ary")
    _, imported, *_ = asked("m-ary", 1)
    for j, feature in enumerate(imported.schema.features):
        for code, name in enumerate(feature.categories or ()):
            if name is not None:
                assert library.softwood_category(j, name.encode()) == code
    assert library.softwood_category(1, b"golden") == -2


@needs_compiler
def test_hostile_names_are_neither_code_nor_comments(compiled):
    library = compiled("hostile names")
    X, y = hostile_table()
    features = C45Classifier().fit(X, y).schema_.features
    for j, feature in enumerate(features):
        for code, name in enumerate(feature.categories or ()):
            assert library.softwood_category(j, str(name).encode()) == code


def test_a_file_is_written_wholly(tmp_path):
    model = made("one leaf")[0]
    text = export_c(model, tmp_path / "model.c")
    assert (tmp_path / "model.c").read_text(encoding="utf-8") == text
    assert "/* A CARTClassifier of 1 trees" in text
