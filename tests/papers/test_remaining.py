"""The time that is left, by what parts cost and how fast this machine is."""

import pytest

from softwood.evaluate import progress
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
    with left.during(("a", "x")):
        clock[0] += 20.0
    left.done(("a", "x"), 20.0)
    assert left.told() == "2 parts left, about 1 min 10 s"
    left.done(("a", "y"))  # an earlier run did it: no pace
    assert left.told() == "1 part left, about 10 s"
    left.done(("b", "z"), 1.0)
    assert left.told() == "nothing is left"


def test_what_a_part_took_so_far_is_taken_off(clock):
    left = remaining.Remaining(PARTS, "quick")
    with left.during(("a", "x")):
        clock[0] += 20.0
    left.done(("a", "x"), 20.0)
    with left.during(("a", "y")):
        assert progress.whole.get()() == "2 parts left, about 1 min 10 s"
        clock[0] += 50.0  # of 60
        assert left.told() == "2 parts left, about 20 s"  # late cells may still come
        clock[0] += 50.0
        assert left.told() == "2 parts left, about 50 s"
    assert progress.whole.get() is None


def test_cells_that_a_store_had_do_not_make_the_machine_fast(clock):
    left = remaining.Remaining(PARTS, "quick", n_workers=2)
    with left.during(("a", "x")):
        clock[0] += 1.0  # the rest was there
    left.done(("a", "x"), 40.0)  # of one core
    assert left.told() == "2 parts left, about 1 min 10 s"


def test_no_time_is_told_for_a_part_that_was_never_measured(clock):
    left = remaining.Remaining(PARTS, "full")
    with left.during(("a", "x")):
        clock[0] += 100.0
    left.done(("a", "x"), 100.0)
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
