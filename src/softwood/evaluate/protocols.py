"""Protocols: how the rows of a data set are split, the same way for every method.

The splits follow from the target, the seed and the protocol alone. Classes are spread
evenly over the parts: each part has its share of every class, up to one row.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

import numpy as np

from softwood._types import AnyArray
from softwood.data.folds import deal_folds, shuffled_by_class

Split = tuple[AnyArray, AnyArray]
NAMES = ("kfold", "repeated_kfold", "random_splits", "half_splits", "5x2")


@runtime_checkable
class SplitProtocol(Protocol):
    """What :func:`compare` asks of a protocol; the classes here are examples."""

    def splits(self, y: AnyArray, seed: int, stratify: bool = True) -> list[Split]:
        """Return the training and test rows of every split, as sorted indices."""


@dataclass(frozen=True)
class KFoldProtocol:
    """Cross-validation: each row is tested once in every repetition.

    Parameters
    ----------
    n_splits : int, default=10
        Number of folds.
    n_repeats : int, default=1
        How often to draw the folds anew.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.evaluate.protocols import KFoldProtocol
    >>> y = np.array(["a"] * 4 + ["b"] * 2)
    >>> for train, test in KFoldProtocol(2).splits(y, seed=0):
    ...     print(y[test].tolist())
    ['a', 'a', 'b']
    ['a', 'a', 'b']
    """

    n_splits: int = 10
    n_repeats: int = 1

    def __post_init__(self) -> None:
        _at_least("n_splits", self.n_splits, 2)
        _at_least("n_repeats", self.n_repeats, 1)

    def __str__(self) -> str:
        if self.n_repeats == 1:
            return f"kfold:{self.n_splits}"
        return f"repeated_kfold:{self.n_repeats}x{self.n_splits}"

    def splits(self, y: AnyArray, seed: int, stratify: bool = True) -> list[Split]:
        """Return the splits, those of one repetition after those of another."""
        if len(y) < self.n_splits:
            raise ValueError(f"n_splits={self.n_splits}, but there are only {len(y)} rows")
        rng = np.random.default_rng(seed)
        codes = _codes(y, stratify)
        pairs = []
        for _ in range(self.n_repeats):
            pairs += deal_folds(codes, self.n_splits, rng)
        return pairs


@dataclass(frozen=True)
class RandomSplitsProtocol:
    """Independent random splits into training and test rows.

    Parameters
    ----------
    n_splits : int, default=10
        How many to draw.
    train_size : int or float, default=0.5
        Training rows: a count, or a share of all rows.
    test_size : int or float, optional
        Test rows, likewise; by default all that are not for training.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.evaluate.protocols import RandomSplitsProtocol
    >>> y = np.array(["a"] * 8 + ["b"] * 4)
    >>> [(train, test)] = RandomSplitsProtocol(1, train_size=6).splits(y, seed=0)
    >>> y[train].tolist()
    ['a', 'a', 'a', 'a', 'b', 'b']
    """

    n_splits: int = 10
    train_size: float = 0.5
    test_size: float | None = None

    def __post_init__(self) -> None:
        _at_least("n_splits", self.n_splits, 1)
        for name, size in (("train_size", self.train_size), ("test_size", self.test_size)):
            if size is not None and not (0 < size < 1 or (size >= 1 and float(size).is_integer())):
                raise ValueError(
                    f"{name} must be a share between 0 and 1 or a whole number of rows; got {size}"
                )

    def __str__(self) -> str:
        if (self.train_size, self.test_size) == (0.5, None):
            return f"half_splits:{self.n_splits}"
        rest = "" if self.test_size is None else f"x{self.test_size:g}"
        return f"random_splits:{self.n_splits}x{self.train_size:g}{rest}"

    def splits(self, y: AnyArray, seed: int, stratify: bool = True) -> list[Split]:
        """Return the splits."""
        n_train = _n_rows(self.train_size, len(y))
        n_test = len(y) - n_train if self.test_size is None else _n_rows(self.test_size, len(y))
        if min(n_train, n_test) < 1 or n_train + n_test > len(y):
            raise ValueError(
                f"train_size={self.train_size} and test_size={self.test_size} "
                f"cannot be had from {len(y)} rows"
            )
        rng = np.random.default_rng(seed)
        codes = _codes(y, stratify)
        return [_one_split(codes, n_train, n_test, rng) for _ in range(self.n_splits)]


@dataclass(frozen=True, eq=False)
class SplitterProtocol:
    """A scikit-learn splitter; where its random_state is None, the seed is used.

    Parameters
    ----------
    splitter : object with ``split(X, y)``
        Such as ``sklearn.model_selection.PredefinedSplit``.

    Examples
    --------
    >>> import numpy as np
    >>> from sklearn.model_selection import LeaveOneOut
    >>> from softwood.evaluate.protocols import SplitterProtocol
    >>> protocol = SplitterProtocol(LeaveOneOut())
    >>> len(protocol.splits(np.zeros(5), seed=0))
    5
    """

    splitter: Any

    def __str__(self) -> str:
        return f"splitter:{type(self.splitter).__name__}"

    def splits(self, y: AnyArray, seed: int, stratify: bool = True) -> list[Split]:
        """Return the splitter's splits."""
        splitter = copy(self.splitter)
        if getattr(splitter, "random_state", 0) is None:
            splitter.random_state = seed
        rows = np.zeros((len(y), 1))  # no splitter of scikit-learn looks at the features
        pairs = [(np.sort(train), np.sort(test)) for train, test in splitter.split(rows, y)]
        if not pairs:
            raise ValueError(f"{self.splitter!r} made no split of {len(y)} rows")
        return pairs


def split_ratio(splits: Iterable[Split]) -> float:
    """Return the mean number of test rows per training row, as the corrected t-test needs it.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.evaluate.protocols import KFoldProtocol, split_ratio
    >>> split_ratio(KFoldProtocol(5).splits(np.zeros(20), seed=0))
    0.25
    """
    return float(np.mean([len(test) / len(train) for train, test in splits]))


def protocol_of(protocol: Any) -> SplitProtocol:
    """Return the protocol of a name, a splitter, or a protocol itself.

    Parameters
    ----------
    protocol : str, splitter or protocol
        A name, with numbers after a colon if they are not the usual ones: ``"kfold"``
        (10 folds) or ``"kfold:5"``; ``"repeated_kfold"`` (10 times 10) or
        ``"repeated_kfold:5x10"`` (5 times 10 folds); ``"5x2"``, or any such pair;
        ``"half_splits"`` or ``"half_splits:30"``; ``"random_splits:30x0.7"`` (30 splits,
        70 % for training) or ``"random_splits:30x200x1000"`` (counts of training and
        test rows).

    Returns
    -------
    SplitProtocol

    Examples
    --------
    >>> from softwood.evaluate.protocols import protocol_of
    >>> protocol_of("5x2")
    KFoldProtocol(n_splits=2, n_repeats=5)
    >>> protocol_of("random_splits:30x0.7")
    RandomSplitsProtocol(n_splits=30, train_size=0.7, test_size=None)
    """
    if isinstance(protocol, str):
        return _named(protocol)
    if isinstance(protocol, SplitProtocol):
        return protocol
    if hasattr(protocol, "split"):
        return SplitterProtocol(protocol)
    raise TypeError(
        f"protocol must be one of {', '.join(NAMES)}, a scikit-learn splitter or a protocol of "
        f"softwood.evaluate; got {protocol!r}"
    )


_READERS: dict[str, Callable[..., SplitProtocol]] = {
    "kfold": lambda folds=10: KFoldProtocol(int(folds)),
    "repeated_kfold": lambda repeats=10, folds=10: KFoldProtocol(int(folds), int(repeats)),
    "half_splits": lambda splits=10: RandomSplitsProtocol(int(splits)),
    "random_splits": lambda splits=10, train=0.9, test=None: RandomSplitsProtocol(
        int(splits), _size(train), None if test is None else _size(test)
    ),
}


def _named(text: str) -> SplitProtocol:
    name, _, numbers = text.partition(":")
    if re.fullmatch(r"\d+x\d+", name) and not numbers:
        name, numbers = "repeated_kfold", name
    if name not in _READERS:
        from softwood.evaluate._naming import did_you_mean

        raise ValueError(f"there is no protocol {text!r}; {did_you_mean(name, NAMES)}")
    try:
        return _READERS[name](*(numbers.split("x") if numbers else ()))
    except (TypeError, ValueError) as error:
        reason = error if isinstance(error, ValueError) else "too many numbers"
        raise ValueError(
            f"protocol {text!r} cannot be read ({reason}); good ones are kfold:5, "
            "repeated_kfold:5x10, 5x2, half_splits:30, random_splits:30x0.7"
        ) from None


def _size(text: str | float) -> float:
    number = float(text)
    return int(number) if number >= 1 and number.is_integer() else number


def _at_least(name: str, value: int, least: int) -> None:
    if value < least:
        raise ValueError(f"{name} must be at least {least}; got {value}")


def _n_rows(size: float, n_rows: int) -> int:
    return round(size * n_rows) if size < 1 else int(size)


def _codes(y: AnyArray, stratify: bool) -> AnyArray:
    if not stratify:
        return np.zeros(len(y), dtype=np.intp)
    return np.asarray(np.unique(y, return_inverse=True)[1])


def _one_split(codes: AnyArray, n_train: int, n_test: int, rng: np.random.Generator) -> Split:
    counts = np.bincount(codes)
    of_train = _shares(counts, n_train, rng)
    of_test = _shares(counts - of_train, n_test, rng)
    train, test = [], []
    for rows, m, n in _by_class(shuffled_by_class(codes, rng), counts, of_train, of_test):
        train.append(rows[:m])
        test.append(rows[m : m + n])
    return np.sort(np.concatenate(train)), np.sort(np.concatenate(test))


def _by_class(
    order: AnyArray, counts: AnyArray, of_train: AnyArray, of_test: AnyArray
) -> Iterator[tuple[AnyArray, int, int]]:
    parts = np.split(order, np.cumsum(counts)[:-1])
    yield from zip(parts, of_train.tolist(), of_test.tolist(), strict=True)


def _shares(counts: AnyArray, size: int, rng: np.random.Generator) -> AnyArray:
    """Share ``size`` rows out among the classes; what is left over goes to the largest rests."""
    shares, rests = np.divmod(counts * size, counts.sum())
    by_rest = np.lexsort((rng.random(counts.size), -rests))
    shares[by_rest[: size - shares.sum()]] += 1
    return np.asarray(shares)
