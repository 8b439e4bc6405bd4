"""What columns are: by their values, and by their names where values leave it open."""

import polars as pl
import pytest

from softwood.data.columns.infer import is_name_of_identifier, plan_of

MANY = range(60)


@pytest.mark.parametrize(
    ("name", "values", "kind"),
    [
        ("x", [1.5, 2.0, None], "number"),
        ("x", [None, None], "empty"),
        ("x", ["a", "a"], "constant"),
        ("x", ["a", None], "category"),  # whether it is there may tell something
        ("x", [True, False], "yes or no"),
        ("x", ["yes", "NO", "y", "n"], "yes or no"),
        ("x", ["t", "f"], "yes or no"),
        ("x", ["0", "1"], "number"),
        ("x", ["yes", "no", "perhaps"], "category"),
        ("x", ["5%", "6%"], "percent"),
        ("x", ["$5", "$6"], "money"),
        ("x", ["12:30", "13:30"], "time of day"),
        ("x", ["2024-01-31", "2024-02-01"], "date"),
        ("x", [20240101 + 100 * (k % 12) + k for k in range(24)], "date"),
        ("x", ["2024-01-31", "unknown", "2024-02-01", "0000-00-00"], "date"),
        ("x", ["12:30", "n.a.", "13:30"], "time of day"),
        ("x", ["never", "always"], "category"),
        ("x", [20240131.5, 20240201.0], "number"),
        ("customer_id", [1000 + 7 * k for k in MANY], "identifier"),
        ("customer_id", [float(k % 7) for k in MANY], "number"),
        ("width", [1000 + 7 * k for k in MANY], "number"),
        ("unnamed_1", list(range(5)), "identifier"),
        ("unnamed_1", [5, 3, 1, 2, 0], "number"),
        ("unnamed_1", ["row 1", "row 2", "row 3", "row 4"], "identifier"),
        ("unnamed_4", ["oak", "fir", "elm", "ash"], "category"),
        ("mail", [f"u{k}@x.org" for k in MANY], "identifier"),
        ("tweet_id", [str(2**60 + k) for k in MANY], "identifier"),
        ("note", [f"this is row {k} of the whole table" for k in MANY], "free text"),
        ("zip", [f"0{1000 + k % 9}" for k in MANY], "category"),
        ("x", [str(k) if k else "unknown" for k in MANY], "number"),
    ],
)
def test_kinds(name, values, kind):
    assert plan_of(pl.Series(name, values, strict=False)).kind == kind


def test_types_of_frames_are_kept():
    kinds = {
        "date": pl.Series([1, 2]).cast(pl.Date),
        "time of day": pl.Series([1, 2]).cast(pl.Time),
        "number": pl.Series("x", [1, 2]).cast(pl.Decimal(10, 2)),
        "category": pl.Series(["a", "b"]).cast(pl.Categorical),
    }
    assert {kind: plan_of(series).kind for kind, series in kinds.items()} == {k: k for k in kinds}
    assert plan_of(pl.Series("x", [1, 2]).cast(pl.Duration("us"))).kind == "number"


def test_what_users_say_goes_first():
    codes = pl.Series("x", ["1", "2", "3"])
    assert plan_of(codes, meant="category").kind == "category"
    mails = pl.Series("mail", [f"u{k}@x.org" for k in MANY])
    assert plan_of(mails, meant="keep").is_used
    assert plan_of(pl.Series("customer_id", list(MANY)), meant="keep").kind == "number"


def test_spellings_are_merged_into_the_commonest():
    plan = plan_of(pl.Series(["Oak", "oak", "oak", "FIR", "Straße", "STRASSE"]))
    assert dict(plan.spellings) == {
        "oak": "oak",
        "fir": "FIR",
        "straße": "Straße",
        "strasse": "STRASSE",
    }
    assert plan_of(pl.Series(["a", "b", "a"])).spellings == ()


def test_the_decimal_sign_of_the_file_decides_what_is_open():
    texts = pl.Series(["1,234", "5,678"])
    assert plan_of(texts, ".").number.thousands == ","
    assert plan_of(texts, ",").number.decimal == ","


@pytest.mark.parametrize("name", ["id", "ID", "userId", "row-num", "order no", "Key"])
def test_names_of_identifiers(name):
    assert is_name_of_identifier(name)


@pytest.mark.parametrize("name", ["paid", "idle", "width", "monkey", "note", "valid"])
def test_names_of_others(name):
    assert not is_name_of_identifier(name)
