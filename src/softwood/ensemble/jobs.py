"""Running one task many times, side by side, with the same answers as one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sized
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from softwood._progress import tell_progress
from softwood._threads import side_by_side, stoppable

Report = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Jobs:
    """How many tasks run at once.

    Parameters
    ----------
    n_jobs : int, optional
        Tasks that run at once; -1 for one on each processor.
    verbose : int, default=0
        How much joblib tells of its progress.
    """

    n_jobs: int | None = None
    verbose: int = 0

    @property
    def at_once(self) -> int:
        """How many tasks really run at once."""
        from joblib import effective_n_jobs

        return int(effective_n_jobs(self.n_jobs))

    def each(self, task: Callable[[Any], Any], arguments: Iterable[Any]) -> list[Any]:
        """Return what the task answers for each of its arguments, always in threads.

        For short tasks on what is in memory already, which no other process should copy.
        """
        return list(self._by_threads(task, arguments))

    def map(
        self, task: Callable[[Any], Any], arguments: Iterable[Any], report: Report | None = None
    ) -> list[Any]:
        """Return what the task answers for each of its arguments, in their order.

        Tasks run in threads: kernels release the GIL, and threads share the table that
        processes would copy. But what ``joblib.parallel_config`` says goes first.

        Parameters
        ----------
        task : callable
            Takes one argument.
        arguments : iterable
            The arguments.
        report : callable, optional
            Called whenever the next of the answers is there.
        """
        return list(self.stream(task, arguments, report))

    def stream(
        self, task: Callable[[Any], Any], arguments: Iterable[Any], report: Report | None = None
    ) -> Iterator[Any]:
        """Yield what :meth:`map` returns, each answer as soon as it is its turn."""
        from joblib import parallel

        backend, _ = parallel.get_active_backend(prefer="threads")
        is_plain = isinstance(backend, parallel.ThreadingBackend) and not self.verbose
        answers = self._by_threads if is_plain else self._by_joblib
        total = len(arguments) if isinstance(arguments, Sized) else None
        for done, answer in enumerate(answers(task, arguments), start=1):
            tell_progress("parts", done, total)
            yield answer
            if report is not None:
                report()

    def _by_threads(self, task: Callable[[Any], Any], arguments: Iterable[Any]) -> Iterator[Any]:
        """Yield answers of threads that start in less than a millisecond, joblib's in ten."""
        n_threads = self.at_once
        if n_threads == 1:
            yield from map(task, arguments)
            return
        yield from side_by_side(task, arguments, n_threads)

    def _by_joblib(self, task: Callable[[Any], Any], arguments: Iterable[Any]) -> Iterator[Any]:
        from joblib import Parallel, delayed, parallel

        options = {"n_jobs": self.n_jobs, "verbose": self.verbose, "prefer": "threads"}
        backend, _ = parallel.get_active_backend(prefer="threads")
        if backend.supports_return_generator:
            options["return_as"] = "generator"
        run = Parallel(**options)
        if not isinstance(backend, parallel.ThreadingBackend):  # other processes stop by themselves
            yield from run(delayed(task)(argument) for argument in arguments)
            return
        with stoppable(task) as in_thread:
            try:
                yield from run(delayed(in_thread)(argument) for argument in arguments)
            except AttributeError as error:  # of joblib's, which tells its progress even then
                if isinstance(error.__context__, KeyboardInterrupt):
                    raise error.__context__ from None
                raise

    def parts(self, n_rows: int, least: int) -> list[slice]:
        """Return equal parts of some rows, one for each task that runs at once.

        Parameters
        ----------
        n_rows : int
            Number of rows.
        least : int
            Rows for which another task is worth starting.
        """
        n_parts = max(1, min(self.at_once, n_rows // least))
        ends = [n_rows * k // n_parts for k in range(n_parts + 1)]
        return [slice(start, stop) for start, stop in pairwise(ends)]
