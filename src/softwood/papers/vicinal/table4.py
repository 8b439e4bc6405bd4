"""Table 4: mean test errors over ten random half splits."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.data.table import Column, Table
from softwood.papers.findings import Beside, Claim, Finding, judge
from softwood.papers.printed import Printed, printed
from softwood.papers.setting import Setting, load_available

MAKERS = ("C4.5",)
CLOSE = 0.03  # of a printed error: ten splits of small sets are no more certain


def run(setting: Setting) -> Finding:
    """Fit C4.5 to one half of each set and test it on the other, ten times."""
    from softwood.estimators import C45Classifier

    theirs = printed("vicinal", "table4", text=("set",))
    names = theirs.text["set"]
    sets, missing = load_available(names)
    problems = {name: as_numbers(dataset) for name, dataset in sets.items()}
    ours = np.full((len(names), len(MAKERS)), np.nan)
    if problems:
        comparison = setting.compare(
            "half splits", {"C4.5": C45Classifier()}, problems, "half_splits", ["error"]
        )
        ours[[names.index(name) for name in problems]] = comparison.scores("error")
    kept = [theirs.columns.index(name) for name in MAKERS]
    table = Beside("Mean test error", theirs.rows, MAKERS, theirs.values[:, kept], ours)
    notes = (
        "Nominal attributes are numbered, as the paper does for all its methods (L-H10).",
        "Rows of the same data sets, other random halves.",
    )
    return Finding((table,), _claims(theirs, ours), missing=missing, notes=notes)


def as_numbers(dataset: Any) -> tuple[Table, Any]:
    """Return features with categories numbered, and the classes."""
    features = dataset.table.drop([dataset.target_name])
    columns = tuple(_numbered(column) for column in features.columns)
    return Table(columns), np.asarray(dataset.target.as_objects(), dtype=str)


def _numbered(column: Column) -> Column:
    if not column.is_nominal:
        return column
    values = column.values.astype(np.float64)
    values[values < 0] = np.nan
    return Column(column.name, values)


def _claims(theirs: Printed, ours: np.ndarray) -> tuple[Claim, ...]:
    run = ~np.isnan(ours[:, 0])
    text = f"C4.5's error is within {CLOSE:g} of the printed one on most sets"
    if not run.any():
        return (judge("Table 4", text, "no data set at hand", holds=None),)
    gap = np.abs(ours[run, 0] - theirs.column("C4.5")[run])
    close = int(np.sum(gap <= CLOSE))
    return (
        judge(
            "Table 4", text, f"{close} of {run.sum()}; mean difference {gap.mean():.4f}",
            holds=close > 0.5 * run.sum(),
        ),
    )  # fmt: skip
