"""Table 2: softened CART beside C5.0's soft thresholds, on the splits of Table 1.

C5.0 is not ours: its place is taken by our C4.5 with C5.0's rule for soft thresholds, at
the confidence, of those the paper tried, that is best on the test rows, as in the paper.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.anneal.table1 import protocol, softened
from softwood.papers.findings import Beside, Finding, judge
from softwood.papers.printed import printed
from softwood.papers.setting import Setting, load_available
from softwood.statistics import binomial_interval

CONFIDENCES = (0.01, 0.02, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30)


def run(setting: Setting) -> Finding:
    """Compare on the same splits."""
    theirs = printed("anneal", "table2")
    sets, missing = load_available(["magic"])
    ours = np.full(theirs.values.shape, np.nan)
    if not sets:
        claim = judge("Table 2", "softened CART is as good as soft C5.0", "no data", holds=None)
        table = Beside("Test error", theirs.rows, theirs.columns, theirs.values, ours)
        return Finding((table,), (claim,), {}, missing)
    n_splits = len(theirs.rows)
    hard, soft = (_best_confidence(setting, sets["magic"], n_splits, s) for s in (False, True))
    cart = softened(setting, sets["magic"], n_splits)
    ours = np.column_stack([hard, soft, cart / soft])
    table = Beside("Test error", theirs.rows, theirs.columns, theirs.values, ours)
    return Finding((table,), tuple(_claims(ours)), notes=(str(__doc__).split("\n\n")[1].strip(),))


def _best_confidence(setting: Setting, dataset: Any, n_splits: int, soft: bool) -> FloatArray:
    """Return the least test error over all confidences, in every split."""
    from softwood.estimators import C45Classifier

    models = {
        f"{confidence:g}": C45Classifier(10, confidence=confidence, soft_thresholds=soft)
        for confidence in CONFIDENCES
    }
    name = "C4.5 soft" if soft else "C4.5"
    comparison = setting.compare(name, models, {"magic": dataset}, protocol(n_splits), ["error"])
    best: FloatArray = comparison.split_scores("error")[0].min(axis=0)
    return best


def _claims(ours: FloatArray) -> Any:
    hard, soft, ratio = ours.T
    wins = int(np.sum(ratio < 1))
    low, high = binomial_interval(wins, ratio.size)
    yield judge(
        "Table 2", "softened CART and softened C5.0 are about equally good (4 wins of 7)",
        f"{wins} wins of {ratio.size}, interval [{low:.2f}, {high:.2f}], "
        f"mean ratio {ratio.mean():.3f}",
        holds=bool(low <= 0.5 <= high), in_sign=bool(wins >= 4),
    )  # fmt: skip
    yield judge(
        "Table 2", "soft thresholds lower the test error of C5.0 in every split",
        f"mean {hard.mean():.4f} to {soft.mean():.4f}, lower in {int(np.sum(soft < hard))}",
        holds=bool(np.all(soft < hard)), in_sign=bool(soft.mean() < hard.mean()),
    )  # fmt: skip
