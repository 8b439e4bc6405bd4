"""Models of every kind that a page can show, and rows to try them with."""

from functools import cache

import numpy as np
import pandas as pd
from lightgbm import LGBMClassifier
from sklearn.datasets import load_breast_cancer, load_diabetes
from sklearn.ensemble import GradientBoostingClassifier, RandomForestClassifier

from softwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    EvolvedTreeClassifier,
    ObliqueTreeClassifier,
    Perturb,
    SoftTreeClassifier,
    SoftTreeRegressor,
    soften,
)
from softwood.data.telling import untold
from tests.view.tables import hostile_table, messy_table

UNSEEN = "\N{SNOWMAN} never seen"
DAY = pd.Timestamp("1970-01-01")


def cancer():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    return X.iloc[:, :8], y


def diabetes():
    return load_diabetes(return_X_y=True, as_frame=True)


def noisy():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(8000, 6))
    chance = 1 / (1 + np.exp(-2 * X[:, 0] * X[:, 1] - X[:, 2]))
    return X, (rng.random(8000) < chance).astype(int)


def two_columns():
    X, y = messy_table()
    return X[["age", "calls"]].fillna(40.0), y


def with_gaps():
    X, y = messy_table()
    X = X.drop(columns="since")
    return X.assign(plan=X["plan"].astype("category")), y


def fitted(model, table):
    X, y = table()
    with untold():
        return model.fit(X, y), X, y


def leaf():
    return CARTClassifier().fit([[1.0], [2.0]], [1, 1]), np.array([[1.0], [2.0]]), np.array([1, 1])


def softened_forest():
    X, y = cancer()
    forest = RandomForestClassifier(10, random_state=0).fit(X, y)
    return soften(forest, X, y, smoothing=0.1, random_state=0), X, y


def large(soft):
    X, y = noisy()
    model = CARTClassifier(max_leaf_nodes=1000)
    if soft:
        model = SoftTreeClassifier(model, method="perturb", smoothing=0.3, random_state=0)
    return model.fit(X, y), X, y


MAKE = {
    "m-ary": lambda: fitted(C45Classifier(), messy_table),
    "oblique": lambda: fitted(ObliqueTreeClassifier(random_state=0), cancer),
    "soft by gradients": lambda: fitted(
        SoftTreeClassifier(max_leaf_nodes=12, random_state=0), messy_table
    ),
    "soft and oblique": lambda: fitted(
        SoftTreeClassifier(oblique=True, max_leaf_nodes=8, random_state=0), cancer
    ),
    "soft by annealing": lambda: fitted(
        SoftTreeClassifier(method="anneal", random_state=0), messy_table
    ),
    "soft by perturbation": lambda: fitted(
        SoftTreeClassifier(method="perturb", smoothing=0.4, random_state=0), messy_table
    ),
    "soft by a product": lambda: fitted(
        SoftTreeClassifier(method=Perturb(flow="product"), smoothing=0.7, random_state=0),
        messy_table,
    ),
    "soft by confidence": lambda: fitted(
        SoftTreeClassifier(method="confidence", random_state=0), messy_table
    ),
    "evolved": lambda: fitted(EvolvedTreeClassifier(n_iter=3000, random_state=0), two_columns),
    "boosted elsewhere": lambda: fitted(
        GradientBoostingClassifier(n_estimators=15, random_state=0), cancer
    ),
    "LightGBM": lambda: fitted(LGBMClassifier(n_estimators=8, verbose=-1), with_gaps),
    "forest of 100": lambda: fitted(CoalescenceClassifier(100, random_state=0), messy_table),
    "soft forest": lambda: fitted(
        CoalescenceClassifier(20, smoothing=0.3, random_state=0), messy_table
    ),
    "softened forest": softened_forest,
    "regression": lambda: fitted(CARTRegressor(max_leaf_nodes=30), diabetes),
    "soft regression": lambda: fitted(
        SoftTreeRegressor(max_leaf_nodes=10, random_state=0), diabetes
    ),
    "1000 leaves": lambda: large(soft=False),
    "soft, 1000 leaves": lambda: large(soft=True),
    "one leaf": leaf,
    "hostile names": lambda: fitted(C45Classifier(), hostile_table),
}


@cache
def made(name):
    """Return a model, its rows and its target, made once."""
    return MAKE[name]()


def random_rows(imported, X, n_rows, seed=0):
    """Return rows as a reader of the page may choose them: with gaps and what was never seen."""
    rng = np.random.default_rng(seed)
    with untold():
        encoded = imported.encode(X)
    columns = [
        _random_column(rng, feature, encoded[:, j], imported.reader.unknown, n_rows)
        for j, feature in enumerate(imported.schema.features)
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _random_column(rng, feature, seen, unknown, n_rows):
    kind = rng.random(n_rows)
    if feature.is_nominal:
        known = [code for code, name in enumerate(feature.categories) if name is not None]
        values = [int(code) for code in rng.choice(known, n_rows)]
        if unknown in ("spread", "missing"):
            values = ["unknown" if k < 0.2 else v for k, v in zip(kind, values, strict=True)]
    else:
        seen = seen[np.isfinite(seen)]
        between = rng.uniform(seen.min(), seen.max(), n_rows)
        values = np.where(kind < 0.5, rng.choice(seen, n_rows), between).tolist()
    gap = rng.random(n_rows) < 0.08
    return [None if g else v for g, v in zip(gap, values, strict=True)]


def as_table(imported, rows):
    """Return the same rows as Python is given them."""
    features = imported.schema.features
    columns = {
        feature.name: _as_series(feature, [row[j] for row in rows])
        for j, feature in enumerate(features)
    }
    frame = pd.DataFrame(columns)
    plain = imported.schema.all_numeric and not any(feature.is_date for feature in features)
    return frame if imported.reader.checks_names or not plain else frame.to_numpy()


def _as_series(feature, values):
    if feature.is_nominal:
        name = {None: None, "unknown": UNSEEN} | dict(enumerate(feature.categories))
        return pd.Series([name[value] for value in values], dtype=object)
    if feature.is_date:
        days = [pd.NaT if v is None else DAY + pd.Timedelta(days=v) for v in values]
        return pd.Series(days, dtype="datetime64[ns]")
    return pd.Series([np.nan if v is None else v for v in values])
