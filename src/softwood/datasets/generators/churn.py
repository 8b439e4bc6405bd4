"""Customers who stay or leave: a table as companies keep them, drawn from a known law."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import numpy as np

from softwood._types import AnyArray
from softwood.datasets.generators.randomness import RandomState, check_count, generator_from

CHURN_COLUMNS = (
    *("customer_id", "signed_up", "plan", "contract", "monthly_charge", "discount"),
    *("support_calls", "paperless", "data_used", "last_comment"),
)
_FIRST, _LAST = date(2021, 1, 1), date(2024, 6, 30)
_PLANS = ("Basic", "Family", "Pro")
_PRICES = {"Basic": 24.0, "Family": 49.0, "Pro": 79.0}
_CONTRACTS = ("monthly", "one year", "two years")
_YES, _NO = ("yes", "Yes", "Y"), ("no", "No", "N")
_COMMENTS = (
    "asked about the last invoice and was sent a copy of it",
    "wanted to know how to move the contract to a new address",
    "called because the connection was slow in the evening",
    "thanked the technician for coming on such short notice",
)


def make_churn(
    n_samples: int = 2000, random_state: RandomState = None
) -> tuple[AnyArray, AnyArray]:
    """Draw customers of a telephone company, as its files have them: dates and money as text.

    The odds of leaving depend on the contract, the days since signing up, calls to the support
    and, for monthly contracts, on the charge; nothing else matters.

    Parameters
    ----------
    n_samples : int, default=2000
        Number of customers.
    random_state : int, Generator or None, default=None
        Makes the draw repeatable.

    Returns
    -------
    X : ndarray of object, of shape (n_samples, 10)
        Texts, None where nothing is known; see ``CHURN_COLUMNS``.
    y : ndarray of str, of shape (n_samples,)
        Whether the customer has left: ``yes`` or ``no``.

    Examples
    --------
    >>> from softwood.datasets import make_churn
    >>> X, y = make_churn(3, random_state=0)
    >>> X[0].tolist()[:5]
    ['C-100000', '2023-10-28', 'Basic', 'one year', '$22.40']
    """
    check_count("n_samples", n_samples)
    rng = generator_from(random_state)
    rows = [_customer(number, rng) for number in range(n_samples)]
    X = np.array([row for row, _ in rows], dtype=object)
    y = np.array(["yes" if has_left else "no" for _, has_left in rows])
    return X, y


def _customer(number: int, rng: np.random.Generator) -> tuple[list[Any], bool]:
    days = int(rng.integers(0, (_LAST - _FIRST).days))
    plan = _PLANS[rng.choice(3, p=(0.5, 0.3, 0.2))]
    contract = _CONTRACTS[rng.choice(3, p=(0.5, 0.3, 0.2))]
    charge = _PRICES[plan] * float(rng.uniform(0.8, 1.4))
    calls = int(rng.poisson(1.5))
    odds = _odds(contract, (_LAST - _FIRST).days - days, charge, calls)
    has_left = bool(rng.random() < 1.0 / (1.0 + np.exp(-odds)))
    words = _YES if rng.random() < 0.6 else _NO
    row: list[Any] = [
        f"C-{100_000 + 7 * number}",
        (_FIRST + timedelta(days=days)).isoformat(),
        plan if rng.random() < 0.9 else plan.lower(),
        contract,
        f"${charge:,.2f}",
        f"{5 * int(rng.integers(0, 6))}%",
        str(calls) if rng.random() < 0.95 else "unknown",
        words[rng.choice(3, p=(0.7, 0.2, 0.1))],
        f"{rng.lognormal(8.0, 0.8):,.0f}" if rng.random() < 0.97 else None,
        f"{_COMMENTS[rng.integers(4)]} on day {int(rng.integers(1, 365))}",
    ]
    return row, has_left


def _odds(contract: str, tenure: int, charge: float, calls: int) -> float:
    """Return the logarithm of the odds that a customer leaves."""
    if contract == "two years":
        return -4.0
    if contract == "one year":
        return -3.0 if calls < 4 else 1.0
    if tenure < 300:
        return 3.0 if calls >= 2 else 0.8
    return 1.5 if charge > 60.0 else -2.5
