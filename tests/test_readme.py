"""The README and the public names."""

from pathlib import Path

import softwood

README = Path(__file__).parent.parent / "README.md"


def test_the_readme_has_examples():
    assert README.read_text(encoding="utf-8").count("\n>>> ") > 5  # pytest runs them


def test_every_public_name_can_be_had():
    for name in softwood.__all__:
        assert getattr(softwood, name) is not None
    assert set(softwood.__all__) <= set(dir(softwood))
