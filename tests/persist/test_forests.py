"""Packed forests in model files: they come back, or are refused before a kernel follows them."""

import numpy as np
import pandas as pd
import pytest

from softwood import BaggedTreesClassifier, CoalescenceClassifier, VRForestRegressor, load, save
from softwood._kernels.packing.packed import ANSWER, LEAF_KEY, keys_of
from softwood.errors import ModelFileError
from softwood.forest.packed import PackedForest, PackedTrees
from softwood.persist.format import members_of
from tests.persist.models import numeric_rows
from tests.persist.test_sealed import array, put, sealed
from tests.strategies import WITHOUT_JIT

HERE = "forests/0"


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.softwood"


def frame(n_rows=80):
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"a": rng.normal(size=n_rows), "c": rng.choice(list("xyz"), n_rows)})
    return table, (table["a"] > 0) ^ (table["c"] == "x")


@pytest.fixture(scope="module")
def forest():
    return CoalescenceClassifier.paper(4, sampling="bootstrap", random_state=0).fit(
        *numeric_rows(60)
    )


@pytest.fixture(scope="module")
def on_categories():
    return CoalescenceClassifier(4, random_state=0).fit(*frame())


@pytest.fixture(scope="module")
def weighed():
    X, y = numeric_rows(60)
    weight = np.random.default_rng(0).random(60)
    return VRForestRegressor(3, sampling="all", random_state=0).fit(X, y * 1.0, weight)


def test_packed_forests_stay_packed(forest, on_categories, weighed, path, monkeypatch):
    with monkeypatch.context() as patch:
        patch.setattr(PackedForest, "tree", lambda *_: pytest.fail("a tree was made"))
        forest.oob_importances_ = np.zeros(3)  # else these are found out before they are written
        del on_categories.__dict__["_witnesses"]
        for model in (forest, on_categories, weighed):
            save(model, path)
            again = load(path)
            assert isinstance(again.forest_.trees, PackedTrees)
    for model in (forest, on_categories, weighed):
        save(model, path)
        assert load(path).forest_ == model.forest_
        assert members_of(load(path)) == members_of(model)
    assert on_categories.forest_.packed.one_hot is not None
    assert weighed.forest_.packed.weight.size
    del forest.oob_importances_


def test_other_forests_are_kept_tree_by_tree(path):
    model = BaggedTreesClassifier(3, random_state=0).fit(*numeric_rows())
    save(model, path)
    assert {name.split("/")[0] for name in members_of(model)} == {"model.json", "trees"}
    assert load(path).forest_ == model.forest_


@pytest.mark.skipif(WITHOUT_JIT, reason="nothing is compiled")
def test_a_loaded_forest_compiles_nothing(forest, path):
    from softwood._kernels.packing.spread_forest import add_spread_answers
    from softwood._kernels.packing.walk_forest import add_answers

    X, _ = numeric_rows(60)
    X[::2, 0] = np.nan
    expected = forest.predict_proba(X)
    before = [len(kernel.compiled.signatures) for kernel in (add_answers, add_spread_answers)]
    save(forest, path)
    assert load(path).predict_proba(X).tobytes() == expected.tobytes()
    after = [len(kernel.compiled.signatures) for kernel in (add_answers, add_spread_answers)]
    assert after == before


def test_files_of_more_than_a_list_of_members_may_have(path):
    rng = np.random.default_rng(0)
    model = CoalescenceClassifier.paper(150, random_state=0)
    model.fit(rng.normal(size=(800, 5)), rng.integers(0, 2, 800))
    save(model, path)
    assert path.stat().st_size > 2**17
    assert load(path).forest_ == model.forest_


# -- what is refused ------------------------------------------------------------------


def first_inner(link):
    return int(np.flatnonzero(link)[0])


def at_inner(value):
    def edit(link):
        link[first_inner(link)] = value(link[first_inner(link)])

    return edit


def at_leaf(value):
    def edit(key):
        leaf = int(np.flatnonzero(key >= LEAF_KEY)[0])
        key[leaf] = value(key[leaf])

    return edit


def one_parent_twice(link):
    """Lead two tests to the same children, with as many leaves as before."""
    inner = np.flatnonzero(link)
    one, other = inner[-2], inner[-1]
    link[one] = (((other + (link[other] >> 2)) - one) << 2) | (link[one] & 3)


def cuts(value):
    def edit(key):
        key[key < LEAF_KEY] = keys_of(np.array([value]))[0]

    return edit


def part(name, dtype, edit):
    return array(name, dtype, edit, HERE)


def layout(name, value):
    return put("forests", 0, name, value=value)


def fill(value):
    def edit(values):
        values[:] = value

    return edit


# Three columns: two bits of a link are the column, the others the steps to the first child.
WRONG = {
    "no step": (part("link", "<u4", at_inner(lambda link: link & 3 | 1)), "children are not"),
    "a step out": (part("link", "<u4", at_inner(lambda _: 2**31)), "children are not in its tree"),
    "a step to another tree": (part("link", "<u4", lambda link: link << 4), "children are not"),
    "a column too many": (part("link", "<u4", at_inner(lambda link: link | 3)), "column 3 of 3"),
    "a child of two": (part("link", "<u4", one_parent_twice), "not the child of one test"),
    "a lost child": (part("link", "<u4", at_inner(lambda _: 0)), "not the child of one test"),
    "answers": (
        part("key", "<u8", at_leaf(lambda key: key | ANSWER)),
        "must have one of its .* answers",
    ),
    "leaf of a number": (part("key", "<u8", at_leaf(lambda key: np.uint64(5))), "its .* answers"),
    "test of a leaf": (part("key", "<u8", fill(LEAF_KEY)), "thresholds of a forest must be finite"),
    "infinite cut": (part("key", "<u8", cuts(np.inf)), "must be finite"),
    "pure classes": (part("table", "<f8", lambda table: table[::-1].copy()), "pure classes"),
    "half answers": (
        part("table", "<f8", lambda table: np.append(table[:4], table[4:] / 2)),
        "do not sum to 1",
    ),
    "no numbers": (part("table", "<f8", fill(np.nan)), "answers of a forest must be finite"),
    "short key": (part("key", "<u8", lambda key: key[:-1]), "key of a forest has"),
    "short link": (part("link", "<u4", lambda link: link[:-1]), "link of a forest has"),
    "odd weight": (part("weight", "|i1", lambda _: np.ones(7, "i1")), "weight of a forest has"),
    "short table": (part("table", "<f8", lambda table: table[:-1]), "table of a forest has"),
    "nodes": (layout("n_nodes", [1]), "key of a forest has"),
    "no trees": (layout("n_nodes", []), "sizes of the trees"),
    "an empty tree": (layout("n_nodes", [0]), "sizes of the trees"),
    "half a node": (layout("n_nodes", [0.5]), "sizes of the trees"),
    "huge trees": (layout("n_nodes", [2**31 - 1] * 4), "can hold 2147483647 nodes"),
    "huge table": (layout("n_answers", 2**31 - 1), "table of a forest has"),
    "huge own": (layout("n_own", 2**31 - 1), "own of a forest has"),
    "outputs": (layout("n_outputs", 2**30), "n_pure of a forest must be"),
    "columns": (layout("n_columns", 2), "children are not|reads 2 features of 3|column"),
    "no columns": (layout("n_columns", 0), "sizes of a forest must be"),
    "pure": (layout("n_pure", 1), "n_pure of a forest must be"),
    "odd layout": (put("forests", value={}), "must be a list"),
    "odd keys": (put("forests", 0, "more", value=1), "wrong keys"),
    "no layout": (put("forests", value=[]), "arrays of each of its forests"),
    "indicators": (
        layout("one_hot", {"n_categories": [0, 0, 0], "feature": [0], "category": [-1]}),
        "what each of its 3 columns",
    ),
}


@pytest.mark.parametrize("case", WRONG)
def test_a_forest_is_checked(case, forest, path):
    change, message = WRONG[case]
    sealed(path, forest, change)
    with pytest.raises(ModelFileError, match=f"{path.name}: .*({message})"):
        load(path)


ONE_HOT = ("forests", 0, "one_hot")
WRONG_COLUMNS = {
    "feature": (put(*ONE_HOT, "feature", 0, value=2), "stands for no feature"),
    "category": (put(*ONE_HOT, "category", 1, value=3), "no category of its feature"),
    "another kind": (put(*ONE_HOT, "feature", value=[1, 1, 1, 1]), "no category|kind of its"),
    "kind": (put(*ONE_HOT, "category", value=[-1, -1, -1, -1]), "kind of its feature"),
    "no indicators": (put(*ONE_HOT, value=None), "reads 4 features of 2"),
    "negative": (put(*ONE_HOT, "category", 1, value=-2), "must be whole numbers"),
    "categories": (put(*ONE_HOT, "n_categories", 1, value=4), "do not fit the categories"),
    "very many": (put(*ONE_HOT, "n_categories", 1, value=10**6), "features of 64 at most"),
    "cut": (part("key", "<u8", cuts(2.0)), "must tell 0 from 1"),
    "odd": (put(*ONE_HOT, value={"feature": [0]}), "have the wrong keys"),
}


@pytest.mark.parametrize("case", WRONG_COLUMNS)
def test_what_columns_stand_for_is_checked(case, on_categories, path):
    change, message = WRONG_COLUMNS[case]
    sealed(path, on_categories, change)
    with pytest.raises(ModelFileError, match=f"{path.name}: .*({message})"):
        load(path)


@pytest.mark.parametrize(
    ("values", "message"), [(-1.0, "must not be negative"), (np.nan, "must not be"), (1e308, "sum")]
)
def test_weights_are_checked(values, message, weighed, path):
    sealed(path, weighed, part("weight", "<f8", fill(values)))
    with pytest.raises(ModelFileError, match=message):
        load(path)


def test_small_leaves_are_checked(path):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(200, 3)), rng.integers(0, 2, 200)
    model = CoalescenceClassifier(3, random_state=0).fit(X, y)
    own = model.forest_.packed.own
    assert len(own) > 1
    for edit in (
        lambda own: own.reshape(-1, 2)[::-1].copy(),
        fill(10**6),
        fill(-1),
        lambda own: np.column_stack([own[::2], np.full(len(own) // 2, 10**6)]).astype("i4"),
        lambda own: np.arange(own.size, dtype="i4"),
    ):
        sealed(path, model, part("own", "<i4", edit))
        with pytest.raises(ModelFileError, match="small leaves of a forest"):
            load(path)
