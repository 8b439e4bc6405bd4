"""``softwood warmup``: kernels compiled ahead, so that no fit waits for them."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
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
Everything = Annotated[bool, typer.Option("--all", help="Every model")]
Processes = Annotated[
    int | None, typer.Option("--n-jobs", help="Processes", show_default="as many as processors")
]


def run(models: Names = None, everything: Everything = False, n_jobs: Processes = None) -> None:
    """Compile the kernels of models for this machine, once; later fits find them on disk."""
    names = list(models or USUAL)
    if everything or names == ["all"]:
        names = list(_models.OURS)
    for name in names:
        _models.model_named(name, _models.OURS)
    n_processes = min(len(names), n_jobs or os.cpu_count() or 1)
    spent = {}
    for name, seconds in _warmed(names, n_processes):
        spent[name] = seconds
        say(f"{_models.MODELS[name].title}: {seconds:.1f} s")
    answer({"seconds": spent})


def _warmed(names: Sequence[str], n_processes: int) -> Iterator[tuple[str, float]]:
    """Yield every model and the seconds it took, as they are done."""
    if n_processes == 1:
        for name in names:
            with progress(name, _models.MODELS[name].n_kernels):
                seconds = _warm(name)
            yield name, seconds
        return
    from concurrent.futures import ProcessPoolExecutor, as_completed
    from multiprocessing import get_context

    # A fork would have the threads of this process's libraries, but none of their work.
    pool = ProcessPoolExecutor(n_processes, get_context("spawn"), _be_quiet)
    try:
        running = {pool.submit(_warm, name): name for name in names}
        with progress("compiling") as bar:
            for n_done, future in enumerate(as_completed(running), 1):
                bar.tell("models", n_done, len(names))
                yield running[future], future.result()
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def _be_quiet() -> None:
    os.environ["SOFTWOOD_QUIET"] = "1"


def _warm(name: str) -> float:
    """Fit and ask a model on few rows: numbers alone, and with gaps and categories."""
    from softwood.data.telling import untold

    model, begun = _models.MODELS[name], perf_counter()
    for X, y, task in _tables():
        if task == _models.NUMBERS and model.regressor is None:
            continue
        with untold():
            fitted = model.make(task, 0).fit(X, y)
            getattr(fitted, "predict_proba", fitted.predict)(X)
    return perf_counter() - begun


def _tables() -> list[tuple[Any, Any, str]]:
    import numpy as np

    from softwood.data.table import Column, Table

    rng = np.random.default_rng(0)
    X = rng.normal(size=(N_ROWS, 3))
    label = (X[:, 0] + X[:, 1] > 0).astype(int)
    gaps = np.where(rng.random(N_ROWS) < 0.1, np.nan, X[:, 0])
    codes = rng.integers(0, 3, N_ROWS).astype(np.int32)
    mixed = Table((Column("x", gaps), Column("colour", codes, ("blue", "green", "red"))))
    target = X[:, 0] * X[:, 1]
    return [
        (X, label, _models.CLASSES),
        (mixed, label, _models.CLASSES),
        (X, target, _models.NUMBERS),
        (mixed, target, _models.NUMBERS),
    ]
