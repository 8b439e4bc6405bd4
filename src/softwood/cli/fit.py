"""``softwood fit``: a table becomes a model file and a tree to read, or an ensemble."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from softwood.cli import _models, _options
from softwood.cli._bar import progress
from softwood.cli._distributed import Asked, fit_distributed
from softwood.cli._honest import MANY_ROWS, honest_error
from softwood.cli._outputs import check_outputs, check_report
from softwood.cli._parameters import set_parameters
from softwood.cli._scores import check_folds
from softwood.cli._screen import SCREEN, answer, say, show, without_nan
from softwood.cli._shown import show_model
from softwood.cli._training import Columns, Training, training_of
from softwood.cli.terminal import column_table
from softwood.data.telling import untold

AUTO = "auto"
MANY_CELLS = 2_000_000  # of a table for which a soft tree would take minutes

Target = Annotated[str | None, typer.Option(help="Column to predict", show_default=False)]
ModelName = Annotated[str, typer.Option(help=f"What to grow: {AUTO}, {', '.join(_models.OURS)}")]
Parameter = Annotated[
    list[str] | None,
    typer.Option("--param", "-p", help="Parameter of the model: name=value; may be repeated"),
]
Output = Annotated[
    Path | None,
    typer.Option("--output", "-o", help="Where to save the model", show_default=False),
]
ReportFile = Annotated[
    Path | None,
    typer.Option("--report", help="HTML file to write: data, honest numbers, pictures"),
]
Folds = Annotated[
    int | None,
    typer.Option(help="Folds of cross-validation; 0 for none", show_default="10; 1 of many rows"),
]
Dask = Annotated[
    str | None,
    typer.Option(
        "--dask",
        help="Fit by Dask, to Parquet files: local, for workers on this machine, or the address "
        "of a scheduler whose workers see the files",
    ),
]
MaxLines = Annotated[int, typer.Option(help="Lines to print of the tree, or of columns")]


def run(
    data: _options.Data,
    target: Target = None,
    model: ModelName = AUTO,
    param: Parameter = None,
    output: Output = None,
    report: ReportFile = None,
    nominal: _options.Nominal = None,
    keep: _options.Keep = None,
    drop: _options.Drop = None,
    folds: Folds = None,
    n_jobs: _options.Jobs = 1,
    max_lines: MaxLines = 60,
    seed: _options.Seed = 0,
    delimiter: _options.Delimiter = None,
    decimal: _options.Decimal = None,
    encoding: _options.Encoding = None,
    na: _options.Na = None,
    header: _options.Header = None,
    sheet: _options.Sheet = None,
    dask: Dask = None,
) -> None:
    """Fit a model to a table: print it with its honest error, save it, report on it.

    Of an ensemble the columns are printed that matter most, and its most typical rules. With --dask
    workers read Parquet files that may be larger than memory, and rows held out judge.
    """
    if folds is not None:
        check_folds(folds)
    if model != AUTO:
        _models.model_named(model, _models.OURS)
    check_outputs([output, report], [Path(name) for name in data])
    if report is not None:
        check_report()
    reading = _options.read_options(delimiter, decimal, encoding, na, header, sheet)
    columns = Columns(nominal or (), keep or (), drop or ())
    if dask is not None:
        wanted = Asked(model, param or (), output, max_lines, n_jobs, seed, report, folds)
        fit_distributed(data, target, columns, wanted, dask)
        return
    with progress("reading"):
        training = training_of(data, target, reading, columns)
    description = training.description
    show(lambda: description, lambda: column_table(description.as_dicts()))
    say()
    chosen = _model(model, training)
    estimator = _estimator(chosen, training, param or (), seed, n_jobs)
    # What there is to say about the table was said when it was read.
    with progress("fitting", chosen.n_kernels), untold():
        estimator.fit(training.X, training.y)
    show_model(estimator, training, max_lines, len(training.X))
    with progress("cross-validation", inner=False) as bar:
        honest = honest_error(
            estimator, training.X, training.y, training.is_regression, folds, seed, bar.tell
        )
    say(honest)
    if output is not None:
        from softwood.persist import save

        save(estimator, output)
        say(f"saved to {output}")
    if report is not None:
        _write_report(estimator, training, report, n_jobs, seed)
        say(f"report written to {report}")
    if SCREEN.is_json:
        answer(_facts(estimator, training, honest, output, report))


# -- which model -----------------------------------------------------------------------


def _model(name: str, training: Training) -> _models.Model:
    """Return the model that is asked for, or the flagship that suits the table."""
    model = _models.model_named(_chosen(training) if name == AUTO else name, _models.OURS)
    if training.is_regression and model.regressor is None:
        raise ValueError(
            f"{training.target!r} is a number to predict, and {model.title} predicts classes; use "
            f"--model cart, or --nominal {training.target} if its numbers are classes"
        )
    return model


def _estimator(model: _models.Model, training: Training, words: Any, seed: int, n_jobs: int) -> Any:
    task = _models.NUMBERS if training.is_regression else _models.CLASSES
    estimator = model.make(task, seed)
    known = estimator.get_params(deep=False)
    if "n_jobs" in known:
        estimator.set_params(n_jobs=n_jobs)
    if "oob_score" in known and len(training.X) >= MANY_ROWS:  # it saves another fit
        leaves_out_rows = known.get("sampling", "bootstrap") in ("bootstrap", "subsample")
        estimator.set_params(oob_score=leaves_out_rows)
    return set_parameters(estimator, words)


def _chosen(training: Training) -> str:
    """Return the flagship that suits a table, and say why."""
    n_rows, n_columns = training.X.shape
    if n_rows * n_columns > MANY_CELLS:
        say(
            f"model: Coalescence, an ensemble: {n_rows:,} rows would keep a soft tree busy for "
            "minutes (--model soft grows one all the same)\n"
        )
        return "coalescence"
    say(
        "model: a soft tree, one that can be read "
        "(--model coalescence grows an ensemble, --model cart a plain tree)\n"
    )
    return "soft"


# -- what is written -------------------------------------------------------------------


def _write_report(estimator: Any, training: Training, path: Path, n_jobs: int, seed: int) -> None:
    from softwood.view import report

    with progress("report", inner=False) as bar, untold():
        report(
            estimator,
            training.X,
            training.y,
            path,
            target=training.target,
            description=training.description,
            n_jobs=n_jobs,
            random_state=seed,
            progress=lambda done, total, what: bar.tell(what, done, total),
        )


def _facts(
    estimator: Any, training: Training, honest: Any, output: Path | None, report: Path | None
) -> dict[str, Any]:
    names = training.X.names
    importances = getattr(estimator, "feature_importances_", None)
    return dict(
        without_nan(
            {
                "model": type(estimator).__name__,
                "target": training.target,
                "task": "regression" if training.is_regression else "classification",
                "classes": None if training.is_regression else estimator.classes_.tolist(),
                "n_rows": len(training.X),
                "n_rows_without_target": training.n_without_target,
                "columns": [column.to_dict() for column in training.description],
                "features": names,
                "importances": None
                if importances is None
                else dict(zip(names, importances.tolist(), strict=True)),
                "error": honest.to_dict(),
                "saved": None if output is None else str(output),
                "report": None if report is None else str(report),
            }
        )
    )
