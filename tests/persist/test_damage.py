"""A damaged file gives a clean error or the same model, whatever the damage."""

import random
import zipfile

import pytest

from softwood import CARTClassifier, load, save
from softwood.errors import ModelFileError
from softwood.persist import container
from softwood.persist.container import pack
from softwood.persist.format import members_of
from tests.persist.edits import EDITS, loaded_or_complaint
from tests.persist.models import numeric_rows, rich_model
from tests.strategies import WITHOUT_JIT

N_EDITS = 200 if WITHOUT_JIT else 1200


@pytest.fixture(scope="module")
def model():
    return rich_model()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.softwood"


def test_no_edit_goes_unnoticed(model, path, recwarn):
    save(model, path)
    original = path.read_bytes()
    rng = random.Random(20)
    n_refused = 0
    for i in range(N_EDITS):
        data = bytearray(original)
        edit = EDITS[i % len(EDITS)]
        edit(rng, data)
        path.write_bytes(data)
        again, complaint = loaded_or_complaint(path)
        if again is None:
            n_refused += 1
            assert complaint.startswith(f"{path}: ")
            assert "\n" not in complaint
        else:
            assert members_of(again) == members_of(model), edit
    assert n_refused > 0.8 * N_EDITS
    assert len(recwarn) == 0


def test_every_truncation_is_refused(model, path):
    save(model, path)
    original = path.read_bytes()
    for size in range(0, len(original), 40 if WITHOUT_JIT else 4):
        path.write_bytes(original[:size])
        with pytest.raises(ModelFileError):
            load(path)


def test_a_member_twice_is_refused(model, path):
    save(model, path)
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("model.json", b"{}")
    with pytest.raises(ModelFileError, match="a member comes twice"):
        load(path)


def test_a_zip_with_many_members_is_refused(model, path):
    members = members_of(model) | {f"member {i}": b"" for i in range(100)}
    path.write_bytes(pack(members, 1))
    with pytest.raises(ModelFileError, match="list of members is too long"):
        load(path)


def test_a_zip_of_something_else_is_refused(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("word/document.xml", b"<x/>")
    with pytest.raises(ModelFileError, match=r"it has no manifest\.json"):
        load(path)


# -- bombs -----------------------------------------------------------------------


def test_a_bomb_is_refused_before_it_unfolds(path, monkeypatch):
    monkeypatch.setattr(container, "ALWAYS_ALLOWED", 1000)
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", b"{}")
        archive.writestr("trees/threshold", bytes(10**6))
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *_: pytest.fail("opened"))
    with pytest.raises(ModelFileError, match=r"refused: it claims to unfold from .* bytes"):
        load(path)


def test_a_member_larger_than_it_claims_is_refused(path):
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("manifest.json", bytes(10**6))
    claimed = (10**6).to_bytes(4, "little")
    path.write_bytes(path.read_bytes().replace(claimed, (100).to_bytes(4, "little")))
    with pytest.raises(ModelFileError):
        load(path)


def test_what_shrinks_too_well_is_stored_as_it_is(path, monkeypatch):
    monkeypatch.setattr(container, "ALWAYS_ALLOWED", 10)
    monkeypatch.setattr(container, "MAX_RATIO", 1)
    model = CARTClassifier().fit(*numeric_rows(n_rows=300))
    save(model, path)
    with zipfile.ZipFile(path) as archive:
        assert {info.compress_type for info in archive.infolist()} == {zipfile.ZIP_STORED}
    assert members_of(load(path)) == members_of(model)


def test_the_largest_size_is_stated_and_can_be_raised(model, path):
    save(model, path)
    total = sum(map(len, members_of(model).values()))
    with pytest.raises(ModelFileError, match=r"and 1000 are allowed; .* larger max_bytes"):
        load(path, max_bytes=1000)
    with pytest.raises(ModelFileError, match="it unfolds to"):
        load(path, max_bytes=total)  # text takes more once it is parsed
    assert members_of(load(path, max_bytes=100 * total)) == members_of(model)
    for odd in (0, -1, 2**70):
        with pytest.raises(ValueError, match="max_bytes must be a positive number"):
            load(path, max_bytes=odd)


def test_no_more_is_read_than_a_file_may_have(path, monkeypatch):
    monkeypatch.setattr(container, "MAX_DIRECTORY", 100)
    monkeypatch.setattr(container, "MAX_MANIFEST", 100)
    path.write_bytes(b"PK" + bytes(10_000))
    with pytest.raises(ModelFileError, match="it has more than 1200 bytes"):
        load(path, max_bytes=1000)
    with pytest.raises(ModelFileError, match="not a softwood model file"):
        load("/dev/zero")


def test_a_list_of_very_many_members_is_not_even_read(path):
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(5000):
            archive.writestr(f"member {number}", b"")
    with pytest.raises(ModelFileError, match="list of members is too long"):
        load(path)


@pytest.mark.parametrize("name", ["../model", "/etc/model", "trees/../../x", "C:x", "..\\x", "\\x"])
def test_names_that_lead_elsewhere_are_refused(name, model, path):
    path.write_bytes(pack(members_of(model) | {name: b""}, 1))
    with pytest.raises(ModelFileError, match=r"a member has the name .*, which leads elsewhere"):
        load(path)
