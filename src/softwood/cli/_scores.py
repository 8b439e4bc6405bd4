"""Scores over folds, as they are printed."""

from __future__ import annotations

from typing import Any

import numpy as np


def check_folds(folds: int) -> None:
    """Complain about a number of folds that would be no cross-validation."""
    if folds < 0 or folds == 1:
        raise ValueError(f"--folds must be 2 or more, or 0 for none; got {folds}")


def mean_and_error(scores: Any) -> str:
    """Return the mean over folds and its standard error, of a sample: over n - 1.

    Examples
    --------
    >>> from softwood.cli._scores import mean_and_error
    >>> mean_and_error([0.1, 0.3])
    '0.2 ± 0.1'
    """
    error = np.std(scores, ddof=1) / np.sqrt(len(scores))
    return f"{np.mean(scores):.4g} ± {error:.2g}"
