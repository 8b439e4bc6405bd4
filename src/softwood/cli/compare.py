"""``softwood compare``: methods over data sets, in a table, with tests."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from softwood.cli import _models, _options
from softwood.cli._outputs import check_outputs, check_picture, save_figure
from softwood.cli._screen import SCREEN, answer, say, without_nan
from softwood.cli._training import LAST, Columns, names_dataset, training_of
from softwood.data.telling import untold

if TYPE_CHECKING:
    from softwood.evaluate import Comparison

FORMATS = {".md": "markdown", ".tex": "latex", ".csv": "csv", ".txt": "text"}
# Files of these formats have the column to predict at the end.
_TARGET_LAST = (".arff", ".dat", ".names", ".data", ".test")
_PACKED = (".gz", ".bz2", ".xz", ".zst", ".zip")


Target = Annotated[
    str | None, typer.Option(help="Column of the files to predict", show_default=False)
]
Models = Annotated[
    str | None,
    typer.Option(help=f"Comma-separated, of: {', '.join(_models.MODELS)}", show_default=False),
]
Protocol = Annotated[
    str, typer.Option(help="kfold, repeated_kfold:5x10, 5x2, half_splits, random_splits:30x0.7")
]
Metrics = Annotated[
    list[str] | None,
    typer.Option(help="error, log_loss, brier, auc, leaves, ...; may be repeated"),
]
Store = Annotated[Path | None, typer.Option(help="File that gets every result as it is there")]
Resume = Annotated[bool, typer.Option("--resume", help="Take what the store already has")]
Restart = Annotated[bool, typer.Option("--restart", help="Run what the store already has again")]
RetryFailed = Annotated[
    bool, typer.Option("--retry-failed", help="As --resume, but run again what failed")
]
Jobs = Annotated[int, typer.Option("--n-jobs", "-j", help="Cells at once; -1 for all cores")]
Output = Annotated[
    Path | None, typer.Option("--output", "-o", help="Table to write: .md, .tex, .csv, .txt")
]
Plot = Annotated[
    Path | None, typer.Option(help="Critical-difference diagram to write: .png, .pdf, .svg")
]
Seed = Annotated[int, typer.Option(help="Makes splits and random choices repeatable")]


def run(
    data: _options.Data,
    target: Target = None,
    models: Models = None,
    protocol: Protocol = "kfold",
    metric: Metrics = None,
    store: Store = None,
    resume: Resume = False,
    restart: Restart = False,
    retry_failed: RetryFailed = False,
    n_jobs: Jobs = 1,
    nominal: _options.Nominal = None,
    output: Output = None,
    plot: Plot = None,
    seed: Seed = 0,
) -> None:
    """Compare methods on data sets, every one on the same splits."""
    _check_outputs(data, output, plot, store)
    how = _resume(store, resume, restart, retry_failed)
    sets, task = _datasets(data, target, nominal)
    names = [name.strip() for name in models.split(",")] if models else _models.USUAL[task]
    learners = _models.estimators(names, task)
    wanted = not (SCREEN.is_quiet or SCREEN.is_json)
    options = {"verbose": int(wanted), "n_jobs": n_jobs, "resume": how, "random_state": seed}
    result = _compared(learners, sets, protocol, metric or None, store, options)
    _show(result, output, plot)
    answer(_facts(result))
    if len(result.failures) == result.n_cells:
        raise typer.Exit(1)


def _compared(
    learners: dict[str, Any],
    sets: dict[str, Any],
    protocol: str,
    metrics: list[str] | None,
    store: Path | None,
    options: dict[str, Any],
) -> Comparison:
    """Compare, with a bar of progress; who interrupts is told where to go on."""
    from softwood.evaluate import compare

    try:
        with untold():  # the files were read, and what there is to say was said
            return compare(learners, sets, protocol, metrics, store=store, **options)
    except KeyboardInterrupt:
        if store is not None:
            print(f"softwood: what was done is safe in {store}; --resume goes on", file=sys.stderr)
        raise


def _check_outputs(
    data: list[str], output: Path | None, plot: Path | None, store: Path | None
) -> None:
    """Find out now, not after hours, that the results cannot be written."""
    if output is not None and output.suffix.lower() not in FORMATS:
        raise ValueError(f"--output must end in {', '.join(FORMATS)}; got {output}")
    check_outputs((store, output, plot), map(Path, data))
    if plot is not None:
        check_picture(plot)


def _resume(store: Path | None, resume: bool, restart: bool, retry_failed: bool) -> Any:
    if (resume or restart or retry_failed) and store is None:
        raise ValueError("--resume, --restart and --retry-failed need --store")
    if restart and (resume or retry_failed):
        raise ValueError("give either --restart or --resume (or --retry-failed)")
    if restart:
        return False
    return "retry" if retry_failed else True if resume else "refuse"


def _datasets(
    data: list[str], target: str | None, nominal: list[str] | None
) -> tuple[dict[str, Any], str]:
    """Return the data sets by name, and their task."""
    sets: dict[str, Any] = {}
    tasks: dict[str, str] = {}
    for text in data:
        name, value, task = _dataset(text, target, nominal)
        if name in sets:
            raise ValueError(f"there are two data sets named {name!r}; rename a file")
        sets[name] = value
        tasks.setdefault(task, text)
    if len(tasks) > 1:
        raise ValueError(
            f"{tasks[_models.CLASSES]} has classes to predict and {tasks[_models.NUMBERS]} "
            "numbers; compare on one kind at a time (--nominal makes classes of numbers)"
        )
    return sets, next(iter(tasks))


def _dataset(text: str, target: str | None, nominal: list[str] | None) -> tuple[str, Any, str]:
    path = Path(text)
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in _PACKED]
    if names_dataset(text):
        from softwood.datasets import load_dataset

        dataset = load_dataset(text)
        return text, dataset, dataset.card.task
    if target is None:
        if not suffixes or suffixes[-1] not in _TARGET_LAST:
            raise ValueError(f"{text}: give the column to predict by --target")
        target = LAST
    found = training_of([text], target, columns=Columns(nominal or ()))
    name = path.name.split(".")[0] if suffixes else path.name
    task = _models.NUMBERS if found.is_regression else _models.CLASSES
    return name, (found.X, found.y), task


def _facts(result: Comparison) -> dict[str, Any]:
    tables = {}
    for metric in result.metrics:
        frame = result.table(metric)
        rows = {str(name): frame.loc[name].to_dict() for name in frame.index}
        tables[metric] = rows
    return dict(without_nan({"tables": tables, "failures": len(result.failures)}))


def _show(result: Comparison, output: Path | None, plot: Path | None) -> None:
    say(result.summary())
    for metric in result.metrics[1:]:
        say(f"\nmean {metric}\n\n{result.to_text(metric)}")
    if output is not None:
        result.rendered(FORMATS[output.suffix.lower()], path=output)
        say(f"\ntable written to {output}")
    if plot is not None:
        axes = result.plot_critical_difference()
        save_figure(axes.figure, plot, bbox_inches="tight")
        say(f"\ndiagram written to {plot}")
