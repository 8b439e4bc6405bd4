"""Words for the tests of a tree: one wording for text, rules, explanations and pictures."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.dates import date_text
from softwood.tree import NOMINAL, NUMERIC, Tree

ELLIPSIS = "…"
DECIMALS = 6
MISSING = "(missing)"
SHOWN_CATEGORIES = 6  # of a set
SHOWN_TERMS = 4  # of an oblique test
WEIGHT_DIGITS = 4  # significant ones, of its weights

Categories = Sequence[Sequence[Any] | None]


def test_text(  # noqa: PLR0913  (names and habits of features)
    tree: Tree,
    node: int,
    branch: int,
    feature_names: Sequence[Any] | None,
    categories: Categories | None,
    decimals: int,
    max_terms: int | None = SHOWN_TERMS,  # noqa: PT028  (a test of a tree)
    is_date: Sequence[bool] | None = None,  # noqa: PT028
) -> str:
    """Return what is true of the rows that take a branch.

    Parameters
    ----------
    tree : Tree
        The tree.
    node, branch : int
        An inner node, and which of its children.
    feature_names : sequence of str or None
        None stands for ``x0``, ``x1`` and so on.
    categories : sequence or None
        For each feature its categories, or None; without them, codes are shown.
    decimals : int
        Digits after the point; numbers that would lose all of theirs keep as many
        significant ones.
    max_terms : int, optional
        Terms of an oblique test to show, those with the largest weights; None is all.
    is_date : sequence of bool, optional
        Which features are dates, whose thresholds are shown as such.

    Returns
    -------
    str

    Examples
    --------
    >>> from softwood.tree import Tree
    >>> stump = Tree.from_nodes(
    ...     n_features=1, first_child=[1, -1, -1], n_children=[2, 0, 0], kind=[1, 0, 0],
    ...     feature=[0, -1, -1], threshold=[0.6, 0.0, 0.0], weight=[4.0, 1.0, 3.0],
    ...     response=[[0.5], [1.0], [0.0]],
    ... )
    >>> test_text(stump, 0, 1, ["petal width"], None, decimals=6)
    'petal width > 0.6'
    """
    if tree.kind[node] == NOMINAL:
        feature = int(tree.feature[node])
        codes = np.flatnonzero(tree.branch_of_category(node) == branch).tolist()
        return set_text(name_of(feature, feature_names), categories_of(feature, codes, categories))
    if tree.kind[node] == NUMERIC:
        left = name_of(int(tree.feature[node]), feature_names)
    else:
        left = combination_text(tree, node, feature_names, decimals, max_terms)
    sign = "<=" if branch == 0 else ">"
    cut = float(tree.threshold[node])
    return f"{left} {sign} {cut_text(cut, int(tree.feature[node]), decimals, is_date)}"


def set_text(name: str, members: Sequence[Any]) -> str:
    """Return ``colour = red``, or ``colour in {blue, red}``; long sets are shortened.

    Examples
    --------
    >>> set_text("colour", ["red"])
    'colour = red'
    >>> set_text("letter", list("abcdefghij"))
    'letter in {a, b, c, d, e, f, … 4 more}'
    """
    if len(members) == 1:
        return f"{name} = {value_text(members[0])}"
    shown = [value_text(member, ",{}") for member in members[:SHOWN_CATEGORIES]]
    if len(members) > SHOWN_CATEGORIES + 1:
        shown.append(f"{ELLIPSIS} {len(members) - SHOWN_CATEGORIES} more")
    elif len(members) > SHOWN_CATEGORIES:  # "1 more" is no shorter than the name
        shown.append(value_text(members[-1], ",{}"))
    return f"{name} in {{{', '.join(shown)}}}"


def combination_text(
    tree: Tree,
    node: int,
    feature_names: Sequence[Any] | None = None,
    decimals: int = DECIMALS,
    max_terms: int | None = SHOWN_TERMS,
) -> str:
    """Return the left-hand side of an oblique test, the largest weights first."""
    features, weights = tree.terms(node)
    order = np.argsort(-np.abs(weights), kind="stable")
    text = ""
    for place in order[:max_terms]:
        weight, name = float(weights[place]), name_of(int(features[place]), feature_names)
        short = float(f"{abs(weight):.{WEIGHT_DIGITS}g}")
        factor = "" if short == 1.0 else f"{number_text(short, decimals)}·"
        minus = "-" if not text else " - "
        plus = "" if not text else " + "
        text += f"{minus if weight < 0 else plus}{factor}{name}"
    if max_terms is not None and len(order) > max_terms:
        text += f" + {ELLIPSIS} {len(order) - max_terms} more"
    return text


def cut_text(
    value: float, feature: int, decimals: int = DECIMALS, is_date: Sequence[bool] | None = None
) -> str:
    """Return a value of a feature, or of a sum (a feature below 0): a number, or a date.

    Examples
    --------
    >>> cut_text(19783.5, 0, is_date=[True, False]), cut_text(19783.5, 1, is_date=[True, False])
    ('2024-03-01 12:00', '19783.5')
    """
    if is_date is not None and feature >= 0 and is_date[feature] and np.isfinite(value):
        return date_text(value)
    return number_text(value, decimals)


def ramp_text(
    tree: Tree,
    node: int,
    decimals: int = DECIMALS,
    is_date: Sequence[bool] | None = None,
    ranges: FloatArray | None = None,
) -> str:
    """Return between which values a soft test divides a row, or nothing for a hard one.

    Parameters
    ----------
    tree : Tree
        The tree.
    node : int
        A node of it.
    decimals : int, default=6
        Digits after the point.
    is_date : sequence of bool, optional
        Which features are dates.
    ranges : ndarray of shape (n_features, 2), optional
        Least and largest value of each feature: a ramp is not followed beyond them.
    """
    below, above = float(tree.below[node]), float(tree.above[node])
    if below == above == 0.0:
        return ""
    cut, feature = float(tree.threshold[node]), int(tree.feature[node])
    low, high = cut - below, cut + above
    if ranges is not None:
        least, largest = _range_of_test(tree, node, ranges)
        low, high = min(cut, np.fmax(low, least)), max(cut, np.fmin(high, largest))
    ends = (cut_text(end, feature, decimals, is_date) for end in (low, high))
    return f" (soft from {' to '.join(ends)})"


def _range_of_test(tree: Tree, node: int, ranges: FloatArray) -> tuple[float, float]:
    """Return between which values lies what a test compares; NaN if that is not known."""
    if tree.kind[node] == NUMERIC:
        least, largest = ranges[tree.feature[node]]
        return float(least), float(largest)
    features, weights = tree.terms(node)
    ends = ranges[features] * weights[:, None]
    return float(ends.min(axis=1).sum()), float(ends.max(axis=1).sum())


def name_of(feature: int, feature_names: Sequence[Any] | None) -> str:
    """Return the name of a feature, fit to be printed on a line."""
    return value_text(feature_names[feature]) if feature_names is not None else f"x{feature}"


def categories_of(feature: int, codes: Iterable[int], categories: Categories | None) -> list[Any]:
    """Return the categories behind codes, or the codes where they are not known.

    None, the category of missing values, has a name.
    """
    own = categories[feature] if categories is not None else None
    if own is None:
        return list(codes)
    return [MISSING if own[code] is None else own[code] for code in codes]


def more_text(n: int, thing: str, things: str = "") -> str:
    """Return ``… 1 more line``, ``… 2 more lines``."""
    return f"{ELLIPSIS} {n} more {thing if n == 1 else things or thing + 's'}"


def count_text(n: int, thing: str, things: str = "") -> str:
    """Return ``1 tree``, ``2 trees``; ``things`` is the plural if it is not so formed.

    Examples
    --------
    >>> count_text(1, "tree"), count_text(100, "tree"), count_text(5, "leaf", "leaves")
    ('1 tree', '100 trees', '5 leaves')
    """
    return f"{n} {thing if n == 1 else things or thing + 's'}"


def signed_text(value: float, decimals: int = DECIMALS) -> str:
    """Return a change as a number with its sign.

    Examples
    --------
    >>> signed_text(0.25), signed_text(-3.0), signed_text(0.0)
    ('+0.25', '-3', '0')
    """
    text = number_text(value, decimals)
    return f"+{text}" if value > 0.0 and text != "0" else text


def same_digits(values: Sequence[float], significant: int = 3) -> int:
    """Return how many digits after the point show the largest value with so many in all.

    Examples
    --------
    >>> same_digits([0.365, -0.0081]), same_digits([-36.7, 2.6]), same_digits([1234.5, 2.0])
    (3, 1, 0)
    """
    largest = max((abs(value) for value in values if np.isfinite(value)), default=0.0)
    if largest == 0.0:
        return significant
    return int(np.clip(significant - 1 - np.floor(np.log10(largest)), 0, 15))


def value_text(value: Any, reserved: str = "") -> str:
    r"""Return a name, category or class so that it fits on a line and can be told apart.

    It is quoted where it would be invisible, or holds one of the ``reserved`` characters.

    Examples
    --------
    >>> print(value_text("New York"), value_text(""), value_text("two\nlines"))
    New York "" two\nlines
    """
    text = "".join(
        c if c.isprintable() else c.encode("unicode_escape").decode() for c in str(value)
    )
    if not text or text != text.strip() or any(c in text for c in reserved):
        return '"' + text.replace('"', '\\"') + '"'
    return text


def plain_value(value: Any) -> Any:
    """Return a class or a number as JSON can hold it: what it does not know becomes text.

    Examples
    --------
    >>> import datetime
    >>> import numpy as np
    >>> plain_value(np.int64(3)), plain_value("yes"), plain_value(float("nan"))
    (3, 'yes', None)
    >>> plain_value(datetime.date(2024, 3, 1))
    '2024-03-01'
    """
    value = value.item() if isinstance(value, np.generic) else value
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    return value if value is None or isinstance(value, bool | int | str) else str(value)


def share_text(share: float, decimals: int = 3, unit: float = 1.0) -> str:
    """Return a share with so many digits after the point; what is less than they show, as less.

    Examples
    --------
    >>> [share_text(x) for x in (0.0, 3e-13, 0.25, 1.0 - 3e-7, 1.0)]
    ['0', '<0.001', '0.25', '>0.999', '1']
    >>> share_text(3e-13, decimals=1, unit=100.0)
    '<0.1'
    """
    least, shown = 10.0**-decimals, unit * share
    if 0.0 < shown < 0.5 * least:
        return f"<{number_text(least, decimals)}"
    if unit - 0.5 * least < shown < unit * (1.0 - 1e-9):
        return f">{number_text(unit - least, decimals)}"
    return number_text(round(shown, decimals), decimals)


def number_text(value: float, decimals: int = DECIMALS) -> str:
    """Return a number as short as ``decimals`` digits after the point allow.

    Halves are rounded away from zero. A number too small or too large to be shown so
    keeps ``decimals`` significant digits.

    Examples
    --------
    >>> [number_text(x) for x in (3.0, 0.1 + 0.2, -2.5, 1.5e-9, 3e20)]
    ['3', '0.3', '-2.5', '1.5e-09', '3e+20']
    """
    if not np.isfinite(value):
        return str(value)
    scaled = abs(value) * 10.0**decimals
    if scaled >= 2.0**53:
        return f"{value:.{max(decimals, DECIMALS)}g}"
    # Two digits left, and something lost: then the leading zeros are not worth their place.
    if abs(value) < 1.0 and scaled < 99.5 and abs(scaled - round(scaled)) > 1e-9 * scaled:
        return f"{value:.{max(decimals, 1)}g}"
    digits = str(int(scaled + 0.5)).rjust(decimals + 1, "0")
    whole, fraction = digits[: len(digits) - decimals], digits[len(digits) - decimals :]
    text = f"{whole}.{fraction}".rstrip("0").rstrip(".") if decimals else whole
    return f"-{text}" if value < 0 and text != "0" else text
