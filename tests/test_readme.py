"""The README's examples do what they say."""

import doctest
from pathlib import Path

import softwood

README = Path(__file__).parent.parent / "README.md"


def test_the_examples_of_the_readme():
    failures, attempted = doctest.testfile(str(README), module_relative=False)
    assert attempted > 5
    assert failures == 0


def test_every_public_name_can_be_had():
    for name in softwood.__all__:
        assert getattr(softwood, name) is not None
    assert set(softwood.__all__) <= set(dir(softwood))
