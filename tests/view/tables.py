"""Tables to report on, and pages in the making."""

import numpy as np
import pandas as pd

from softwood.view._page import Page
from softwood.view._subject import subject_of
from softwood.view.reporting import _evidence, _today, _Told

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(2)>',
    "a'b\"c",
    "two\nlines",
    "right\u202eleft",
    "$\\frac$",
    "long" * 60,
    "&amp;</style></svg>",
    "\x00\x07bell",
    " ",
)


def messy_table(n_rows=160):
    """Return numbers, categories, dates and gaps, and one of two classes."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "age": rng.integers(18, 80, n_rows).astype(float),
            "plan": rng.choice(["basic", "plus", "premium"], n_rows),
            "calls": rng.poisson(1.5, n_rows).astype(float),
            "since": pd.Timestamp("2021-01-01")
            + pd.to_timedelta(rng.integers(0, 900, n_rows), unit="D"),
        }
    )
    score = frame["calls"] + (frame["plan"] == "basic") - 0.02 * frame["age"]
    target = np.where(score + rng.normal(0, 0.3, n_rows) > 1, "left", "stayed")
    frame.loc[::9, "age"] = np.nan
    frame.loc[::11, "plan"] = None
    return frame, pd.Series(target, name="outcome")


def hostile_table(n_rows=100):
    """Return a table whose names, categories and classes are what attackers write."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            name: rng.normal(size=n_rows) if place % 2 == 0 else rng.choice(HOSTILE[:8], n_rows)
            for place, name in enumerate(HOSTILE)
        }
    )
    score = frame[HOSTILE[0]] + frame[HOSTILE[2]] + (frame[HOSTILE[1]] == HOSTILE[0])
    return frame, pd.Series(np.where(score > 0, HOSTILE[0], HOSTILE[4]), name="<u>$\u202e")


def page_of(model, X, y, rivals=None, folds=2, **options):
    """Return a page with its evidence, as sections get it."""
    target = options.pop("target", None)
    subject = subject_of(model, X, y, target, 0)
    told = _Told(None, folds)
    found, why_not = _evidence(subject, rivals or {}, folds, None, told)
    return Page(subject, found, why_not, None, _today(), **options)
