import subprocess
import sys
from fractions import Fraction

import numpy as np
import pytest

from softwood import C45Classifier, export_python
from tests.export.models import LINKED, as_values, asked
from tests.view.explorer.models import MAKE, made


def module_of(model):
    names = {}
    exec(export_python(model), names)
    return names


@pytest.mark.parametrize("name", MAKE)
def test_the_module_answers_as_the_model_does(name):
    model, imported, rows, expected, labels = asked(name, 250)
    module = module_of(model)
    given = [as_values(imported, row) for row in rows]
    found = np.array([module["predict_proba"](row) for row in given])
    if name in LINKED:
        assert np.abs(found - expected).max() < 1e-15
    else:
        assert np.array_equal(found, expected)
    assert [module["predict"](row) for row in given] == labels.tolist()


def test_it_needs_nothing_but_python(tmp_path):
    model, imported, rows, expected, _ = asked("m-ary", 1)
    export_python(model, tmp_path / "model.py")
    row = dict(zip(imported.schema.names, as_values(imported, rows[0]), strict=True))
    script = f"import model; print(model.predict_proba({row!r}))"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.insert(0, '.'); {script}"],
        cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert eval(done.stdout) == expected[0].tolist()


def test_mistakes_are_told():
    module = module_of(made("regression")[0])
    with pytest.raises(ValueError, match="must have 10 values; got 2"):
        module["predict"]([1.0, 2.0])
    with pytest.raises(ValueError, match="'age' is infinite"):
        module["predict"]({"age": float("inf")})


def test_unknown_categories_are_refused_where_the_model_refuses_them():
    X = np.array([["a"], ["b"], ["a"], ["b"]], dtype=object)
    model = C45Classifier(min_samples_leaf=1, handle_unknown="error").fit(X, [0, 1, 0, 1])
    with pytest.raises(ValueError, match="has 'c', which was not seen"):
        module_of(model)["predict"](["c"])


def test_labels_that_cannot_be_written_down_are_refused():
    model = C45Classifier(min_samples_leaf=1).fit([[1.0], [2.0]] * 2, ["a", "b"] * 2)
    model.classes_ = np.array([Fraction(1, 2), Fraction(3, 2)], dtype=object)
    with pytest.raises(ValueError, match="cannot be written down"):
        export_python(model)


def test_a_negative_zero_stays_one():
    model, *_ = made("soft forest")
    module = {}
    exec(export_python(model), module)
    assert str(module["_encoded"]({"age": -0.0})[0]) == "-0.0"
