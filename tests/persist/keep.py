"""Writes the model files that later versions must be able to read.

Usage: python -m tests.persist.keep

writes ``kept/*.v<version>`` beside it, for the version of the format that softwood has now. Files
of an earlier version stay as they are: they tell whether it can still be read.
"""

import json
from pathlib import Path

from softwood import CoalescenceClassifier, Gradient, SoftTreeClassifier, VRForestRegressor, save
from softwood.persist.format import VERSION
from tests.persist.models import mixed_table, numeric_rows

KEPT = Path(__file__).with_name("kept")


def models():
    """Yield names, models and rows: trees of their own, packed forests, numbers and categories."""
    table, y = mixed_table()
    numbers, target = numeric_rows()
    few = {"random_state": 0}
    yield (
        "soft_tree",
        SoftTreeClassifier(method=Gradient(n_epochs=2, teacher=2), **few).fit(table, y),
        table,
    )
    yield "coalescence", CoalescenceClassifier(3, **few).fit(table, y), table
    yield "vr_forest", VRForestRegressor(2, **few).fit(numbers, target * 1.5), numbers


def answers(model, rows):
    """Return what a model says of some rows, as JSON can hold it."""
    predict = getattr(model, "predict_proba", model.predict)
    return predict(rows)[::5].round(9).tolist()


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    said = {}
    for name, model, rows in models():
        save(model, KEPT / f"{name}.v{VERSION}")
        said[name] = answers(model, rows)
    (KEPT / f"answers.v{VERSION}.json").write_text(json.dumps(said))
