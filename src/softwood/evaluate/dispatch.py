"""Running tasks through joblib, and surviving the death of a worker."""

from __future__ import annotations

import warnings
from collections.abc import Generator, Iterable, Iterator
from concurrent.futures.process import BrokenProcessPool
from itertools import islice
from pickle import PicklingError
from typing import Any

from softwood.evaluate.cells import FAILED, Outcome, run_cell
from softwood.evaluate.metrics import Metric
from softwood.evaluate.plan import Task

Result = tuple[Task, Outcome]


def run_tasks(
    tasks: Iterable[Task], n_jobs: int | None, extra: tuple[Metric, ...] = ()
) -> Iterator[Result]:
    """Yield every task with its outcome, in the order in which they end.

    A worker that dies takes the cells that were under way with it. Each of them is run
    again, alone; one that kills its worker again has failed.

    Parameters
    ----------
    tasks : iterable of Task
        Taken as workers become free.
    n_jobs : int or None
        As in joblib, whose backends and contexts apply.
    extra : tuple of Metric
        Metrics to measure besides those that always are.
    """
    source = iter(tasks)
    while True:
        under_way: dict[int, Task] = {}
        try:
            yield from _parallel(_noted(source, under_way), under_way, n_jobs, extra)
            return
        except Exception as error:
            if not _is_death(error):
                raise
        for task in list(under_way.values()):
            yield task, _alone(task, extra)


def n_workers(n_jobs: int | None) -> int:
    """Return how many tasks will run side by side."""
    from joblib import effective_n_jobs

    return int(effective_n_jobs(n_jobs))


def _noted(source: Iterator[Task], under_way: dict[int, Task]) -> Iterator[tuple[int, Task]]:
    for task in source:
        number = id(task)
        under_way[number] = task
        yield number, task


def _parallel(
    tasks: Iterator[tuple[int, Task]],
    under_way: dict[int, Task],
    n_jobs: int | None,
    extra: tuple[Metric, ...],
) -> Iterator[Result]:
    from joblib import Parallel

    jobs = (_job(number, task, extra) for number, task in tasks)
    results: Generator[tuple[int, Outcome]]
    try:
        parallel = Parallel(n_jobs=n_jobs, return_as="generator_unordered")
    except ValueError:  # a backend that cannot tell when a single job is done
        results = _in_chunks(jobs, n_jobs)
    else:
        results = parallel(jobs)
    try:
        for number, outcome in results:
            yield under_way.pop(number), outcome
    except PicklingError as error:
        raise TypeError(
            "a method or metric holds what cannot be sent to another process (a lock, an open "
            "file?); use n_jobs=1, or threads by joblib.parallel_config('threading')"
        ) from error
    finally:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that cells were cancelled is no news to us
            results.close()


def _in_chunks(jobs: Iterator[Any], n_jobs: int | None) -> Generator[tuple[int, Outcome]]:
    from joblib import Parallel, effective_n_jobs

    size = 4 * effective_n_jobs(n_jobs)
    while chunk := list(islice(jobs, size)):
        yield from Parallel(n_jobs=n_jobs)(chunk)


def _job(number: int, task: Task, extra: tuple[Metric, ...]) -> Any:
    from joblib import delayed

    return delayed(_run)(number, task.problem, task.method, task.split, task.seed, extra)


def _run(number: int, *arguments: Any) -> tuple[int, Outcome]:
    return number, run_cell(*arguments)


def _alone(task: Task, extra: tuple[Metric, ...]) -> Outcome:
    from joblib import Parallel

    try:
        # Two workers, of which one stays idle: with one, joblib would run it right here.
        results: list[tuple[int, Outcome]] = Parallel(n_jobs=2)([_job(0, task, extra)])
    except Exception as error:
        if not _is_death(error):
            raise
        return Outcome(
            FAILED,
            error="WorkerDied: the process that ran this cell was killed; was there enough memory?",
        )
    return results[0][1]


def _is_death(error: Exception) -> bool:
    return isinstance(error, BrokenProcessPool) or type(error).__name__ == "KilledWorker"
