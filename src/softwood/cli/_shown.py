"""What ``softwood fit`` shows: the tree, or the columns that matter and typical rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from softwood.cli._screen import say, show
from softwood.cli._training import Training
from softwood.cli.terminal import forest_panel, tree_panel
from softwood.explain import export_rules

N_RULES = 3


def show_model(estimator: Any, training: Training, max_lines: int, n_rows: int) -> None:
    """Print a fitted model, and what it was fitted to."""
    X = training.X
    if hasattr(estimator, "tree_"):
        show(
            lambda: estimator.export_text(max_lines=max_lines),
            lambda: tree_panel(estimator, max_lines=max_lines),
        )
        size = f"{estimator.get_n_leaves()} leaves, depth {estimator.get_depth()}"
    else:
        show(
            lambda: _columns(estimator, X, max_lines),
            lambda: forest_panel(estimator, max_rows=max_lines),
        )
        forest = estimator.forest_
        leaves = forest.n_leaves / forest.n_trees
        size = f"{forest.n_trees} trees of {leaves:.0f} leaves on average"
    kinds = f"{sum(c.is_nominal for c in X.columns)} of {X.shape[1]} columns nominal"
    classes = "a number to predict"
    if not training.is_regression:
        classes = f"{len(estimator.classes_)} classes"
    say(f"\n{n_rows} rows, {kinds}, {classes}\n{size}")


def _columns(estimator: Any, X: Any, max_lines: int) -> str:
    """Return the importance of each column, the largest first, and what most trees say."""
    share = estimator.feature_importances_
    order = np.argsort(-share, kind="stable")
    lines = [f"{share[k]:.3f}  {X.columns[k].name}" for k in order[:max_lines]]
    more = len(order) - len(lines)
    lines += [f"... and {more} more"] * bool(more)
    rules = export_rules(estimator, max_rules=N_RULES)
    return "\n".join(["importance of columns", *lines, "", "most typical rules", rules])
