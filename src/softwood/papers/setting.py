"""How a reproduction is to be run: quick or full, where its results are kept."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, TypeVar

from softwood.errors import DatasetError

if TYPE_CHECKING:
    from softwood.datasets.dataset import Dataset
    from softwood.evaluate.comparison import Comparison

T = TypeVar("T")


@dataclass
class Clock:
    """Seconds that cells took, whenever that was, and seconds spent waiting for them now."""

    in_cells: float = 0.0
    waited: float = 0.0


@dataclass(frozen=True)
class Setting:
    """What every part of a paper is told.

    Attributes
    ----------
    experiment : str
        Paper and part; names the comparisons in the store.
    full : bool
        The paper's own numbers of runs, or fewer, to end within minutes.
    store : Path or None
        SQLite file of results; None keeps nothing.
    resume : bool
        Whether cells found in the store are taken from it.
    n_jobs : int or None
        As in joblib.
    seed : int
        Makes the run repeatable.
    verbose : int
        Whether comparisons show their progress.
    clock : Clock
        What the cells of comparisons took, in this run or in an earlier one.
    """

    experiment: str = "unnamed"
    full: bool = False
    store: Path | None = None
    resume: bool = False
    n_jobs: int | None = None
    seed: int = 0
    verbose: int = 0
    clock: Clock = field(default_factory=Clock, compare=False, repr=False)

    @property
    def length(self) -> str:
        """What the length of the run is called: by the command line, and in the store."""
        return "full" if self.full else "quick"

    def pick(self, *, quick: T, full: T) -> T:
        """Return what belongs to this length of run."""
        return full if self.full else quick

    def compare(
        self,
        name: str,
        estimators: Mapping[str, Any],
        datasets: Mapping[str, Any],
        protocol: Any,
        metrics: Any = None,
    ) -> Comparison:
        """Run a comparison, kept in the store under the name of the part and its own."""
        from softwood.evaluate import compare

        start = perf_counter()
        result: Comparison = compare(
            estimators,
            datasets,
            protocol,
            metrics,
            n_jobs=self.n_jobs,
            store=self.store,
            resume=self.resume,
            experiment=f"{self.experiment}/{name}/{self.length}/seed {self.seed}",
            random_state=self.seed,
            verbose=self.verbose,
        )
        self.clock.waited += perf_counter() - start
        self.clock.in_cells += sum(record.outcome.seconds for record in result.records)
        return result


def load_available(names: Iterable[str]) -> tuple[dict[str, Dataset], dict[str, str]]:
    """Return the data sets that can be had, and for each other one the reason.

    Examples
    --------
    >>> sets, missing = load_available(["iris", "unheard-of"])
    >>> sets["iris"]
    <Dataset iris: 150 rows, 4 features (0 nominal), 3 classes>
    >>> missing
    {'unheard-of': "there is no data set 'unheard-of'; see list_datasets()"}
    """
    from softwood.datasets import load_dataset

    sets, missing = {}, {}
    for name in names:
        try:
            sets[name] = load_dataset(name)
        except DatasetError as error:
            missing[name] = str(error)
    return sets, missing
