"""Compare methods over data sets: run what is not yet in the store, and gather it all."""

from __future__ import annotations

import os
import platform
from collections.abc import Iterator
from contextlib import contextmanager
from os import PathLike
from typing import Any, Literal

from softwood.errors import StoreError
from softwood.evaluate._locks import held
from softwood.evaluate.cells import FAILED, Record
from softwood.evaluate.comparison import Comparison
from softwood.evaluate.dispatch import n_workers, run_tasks
from softwood.evaluate.plan import Plan, plan
from softwood.evaluate.progress import Progress
from softwood.evaluate.schedule import Schedule
from softwood.evaluate.store import Store

Resume = bool | Literal["retry", "refuse"]
RESUME = (True, False, "retry", "refuse")


def compare(  # noqa: PLR0913  (every one of them is a choice of the user's)
    estimators: Any,
    datasets: Any,
    protocol: Any = "kfold",
    metrics: Any = None,
    *,
    n_jobs: int | None = None,
    store: str | PathLike[str] | None = None,
    resume: Resume = True,
    experiment: str | None = None,
    random_state: int = 0,
    verbose: int = 0,
) -> Comparison:
    """Compare estimators over data sets, every one on the same splits.

    Parameters
    ----------
    estimators : mapping of str to estimator, or sequence of estimators
        Any that follow scikit-learn: all classifiers or all regressors. One that takes
        only numbers is wrapped by :func:`encoded` where a data set has categories, or
        gaps that it cannot take.
    datasets : mapping or sequence
        Name to ``(X, y)``, :class:`~softwood.datasets.Dataset` or the name of a data set
        that :func:`~softwood.datasets.load_dataset` knows; or a sequence of the last two.
        ``X`` may be an array, a sparse matrix, a table, or a frame of pandas or polars.
    protocol : str, splitter or protocol, default="kfold"
        ``"kfold"``, ``"repeated_kfold"``, ``"random_splits"``, ``"half_splits"``,
        ``"5x2"``, with numbers such as ``"kfold:5"`` (see :func:`protocol_of`), or a
        splitter of scikit-learn.
    metrics : str, callable, or sequence or mapping of them, optional
        What to show, and to measure besides error, log loss, Brier score, AUC (or squared
        and absolute error, R²), times and leaves, which always are. Also names of
        scikit-learn's scorers, and functions of ``(y_true, y_pred)``.
    n_jobs : int, optional
        How many cells to run at once, through joblib: ``joblib.parallel_config`` may send
        them to Dask or Ray.
    store : path-like, optional
        SQLite file that gets every cell as it ends.
    resume : {True, False, "retry", "refuse"}, default=True
        What to do with cells that the store has: take them as they are, run them again,
        run those again that failed, or refuse to start.
    experiment : str, optional
        Name of the comparison in the store. Cells are shared between comparisons of one
        name; two of them cannot run at the same time. By default the protocol and seed.
    random_state : int, default=0
        Seed of the splits, and of every ``random_state`` that is None.
    verbose : int, default=0
        1 shows progress and the time left, on stderr.

    Returns
    -------
    Comparison

    Notes
    -----
    A cell that raises an exception, or whose worker dies, is recorded as failed and does
    not stop the others. Results are the same bits for any ``n_jobs``, except for times.

    Examples
    --------
    >>> from softwood import C45Classifier, CARTClassifier
    >>> from softwood.evaluate import compare
    >>> methods = {"C4.5": C45Classifier(), "CART": CARTClassifier()}
    >>> result = compare(methods, ["iris", "tic-tac-toe"], "kfold:5")
    >>> print(result.to_text())
    data set        C4.5     CART
    iris         0.0667*  0.0800
    tic-tac-toe  0.1733   0.0741*
    """
    if resume not in RESUME:
        raise ValueError(f"resume must be one of {RESUME}; got {resume!r}")
    if not isinstance(random_state, int):
        raise TypeError(
            f"random_state must be a whole number, so that splits can be repeated; "
            f"got {random_state!r}"
        )
    work = plan(estimators, datasets, protocol, metrics, random_state, experiment)
    if store is None:
        records = list(_run(work, {}, None, n_jobs, verbose))
        return Comparison(work.definition, records)
    with Store(store) as file, _held_alone(file, work.experiment):
        known = _known(file, work, resume)
        file.begin(work.experiment, work.definition, _process())
        records = list(_run(work, known, file, n_jobs, verbose))
    return Comparison(work.definition, records)


@contextmanager
def _held_alone(store: Store, experiment: str) -> Iterator[None]:
    with held(store.path, experiment) as is_ours:
        if not is_ours:
            who = store.process(experiment) if experiment in store.experiments() else "starting"
            raise StoreError(
                f"experiment {experiment!r} of store {store.path} is being run by another "
                f"process ({who}); wait for it, or give this one another name (experiment)"
            )
        yield


def _process() -> str:
    return f"pid {os.getpid()} on {platform.node()}"


def _known(store: Store, work: Plan, resume: Resume) -> dict[str, Record]:
    """Return the records that need not be run again, by key."""
    keys = {task.cell.key for task in work.tasks}
    stored = {record.cell.key: record for record in store.read(work.experiment)}
    known = {key: record for key, record in stored.items() if key in keys}
    if resume == "refuse" and known:
        raise StoreError(
            f"store {store.path} already has {len(known)} of the {len(keys)} cells of this "
            "comparison; go on from there by resume=True (--resume), or run them again by "
            "resume=False (--restart)"
        )
    if resume is False:
        store.forget(known)
        return {}
    wanted = {metric.name for metric in work.extra}
    return {key: record for key, record in known.items() if _will_do(record, resume, wanted)}


def _will_do(record: Record, resume: Resume, wanted: set[str]) -> bool:
    if record.outcome.status == FAILED:
        return resume != "retry"
    return wanted <= set(record.outcome.metrics)


def _run(
    work: Plan, known: dict[str, Record], store: Store | None, n_jobs: int | None, verbose: int
) -> Iterator[Record]:
    yield from known.values()
    tasks = [task for task in work.tasks if task.cell.key not in known]
    costs = None if store is None else store.costs(_parameters(work))
    schedule = Schedule(tasks, costs, n_workers(n_jobs))
    n_safe = len(known)
    with Progress(len(work.tasks), n_safe, verbose > 0, schedule.seconds_left) as progress:
        for task, outcome in run_tasks(schedule, n_jobs, work.extra):
            record = Record(task.cell, outcome)
            if store is not None:
                _write(store, record, n_safe, len(work.tasks))
            n_safe += 1
            schedule.done(task, outcome.seconds)
            progress.advance(outcome.status == FAILED)
            yield record


def _parameters(work: Plan) -> dict[str, str]:
    return {name: of["parameters"] for name, of in work.definition["methods"].items()}


def _write(store: Store, record: Record, n_safe: int, n_cells: int) -> None:
    try:
        store.write(record)
    except StoreError as error:
        raise StoreError(
            f"{error}. The comparison stopped; {n_safe} of its {n_cells} cells are safe, and "
            "resume=True (--resume) goes on from there"
        ) from error
