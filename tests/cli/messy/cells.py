"""What stands in cells: numbers, dates and words."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from tests.cli.messy.case import (
    CATEGORY,
    DATE,
    NUMBER,
    YES_NO,
    Messy,
    lines,
    one,
    size,
    text,
    y,
)


def numbers() -> list[Messy]:
    gaps = ["-", "?", "NA", "null", "unknown", "n/a"]
    late = (
        b"v,size,y\n"
        + b"".join(b"%d,%d,%s\n" % (i % 7, size(i), y(i).encode()) for i in range(20_000))
        + b"n/a?,1,a\n"
    )
    return [
        one(
            "decimal-comma.csv",
            lambda i: f"{i},5",
            NUMBER,
            [0.5, 1.5],
            ";",
            says=("decimal comma",),
        ),
        one("german.csv", lambda i: f"{i + 1}.234,56", NUMBER, [1234.56, 2234.56], ";"),
        one(
            "german-whole.csv",
            lambda i: f"{i + 1}.234" if i % 2 else "3,5",
            NUMBER,
            [3.5, 2234.0],
            ";",
        ),
        one("thousands.csv", lambda i: f'"{i + 51},494"', NUMBER, [51494.0, 52494.0]),
        one("percent.csv", lambda i: f"{i}%", "percent", [0.0, 1.0]),
        one("percent-blank.csv", lambda i: f"{i}.5 %", "percent", [0.5, 1.5]),
        one("dollars.csv", lambda i: f'"${i + 1},200"', "money", [1200.0, 2200.0]),
        one("euros.csv", lambda i: f"€ {i},50", "money", [0.5, 1.5], ";"),
        one("euros-after.csv", lambda i: f"{i},50 EUR", "money", [0.5, 1.5], ";"),
        one(
            "brackets.csv",
            lambda i: f'"({i + 1},200)"' if i % 2 else f'"{i + 1},200"',
            NUMBER,
            [1200.0, -2200.0],
        ),
        one("unit.csv", lambda i: f"{i} kg", NUMBER, [0.0, 1.0]),
        one("thin-blanks.csv", lambda i: f"{i + 1}\u00a0234,5", NUMBER, [1234.5, 2234.5], ";"),
        one("blanks-in-numbers.csv", lambda i: f"{i + 1} 234", NUMBER, [1234.0, 2234.0]),
        one("apostrophes.csv", lambda i: f"{i + 1}'234.50", NUMBER, [1234.5, 2234.5]),
        one(
            "signs.csv",
            lambda i: ["-0", "+5", "3", "\u22122"][i % 4],
            NUMBER,
            [0.0, 5.0, 3.0, -2.0],
        ),
        one("gap-words.csv", lambda i: gaps[i % 6] if i % 3 else i, NUMBER, [0.0, None, None, 3.0]),
        one(
            "nan-words.csv",
            lambda i: ["NaN", "1", "nan", "2.5"][i % 4],
            NUMBER,
            [None, 1.0, None, 2.5],
        ),
        one("underscores.csv", lambda i: ["1_000", "2", "3"][i % 3], CATEGORY, ["1_000", "2"]),
        one(
            "full-width.csv",
            lambda i: ["\uff10\uff11", "1\uff12", "\uff15"][i % 3],
            CATEGORY,
            ["\uff10\uff11", "1\uff12"],
        ),
        one("zip-codes.csv", lambda i: f"0{1000 + i % 5}", CATEGORY, ["01000", "01001"]),
        Messy(
            "late-word.csv",
            late,
            {"v": CATEGORY, "size": NUMBER},
            {"v": ["0", "1"], "size": [0.0, 5.0]},
            n_rows=20_001,
        ),
    ]


def moment(i: int) -> datetime:
    return datetime(2023, 1, 13, 0, 30) + timedelta(days=41 * i, hours=7 * i)


def dated(file: str, form: str, **more: Any) -> Messy:
    """Return a file of dates; of their days, the first three."""
    days = [(moment(i) - datetime(1970, 1, 1)) / timedelta(days=1) for i in range(3)]
    if "%H" not in form and "%I" not in form:
        days = [float(int(day)) for day in days]
    values = more.pop("values", days)
    return one(file, lambda i: moment(i).strftime(form), DATE, values, ";", **more)


def moments() -> list[Messy]:
    first = (datetime(2023, 1, 1) - datetime(1970, 1, 1)).days
    whole = [float((moment(i) - datetime(1970, 1, 1)).days) for i in range(3)]
    return [
        dated("iso.csv", "%Y-%m-%d"),
        dated("german-dates.csv", "%d.%m.%Y"),
        dated("american.csv", "%m/%d/%Y"),
        dated("british.csv", "%d/%m/%Y"),
        dated("clock.csv", "%Y-%m-%d %H:%M"),
        dated("zulu.csv", "%Y-%m-%dT%H:%M:%SZ"),
        dated("afternoon.csv", "%m/%d/%Y %I:%M %p"),
        dated("compact.csv", "%Y%m%d"),
        dated("months.csv", "%b %Y", values=[first, first + 31.0]),
        one(
            "offsets.csv",
            lambda i: f"{moment(i):%Y-%m-%dT%H:%M:%S}{['Z', '+00:30'][i % 2]}",
            DATE,
            [whole[0] + 0.5 / 24, whole[1] + 7 / 24],
        ),
        one(
            "ambiguous.csv",
            lambda i: f"{i % 12 + 1:02d}/{i * 5 % 12 + 1:02d}/2023",
            DATE,
            [first, first + 36.0],
        ),
        one(
            "mixed.csv", lambda i: moment(i).strftime(["%Y-%m-%d", "%d.%m.%Y"][i % 2]), DATE, whole
        ),
        one(
            "date-gaps.csv",
            lambda i: "unknown" if i % 3 == 1 else f"{moment(i):%d.%m.%Y}",
            DATE,
            [whole[0], None, whole[2]],
        ),
        one("times.csv", lambda i: f"{i}:30", "time of day", [0.5, 1.5]),
    ]


def words() -> list[Messy]:
    spelt = {"yes": "no", "TRUE": "FALSE", "y": "N", "ja": "nein", "on": "off"}
    many = {
        **{f"b{k}": (lambda i, pair=pair: pair[i % 2]) for k, pair in enumerate(spelt.items())},
        "mixed": lambda i: ["yes", "no", "Y", "N", "YES", "No", "yes", "no"][i % 8],
        "y": y,
    }
    cases = {"v": lambda i: ["Oak", "oak", "Oak", "FIR", " Fir", "Fir"][i % 6], "y": y}
    row = lambda i: f"customer {i} called and was {['glad', 'very cross'][i % 2]} about the bill"  # noqa: E731
    left = {"customer_id": lambda i: 1000 + 7 * i, "mail": lambda i: f"u{i}@x.org", "note": row}
    left |= {"one": lambda i: "same", "none": lambda i: "", "size": size, "y": y}
    raw = ("\n".join(lines(left, n_rows=60)) + "\n").encode()
    kinds = {
        "customer_id": "identifier",
        "mail": "identifier",
        "note": "free text",
        "one": "constant",
        "none": "empty",
        "size": NUMBER,
    }
    kept = kinds | {"mail": CATEGORY, "note": CATEGORY}
    return [
        Messy(
            "booleans.csv",
            text(many),
            dict.fromkeys([*many][:-1], YES_NO),
            {"b0": ["yes", "no"], "mixed": ["yes", "no", "yes", "no", "yes", "no"]},
        ),
        Messy(
            "letters.csv",
            text(cases),
            {"v": CATEGORY},
            {"v": ["Oak", "Oak", "Oak", "Fir", "Fir", "Fir"]},
        ),
        Messy("left-out.csv", raw, kinds, {}, n_rows=60),
        Messy(
            "kept.csv",
            raw,
            kept,
            {"mail": ["u0@x.org"]},
            (),
            ("--keep", "mail", "--keep", "note"),
            n_rows=60,
        ),
        Messy(
            "large-targets.csv",
            text({"size": size, "y": lambda i: 2**53 + i % 3}),
            {"size": NUMBER},
            classes=(2**53, 2**53 + 1, 2**53 + 2),
        ),
        Messy(
            "zeros-target.csv",
            text({"size": size, "y": lambda i: ["007", "08"][i % 2]}),
            {"size": NUMBER},
            classes=("007", "08"),
        ),
        Messy(
            "gaps-target.csv",
            text({"size": size, "y": lambda i: ["a", "b", "", " ", "NA", "a"][i % 6]}),
            {"size": NUMBER},
            {},
            ("12 of 24 rows have no 'y'",),
            n_rows=12,
        ),
    ]
