"""The schema of a table from those of its parts, against the schema of the table."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.dask.agreement import agreed_columns, agreed_schema
from softwood.data.encode import column_of_objects, with_nominal
from softwood.data.schema import Feature, Schema
from softwood.data.table import Column, Table

text = st.lists(st.sampled_from(["a", "b", "c", None]), min_size=2, max_size=12)
codes = st.lists(st.sampled_from([1.0, 2.5, 3.0, 10.0, np.nan]), min_size=2, max_size=12)


def agreed(tables):
    schemas = [Schema.of(table) for table in tables]
    blank = [[np.isnan(c.as_floats()).all() for c in table.columns] for table in tables]
    return agreed_schema(range(len(tables)), schemas, blank)


@given(text, st.integers(1, 11))
def test_text(values, cut):
    def table(part):
        return Table((column_of_objects("t", np.array(part, dtype=object)),))

    parts = [table(part) for part in (values[:cut], values[cut:]) if part]
    assert agreed(parts) == Schema.of(table(values))


@given(codes, st.integers(1, 11))
def test_numbers_that_are_nominal(values, cut):
    def table(part):
        return with_nominal(Table((Column("n", np.array(part)),)), ["n"])

    parts = [table(part) for part in (values[:cut], values[cut:]) if part]
    assert agreed(parts) == Schema.of(table(values))


def test_declared_order_is_kept_if_all_declare_it():
    declared = Schema((Feature("size", ("small", "large")),))
    assert agreed_schema([0, 1], [declared, declared], [[False], [True]]) == declared


def test_numbers_here_and_text_there():
    here, there = Schema((Feature("a", ("x",)),)), Schema((Feature("a"),))
    with pytest.raises(TypeError, match=r"'a' holds numbers in partition 5 and categories in .* 2"):
        agreed_schema([2, 5], [here, there], [[False], [False]])


def test_other_columns():
    assert agreed_columns([("a", "b")] * 3) == ("a", "b")
    with pytest.raises(ValueError, match=r"partition 0 has \['a', 'b'\], partition 1 has \['b'"):
        agreed_columns([("a", "b"), ("b", "a")])
    with pytest.raises(ValueError, match="partition 0 has 2, partition 1 has 3"):
        agreed_columns([(0, 1), (0, 1, 2)])
