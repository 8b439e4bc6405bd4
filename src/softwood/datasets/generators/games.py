"""Complete data sets ruled by a game, a balance or a line of logic."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.datasets.generators.universe import Row, Universe

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_RESULTS = ("positive", "negative")  # for x: won, not won
_SQUARES = tuple(f"{row}-{column}" for row, column in product(("top", "middle", "bottom"), "lmr"))


def make_monks(problem: int = 1) -> tuple[AnyArray, AnyArray]:
    """All 432 robots of the MONK's problems, labelled without noise.

    Six attributes have 3, 3, 2, 3, 4 and 2 values, called ``"1"``, ``"2"``, ...; a robot
    is of class ``"1"`` if

    1. its first two attributes are equal, or the fifth is 1;
    2. exactly two of its attributes are 1;
    3. the fifth is 3 and the fourth 1, or the fifth is not 4 and the second is not 3.

    Parameters
    ----------
    problem : {1, 2, 3}, default=1
        Which one.

    Returns
    -------
    X : ndarray of str, of shape (432, 6)
    y : ndarray of str, of shape (432,)

    Examples
    --------
    >>> [int((make_monks(problem)[1] == "1").sum()) for problem in (1, 2, 3)]
    [216, 142, 228]
    """
    if problem not in (1, 2, 3):
        raise ValueError(f"problem must be 1, 2 or 3; got {problem!r}")
    return monks(problem).arrays()


def make_tic_tac_toe() -> tuple[AnyArray, AnyArray]:
    """All 958 final boards of tic-tac-toe; positive if x, who begins, has three in a line.

    Returns
    -------
    X : ndarray of str, of shape (958, 9)
        ``"x"``, ``"o"`` or ``"b"`` (blank), row by row from the top left.
    y : ndarray of str, of shape (958,)
        ``"positive"`` (626 boards) or ``"negative"``.

    Examples
    --------
    >>> X, y = make_tic_tac_toe()
    >>> X.shape, int((y == "positive").sum())
    ((958, 9), 626)
    """
    return TIC_TAC_TOE.arrays()


def make_balance_scale() -> tuple[FloatArray, AnyArray]:
    """All 625 settings of a balance, and the side on which it goes down.

    Returns
    -------
    X : ndarray of shape (625, 4)
        Left weight, left distance, right weight, right distance, each from 1 to 5.
    y : ndarray of str, of shape (625,)
        ``"L"``, ``"B"`` (balanced) or ``"R"``, by weight times distance.

    Examples
    --------
    >>> X, y = make_balance_scale()
    >>> {label: int((y == label).sum()) for label in "LBR"}
    {'L': 288, 'B': 49, 'R': 288}
    """
    X, y = BALANCE_SCALE.arrays()
    return X.astype(np.float64), y


def make_three_of_nine() -> tuple[AnyArray, AnyArray]:
    """All 512 strings of nine bits, of class ``"1"`` if three ones in a row occur.

    Returns
    -------
    X : ndarray of str, of shape (512, 9)
    y : ndarray of str, of shape (512,)

    Examples
    --------
    >>> X, y = make_three_of_nine()
    >>> int((y == "1").sum())
    238
    """
    return THREE_OF_NINE.arrays()


def monks(problem: int) -> Universe:
    """Return the universe of one of the MONK's problems."""
    levels = {
        f"a{number}": tuple(str(value) for value in range(1, size + 1))
        for number, size in enumerate((3, 3, 2, 3, 4, 2), start=1)
    }
    rules: dict[int, Callable[[Row], bool]] = {
        1: lambda a: a[0] == a[1] or a[4] == "1",
        2: lambda a: a.count("1") == 2,
        3: lambda a: (a[4] == "3" and a[3] == "1") or (a[4] != "4" and a[1] != "3"),
    }
    return Universe(levels, ("0", "1"), lambda row: str(int(rules[problem](row))))


def _board_result(board: Row) -> str | None:
    """Return who won a final board; None for boards that no finished game leaves."""
    lead = board.count("x") - board.count("o")
    if lead not in (0, 1):
        return None
    x_won, o_won = (
        any(all(board[square] == player for square in line) for line in _LINES) for player in "xo"
    )
    if x_won or o_won:  # by the last move, so only one of them
        x_moved_last = lead == 1
        return None if x_won == o_won or x_won != x_moved_last else _RESULTS[o_won]
    return _RESULTS[1] if "b" not in board else None


def _heavier_side(setting: Row) -> str:
    left_weight, left_distance, right_weight, right_distance = map(int, setting)
    left, right = left_weight * left_distance, right_weight * right_distance
    return "L" if left > right else "R" if right > left else "B"


TIC_TAC_TOE = Universe(dict.fromkeys(_SQUARES, ("x", "o", "b")), _RESULTS, _board_result)
BALANCE_SCALE = Universe(
    dict.fromkeys(
        ("left-weight", "left-distance", "right-weight", "right-distance"), tuple("12345")
    ),
    ("L", "B", "R"),
    _heavier_side,
)
THREE_OF_NINE = Universe(
    {f"bit{number}": ("0", "1") for number in range(1, 10)},
    ("0", "1"),
    lambda bits: str(int("111" in "".join(bits))),
)
