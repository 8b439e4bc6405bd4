"""Files that earlier versions have written can be read: each version has its reader for good."""

import json

import numpy as np
import pytest

from softwood import load, save
from softwood.errors import ModelFileError
from softwood.forest.packed import PackedTrees
from softwood.persist import files
from softwood.persist.format import VERSION
from softwood.persist.readers import READERS
from tests.persist.keep import KEPT, answers
from tests.persist.models import mixed_table, numeric_rows

FILES = sorted(path for path in KEPT.iterdir() if path.suffix.startswith(".v"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_a_kept_file_answers_as_when_it_was_written(path, tmp_path):
    rows = numeric_rows()[0] if path.stem == "vr_forest" else mixed_table()[0]
    model = load(path)
    said = json.loads((KEPT / f"answers{path.suffix}.json").read_text())
    np.testing.assert_allclose(answers(model, rows), said[path.stem], atol=1e-8)
    save(model, tmp_path / "again")
    assert answers(load(tmp_path / "again"), rows) == answers(model, rows)


def test_every_version_has_a_reader_and_kept_files():
    versions = {int(path.suffix.removeprefix(".v")) for path in FILES}
    assert versions == set(READERS) == set(range(1, VERSION + 1))


def test_the_reader_is_that_of_the_version(monkeypatch):
    monkeypatch.setattr(files, "VERSION", VERSION + 1)
    monkeypatch.setitem(files.READERS, VERSION + 1, lambda members: pytest.fail("the wrong one"))
    assert isinstance(load(KEPT / f"coalescence.v{VERSION}").forest_.trees, PackedTrees)
    monkeypatch.setattr(files, "VERSION", VERSION - 1)
    with pytest.raises(ModelFileError, match="upgrade softwood"):
        load(KEPT / f"coalescence.v{VERSION}")
