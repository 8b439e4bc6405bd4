"""Numbers as people write them: ``51 %``, ``€ 1.234,50``, ``(1,200)``, ``12 kg``."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars as pl

PER_CENT = ("%", "‰")
_CODES = frozenset(
    [
        *("eur", "usd", "gbp", "chf", "jpy", "cny", "inr", "rs", "kr", "sek", "nok", "dkk", "pln"),
        *("zł", "czk", "kč", "aud", "cad", "nzd", "brl", "r$", "us$", "a$", "c$", "hk$", "s$"),
        *("zar", "rub"),
    ]
)
LONGEST_UNIT = 12
LEAST_DISTINCT = 3  # values that a unit of letters must have: A1 and A2 are names
# Words that stand where a number is not known.
NOT_KNOWN = frozenset(
    [
        *("unknown", "missing", "none", "nil", "n.a.", "n/a", "na", "nan", "null", "undefined"),
        *("not available", "not known", "not applicable", "blank", "empty", "tbd", "unbekannt"),
        *("keine angabe", "k.a.", "n.v.", "inconnu", "x", "-", "--", "---", "?", ".", "..", "..."),
        *("0000-00-00", "0000-00-00 00:00:00", "00.00.0000", "never"),
        *("#n/a", "#div/0!", "#value!", "#ref!", "#null!", "#num!", "\u2013", "\u2014"),
    ]
)
# An opening bracket, a sign, a unit, a sign, the digits, a unit, a closing bracket.
_PARTS = (
    r"^(\(?)\s*([+-]?)\s*([^0-9.,+\-()\s']*)\s*([+-]?)\s*"
    r"([0-9.,' ]*[0-9][.,]?(?:[eE][+-]?[0-9]+)?|(?i:inf(?:inity)?))\s*([^0-9()]*)(\)?)$"
)
_BLANKS = "[\u00a0\u2007\u2009\u202f]"


@dataclass(frozen=True, slots=True)
class NumberFormat:
    """How the numbers of a column are written.

    Attributes
    ----------
    decimal, thousands : str
        The signs before a fraction, and between groups of three digits, if any.
    unit : str
        What stands before or after the numbers.
    """

    decimal: str = "."
    thousands: str = ""
    unit: str = ""

    @property
    def kind(self) -> str:
        """What the numbers are: percent, money or number."""
        if self.unit in PER_CENT:
            return "percent"
        return "money" if is_currency(self.unit) else "number"


# In order of preference, where several would do.
_SIGNS = ((".", ""), (".", ","), (".", " "), (".", "'"), (",", ""), (",", "."), (",", " "))
_WITH_COMMA_FIRST = ((",", ""), (",", "."), (",", " "), (".", ""), (".", ","), (".", " "))


def is_currency(unit: str) -> bool:
    """Whether a unit is money."""
    return unit.lower() in _CODES or any(unicodedata.category(sign) == "Sc" for sign in unit)


def number_format(
    values: pl.Series, decimal: str = "."
) -> tuple[NumberFormat, tuple[str, ...]] | None:
    """Return how distinct texts write numbers, and those that stand for none; None if they do not.

    Examples
    --------
    >>> import polars as pl
    >>> from softwood.data.columns.numbers import number_format
    >>> number_format(pl.Series(["51,494", "1,200", "unknown"]))
    (NumberFormat(decimal='.', thousands=',', unit=''), ('unknown',))
    >>> number_format(pl.Series(["€ 3,50", "€ 12,00"]))[0]
    NumberFormat(decimal=',', thousands='', unit='€')
    """
    from polars import col

    if not values.len():
        return None
    parts = _parts(values)
    other = parts.filter(col("digits").is_null())["text"].to_list()
    if any(text.casefold() not in NOT_KNOWN for text in other) or len(other) == values.len():
        return None
    known = parts.filter(col("digits").is_not_null())
    unit = _unit(known)
    if unit is None:
        return None
    signs = _WITH_COMMA_FIRST if decimal == "," else _SIGNS
    for point, group in signs:
        if known["digits"].str.contains(_pattern(point, group)).all():
            return NumberFormat(point, group, unit), tuple(sorted(other))
    return None


def numbers_of(values: pl.Series, form: NumberFormat, missing: Sequence[str] = ()) -> pl.Series:
    """Return texts as numbers; null where there is none, or where it cannot be read so.

    Examples
    --------
    >>> import polars as pl
    >>> from softwood.data.columns.numbers import NumberFormat, numbers_of
    >>> numbers_of(pl.Series(["(1,200)", "$5", "soon"]), NumberFormat(".", ",", "$")).to_list()
    [-1200.0, 5.0, None]
    """
    import polars as pl

    parts = _parts(values)
    digits = pl.col("digits")
    text = digits.str.replace_all(form.thousands, "", literal=True) if form.thousands else digits
    if form.decimal != ".":
        text = text.str.replace(form.decimal, ".", literal=True)
    number = text.cast(pl.Float64, strict=False)
    is_written = digits.str.contains(_pattern(form.decimal, form.thousands))
    units = _own_unit(pl.col("before"), pl.col("after"))
    is_own = units.is_in(["", _singular(form.unit)])
    is_negative = (pl.col("open") == "(") ^ (pl.col("sign") == "-") ^ (pl.col("sign_2") == "-")
    signed = pl.when(is_negative).then(-number).otherwise(number)
    found = parts.select(pl.when(is_written & is_own).then(signed)).to_series()
    return found.alias(values.name)


def _parts(values: pl.Series) -> pl.DataFrame:
    import polars as pl

    text = pl.col("text")
    plain = text.str.replace_all(_BLANKS, " ").str.replace_all("\u2212", "-", literal=True)
    names = ["open", "sign", "before", "sign_2", "digits", "after", "close"]
    groups = plain.str.strip_chars().str.extract_groups(_PARTS).struct.rename_fields(names)
    frame = pl.DataFrame({"text": values}).with_columns(groups.alias("parts")).unnest("parts")
    is_closed = (pl.col("open") == "(") == (pl.col("close") == ")")
    has_one_sign = (pl.col("sign") == "") | (pl.col("sign_2") == "")
    return frame.with_columns(pl.when(is_closed & has_one_sign).then(pl.col("digits")))


def _own_unit(before: pl.Expr, after: pl.Expr) -> pl.Expr:
    import polars as pl

    both = pl.concat_str([before.str.strip_chars(), after.str.strip_chars()])
    return both.str.to_lowercase().str.replace(r"([^s.])s$", "${1}")


def _singular(unit: str) -> str:
    unit = unit.lower()
    return unit[:-1] if len(unit) > 1 and unit.endswith("s") and unit[-2] not in "s." else unit


def _unit(known: pl.DataFrame) -> str | None:
    """Return the one unit of numbers, empty if there is none; None if there are several."""
    import polars as pl

    own = known.select(
        _own_unit(pl.col("before"), pl.col("after")).alias("unit"),
        "before",
        (pl.col("before").str.strip_chars() + pl.col("after").str.strip_chars()).alias("written"),
    )
    with_unit = own.filter(pl.col("unit") != "")
    if not with_unit.height:
        return ""
    if (
        with_unit["unit"].n_unique() > 1
        or with_unit["written"].str.len_chars().max() > LONGEST_UNIT
    ):
        return None
    unit = str(with_unit["written"].mode().sort()[0])
    if unit in PER_CENT or is_currency(unit):
        return unit
    is_code = (with_unit["before"] != "").any() or 10 * with_unit.height < 9 * own.height
    return None if is_code or own.height < LEAST_DISTINCT else unit


def _pattern(decimal: str, thousands: str) -> str:
    point = f"[{decimal}]"
    end = rf"(?:{point}[0-9]*)?(?:[eE][+-]?[0-9]+)?$"
    plain = rf"^(?:(?:0|[1-9][0-9]*){end}|{point}[0-9]+(?:[eE][+-]?[0-9]+)?$)"
    plain = rf"{plain}|^(?i:inf(?:inity)?)$"
    if not thousands:
        return plain
    return rf"{plain}|^[1-9][0-9]{{0,2}}(?:[{thousands}][0-9]{{3}})+{end}"
