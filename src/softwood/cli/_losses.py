"""What a fitted model loses on rows that come some at a time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def loss_of_rows(fitted: Any, rows: tuple[Any, Any]) -> dict[str, float]:
    """Return how many rows there are, and sums of what a model loses on them."""
    X, y = rows
    if not len(y):
        return {"rows": 0.0}
    if not hasattr(fitted, "classes_"):
        error = np.asarray(fitted.predict(X)) - y
        sums = {"squared": float(error @ error), "y": float(np.sum(y)), "yy": float(y @ y)}
        return {"rows": float(len(y)), **sums}
    shares = np.asarray(fitted.predict_proba(X))
    place = {label: k for k, label in enumerate(fitted.classes_.tolist())}
    code = np.array([place.get(label, -1) for label in np.asarray(y).tolist()])
    said = np.where(code < 0, 0.0, shares[np.arange(len(y)), code])
    wrong = float(np.count_nonzero(shares.argmax(axis=1) != code))
    log_loss = float(-np.log(np.maximum(said, np.finfo(float).eps)).sum())
    return {"rows": float(len(y)), "wrong": wrong, "log_loss": log_loss}


def merged_losses(found: Sequence[dict[str, float]]) -> dict[str, Any]:
    """Return error and log loss, or the mean squared error and R², of sums."""
    total: dict[str, float] = {}
    for part in found:
        for name, value in part.items():
            total[name] = total.get(name, 0.0) + value
    n_rows = total.get("rows", 0.0)
    if not n_rows:
        return {"n_rows": 0}
    if "wrong" in total:
        return {
            "n_rows": int(n_rows),
            "error": total["wrong"] / n_rows,
            "log_loss": total["log_loss"] / n_rows,
        }
    spread = total["yy"] - total["y"] ** 2 / n_rows
    return {
        "n_rows": int(n_rows),
        "squared_error": total["squared"] / n_rows,
        "r2": 1.0 - total["squared"] / spread if spread > 0.0 else float("nan"),
    }


def losses_in_words(judged: dict[str, Any]) -> str:
    """Return losses as a line."""
    losses = [(name.replace("_", " "), value) for name, value in judged.items() if name != "n_rows"]
    return ", ".join(f"{name} {value:.4g}" for name, value in losses)
