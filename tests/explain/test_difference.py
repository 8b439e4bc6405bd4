"""The words of a difference."""

import numpy as np
import pytest

from softwood import CARTClassifier, diff
from softwood.datasets import make_gaussians
from softwood.explain._difference_text import SHOWN

X, Y = make_gaussians(300, random_state=0)


def test_long_lists_are_cut():
    old, new = (
        CARTClassifier().fit(X[part, :1], Y[part]) for part in (slice(150), slice(150, None))
    )
    found = diff(old, new, X[:, :1])
    lines = str(found).splitlines()
    tops = [
        t for t in found.trees.tests if t.change != "same" and None not in (t.old_node, t.new_node)
    ]
    start = lines.index("Tests that changed, those that part most rows first:")
    shown = lines[start + 1 :]
    assert len(tops) > SHOWN
    assert len(shown) == SHOWN + 1
    assert shown[-1].startswith(f"  … {len(tops) - SHOWN} more test")
    parted = sorted((t.parted for t in tops), reverse=True)
    assert parted[0] > 0.0
    assert all(len(line) < 130 for line in lines)


def test_three_ways_of_answers_are_told():
    label = np.arange(300) % 6
    old = CARTClassifier(max_depth=1).fit(X, label)
    new = CARTClassifier().fit(X, label)
    found = diff(old, new, X)
    (line,) = [line for line in str(found).splitlines() if line.startswith("answers")]
    ways = {(a, b) for a, b in zip(found.old_answer, found.new_answer, strict=True) if a != b}
    assert line.endswith(f"… {len(ways) - 3} more ways")
    assert line.count(" from ") == 3


def test_of_each_change_there_is_a_line():
    old = CARTClassifier(max_depth=2).fit(X, Y)
    found = diff(old, CARTClassifier(max_depth=1).fit(X, Y), X)
    assert f"pruned, {found.trees.tests[1].old_test} and below it 2 leaves" in str(found)
    assert repr(found).startswith("<Difference of CARTClassifier and CARTClassifier: ")
    facts = found.to_dict()
    assert (
        facts["n_changed"]
        == found.n_changed
        == len([r for r in facts["rows"] if r["old"] != r["new"]])
    )
    assert facts["mass_moved"] == pytest.approx(found.trees.mass_moved.mean())
