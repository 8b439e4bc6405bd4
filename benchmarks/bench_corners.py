"""Corners where fits and answers were slow, beside peers: seconds of the processor.

    SOFTWOOD_DATA=... python benchmarks/bench_corners.py [CORNER ...]

Corners: smoothing, frames, categories, soft, bagged, answers, oblique. Kernels are warm:
each job runs once before it is timed. One thread; the better of two turns or more. Tables as
users have them are drawn: half of their columns are categories. scikit-learn's forest gets
their codes as numbers, which are ready. Peers that are not installed are left out.
"""

import argparse
import warnings
from functools import cache
from time import process_time

import numpy as np
import pandas as pd
from _timing import table
from sklearn.datasets import make_classification
from sklearn.ensemble import RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

import softwood as sw
from softwood.datasets import load_dataset

MIXED = ((344, 6), (1470, 30), (5000, 19), (50_000, 14))
NUMBERS = ((476, 166), (569, 30), (1000, 30))
NAMED = ("letter", "satimage", "spambase", "magic")


def cpu(job, turns=2):
    """Return the least processor time of some turns, after one that is not counted."""
    job()
    found = []
    for _ in range(turns):
        start = process_time()
        job()
        found.append(process_time() - start)
    return min(found)


@cache
def mixed(n_rows, n_columns):
    """Return a frame of which half the columns are categories, its codes, and classes."""
    rng = np.random.default_rng(n_rows)
    X, y = make_classification(
        n_rows, n_columns, n_informative=min(n_columns, 6), n_redundant=0, flip_y=0.1,
        random_state=n_rows,
    )  # fmt: skip
    codes, columns = X.copy(), {}
    for j in range(n_columns):
        if j % 2:
            bins = np.quantile(X[:, j], np.linspace(0, 1, rng.integers(3, 17))[1:-1])
            codes[:, j] = rng.permutation(bins.size + 1)[np.searchsorted(bins, X[:, j])]
            columns[f"c{j}"] = pd.Categorical([f"v{c:.0f}" for c in codes[:, j]])
        else:
            columns[f"n{j}"] = X[:, j]
    return pd.DataFrame(columns), codes, y


@cache
def numbers(n_rows, n_columns):
    return make_classification(
        n_rows, n_columns, n_informative=min(n_columns, 10), flip_y=0.05, random_state=n_rows
    )


@cache
def wide(n_rows=200, n_columns=20_000):
    return numbers(n_rows, n_columns)


@cache
def named(name):
    data = load_dataset(name)
    X = np.ascontiguousarray(data.X, dtype=np.float64)
    return X, np.unique(np.asarray(data.y), return_inverse=True)[1]


def many_categories(n_rows=20_000, n_distinct=5000):
    """Return a frame with a column of many categories, and one without it."""
    rng = np.random.default_rng(0)
    X, y = make_classification(n_rows, 8, n_informative=5, flip_y=0.05, random_state=0)
    frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(8)])
    group = rng.integers(0, n_distinct, n_rows)
    y = np.where(rng.random(n_rows) < 0.7, y, group % 2)
    return frame.assign(place=[f"p{g}" for g in group]), frame, y


def forest(X, y):
    return RandomForestClassifier(100, random_state=0, n_jobs=1).fit(X, y)


def ratio_row(name, ours, theirs):
    return [name, f"{ours:.3f}", f"{theirs:.3f}", f"{ours / theirs:.2f}"]


# -- corners -----------------------------------------------------------------------


def smoothing():
    rows = []
    for shape in ((1470, 30), (5000, 19)):
        X, _, y = mixed(*shape)
        hard = cpu(lambda: sw.CoalescenceClassifier(random_state=0).fit(X, y), 4)
        soft = cpu(lambda: sw.CoalescenceClassifier(smoothing="oob", random_state=0).fit(X, y), 4)
        rows.append(ratio_row(f"{shape[0]} x {shape[1]} mixed", soft, hard))
    return table('Coalescence, `smoothing="oob"`', ["data", "soft s", "hard s", "ratio"], rows)


def frames():
    X, y = wide()
    pandas = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
    kinds = {"pandas": pandas}
    try:
        import polars as pl

        kinds["polars"] = pl.DataFrame(X, schema=list(pandas.columns), orient="row")
    except ImportError:
        pass
    rows, model = [], sw.CoalescenceClassifier(random_state=0)
    fit_array = cpu(lambda: model.fit(X, y))
    ask_array = cpu(lambda: model.predict(X), 5)
    for name, frame in kinds.items():
        fit = cpu(lambda frame=frame: model.fit(frame, y))
        ask = cpu(lambda frame=frame: model.predict(frame), 5)
        copied = cpu(lambda frame=frame: frame.to_numpy(), 5)
        rows.append([f"{name}, fit", f"{fit:.3f}", f"{fit_array:.3f}", f"{fit / fit_array:.2f}"])
        rows.append(
            [f"{name}, predict", f"{ask:.4f}", f"{ask_array:.4f}", f"{ask / ask_array:.2f}"]
        )
        rows.append([f"{name}, to_numpy alone", f"{copied:.4f}", "", ""])
    return table("Frames of 200 x 20 000", ["", "frame s", "array s", "ratio"], rows)


def categories():
    full, few, y = many_categories()
    rows = []
    for kind in (
        sw.VRForestClassifier,
        sw.CoalescenceClassifier,
        sw.CARTClassifier,
        sw.C45Classifier,
    ):
        ours, theirs = (cpu(lambda X=X, kind=kind: _fit_quietly(kind, X, y)) for X in (full, few))
        rows.append(ratio_row(kind.__name__, ours, theirs))
    return table("5000 categories in 20 000 rows", ["", "with them s", "without s", "ratio"], rows)


def _fit_quietly(kind, X, y):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return (
            kind(random_state=0).fit(X, y)
            if "random_state" in kind().get_params()
            else kind().fit(X, y)
        )


def soft_tables():
    for shape in MIXED:
        X, codes, y = mixed(*shape)
        yield f"{shape[0]} x {shape[1]} mixed", X, codes, y
    for shape in NUMBERS:
        X, y = numbers(*shape)
        yield f"{shape[0]} x {shape[1]}", X, X, y
    for name in NAMED:
        X, y = named(name)
        yield name, X, X, y
    X, y = wide()
    yield "200 x 20000", X, X, y


def soft():
    rows = []
    for name, X, codes, y in soft_tables():
        turns = 1 if X.shape[0] * X.shape[1] > 500_000 else 3
        ours = cpu(lambda X=X, y=y: sw.SoftTreeClassifier(random_state=0).fit(X, y), turns)
        rows.append(ratio_row(name, ours, cpu(lambda X=codes, y=y: forest(X, y), turns)))
        print(rows[-1], flush=True)
    return table("SoftTreeClassifier", ["data", "ours s", "forest of 100 s", "ratio"], rows)


def bagged():
    X, y = wide()
    ours = cpu(lambda: sw.BaggedTreesClassifier(random_state=0).fit(X, y), 1)
    return table(
        "BaggedTrees", ["data", "ours s", "forest s", "ratio"],
        [ratio_row("200 x 20000", ours, cpu(lambda: forest(X, y)))],
    )  # fmt: skip


def answers():
    """One row: by frames and arrays of each kind of model, in milliseconds."""
    rows = []
    for name, X, y in [
        ("1470 x 30 mixed", *mixed(1470, 30)[::2]),
        ("569 x 30", *numbers(569, 30)),
        ("letter", *named("letter")),
    ]:
        is_frame = hasattr(X, "iloc")
        models = (sw.CARTClassifier(), sw.CoalescenceClassifier(random_state=0))
        for model in (*models, sw.BaggedTreesClassifier(100, random_state=0)):
            model.fit(X, y)
            one = X.iloc[[0]] if is_frame else X[:1]
            time = cpu(
                lambda model=model, one=one: [model.predict_proba(one) for _ in range(200)], 5
            )
            rows.append(
                [name, type(model).__name__, "frame" if is_frame else "array", f"{time * 5:.3f}"]
            )
            if not is_frame:
                frame = pd.DataFrame(X, columns=[f"x{j}" for j in range(X.shape[1])])
                model.fit(frame, y)
                one = frame.iloc[[0]]
                time = cpu(
                    lambda model=model, one=one: [model.predict_proba(one) for _ in range(200)], 5
                )
                rows.append([name, type(model).__name__, "frame", f"{time * 5:.3f}"])
    return table("One row", ["data", "model", "as", "ms"], rows)


def oblique():
    rows = []
    for name, n_rows in (("pima", None), ("magic", 4000)):
        X, y = named(name)
        if n_rows:
            kept = np.random.default_rng(0).permutation(len(X))[:n_rows]
            X, y = X[kept], y[kept]
        theirs = cpu(lambda X=X, y=y: DecisionTreeClassifier(random_state=0).fit(X, y), 5)
        for objective in ("moc1", "moc2"):
            model = sw.ObliqueTreeClassifier(objective=objective, random_state=0)
            rows.append(
                ratio_row(
                    f"{name}, {objective}", cpu(lambda m=model, X=X, y=y: m.fit(X, y)), theirs
                )
            )
    return table("MOC1 and MOC2", ["", "ours s", "scikit-learn's tree s", "ratio"], rows)


CORNERS = (smoothing, frames, categories, soft, bagged, answers, oblique)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    names = [corner.__name__ for corner in CORNERS]
    parser.add_argument("corners", nargs="*", default=names)
    chosen = parser.parse_args().corners
    for corner in CORNERS:
        if corner.__name__ in chosen:
            print(corner(), flush=True)


if __name__ == "__main__":
    main()
