"""Table 2: softened CART beside C5.0's soft thresholds, on the splits of Table 1.

C5.0 is not ours: its place is taken by our C4.5 with C5.0's rule for soft thresholds, at
the confidence, of those the paper tried, that is best on the test rows, as in the paper.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.anneal.table1 import DEFAULT, TEST_OVER_TRAIN, protocol, softened
from softwood.papers.findings import Beside, Finding
from softwood.papers.printed import printed
from softwood.papers.rules import alike, everywhere
from softwood.papers.setting import Setting, load_available
from softwood.papers.verdicts import judge
from softwood.statistics import binomial_interval

# What C5.0's option -c 10 was, and C4.5 as it is by default.
C5_MINIMUM: dict[str, Any] = {
    "min_samples_leaf": 10, "pruning": "pessimistic", "subtree_raising": True, "collapse": True,
    "mdl_correction": True, "laplace": False,
}  # fmt: skip
CONFIDENCES = (0.01, 0.02, 0.05, 0.10, 0.15, 0.20, 0.25, 0.30)


def run(setting: Setting) -> Finding:
    """Compare on the same splits."""
    theirs = printed("anneal", "table2")
    sets, missing = load_available(["magic"])
    ours = np.full(theirs.values.shape, np.nan)
    if not sets:
        claim = judge("Table 2", "softened CART is as good as soft C5.0", "no data", None)
        table = Beside("Test error", theirs.rows, theirs.columns, theirs.values, ours)
        return Finding((table,), (claim,), {}, missing)
    n_splits = len(theirs.rows)
    hard, soft = (_best_confidence(setting, sets["magic"], n_splits, s) for s in (False, True))
    cart = softened(setting, sets["magic"], n_splits)
    ours = np.column_stack([hard, soft, cart / soft])
    table = Beside("Test error", theirs.rows, theirs.columns, theirs.values, ours)
    defaults = softened(setting, sets["magic"], n_splits, default=True)
    beside = Beside.ours_alone(
        "softwood's defaults on the same splits", theirs.rows,
        (DEFAULT, "softened CART", "by soft C4.5"),
        np.column_stack([defaults, cart, defaults / soft]),
    )  # fmt: skip
    note = " ".join(str(__doc__).split("\n\n")[1].split())
    return Finding((table, beside), tuple(_claims(ours)), notes=(note,))


def _best_confidence(setting: Setting, dataset: Any, n_splits: int, soft: bool) -> FloatArray:
    """Return the least test error over all confidences, in every split."""
    from softwood.estimators import C45Classifier

    models = {
        f"{confidence:g}": C45Classifier(confidence=confidence, soft_thresholds=soft, **C5_MINIMUM)
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
        alike(ratio - 1.0, "splits", ratio=TEST_OVER_TRAIN),
    )  # fmt: skip
    yield judge(
        "Table 2", "soft thresholds lower the test error of C5.0 in every split",
        f"mean {hard.mean():.4f} to {soft.mean():.4f}, lower in {int(np.sum(soft < hard))}",
        everywhere(int(np.sum(soft < hard)), hard.size, "splits"),
    )  # fmt: skip
