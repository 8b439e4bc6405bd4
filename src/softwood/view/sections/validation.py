"""The model beside others, on rows that none of them had seen."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood.plot._palette import COLOURS, INK
from softwood.statistics import adjust_holm
from softwood.view._evidence import DATA, MODEL, Evidence
from softwood.view._figures import WIDE
from softwood.view._page import Page
from softwood.view._subject import Subject
from softwood.view._words import NOTHING, aligned, counted, grouped, shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

TITLE = "Tested on rows it had not seen"
ALPHA = 0.05
NAMES = {
    "error": "wrong answers",
    "log_loss": "log loss",
    "brier": "Brier score",
    "auc": "AUC",
    "rmse": "RMSE",
    "absolute_error": "mean absolute error",
    "r2": "R²",
    "leaves": "leaves",
}
MEANINGS = {
    "error": "Wrong answers: the share of rows given the wrong class.",
    "log_loss": "Log loss and Brier score judge the probabilities; less is better.",
    "auc": "AUC: how often a row of the class gets a higher probability than one of the other; "
    "0.5 is guessing, 1 is perfect.",
    "rmse": "RMSE: the root of the mean squared error, in units of what is predicted.",
    "r2": "R²: the share of the variance that is explained.",
    "leaves": "Leaves: how large the model is; a tree of more than about 30 is hard to read.",
}


@dataclass(frozen=True)
class Row:
    """A method in the table: its name, its scores, and what the test says."""

    name: str
    scores: list[str]
    verdict: str
    is_model: bool


def content(page: Page) -> dict[str, Any]:
    """Return the table, and what is to be said of it."""
    subject, found = page.subject, page.evidence
    metrics = _metrics(subject, found)
    methods = found.comparison.methods
    verdicts = _verdicts(found)
    scores = [_scores(found, metric) for metric in metrics]
    rows = [
        Row(shown(name), [column[k] for column in scores], verdicts[name], name == MODEL)
        for k, name in enumerate(methods)
    ]
    judged_by = NAMES[found.metric]
    return {
        "metrics": [NAMES[metric] for metric in metrics],
        "meanings": [MEANINGS[metric] for metric in metrics if metric in MEANINGS],
        "rows": rows,
        "n_folds": found.n_folds,
        "judged_by": judged_by,
        "summary": summary(found, verdicts),
        "sample": _sample(subject, found),
        "failures": _failures(found),
        "drawn": page.figures.draw(
            lambda ax: _draw(ax, found),
            f"Dots: {judged_by} of every method in every fold; bars: their means.",
            f"{judged_by[0].upper()}{judged_by[1:]} in each fold, and the mean. Left is better.",
            (WIDE[0], 0.9 + 0.36 * len(methods)),
        ),
    }


def summary(found: Evidence, verdicts: dict[str, str]) -> str:
    """Return what the comparison comes to, in a sentence or two."""
    rivals = [name for name in found.comparison.methods if name != MODEL]
    if not rivals:
        return "The model was not compared with others."
    better = [shown(name) for name in rivals if verdicts[name].startswith("better")]
    worse = [shown(name) for name in rivals if verdicts[name].startswith("worse")]
    parts = []
    if better:
        parts.append(f"Better than this model, beyond chance: {', '.join(better)}.")
    else:
        parts.append("None of the others is better beyond chance.")
    if worse:
        parts.append(f"Worse, beyond chance: {', '.join(worse)}.")
    return " ".join(parts)


def _metrics(subject: Subject, found: Evidence) -> list[str]:
    """Return the metrics to show: those that some method has."""
    wanted = [name for name in found.comparison.metrics if name in NAMES]
    if subject.is_classes and subject.classes.size > 2:
        wanted.remove("auc")
    methods = found.comparison.methods
    return [m for m in wanted if any(np.isfinite(found.mean(name, m)) for name in methods)]


def _scores(found: Evidence, metric: str) -> list[str]:
    """Return the score of each method, mean and spread over the folds."""
    known = [found.scores(name, metric) for name in found.comparison.methods]
    known = [scores[~np.isnan(scores)] for scores in known]
    means = [float(scores.mean()) if scores.size else math.nan for scores in known]
    if metric == "leaves":
        return [NOTHING if math.isnan(mean) else grouped(round(mean)) for mean in means]
    factor, unit = (100.0, " %") if metric == "error" else (1.0, "")
    spreads = [float(scores.std(ddof=1)) if scores.size > 1 else 0.0 for scores in known]
    if metric in ("rmse", "absolute_error"):
        numbers = aligned([*means, *spreads])
    else:
        decimals = 1 if metric == "error" else 3
        numbers = [f"{factor * value:.{decimals}f}" for value in [*means, *spreads]]
    pairs = zip(numbers[: len(means)], numbers[len(means) :], known, strict=True)
    return [f"{mean}{unit} ± {spread}" if s.size else NOTHING for mean, spread, s in pairs]


def _verdicts(found: Evidence) -> dict[str, str]:
    """Return for each method how it stands against the model, by a corrected t test."""
    verdicts = {MODEL: "", **dict.fromkeys(found.comparison.methods, "could not be run")}
    verdicts[MODEL] = ""
    tests = {}
    for name in found.comparison.methods:
        if name != MODEL and not np.isnan(found.scores(name, found.metric)).any():
            tests[name] = found.comparison.corrected_t(name, MODEL, DATA, found.metric)
    if not tests:
        return verdicts
    pvalues = adjust_holm([test.pvalue for test in tests.values()])
    for (name, test), p in zip(tests.items(), pvalues.tolist(), strict=True):
        verdicts[name] = verdict(test.difference, p)
    return verdicts


def verdict(difference: float, pvalue: float) -> str:
    """Return in words how a method stands against the model; less is better.

    Examples
    --------
    >>> from softwood.view.sections.validation import verdict
    >>> verdict(0.01, 0.4), verdict(-0.02, 0.001)
    ('no difference beyond chance (p = 0.40)', 'better than this model (p = 0.001)')
    """
    chance = f"p = {pvalue:.2f}" if pvalue >= 0.01 else f"p = {pvalue:.3f}"
    chance = "p < 0.001" if pvalue < 0.0005 else chance
    if difference == 0.0:
        return "the same"
    if pvalue > ALPHA:
        return f"no difference beyond chance ({chance})"
    return f"{'better' if difference < 0 else 'worse'} than this model ({chance})"


def _sample(subject: Subject, found: Evidence) -> str:
    if found.rows.size == subject.n_rows:
        return ""
    return (
        f"Of the {counted(subject.n_rows, 'row')}, a random sample of {grouped(found.rows.size)} "
        "took part, for all methods alike: with all rows each of them may do a little better."
    )


def _failures(found: Evidence) -> list[str]:
    """Return what went wrong with which method, the first error of each."""
    first = {record.cell.method: record.outcome.error for record in found.comparison.failures[::-1]}
    return [f"{shown(name)}: {shown(error, 200)}" for name, error in sorted(first.items())]


def _draw(ax: Axes, found: Evidence) -> None:
    methods = found.comparison.methods
    factor = 100.0 if found.metric == "error" else 1.0
    for place, name in enumerate(methods):
        scores = factor * found.scores(name, found.metric)
        scores = scores[~np.isnan(scores)]
        if not scores.size:
            continue
        colour = COLOURS[0] if name == MODEL else COLOURS[1]
        ax.scatter(scores, np.full(scores.size, place), s=22, color=colour, alpha=0.45, lw=0)
        ax.plot([scores.mean()] * 2, [place - 0.32, place + 0.32], color=INK, lw=2)
    ax.set_yticks(range(len(methods)), [shown(name, 32) for name in methods])
    ax.set(ylim=(len(methods) - 0.5, -0.5))
    unit = " (%)" if found.metric == "error" else ""
    ax.set_xlabel(NAMES[found.metric] + unit)
    ax.tick_params(axis="y", length=0)
    ax.spines["left"].set_visible(False)
    ax.set_xlim(left=0.0)
