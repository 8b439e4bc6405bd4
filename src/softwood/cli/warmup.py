"""``softwood warmup``: kernels compiled ahead, so that no fit waits for them."""

from __future__ import annotations

from time import perf_counter
from typing import Annotated, Any

import typer

from softwood.cli import _models
from softwood.cli._bar import progress
from softwood.cli._screen import answer, say

USUAL = ("c45", "cart", "soft", "coalescence")
N_ROWS = 60

Names = Annotated[
    list[str] | None,
    typer.Argument(help=f"Models, of: {', '.join(_models.OURS)}; or all", show_default="the usual"),
]


def run(models: Names = None) -> None:
    """Compile the kernels of models for this machine, once; later fits find them on disk."""
    names = list(models or USUAL)
    if names == ["all"]:
        names = list(_models.OURS)
    chosen = {name: _models.model_named(name, _models.OURS) for name in names}
    spent = {}
    for name, model in chosen.items():
        begun = perf_counter()
        with progress(name, model.n_kernels):
            _warm(model)
        spent[name] = perf_counter() - begun
        say(f"{model.title}: {spent[name]:.1f} s")
    answer({"seconds": spent})


def _warm(model: _models.Model) -> None:
    """Fit and ask a model on few rows: numbers alone, and with gaps and categories."""
    from softwood.data.telling import untold

    for X, y, task in _tables():
        if task == _models.NUMBERS and model.regressor is None:
            continue
        with untold():
            fitted = model.make(task, 0).fit(X, y)
            getattr(fitted, "predict_proba", fitted.predict)(X)


def _tables() -> list[tuple[Any, Any, str]]:
    import numpy as np

    from softwood.data.table import Column, Table

    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 3))
    label = (X[:, 0] + X[:, 1] > 0).astype(int)
    gaps = np.where(rng.random(N_ROWS) < 0.1, np.nan, X[:, 0])
    codes = rng.integers(0, 3, N_ROWS).astype(np.int32)
    mixed = Table((Column("x", gaps), Column("colour", codes, ("blue", "green", "red"))))
    return [
        (X, label, _models.CLASSES),
        (mixed, label, _models.CLASSES),
        (X, X[:, 0] * X[:, 1], _models.NUMBERS),
    ]
