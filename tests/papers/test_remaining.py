"""The time that is left, by what parts cost and how fast this machine is."""

import pytest

from softwood.papers import remaining
from softwood.papers.paper import KEYS, load_paper
from softwood.papers.printed import Printed, printed


@pytest.fixture
def clock(monkeypatch):
    import numpy as np

    seconds = np.array([[10, 100], [30, np.nan], [5, 9]])
    costs = Printed(("a/x", "a/y", "b/z"), ("quick", "full"), seconds, {})
    now = [0.0]
    monkeypatch.setattr(remaining, "printed", lambda paper, table: costs)
    monkeypatch.setattr(remaining, "perf_counter", lambda: now[0])
    return now


PARTS = [("a", "x"), ("a", "y"), ("b", "z")]


def test_a_slow_machine_takes_longer(clock):
    left = remaining.Remaining(PARTS, "quick")
    assert left.told() == "3 parts left"  # the pace is not known
    left.begin()
    clock[0] += 20.0
    left.done(("a", "x"))
    assert left.told() == "2 parts left, about 1 min 10 s"
    left.done(("a", "y"), was_run=False)  # an earlier run did it: no pace
    assert left.told() == "1 part left, about 10 s"
    left.done(("b", "z"))
    assert left.told() == "nothing is left"


def test_no_time_is_told_for_a_part_that_was_never_measured(clock):
    left = remaining.Remaining(PARTS, "full")
    left.begin()
    clock[0] += 100.0
    left.done(("a", "x"))
    assert left.told() == "2 parts left"
    left.done(("a", "y"))
    assert left.told() == "1 part left, about 9 s"


def test_every_part_has_a_quick_cost():
    parts = [f"{key}/{part.key}" for key in KEYS for part in load_paper(key).parts]
    costs = printed("", "costs")
    assert list(costs.rows) == parts
    quick = costs.column("quick")
    assert (quick > 0).all()
    assert quick.sum() < 2 * 30 * 60  # half an hour on two cores
