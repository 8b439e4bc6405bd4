"""Rows of another width: as Python's csv module counts them."""

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from softwood.data.readers import encodings
from softwood.data.readers.widths import has_blank_rows, rows_of_other_width

fields = st.text(st.sampled_from('ab,"\n '), max_size=6)


@given(
    rows=st.lists(st.lists(fields, min_size=1, max_size=4), max_size=8),
    size=st.integers(1, 9) | st.just(encodings.CHUNK),
    has_end=st.booleans(),
)
def test_rows_are_counted_as_csv_counts_them(tmp_path_factory, rows, size, has_end):
    path = tmp_path_factory.mktemp("widths") / "a.csv"
    out = io.StringIO(newline="")
    out.write("# above\n")
    csv.writer(out, lineterminator="\n").writerows(rows)
    text = out.getvalue() if has_end else out.getvalue().removesuffix("\n")
    path.write_text(text, encoding="utf-8", newline="")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encodings, "CHUNK", size)
        found = list(rows_of_other_width(path, ",", 2, 1))
    expected, line = [], 2
    for row in rows:
        is_blank = len(row) == 1 and not row[0].strip() and '"' not in written(row)
        if len(row) != 2 and not is_blank:
            expected.append((line, len(row)))
        line += 1 + "".join(row).count("\n")
    assert found == expected


def written(row):
    out = io.StringIO(newline="")
    csv.writer(out, lineterminator="\n").writerow(row)
    return out.getvalue()


@given(text=st.text(st.sampled_from("a,\n\r "), max_size=20), size=st.integers(1, 9))
def test_blank_rows_are_seen_wherever_chunks_end(tmp_path_factory, text, size):
    path = tmp_path_factory.mktemp("widths") / "a.csv"
    path.write_bytes(b"# above\n" + text.encode())
    lines = text.split("\n")
    lines = lines[:-1] if not lines[-1] else lines
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(encodings, "CHUNK", size)
        assert has_blank_rows(path, ",", 1) == any(not line.strip(" ,\r\t") for line in lines)
