"""softwood fit --dask, in this thread; a cluster does the same, see tests/dask/test_cluster.py."""

import json
from contextlib import nullcontext
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from sklearn.metrics import log_loss

from softwood import CoalescenceClassifier, load
from softwood.cli import _distributed
from softwood.cli._distributed import Files
from softwood.cli._losses import loss_of_rows, merged_losses
from softwood.cli._training import Columns, training_of
from softwood.cli.main import main

dask = pytest.importorskip("dask")
softwood_dask = pytest.importorskip("softwood.dask")


@pytest.fixture(autouse=True)
def _in_this_thread(monkeypatch):
    monkeypatch.setattr(_distributed, "cluster", lambda *_: nullcontext())
    with dask.config.set(scheduler="synchronous"):
        yield


def frame_of(n_rows, seed):
    rng = np.random.default_rng(seed)
    size = rng.normal(size=n_rows)
    colours = ["red", "blue", "green"][: 2 + seed % 2]  # one comes in the later files
    gone = rng.random(n_rows) < 0.05
    return pl.DataFrame(
        {
            "size": np.where(rng.random(n_rows) < 0.1, np.nan, size),
            "colour": rng.choice(colours, n_rows),
            "since": [f"2024-0{1 + k % 9}-11" for k in range(n_rows)],
            "works": np.where(gone, None, np.where(size > 0, "yes", "no")),
        },
        strict=False,
    ).with_columns(pl.col("size").fill_nan(None))


@pytest.fixture
def folder(tmp_path):
    for k in range(3):
        frame_of(150, k).write_parquet(tmp_path / f"part-{k}.parquet", row_group_size=40)
    return tmp_path


def test_the_model_is_that_of_all_rows_in_memory(folder, monkeypatch):
    from softwood.dask import files

    monkeypatch.setattr(files, "BYTES_OF_PART", 8 * 4 * 64)  # three slices of each file
    found = Files.of([str(folder / "part-*.parquet")], "works", Columns(), seed=0)
    assert (len(found.slices), found.n_rows) == (9, 450)
    whole = replace(found, plan=replace(found.plan, held_out=0.0))
    far = whole.fit(softwood_dask.CoalescenceClassifier(8, random_state=0))
    training = training_of([str(folder / "part-*.parquet")], "works")
    near = CoalescenceClassifier(8, random_state=0).fit(training.X, training.y)
    assert far.schema_ == near.schema_
    assert far.schema_.preparation == near.schema_.preparation
    assert far.forest_ == near.forest_
    assert far.classes_.tolist() == near.classes_.tolist()


def test_rows_held_out_are_not_trained_on(folder):
    found = Files.of([str(folder / "part-*.parquet")], "works", Columns(), seed=3)
    parts = dask.compute(*found.plan.parts(found.slices))
    judges = dask.compute(*found.plan.judges(found.slices))
    n_known = pl.read_parquet(folder / "*.parquet")["works"].is_not_null().sum()
    trained, judged = (sum(len(part[1]) for part in some) for some in (parts, judges))
    assert trained + judged == n_known
    assert 0.04 * n_known < judged < 0.17 * n_known  # a tenth
    together = np.concatenate([p[0].columns[0].values for p in [*parts, *judges]])
    known = pl.read_parquet(folder / "*.parquet").filter(pl.col("works").is_not_null())["size"]
    np.testing.assert_array_equal(np.sort(together), np.sort(known.to_numpy()))


@pytest.mark.parametrize("model", ["auto", "soft", "vr-forest"])
def test_the_command(folder, capsys, model):
    saved = folder / "m.softwood"
    words = ["fit", str(folder / "part-*.parquet"), "--target", "works", "--dask", "local"]
    words += ["--model", model, "-o", str(saved), "--json"]
    words += ["-p", "max_leaf_nodes=4"] if model == "soft" else ["-p", "n_estimators=9"]
    assert main(words) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["n_rows"] == 450
    assert told["held_out"]["error"] < 0.2
    fitted = load(saved)
    assert type(fitted).__name__ == told["model"]
    new = frame_of(200, 9)
    known = new["works"].is_not_null().to_numpy()
    assert np.mean(fitted.predict(new)[known] == new["works"].to_numpy()[known]) > 0.8


def test_numbers_and_whole_classes(tmp_path):
    rng = np.random.default_rng(0)
    x = rng.normal(size=300)
    frame = pl.DataFrame({"x": x, "number": 2 * x, "level": (x > 0).astype(int) + 3})
    frame.write_parquet(tmp_path / "t.parquet")
    for target, kind in (("number", "Regressor"), ("level", "Classifier")):
        found = Files.of([str(tmp_path / "t.parquet")], target, Columns(drop=["number"][:0]), 0)
        model = _distributed.model_named("coalescence", found.training, 0)
        assert type(model).__name__ == f"Coalescence{kind}"
        fitted = found.fit(model.set_params(n_estimators=8))
        judged = found.judged(fitted)
        assert judged.get("r2", 0) > 0.9 or judged.get("error", 1) < 0.1
    assert fitted.classes_.tolist() == [3, 4]


def test_losses_are_those_of_scikit_learn():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 2))
    y = np.where(X[:, 0] + 0.5 * rng.normal(size=200) > 0, "b", "a")
    model = CoalescenceClassifier(5, random_state=0).fit(X[:100], y[:100])
    found = merged_losses(
        [loss_of_rows(model, (X[a:b], y[a:b])) for a, b in ((100, 150), (150, 200))]
    )
    assert found["n_rows"] == 100
    assert found["error"] == pytest.approx(np.mean(model.predict(X[100:]) != y[100:]))
    eps = np.finfo(float).eps
    shares = np.clip(model.predict_proba(X[100:]), eps, 1)
    expected = -np.log(shares[np.arange(100), (y[100:] == "b").astype(int)]).mean()
    assert found["log_loss"] == pytest.approx(expected)
    assert found["log_loss"] == pytest.approx(log_loss(y[100:], shares), rel=1e-6)
    assert merged_losses([{"rows": 0.0}]) == {"n_rows": 0}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--folds", "3"], "--folds reads all rows at once"),
        (["--report", "r.html"], "--report reads all rows at once"),
        (["--model", "c45"], "--dask has the models coalescence, soft, vr-forest; got"),
    ],
)
def test_what_is_refused(folder, capsys, words, message):
    words = [str(folder / w) if w.endswith("html") else w for w in words]
    table = str(folder / "part-0.parquet")
    assert main(["fit", table, "--target", "works", "--dask", "local", *words]) != 0
    assert message in capsys.readouterr().err


def test_only_parquet_can_be_read_from_the_middle(tmp_path, capsys):
    (tmp_path / "t.csv").write_text("a,b\n1,2\n")
    assert main(["fit", str(tmp_path / "t.csv"), "--target", "b", "--dask", "local"]) != 0
    assert "is no Parquet file" in capsys.readouterr().err


def test_files_of_other_columns(folder, capsys):
    frame_of(50, 1).drop("size").write_parquet(folder / "part-9.parquet")
    words = ["fit", str(folder / "part-*.parquet"), "--target", "works", "--dask", "local"]
    assert main(words) != 0
    assert "part-9.parquet has other columns than" in capsys.readouterr().err
