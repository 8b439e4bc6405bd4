"""Rows for models that run elsewhere, as each of the places wants them."""

import numpy as np

from softwood.data.telling import untold
from softwood.interop import import_model
from tests.view.explorer.models import UNSEEN, as_table, made, random_rows

# Those whose answers pass through an exponential, which differs from library to library.
LINKED = ("boosted elsewhere", "LightGBM")
UNKNOWN = -2.0


def asked(name, n_rows, seed=5):
    """Return a model, rows, and what Python answers to them."""
    model, X, _ = made(name)
    imported = import_model(model)
    rows = random_rows(imported, X, n_rows, seed)
    for row in rows:
        for j, feature in enumerate(imported.schema.features):
            if feature.is_date and row[j] is not None:
                row[j] = float(round(row[j]))  # dates hold no small part of a day
    _put_on_cuts(imported, rows)
    with untold():
        table = as_table(imported, rows)
        expected = imported.forest.predict(imported.encode(table), imported.flow)
        labels = imported.predict(table)
    return model, imported, rows, expected, labels


def _put_on_cuts(imported, rows):
    """Put a value of every tenth row on a cut, where a careless comparison goes wrong."""
    tree = imported.forest.trees[0]
    cuts = [
        (int(f), float(t))
        for f, t, kind in zip(tree.feature, tree.threshold, tree.kind, strict=True)
        if kind == 1 and not imported.schema.features[f].is_date
    ]
    for place, row in enumerate(rows[::10] if cuts else ()):
        feature, cut = cuts[place % len(cuts)]
        row[feature] = cut


def as_codes(rows):
    """Return rows of numbers: codes of categories, NaN for gaps."""
    code = {None: np.nan, "unknown": UNKNOWN}
    return np.array([[code.get(value, value) for value in row] for row in rows], dtype=float)


def as_values(imported, row):
    """Return a row as people write it: categories by their names."""
    return [
        UNSEEN if value == "unknown" else value if value is None or not f.is_nominal
        else f.categories[value]
        for f, value in zip(imported.schema.features, row, strict=True)
    ]  # fmt: skip
