"""What users say of files."""

import pytest

from softwood.data.readers.options import ReadOptions


@pytest.mark.parametrize(
    ("word", "delimiter"),
    [("tab", "\t"), ("\\t", "\t"), ("comma", ","), ("space", " "), ("|", "|")],
)
def test_delimiters_have_names(word, delimiter):
    assert ReadOptions(delimiter=word).delimiter == delimiter


@pytest.mark.parametrize("word", ["", "ab", "a", "1", '"', "\n", "\u20ac"])
def test_what_is_no_delimiter(word):
    with pytest.raises(ValueError, match="the delimiter must be one character"):
        ReadOptions(delimiter=word)


def test_decimal_signs():
    with pytest.raises(ValueError, match="decimal sign must be"):
        ReadOptions(decimal=";")
    with pytest.raises(ValueError, match="cannot both be a comma"):
        ReadOptions(decimal=",", delimiter=",")
