"""A comparison in words that claim no more than the numbers do."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from softwood.evaluate.comparison import Comparison

FEW_DATASETS = 5
MOST_SHOWN = 5


def summary(comparison: Comparison, metric: str, alpha: float) -> str:
    """Return the paragraphs of :meth:`softwood.evaluate.Comparison.summary`."""
    _, names = comparison.losses(metric)
    several = len(comparison.methods) > 1
    head = (
        f"{_count(len(comparison.methods), 'method')} on "
        f"{_count(len(comparison.datasets), 'data set')}, {comparison.definition['protocol']}, "
        f"seed {comparison.definition['seed']}; mean {metric}"
        + (", the best of a row marked *" if several else "")
    )
    parts = [head, comparison.to_text(metric, ranks=several and len(names) > 1)]
    if several and len(names) == 1:
        parts.append(_one_dataset(comparison, metric, names[0], alpha))
    elif several and names:
        parts.append(_many_datasets(comparison, metric, len(names), alpha))
    left_out = comparison.left_out(metric)
    if several and left_out:
        parts.append(
            f"Left out of the ranks and tests, as some method has no score: {_some(left_out)}."
        )
    return "\n\n".join([*parts, *_troubles(comparison)])


def _one_dataset(comparison: Comparison, metric: str, dataset: str, alpha: float) -> str:
    """Compare the best method with the others over the splits."""
    from softwood.statistics import adjust_holm

    losses = comparison.losses(metric)[0][0]
    best = comparison.methods[int(losses.argmin())]
    others = [name for name in comparison.methods if name != best]
    if comparison.split_scores(metric).shape[2] < 2:
        return "One split of one data set: nothing can be said about chance."
    pvalues = adjust_holm(
        [comparison.corrected_t(best, other, dataset, metric).pvalue for other in others]
    )
    worse = [f"{o} (p = {p:.2g})" for o, p in zip(others, pvalues, strict=True) if p <= alpha]
    test = "corrected t-test over the splits, Holm-adjusted"
    if not worse:
        return (
            f"{best} is the best here, but its lead over the others may be chance "
            f"(least p = {min(pvalues):.2g}; {test})."
        )
    return (
        f"{best} is the best on {dataset}; significantly worse: {', '.join(worse)} ({test}). "
        "This says nothing about other data."
    )


def _many_datasets(comparison: Comparison, metric: str, n_datasets: int, alpha: float) -> str:
    lines = []
    if n_datasets < FEW_DATASETS:
        lines.append(
            f"With only {n_datasets} data sets, tests over data sets can hardly find anything."
        )
    if len(comparison.methods) == 2:
        lines.append(_two_methods(comparison, metric, alpha))
    else:
        lines += _several_methods(comparison, metric, alpha)
    return "\n".join(lines)


def _two_methods(comparison: Comparison, metric: str, alpha: float) -> str:
    a, b = comparison.methods
    found = comparison.wilcoxon(a, b, metric)
    counts = comparison.win_draw_loss(metric)[a, b]
    verdict = "No difference between them was found"
    if found.pvalue <= alpha:
        verdict = f"{a if found.z < 0 else b} is the better one over these data sets"
    return (
        f"{a} wins {counts.win}, draws {counts.draw}, loses {counts.loss} against {b}. "
        f"{verdict} (Wilcoxon signed ranks, p = {found.pvalue:.2g})."
    )


def _several_methods(comparison: Comparison, metric: str, alpha: float) -> list[str]:
    omnibus = comparison.iman_davenport(metric)
    test = f"Iman-Davenport F = {omnibus.statistic:.3g}, p = {omnibus.pvalue:.2g}"
    if not omnibus.pvalue <= alpha:
        return [f"No difference between the methods was found ({test}); there may still be one."]
    lines = [f"The methods are not all alike ({test})."]
    pairs = comparison.nemenyi(metric, alpha)
    order, names = np.argsort(pairs.ranks, kind="stable"), comparison.methods
    differ = [
        f"{names[i]} ranks above {names[j]} (p = {pairs.adjusted[i, j]:.2g})"
        for i, j in combinations(order.tolist(), 2)
        if pairs.adjusted[i, j] <= alpha
    ]
    distance = f"critical difference of mean ranks {pairs.critical_difference:.2f}"
    if differ:
        lines.append(f"Nemenyi, {distance}: {'; '.join(differ)}.")
    else:
        lines.append(f"Which ones differ cannot be told (Nemenyi, {distance}).")
    return lines


def _troubles(comparison: Comparison) -> list[str]:
    parts = []
    failures = comparison.failures
    if failures:
        kinds = Counter(
            (r.cell.method, r.cell.dataset, _first_line(r.outcome.error)) for r in failures
        )
        lines = [
            f"  {method} on {dataset}, {_count(n, 'split')}: {error}"
            for (method, dataset, error), n in kinds.most_common(MOST_SHOWN)
        ]
        if len(kinds) > MOST_SHOWN:
            lines.append(f"  and {len(kinds) - MOST_SHOWN} more; see Comparison.failures")
        parts.append("\n".join([f"{_count(len(failures), 'cell')} failed:", *lines]))
    n_left = comparison.n_cells - len(comparison.records)
    if n_left:
        parts.append(f"{n_left} of {comparison.n_cells} cells have not been run yet.")
    return parts


def _first_line(text: str, limit: int = 160) -> str:
    line = text.strip().splitlines()[0] if text.strip() else ""
    return line if len(line) <= limit else f"{line[:limit]}…"


def _some(names: list[str]) -> str:
    shown = ", ".join(names[:MOST_SHOWN])
    return shown if len(names) <= MOST_SHOWN else f"{shown} and {len(names) - MOST_SHOWN} more"


def _count(n: int, what: str) -> str:
    return f"{n} {what}{'' if n == 1 else 's'}"
