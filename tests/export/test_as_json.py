import json

import numpy as np
import pytest

from softwood import CoalescenceClassifier, SoftTreeClassifier, export_json, from_json
from softwood.data.telling import untold
from softwood.errors import ModelFileError
from softwood.export import export_c
from tests.export.models import asked
from tests.view.explorer.models import MAKE, as_table, made


@pytest.mark.parametrize("name", MAKE)
def test_what_is_read_back_answers_the_same(name):
    model, imported, rows, expected, labels = asked(name, 300)
    again = from_json(export_json(model))
    with untold():
        table = as_table(imported, rows)
        assert np.array_equal(again.forest.predict(again.encode(table), again.flow), expected)
        assert again.predict(table).tolist() == labels.tolist()
    assert export_json(again) == export_json(model)


def test_a_file_is_read_by_its_path(tmp_path):
    model = made("m-ary")[0]
    text = export_json(model, tmp_path / "model.json", indent=1)
    assert (tmp_path / "model.json").read_text(encoding="utf-8") == text
    assert from_json(tmp_path / "model.json").kind == "C45Classifier"
    assert from_json(str(tmp_path / "model.json")).kind == "C45Classifier"


def test_what_was_read_back_can_be_written_elsewhere():
    model = made("soft forest")[0]
    assert export_c(from_json(export_json(model))) == export_c(model)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        (lambda m: m.update(version=99), "it has version 99"),
        (lambda m: m.update(format="other"), "no softwood-model"),
        (lambda m: m["trees"][0]["n_children"].append(5), "do not fit together"),
        (lambda m: m["trees"][0]["feature"].__setitem__(0, 999), "do not fit together"),
        (lambda m: m["sum"].update(link="nonsense"), "do not fit together"),
        (lambda m: m["flows"][0].update(name="pickle"), "do not fit together"),
        (lambda m: m["classes"].append("third"), "do not fit together"),
        (lambda m: m["reader"].update(fill=[1.0]), "do not fit together"),
        (lambda m: m.pop("columns"), "do not fit together"),
        (lambda m: m["trees"][0].update(threshold="x"), "do not fit together"),
        (lambda m: m.update(trees=[]), "do not fit together"),
    ],
)
def test_forged_models_are_refused(change, complaint):
    content = json.loads(export_json(made("m-ary")[0]))
    change(content)
    with pytest.raises(ModelFileError, match=complaint):
        from_json(json.dumps(content))


@pytest.mark.parametrize("text", ["{", '{"a": 1}', '{"format": "softwood-model"}'])
def test_other_texts_are_refused(text):
    with pytest.raises(ModelFileError):
        from_json(text)


def test_random_copies_cannot_be_written_down():
    X = np.random.default_rng(0).normal(size=(40, 2))
    from softwood import Perturb

    model = SoftTreeClassifier(method=Perturb(flow="sampled"), smoothing=0.3, random_state=0)
    with pytest.raises(ValueError, match="soften it with flow='exact'"):
        export_json(model.fit(X, X[:, 0] > 0))


def test_every_flow_of_an_ensemble_is_kept():
    X = np.random.default_rng(0).normal(size=(60, 2))
    model = CoalescenceClassifier(3, smoothing=0.2, random_state=0).fit(X, X[:, 0] > 0)
    assert from_json(export_json(model)).flow == model.flow_
