"""A table of customers as an office keeps it, and the same one cleaned by hand."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import pandas as pd

N_ROWS = 1500


def customers(seed: int = 7) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the messy table and the clean one; both end with ``churn``."""
    rng = np.random.default_rng(seed)
    n = N_ROWS
    clean = pd.DataFrame(
        {
            "joined": [date(2019, 1, 1) + timedelta(int(d)) for d in rng.integers(0, 1800, n)],
            "discount": rng.integers(0, 60, n).astype(float),
            "bill": rng.gamma(2.0, 900.0, n).round(2),
            "usage": rng.integers(0, 60_000, n).astype(float),
            "weight": rng.integers(1, 80, n).astype(float),
            "calls": rng.integers(0, 9, n).astype(float),
            "contract": rng.choice(["monthly", "one year", "two years"], n, p=[0.55, 0.25, 0.2]),
            "autopay": rng.choice(["no", "yes"], n),
        }
    )
    age = np.array([(date(2024, 1, 1) - day).days for day in clean["joined"]]) / 365
    score = 1.6 * (clean["contract"] == "monthly") + 0.35 * clean["calls"] - 0.5 * age
    score += clean["bill"] / 2500 - clean["discount"] / 30 - 0.9 * (clean["autopay"] == "yes")
    score += rng.logistic(0.0, 0.4, n)
    clean["churn"] = np.where(score > np.median(score), "left", "stayed")
    clean.loc[rng.random(n) < 0.06, "usage"] = np.nan
    clean.loc[rng.random(n) < 0.05, "discount"] = np.nan
    return _messy(clean, rng), clean


def _messy(clean: pd.DataFrame, rng: np.random.Generator) -> pd.DataFrame:
    n = len(clean)
    words = np.array(["unknown", "-", "n/a", "?"])
    yes, no = np.array(["yes", "Yes", "Y", "true"]), np.array(["no", "NO", "n", "false"])
    moods = np.array(["was very friendly", "complained about the bill", "asked for a discount"])
    letters = {"monthly": ["monthly", "Monthly", "MONTHLY"], "one year": ["one year", "One Year"]}
    letters["two years"] = ["two years", " two  years "]
    return pd.DataFrame(
        {
            "": range(n),
            "Customer ID": [f"C-{k:06d}" for k in rng.permutation(10 * n)[:n]],
            "joined": [f"{day:%d.%m.%Y}" for day in clean["joined"]],
            "discount": [
                rng.choice(words) if np.isnan(v) else f"{v:.0f} %" for v in clean["discount"]
            ],
            "bill": [f"€ {_german(v)}" for v in clean["bill"]],
            "usage": [rng.choice(words) if np.isnan(v) else _grouped(v) for v in clean["usage"]],
            "weight": [f"{v:.0f} kg" for v in clean["weight"]],
            "calls": [f"{v:.0f}" for v in clean["calls"]],
            "contract": [rng.choice(letters[v]) for v in clean["contract"]],
            "autopay": [rng.choice(yes if v == "yes" else no) for v in clean["autopay"]],
            "remarks": [f"customer {k} {rng.choice(moods)} in call {k * 7}" for k in range(n)],
            "country": "DE",
            "fax": "",
            "churn": [rng.choice([v, v.upper()], p=[0.9, 0.1]) for v in clean["churn"]],
        }
    )


def _german(value: float) -> str:
    return f"{value:,.2f}".replace(",", " ").replace(".", ",").replace(" ", ".")


def _grouped(value: float) -> str:
    return f"{value:,.0f}".replace(",", ".")
