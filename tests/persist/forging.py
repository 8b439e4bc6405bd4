"""Model files with a right seal and wrong contents: a model of every estimator, and edits of it."""

import copy
import json
import random
import warnings

import numpy as np
import pandas as pd
from sklearn.ensemble import (
    GradientBoostingClassifier,
    RandomForestClassifier,
    RandomForestRegressor,
)

import softwood as sw
from softwood.persist.container import pack
from softwood.persist.forests import DTYPES
from softwood.persist.format import members_of
from softwood.persist.trees import COLUMNS

N_ROWS = 60


def rows():
    """Return a frame with nominal columns and gaps, its numbers alone, classes and a target."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 3))
    y = (X[:, 0] + X[:, 1] ** 2 > 0.4).astype(int) + (X[:, 2] > 1)
    frame = pd.DataFrame(
        {
            "size": X[:, 0],
            "kind": rng.choice(list("abcd"), N_ROWS),
            "flag": rng.choice(["x", "y", None], N_ROWS),
            "w": X[:, 2],
        }
    )
    return frame, X, np.array(["no", "yes", "maybe"])[y], X[:, 0] * 2 + X[:, 1]


def models():
    """Return fitted models by name, each with the rows to ask it about."""
    frame, X, y, t = rows()
    few = {"random_state": 0}
    made = {
        "cart": (sw.CARTClassifier(), X, y),
        "cart_r": (sw.CARTRegressor(max_depth=4), frame, t),
        "c45": (sw.C45Classifier(pruning=None, min_samples_leaf=1), frame, y),
        "c45_soft": (sw.C45Classifier(soft_thresholds=True), X, y),
        "soft": (sw.SoftTreeClassifier(method=sw.Gradient(n_epochs=2, teacher=2), **few), frame, y),
        "soft_r": (
            sw.SoftTreeRegressor(method=sw.Gradient(n_epochs=2, teacher=2), **few),
            frame,
            t,
        ),
        "perturb": (sw.SoftTreeClassifier(method="perturb", **few), frame, y),
        "sampled": (
            sw.SoftTreeClassifier(method=sw.Perturb(flow="sampled"), smoothing=0.2, **few),
            frame,
            y,
        ),
        "oblique": (sw.ObliqueTreeClassifier(n_restarts=2, pruning=None, **few), frame, y),
        "evolved": (sw.EvolvedTreeClassifier(n_iter=50, population_size=5, **few), frame, y),
        "vr_tree": (sw.VRTreeClassifier(**few), frame, y),
        "vr_tree_r": (sw.VRTreeRegressor(**few), X, t),
        "vr_forest": (sw.VRForestClassifier(4, **few), X, y),
        "vr_forest_r": (sw.VRForestRegressor(3, **few), frame, t),
        "coalescence": (
            sw.CoalescenceClassifier(4, oob_score=True, smoothing="oob", **few),
            frame,
            y,
        ),
        "coalescence_r": (sw.CoalescenceRegressor(3, **few), X, t),
        "bagged": (sw.BaggedTreesClassifier(3, **few), frame, y),
        "bagged_r": (sw.BaggedTreesRegressor(3, **few), X, t),
    }
    fitted = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # small samples lack rows out of bag
        for name, (model, table, target) in made.items():
            fitted[name] = (model.fit(table, target), table)
        forest = RandomForestClassifier(3, random_state=0).fit(X, y)
        fitted["soft_forest"] = (sw.soften(forest, X, y, smoothing=0.1), X)
        boosted = GradientBoostingClassifier(n_estimators=3, random_state=0).fit(X, y)
        fitted["soft_boosted"] = (sw.soften(boosted, X, y, smoothing=0.1), X)
        numbers = RandomForestRegressor(3, random_state=0).fit(X, t)
        fitted["soft_forest_r"] = (sw.soften(numbers, X, t, smoothing=0.1), X)
        own = sw.CARTClassifier().fit(frame, y)
        fitted["soft_own"] = (sw.soften(own, frame, y, smoothing=0.5), frame)
    return fitted


# -- edits ------------------------------------------------------------------------------


def flow(name, **fields):
    return {"flow": {"name": name, "fields": fields}}


NOISE = {"redraw": 0.0, "marginals": {"tuple": []}}
ODD = [
    *[None, True, False, 0, -1, 1, 2, 3, 7, 10**6, 2**31 - 1, 2**31, 2**62, -(2**31), 2**63],
    *[10**400, 0.5, -0.5, 1.5, 1e308, -1e308, 1e-320, 0.0, 1.0, "", "x", "nan", "Ramp", "\ud800"],
    *[[], [1], {}, {"float": "nan"}, {"float": "inf"}, {"float": "-inf"}, {"tuple": []}, [[]]],
    *[{"tree": 0}, {"tree": 10**9}, {"bytes": "00"}, {"dict": []}, {"dict": [["a", 1]]}],
    flow("Hard"),
    flow("Gaussian", scale=1e-300, exact=True, drop=0.0, **{**NOISE, "redraw": 0.5}),
    flow("Gaussian", scale=0.3, exact=False, drop=1e-9, **NOISE),
    flow("Ramp", drop=0.0, shape="logistic"),
    flow("Sampled", scale=1.0, n=10**9, random_state=0, **NOISE),
    flow("Sampled", scale=1.0, n=3, random_state=0, **NOISE),
    {"array": {"dtype": "<f8", "shape": [2], "values": [1.0, 2.0]}},
    {"array": {"dtype": "|O", "shape": [1], "values": [[1]]}},
    {"array": {"dtype": "<U1", "shape": [0], "values": []}},
]


def places(value, path=()):
    """Yield the way to everything in JSON; of long lists to the first of it."""
    yield path
    items = value.items() if isinstance(value, dict) else ()
    items = enumerate(value[:40]) if isinstance(value, list) else items
    for key, item in items:
        yield from places(item, (*path, key))


def at(value, path):
    for key in path:
        value = value[key]
    return value


def edit_json(rng, said):
    paths = [path for path in places(said) if path]
    *way, key = rng.choice(paths)
    owner = at(said, way)
    how = rng.randrange(7)
    value = owner[key]
    if how <= 2:
        owner[key] = copy.deepcopy(rng.choice(ODD))
    elif how == 3:
        owner[key] = copy.deepcopy(at(said, rng.choice(paths)))
    elif how == 4 and isinstance(owner, dict):
        del owner[key]
    elif isinstance(value, list):
        if rng.random() < 0.5:
            value.append(copy.deepcopy(rng.choice(ODD)))
        else:
            owner[key] = rng.choice([value[::-1], value[:-1], value + value[:50]])
    elif isinstance(value, int | float) and not isinstance(value, bool):
        owner[key] = rng.choice([-value, value + 1, value - 1, value * 2, value / 2])


FLOATS = [np.nan, np.inf, -1.0, 1e308, -1e308, 5e-324, 0.0, 0.5, 1.0, 1e300, 1e-300]
INTEGERS = [-2, -1, 0, 1, 2, 3, 4, 5, 100]


def dtype_of(name):
    """Return the dtype of a member; links and weights of forests may be of others, too."""
    folder, *_, name = name.split("/")
    return np.dtype(COLUMNS[name] if folder == "trees" else next(iter(DTYPES[name].values())))


def edit_arrays(rng, members):
    name = rng.choice([name for name in members if "/" in name])
    dtype = dtype_of(name)
    array = np.frombuffer(members[name], dtype).copy()
    if not array.size:
        return
    how, place = rng.randrange(9), rng.randrange(array.size)
    odd = FLOATS if dtype.kind == "f" else [*INTEGERS, np.iinfo(dtype).max, np.iinfo(dtype).min]
    if dtype.kind == "u":
        odd = [number for number in odd if number >= 0]
    if how >= 7 and dtype.kind != "f":  # keys and links are made of parts
        array[place] ^= array.dtype.type(1 << rng.randrange(8 * dtype.itemsize - 1))
    elif how <= 2:
        array[place] = rng.choice(odd)
    elif how == 3:
        array = array[:place]
    elif how == 4:
        array = np.concatenate([array, array[:place]])
    elif how == 5:
        array[:] = rng.choice(odd)
    else:
        array[place] = array[rng.randrange(array.size)]
    members[name] = array.tobytes()


def forged(members, number):
    """Return the bytes of a file with one to three edits, which the number fixes."""
    rng = random.Random(number)
    members = dict(members)
    said = json.loads(members["model.json"])
    for _ in range(rng.choice([1, 1, 1, 2, 3])):
        if rng.random() < 0.6:
            edit_json(rng, said)
        else:
            edit_arrays(rng, members)
        if not isinstance(said, dict):
            break
    # Not as the writer does it, who refuses numbers that JSON has no word for.
    members["model.json"] = json.dumps(said, separators=(",", ":"), sort_keys=True).encode("ascii")
    return pack(members, 1)


# -- what a loaded model must do -----------------------------------------------------------

WORDS = ("column", "feature", "category", "categories")  # rows that the forged model cannot read


def ask(model, table):
    """Let the model answer; complain about answers that are no probabilities or numbers."""
    odd = table.copy()
    if isinstance(odd, pd.DataFrame):
        odd.iloc[::2, 0] = np.nan
        odd.loc[1::3, "flag"] = None
    else:
        odd[::2, 0] = np.nan
        odd[1::2, 1] = 1e12
    for asked in (table, table[:1], odd):
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                answer = model.predict(asked)
        except (TypeError, ValueError) as error:
            if any(word in str(error).lower() for word in WORDS):
                continue
            raise
        assert answer.shape == (len(asked),)
        if not hasattr(model, "classes_"):
            assert np.isfinite(answer).all(), answer
            continue
        assert set(answer.tolist()) <= set(np.asarray(model.classes_).tolist())
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            shares = model.predict_proba(asked)
        assert np.isfinite(shares).all(), shares
        assert shares.min() >= -1e-6, shares
        assert shares.max() <= 1 + 1e-5, shares
        assert np.abs(shares.sum(axis=1) - 1).max() < 1e-4, shares


def look_at(model):
    """Read what else a user would."""
    str(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        share = getattr(model, "feature_importances_", None)
    assert share is None or share.shape == (model.n_features_in_,)
    if isinstance(model, sw.EvolvedTreeClassifier):
        front = model.pareto_front_
        model.select(int(front.n_leaves[0]))
        assert len(model.history_.get("risk", ())) == len(model.history_.get("n_nodes", ()))
    if hasattr(model, "tree_"):
        sw.export_text(model)
    members_of(model)
