"""The rules of the verdicts: each is written once, and shown with every claim it judges.

"In sign" is for numbers that have the direction of the effect, on the claim's own measure, but
not its certainty or its extent. That something never happens has no direction: it holds or does
not. That something is significant needs something significant. A rule also says what so many
runs could have shown, so that a claim that fails for want of runs is known from one that is
wrong. Tests are at 5 %, two-sided; "shown" is: with four chances of five.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.power import (
    CHANCE,
    FEWEST,
    LEVEL,
    power_of_pairs,
    short,
    sign_test_needs,
    smallest_shown,
    too_few,
)
from softwood.papers.verdicts import Ruling, Verdict


def verdict(holds: bool, in_sign: bool = False) -> Verdict:
    """Return the verdict of the two questions that every rule asks."""
    if holds:
        return Verdict.HOLDS
    return Verdict.IN_SIGN if in_sign else Verdict.FAILS


def stated(
    holds: Any,
    rule: str,
    number: str,
    *,
    in_sign: Any = False,
    power: str = "",
    enough: bool | None = None,
) -> Ruling:
    """Rule by a condition of the claim's own; ``rule`` says it in words, the sign's too."""
    return Ruling(verdict(bool(holds), bool(in_sign)), rule, number, power, enough)


def paired(
    gain: FloatArray, unit: str, *, ratio: float | None = None, expected: float | None = None
) -> Ruling:
    """Rule by pairs: one method is better than the other, and a test is sure of it.

    Parameters
    ----------
    gain : ndarray of shape (n_units,)
        By how much, in every unit; positive as the paper claims.
    unit : str
        What the pairs are of, such as "sets".
    ratio : float, optional
        Test rows by training rows of splits that share rows: then the corrected t-test is
        asked in place of Wilcoxon's.
    expected : float, optional
        The paper's mean gain.

    Examples
    --------
    >>> import numpy as np
    >>> paired(np.array([0.02, 0.01, 0.03, 0.01, 0.02, 0.04, 0.01]), "sets").verdict
    <Verdict.HOLDS: 'holds'>
    """
    pvalue = _pvalue(gain, ratio)
    name = "Wilcoxon's test" if ratio is None else "the corrected t-test"
    clear = bool(pvalue < LEVEL)
    power, enough = power_of_pairs(gain, unit, ratio, expected)
    return Ruling(
        verdict(bool(gain.mean() > 0 and clear), bool(gain.mean() > 0)),
        f"holds if the mean over {unit} has the direction and {name} is sure of it; in sign if "
        "it has the direction",
        f"mean {short(gain.mean())}, p {pvalue:.2g}",
        power,
        True if clear else enough,
    )


def alike(gain: FloatArray, unit: str, *, ratio: float | None = None) -> Ruling:
    """Rule by pairs: no test is sure that the two differ; this has no sign."""
    pvalue = _pvalue(gain, ratio)
    power, _ = power_of_pairs(gain, unit, ratio, None)
    return Ruling(
        verdict(not pvalue < LEVEL),
        f"holds if no test over {unit} is sure that they differ",
        f"mean difference {short(gain.mean())}, p {pvalue:.2g}",
        power,
        gain.size >= FEWEST,
    )


def most(hits: int, misses: int, n: int, unit: str, *, share: float = 0.5) -> Ruling:
    """Rule by counting: it is so on most units.

    ``hits`` and ``misses`` leave out those that are even.
    """
    sure = sign_test_needs(n)
    told = f"a sign test over {n} {unit} is sure from {sure} on" if sure else too_few(n, unit)
    return Ruling(
        verdict(hits > share * n, hits > misses),
        f"holds if so on more than {_part(share)} of the {unit}; in sign if more often so than the "
        "reverse",
        f"{hits} of {n}",
        told,
        sure is not None,
    )


def everywhere(hits: int, n: int, unit: str, *, but: int = 0) -> Ruling:
    """Rule by counting: it is so on every unit, or on all but a few."""
    sure = sign_test_needs(n)
    told = f"a sign test over {n} {unit} is sure from {sure} on" if sure else too_few(n, unit)
    allowed = f", but for {but}" if but else ""
    return Ruling(
        verdict(hits >= n - but, hits > n / 2),
        f"holds if so on every one of the {unit}{allowed}; in sign if on more than half",
        f"{hits} of {n}",
        told,
        sure is not None,
    )


def nowhere(hits: int, n: int, unit: str) -> Ruling:
    """Rule by counting: it never happens; this has no sign."""
    seen = 1.0 - LEVEL ** (1.0 / n) if n else 1.0
    return Ruling(
        verdict(hits == 0),
        f"holds if so on none of the {unit}; it has no sign",
        f"{hits} of {n}",
        f"what happens on {seen:.0%} of {unit} or more would have been seen in 19 of 20 cases",
        None,
    )


def ordered(values: Mapping[str, float], scores: FloatArray | None = None) -> Ruling:
    """Rule by order: the values rise as the paper lists them.

    Parameters
    ----------
    values : mapping of str to float
        In the order that is claimed, least first.
    scores : ndarray of shape (n_units, n_values), optional
        What the values are means of: tells what so many units could show.
    """
    numbers = list(values.values())
    right = sum(a < b for a, b in combinations(numbers, 2))
    pairs = len(numbers) * (len(numbers) - 1) // 2
    leads = numbers[0] == min(numbers)
    power, enough = "", None
    if scores is not None:
        steps = [scores[:, j + 1] - scores[:, j] for j in range(len(numbers) - 1)]
        needed = [smallest_shown(step) for step in steps]
        power = (
            f"{len(scores)} units show steps of {' and '.join(short(v) for v in needed)}; "
            f"here they are {' and '.join(short(step.mean()) for step in steps)}"
        )
        found = zip(steps, needed, strict=True)
        enough = all(abs(step.mean()) >= least for step, least in found)
    return Ruling(
        verdict(right == pairs, leads and right > pairs / 2),
        "holds if all are in the order; in sign if the first is the first, and more than half of "
        "the pairs are in order",
        f"{right} of {pairs} pairs: {', '.join(f'{k} {short(v)}' for k, v in values.items())}",
        power,
        enough,
    )


def steadier(calm: FloatArray, other: FloatArray, unit: str) -> Ruling:
    """Rule by spread: one method varies less than the other from run to run."""
    from scipy.stats import f as f_distribution

    df = (other.size - 1, calm.size - 1)
    ratio = float(other.std(ddof=1) / calm.std(ddof=1))
    pvalue = 2 * min(f_distribution.sf(ratio**2, *df), f_distribution.cdf(ratio**2, *df))
    quantiles = f_distribution.ppf(1 - LEVEL / 2, *df) * f_distribution.ppf(CHANCE, *df)
    shown = float(np.sqrt(quantiles))
    return Ruling(
        verdict(bool(ratio > 1 and pvalue < LEVEL), ratio > 1),
        "holds if its standard deviation is smaller and an F-test is sure of it; in sign if it is "
        "smaller",
        f"deviations {short(calm.std(ddof=1))} and {short(other.std(ddof=1))}, p {pvalue:.2g}",
        f"{calm.size} {unit} show a ratio of {shown:.1f} or more",
        True if pvalue < LEVEL else None,
    )


def larger(group: FloatArray, other: FloatArray, what: str) -> Ruling:
    """Rule by two groups that are not paired: the first is larger."""
    from scipy.stats import mannwhitneyu

    pvalue = float(mannwhitneyu(group, other).pvalue)
    ahead = bool(np.mean(group) > np.mean(other))
    return Ruling(
        verdict(ahead and pvalue < LEVEL, ahead),
        "holds if its mean is larger and Mann and Whitney's test is sure of it; in sign if its "
        "mean is larger",
        f"means {short(np.mean(group))} and {short(np.mean(other))}, p {pvalue:.2g}",
        f"{group.size} and {other.size} {what}",
        True if pvalue < LEVEL else None,
    )


def correlated(x: FloatArray, y: FloatArray, unit: str) -> Ruling:
    """Rule by rank correlation: both rise together."""
    from scipy.stats import spearmanr, t

    found = spearmanr(x, y)
    df = x.size - 2
    quantile = float(t.ppf(1 - LEVEL / 2, df)) if df > 0 else np.inf
    needed = quantile / np.sqrt(df + quantile**2) if df > 0 else 1.0
    rho = float(found.statistic)
    return Ruling(
        verdict(bool(rho > 0 and found.pvalue < LEVEL), rho > 0),
        "holds if the rank correlation is positive and clear; in sign if it is positive",
        f"{rho:+.2f} over {x.size} {unit}",
        f"{x.size} {unit} are sure of correlations from {needed:.2f} on",
        None if abs(rho) < needed else True,
    )


def beats(
    beaten: Iterable[str],
    named: Iterable[str],
    ahead: Iterable[str],
    power: str = "",
    enough: bool | None = None,
) -> Ruling:
    """Rule by significance: those are beaten that the paper names, and no others.

    Parameters
    ----------
    beaten, named : iterable of str
        Whom our test finds beaten; whom the paper does.
    ahead : iterable of str
        Whom the winner is ahead of, surely or not.
    power : str
        Which difference would have been significant.
    enough : bool, optional
        Whether the paper's would have been.
    """
    found, wanted = set(beaten), set(named)
    return Ruling(
        verdict(found == wanted, bool(found & wanted) and wanted <= set(ahead)),
        "holds if those and only those are beaten significantly; in sign if at least one of them "
        "is, and the others are behind",
        f"beaten: {', '.join(sorted(found)) or 'none'}",
        power,
        True if wanted <= found else enough,
    )


def first_are(order: Sequence[str], named: Iterable[str], values: Mapping[str, float]) -> Ruling:
    """Rule by place: those that the paper names are the first ones."""
    wanted = set(named)
    inside = float(np.mean([values[name] for name in wanted]))
    outside = float(np.mean([v for name, v in values.items() if name not in wanted]))
    leads = [values[name] for name in order]
    ahead = inside < outside if leads[0] <= leads[-1] else inside > outside
    return Ruling(
        verdict(set(order[: len(wanted)]) == wanted, ahead),
        "holds if they are the first ones; in sign if their mean is ahead of that of the others",
        f"in order: {', '.join(order)}",
    )


def _pvalue(gain: FloatArray, ratio: float | None) -> float:
    from softwood.statistics import corrected_t_test, wilcoxon_test

    if gain.size < 2 or not np.any(gain):
        return 1.0
    if ratio is None:
        return float(wilcoxon_test(gain).pvalue)
    return float(corrected_t_test(gain, test_over_train=ratio).pvalue)


def _part(share: float) -> str:
    return {0.5: "half", 2 / 3: "two thirds"}.get(share, f"{share:.0%}")
