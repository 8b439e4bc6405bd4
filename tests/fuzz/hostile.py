"""Small tables that are hard to digest: numbers at every limit, gaps, odd words, all forms."""

from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
import polars as pl

LARGEST, SMALLEST = np.finfo(float).max, 5e-324
SIZES = (1, 2, 3, 5, 8, 13, 20, 34, 60)
FORMS = ("array", "array", "float32", "fortran", "integers", "booleans", "list", "objects")
FRAMES = ("pandas", "pandas", "polars", "arrow")
WORDS = (
    ("a", "b"),
    ("a", "b", "c"),
    ("only",),
    tuple("abcdefghijkl"),
    ("", " ", "\n", "é", "名", "long " * 60),
    tuple(f"v{i}" for i in range(70)),
    ("nan", "None", "0", "1"),
    ("<b>", "'; drop", "=1+1", "\N{RIGHT-TO-LEFT OVERRIDE}x"),
)


def choose(rng, *options):
    return options[int(rng.integers(len(options)))]


def _near(rng, n):
    """Return a number and its neighbours."""
    column = np.full(n, choose(rng, 0.0, 1.0, -1e300, 1e16, 3.5e-310, 0.1))
    for _ in range(3):
        column = np.where(rng.random(n) < 0.5, np.nextafter(column, np.inf), column)
    return column


NUMBERS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "few": lambda rng, n: rng.integers(0, 4, n),
    "one": lambda rng, n: np.full(n, choose(rng, 0.0, 1.0, -1e300)),
    "huge": lambda rng, n: rng.choice([1e308, -1e308, LARGEST, -LARGEST, 0.0, 1.0], n),
    "tiny": lambda rng, n: rng.choice([SMALLEST, -SMALLEST, 1e-310, 0.0, -0.0, 2.2e-308], n),
    "near": _near,
    "2**53": lambda rng, n: 2.0**53 + rng.integers(-3, 4, n),
    "signs of zero": lambda rng, n: rng.choice([0.0, -0.0], n),
    "all scales": lambda rng, n: rng.choice([1e300, -1e300, 1e-300, 1.0, 0.0, -1.0, 3.0], n),
    "nothing": lambda rng, n: np.full(n, np.nan),
    "exponents": lambda rng, n: np.exp(rng.uniform(-300, 300, n)),
    "all different": lambda rng, n: rng.permutation(n),
}
TAME = ("normal", "few")


@dataclass(frozen=True)
class Shape:
    """What columns are, so that further rows can be drawn of the same kind."""

    form: str
    kinds: tuple[str, ...]
    words: dict[int, tuple[str, ...]]
    gaps: bool = True

    def rows(self, rng, n):
        """Return a table of so many rows."""
        columns = [self._column(rng, j, n) for j in range(len(self.kinds))]
        return _in_form(self.form, columns, rng)

    def with_unseen_words(self):
        """Return the shape of rows that have other categories."""
        words = {j: (*words[:1], "unseen", "unseen, too") for j, words in self.words.items()}
        return replace(self, words=words)

    def _column(self, rng, j, n):
        share = choose(rng, 0.1, 0.5, 0.9) if self.gaps and rng.random() < 0.35 else 0.0
        gaps = rng.random(n) < share
        if j in self.words:
            column = np.array(self.words[j], dtype=object)[rng.integers(0, len(self.words[j]), n)]
            column[gaps] = None
            return column
        column = np.asarray(NUMBERS[self.kinds[j]](rng, n), dtype=float)
        column[gaps] = np.nan
        return column


def draw_shape(rng, n_columns=None):
    """Draw what the columns of a table are."""
    d = int(rng.integers(1, 7)) if n_columns is None else n_columns
    is_tame = rng.random() < 0.4
    kinds = tuple(str(rng.choice(TAME if is_tame else list(NUMBERS))) for _ in range(d))
    form = choose(rng, *FORMS, *FRAMES, *FRAMES)
    with_words = form in ("objects", *FRAMES)
    words = {j: choose(rng, *WORDS) for j in range(d) if with_words and rng.random() < 0.4}
    return Shape(form, kinds, words)


def _in_form(form, columns, rng):
    if form in FRAMES:
        return _frame(form, columns)
    if form == "objects":
        return np.column_stack([column.astype(object) for column in columns])
    X = np.column_stack(columns)
    if form == "float32":
        return np.clip(X, -3e38, 3e38).astype(np.float32)
    if form == "integers":
        return np.nan_to_num(np.clip(X, -(2.0**62), 2.0**62)).astype(np.int64)
    if form == "booleans":
        return rng.integers(0, 2, X.shape).astype(bool)
    if form == "list":
        return X.tolist()
    return np.asfortranarray(X) if form == "fortran" else X


def _frame(form, columns):
    named = {f"c{j} <{j}>": column for j, column in enumerate(columns)}
    if form == "pandas":
        made = {
            name: pd.Categorical(c) if c.dtype == object and j % 2 else pd.Series(c)
            for j, (name, c) in enumerate(named.items())
        }
        return pd.DataFrame(made)
    made = {
        name: pl.Series(c.tolist() if c.dtype == object else c, dtype=_polars_type(c))
        for name, c in named.items()
    }
    frame = pl.DataFrame(made)
    return frame.to_arrow() if form == "arrow" else frame


def _polars_type(column):
    return pl.String if column.dtype == object else pl.Float64


LABELS = {
    "numbers": lambda codes: codes,
    "below zero": lambda codes: codes - 3,
    "words": lambda codes: np.array(["no", "yes", "naïve", "", "5"])[codes % 5],
    "fractions": lambda codes: codes / 2,
    "truths": lambda codes: codes > 0,
}


def draw_classes(rng, n):
    """Draw class labels of any type."""
    n_classes = choose(rng, 1, 2, 2, 3, 5, n)
    return LABELS[choose(rng, *LABELS)](rng.integers(0, n_classes, n))


TARGETS = {
    "normal": lambda rng, n: rng.normal(size=n),
    "one": lambda rng, n: np.full(n, 3.25),
    "large": lambda rng, n: rng.normal(size=n) * 1e99,
    "2**53": lambda rng, n: 2.0**53 + rng.integers(0, 3, n),
    "few": lambda rng, n: rng.integers(0, 3, n),
    "small": lambda rng, n: rng.normal(size=n) * 1e-90,
    "steps": lambda rng, n: np.arange(n, dtype=float),
}


def draw_target(rng, n):
    """Draw numbers to be predicted."""
    return np.asarray(TARGETS[choose(rng, *TARGETS)](rng, n))


def draw_weights(rng, n):
    """Draw sample weights, mostly none."""
    how = choose(
        rng, None, None, None, "ones", "some none", "tiny", "huge", "mixed", "copies", "any"
    )
    if how == "ones":
        return np.ones(n)
    if how == "some none":
        return rng.integers(0, 2, n).astype(float)
    if how in ("tiny", "huge"):
        return np.full(n, {"tiny": 1e-300, "huge": 1e300}[how])
    if how == "mixed":
        return rng.choice([1e-300, 1e300, 1.0, 0.0, SMALLEST], n)
    if how == "copies":
        return rng.integers(0, 5, n).astype(float)
    return rng.random(n) if how == "any" else None
