"""``softwood fit --dask``: Parquet files larger than memory, and workers that read them."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from softwood.cli import _models
from softwood.cli._bar import progress
from softwood.cli._losses import loss_of_rows, losses_in_words, merged_losses
from softwood.cli._parameters import set_parameters
from softwood.cli._screen import answer, say, show, without_nan
from softwood.cli._shown import show_model
from softwood.cli._training import Columns, Training, training_of_frame
from softwood.cli.terminal import column_table
from softwood.data.readers.sources import expanded
from softwood.data.telling import untold
from softwood.errors import missing_extra

LOCAL = "local"
MODELS = {"coalescence": "Coalescence", "soft": "SoftTree", "vr-forest": "VRForest"}
MOST_JUDGES = 100_000  # rows that are held out to judge by
LARGEST_SHARE = 0.1
# A worker that was killed is started again; on a busy machine that takes longer than the 15
# seconds after which a cluster gives it up for good, and then nobody would do its work.
RESTARTS = {"distributed.deploy.lost-worker-timeout": "10 min"}


@contextmanager
def cluster(address: str, n_jobs: int) -> Iterator[Any]:
    """Connect to a scheduler, or start workers on this machine, one thread each."""
    try:
        import dask
        from distributed import Client, LocalCluster
    except ImportError:
        raise missing_extra("dask", "dask") from None
    if address != LOCAL:
        try:
            client = Client(address, timeout=20)
        except (OSError, ValueError) as error:
            raise ValueError(f"no Dask scheduler answers at {address} ({error})") from None
        with client:
            yield client
        return
    options: dict[str, Any] = {"threads_per_worker": 1}
    options |= {"n_workers": n_jobs if n_jobs > 0 else None}
    options |= {"dashboard_address": ":0", "silence_logs": logging.CRITICAL}
    with (
        dask.config.set(RESTARTS),
        LocalCluster(**options) as here,
        Client(here) as client,
    ):
        yield client


def model_named(name: str, training: Training, seed: int) -> Any:
    """Return the distributed estimator of a name."""
    if name not in MODELS:
        raise ValueError(f"--dask has the models {', '.join(MODELS)}; got --model {name}")
    import softwood.dask

    task = "Regressor" if training.is_regression else "Classifier"
    return getattr(softwood.dask, MODELS[name] + task)(random_state=seed)


class Asked(NamedTuple):
    """What is wanted of a distributed fit."""

    model: str
    words: Sequence[str]
    output: Path | None
    max_lines: int
    n_jobs: int
    seed: int
    report: Path | None = None
    folds: int | None = None


@dataclass(frozen=True)
class Files:
    """What is to be learned from files that nobody reads as a whole.

    Attributes
    ----------
    slices : list of Slice
        Pieces of the files.
    training : Training
        What a sample of their rows says of the columns.
    plan : Plan
        How all rows are read.
    """

    slices: list[Any]
    training: Training
    plan: Any

    @classmethod
    def of(cls, data: Sequence[str], target: str | None, columns: Columns, seed: int) -> Files:
        """Look at a sample of the rows."""
        from softwood.dask.files import INTEGERS, NUMBERS, TEXTS, Plan, sample_of, slices_of

        slices = slices_of(expanded(data))
        training = training_of_frame(sample_of(slices), None, ".", target, columns)
        kind = TEXTS if training.y.dtype.kind == "U" else INTEGERS
        kind = NUMBERS if training.is_regression else kind
        share = min(LARGEST_SHARE, MOST_JUDGES / sum(one.n_rows for one in slices))
        assert training.X.preparation is not None
        return cls(slices, training, Plan(training.X.preparation, kind, share, seed))

    @property
    def n_rows(self) -> int:
        """Rows of all files."""
        return sum(one.n_rows for one in self.slices)

    def fit(self, estimator: Any) -> Any:
        """Return a fitted estimator for tables in memory."""
        return estimator._fit_parts(self.plan.parts(self.slices)).to_local()

    def judged(self, fitted: Any) -> dict[str, Any]:
        """Return how a model does on the rows that were held out, worker by worker."""
        from dask import delayed

        from softwood.dask.running import computed

        judge, model = delayed(loss_of_rows), delayed(fitted, traverse=False)
        found = computed([judge(model, one) for one in self.plan.judges(self.slices)], "judging")
        return merged_losses(found)


def _refuse(asked: Asked) -> None:
    for name in ("report", "folds"):
        value = getattr(asked, name)
        if value is not None:
            raise ValueError(f"--{name} reads all rows at once, and is not for --dask")


def fit_distributed(
    data: Sequence[str], target: str | None, columns: Columns, asked: Asked, address: str
) -> None:
    """Fit to files that workers read, and say how the model does on rows held out."""
    _refuse(asked)
    name = "coalescence" if asked.model == "auto" else asked.model
    with progress("reading"):
        files = Files.of(data, target, columns, asked.seed)
    training = files.training
    description = training.description
    show(lambda: description, lambda: column_table(description.as_dicts()))
    say(f"as {len(training.X):,} of {files.n_rows:,} rows show\n")
    estimator = model_named(name, training, asked.seed)
    set_parameters(estimator, asked.words)
    with cluster(address, asked.n_jobs):
        with progress("fitting", _models.model_named(name, _models.OURS).n_kernels), untold():
            fitted = files.fit(estimator)
        with progress("judging"):
            judged = files.judged(fitted)
    show_model(fitted, training, asked.max_lines, files.n_rows)
    say("on {n_rows:,} rows held out: ".format(**judged) + losses_in_words(judged))
    if estimator.exchange_ is not None:
        say(f"{estimator.exchange_.n_bytes / 2**20:,.0f} MiB of rows were sent to grow trees on")
    if asked.output is not None:
        from softwood.persist import save

        save(fitted, asked.output)
        say(f"saved to {asked.output}")
    told = {"model": type(fitted).__name__, "target": training.target, "n_rows": files.n_rows}
    answer(dict(without_nan({**told, "held_out": judged, "saved": _text(asked.output)})))


def _text(path: Path | None) -> str | None:
    return None if path is None else str(path)
