import math
import sqlite3
import struct
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.errors import StoreError
from softwood.evaluate._locks import held
from softwood.evaluate.cells import Cell, Outcome, Record
from softwood.evaluate.store import Store
from tests.evaluate.small_study import study

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
cells = st.builds(
    Cell,
    **dict.fromkeys(["dataset", "digest", "method", "parameters", "versions"], texts),
    experiment=st.just("e"),
    protocol=texts,
    rows=texts,
    split=st.integers(0, 10**6),
    seed=st.integers(0, 2**32),
)
outcomes = st.builds(
    Outcome,
    status=st.sampled_from(["ok", "failed"]),
    metrics=st.dictionaries(texts, st.floats(), max_size=4),
    seconds=st.floats(0, 1e9),
    error=texts,
    trace=texts,
    n_warnings=st.integers(0, 9),
    warning=texts,
)
CELL = Cell("e", "iris", "d", "tree", "p", "v", "kfold:2", 0, "r", 0)
RECORD = Record(CELL, Outcome("ok", {"error": 0.1}, 0.5))


def bits(record):
    """Return a record with floats as bits; all NaN are one."""
    metrics = {
        name: "nan" if math.isnan(value) else struct.pack("d", value)
        for name, value in record.outcome.metrics.items()
    }
    return replace(record, outcome=replace(record.outcome, metrics=metrics))


@given(st.lists(st.builds(Record, cells, outcomes), max_size=4))
def test_records_survive_bit_for_bit(tmp_path_factory, records):
    path = tmp_path_factory.mktemp("store") / "r.sqlite"
    with Store(path) as store:
        for record in records:
            store.write(record)
    with Store(path) as store:
        read = {record.cell.key: bits(record) for record in store.read("e")}
    assert read == {record.cell.key: bits(record) for record in records}


@given(cells, cells)
def test_keys_tell_cells_apart(one, other):
    assert (one.key == other.key) == (one == other)


def test_a_cell_has_one_row(tmp_path):
    with Store(tmp_path / "r.sqlite") as store:
        store.write(RECORD)
        store.write(replace(RECORD, outcome=Outcome("failed", error="E")))
        store.write(replace(RECORD, cell=replace(CELL, split=1)))
        assert [r.outcome.status for r in store.read("e")] == ["failed", "ok"]
        same = store.costs({"tree": "p"})
        assert same == {("iris", "tree"): 0.5}
        assert store.costs({"tree": "others"}) == {}
        store.forget([CELL.key])
        assert [r.cell.split for r in store.read("e")] == [1]
        assert store.read("another") == []


def test_experiments(tmp_path):
    with Store(tmp_path / "r.sqlite") as store:
        store.begin("one", {"a": [1.5]}, "pid 1")
        store.begin("one", {"a": [2.5]}, "pid 2")
        assert store.experiments() == ["one"]
        assert store.definition("one") == {"a": [2.5]}
        assert store.process("one") == "pid 2"
        with pytest.raises(StoreError, match="no experiment 'two'; it has 'one'"):
            store.definition("two")


def test_files_that_are_no_stores(tmp_path):
    text, foreign, newer = (tmp_path / name for name in ("a.txt", "b.sqlite", "c.sqlite"))
    text.write_text("hello, this is some text and no database at all\n" * 40)
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE cells (x)")
    connection.close()
    Store(newer).close()
    with sqlite3.connect(newer) as connection:
        connection.execute("PRAGMA user_version = 99")
    connection.close()
    for path, words in (
        (text, "not a SQLite file"),
        (foreign, "not a store of softwood's results"),
        (newer, "has the format 99"),
        (tmp_path, "is a folder"),
        (tmp_path / "nowhere" / "r.sqlite", "there is no folder"),
    ):
        with pytest.raises(StoreError, match=words):
            Store(path)
    with pytest.raises(StoreError, match="there is no store"):
        Store(tmp_path / "gone.sqlite", create=False)
    assert text.read_text().startswith("hello")
    assert not (tmp_path / "gone.sqlite").exists()


def test_a_damaged_store(tmp_path):
    path = tmp_path / "r.sqlite"
    with Store(path) as store:
        for split in range(200):
            store.write(replace(RECORD, cell=replace(CELL, split=split)))
    contents = bytearray(path.read_bytes())
    contents[4096:] = b"\xff" * (len(contents) - 4096)
    path.write_bytes(contents)
    with pytest.raises(StoreError, match="damaged"), Store(path) as store:
        store.read("e")


def test_a_full_disk_keeps_what_was_written(tmp_path, monkeypatch):
    path = tmp_path / "r.sqlite"
    study(path, experiment="earlier")
    prepare = Store._prepare

    def on_a_small_disk(self, create):
        prepare(self, create)
        [pages] = self._connection.execute("PRAGMA page_count").fetchone()
        self._connection.execute(f"PRAGMA max_page_count = {pages + 4}")

    monkeypatch.setattr(Store, "_prepare", on_a_small_disk)
    with pytest.raises(StoreError, match=r"disk is full.*\d+ of its 90 cells are safe") as caught:
        study(path)
    monkeypatch.undo()
    with Store(path) as store:
        n_safe = len(store.read("repeated_kfold:2x5, seed 0"))
    assert 0 < n_safe < 90
    assert f"{n_safe} of its 90 cells are safe" in str(caught.value)
    assert len(study(path).records) == 90


def test_a_disk_that_cannot_be_written(tmp_path, monkeypatch):
    path = tmp_path / "r.sqlite"
    study(path)
    prepare = Store._prepare

    def read_only(self, create):
        prepare(self, create)
        self._connection.execute("PRAGMA query_only = 1")

    monkeypatch.setattr(Store, "_prepare", read_only)
    with pytest.raises(StoreError, match="cannot be written; check its permissions"):
        study(path, random_state=1)


def test_writers_wait_for_each_other(tmp_path):
    path = tmp_path / "r.sqlite"

    def write(number):
        with Store(path) as store:
            for split in range(20):
                store.write(Record(replace(CELL, method=str(number), split=split), RECORD.outcome))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(8)))
    with Store(path) as store:
        assert len(store.read("e")) == 160


def test_one_holder_per_experiment(tmp_path):
    path = tmp_path / "r.sqlite"
    with held(path, "one") as first, held(path, "one") as second, held(path, "two") as other:
        assert (first, second, other) == (True, False, True)
    with held(path, "one") as again:
        assert again
    assert list(tmp_path.iterdir()) == []
    with pytest.raises(StoreError, match="lock"), held(tmp_path / "no" / "r", "one"):
        pass
