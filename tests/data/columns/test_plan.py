"""Plans of columns: which features come of them."""

from softwood.data.columns.numbers import NumberFormat
from softwood.data.columns.plan import ColumnPlan, Preparation, without_parts

PLANS = (
    ColumnPlan("id", "identifier", is_used=False),
    ColumnPlan("day", "date", formats=("%Y-%m-%d",), parts=("weekday", "month")),
    ColumnPlan("price", "money", number=NumberFormat(unit="$")),
)


def test_features_identifiers_and_texts():
    preparation = Preparation(PLANS, ColumnPlan("y", "category"))
    assert preparation.features == ["day", "day.weekday", "day.month", "price"]
    assert preparation.identifiers == ["id"]
    assert preparation.as_text == ["id", "day", "y"]
    assert [plan.name for plan in preparation.used] == ["day", "price"]


def test_parts_whose_names_are_taken_are_left_out():
    assert without_parts(PLANS[1], ["day.month"]).parts == ("weekday",)
    assert without_parts(PLANS[1], ["month"]) is PLANS[1]


def test_numbers_with_separators_are_read_as_their_own_format_says():
    german = ColumnPlan("n", "number", number=NumberFormat(",", "."))
    english = ColumnPlan("m", "number", number=NumberFormat(".", ","))
    assert Preparation((german, english, PLANS[2])).as_text == ["n", "m"]
