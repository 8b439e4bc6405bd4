"""How a file is to be read: what is None is found out, and said."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

MISSING = (
    *("", "?", "-", "--", "NA", "N/A", "n/a", "<NA>", "#N/A", "#NA", "NaN", "nan", "NaT"),
    *("null", "NULL", "Null", "<null>"),
)


@dataclass(frozen=True, slots=True)
class ReadOptions:
    """What the user says of a file.

    Attributes
    ----------
    delimiter : str or None
        What separates fields; a blank means any run of blanks.
    decimal : {".", ","} or None
        What separates whole numbers from their fractions.
    encoding : str or None
        A name that Python knows, such as ``cp1252``.
    missing : collection of str
        Fields that stand for a missing value.
    has_header : bool or None
        Whether the first row has the names of the columns.
    sheet : str or None
        Of a workbook: the sheet to read; the first by default.
    """

    delimiter: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    missing: Collection[str] = MISSING
    has_header: bool | None = None
    sheet: str | None = None

    def __post_init__(self) -> None:
        names = {"tab": "\t", "\\t": "\t", "comma": ",", "semicolon": ";", "space": " "}
        if self.delimiter is not None:
            object.__setattr__(self, "delimiter", names.get(self.delimiter, self.delimiter))
            _check_delimiter(str(self.delimiter))
        if self.decimal not in (None, ".", ","):
            raise ValueError(f"the decimal sign must be '.' or ','; got {self.decimal!r}")
        if self.decimal == "," == self.delimiter:
            raise ValueError("delimiter and decimal sign cannot both be a comma")


def _check_delimiter(text: str) -> None:
    if len(text) != 1 or not text.isascii() or text in '"\r\n' or text.isalnum():
        raise ValueError(
            f"the delimiter must be one character that is neither letter, digit nor quote, or tab; "
            f"got {text!r}"
        )
