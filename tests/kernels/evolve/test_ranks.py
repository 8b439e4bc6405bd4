import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from softwood._kernels._jit import kernel
from softwood._kernels.evolve.ranks import (
    Herd,
    best_member,
    draw_parent,
    draw_undominated,
    free_line,
    join,
    part_with,
    worst_member,
)
from softwood._kernels.randomness import random_state


@kernel
def enter(herd, line, born, counts_nodes):
    join(herd, line, born, counts_nodes)


@kernel
def leave(herd, line, counts_nodes):
    part_with(herd, line, counts_nodes)


@kernel
def chosen(herd, other, state):
    return (
        best_member(herd),
        worst_member(herd, state),
        draw_parent(herd, other, state),
        draw_undominated(herd, state),
        free_line(herd, 0),
    )


def herd_of(risk, n_nodes, counts_nodes=True):
    n = len(risk)
    herd = Herd(
        np.zeros(n + 1, bool),
        np.zeros(n + 1, np.int32),
        np.zeros(n + 1, np.int64),
        np.append(np.array(risk, float), 0.0),
        np.append(np.array(n_nodes, np.int32), 0).astype(np.int32),
    )
    for line in range(n):
        enter(herd, line, line, counts_nodes)
    return herd


def state_of(seed=0):
    return random_state(np.random.SeedSequence(seed))


members = st.lists(
    st.tuples(st.sampled_from([0.1, 0.2, 0.3]), st.sampled_from([1, 3, 5])),
    min_size=3,
    max_size=12,
)


@given(members, st.booleans(), st.data())
def test_counts_are_those_of_all_pairs_also_after_some_have_left(pairs, counts_nodes, data):
    risk, n_nodes = (np.array(column) for column in zip(*pairs, strict=True))
    herd = herd_of(risk, n_nodes, counts_nodes)
    gone = data.draw(st.integers(0, len(pairs) - 1))
    leave(herd, gone, counts_nodes)
    left = np.delete(np.arange(len(pairs)), gone)
    sizes = n_nodes if counts_nodes else np.zeros_like(n_nodes)
    for line in left:
        better = [
            risk[k] <= risk[line]
            and sizes[k] <= sizes[line]
            and (risk[k] < risk[line] or sizes[k] < sizes[line] or k > line)
            for k in left
        ]
        assert herd.n_better[line] == sum(better)


@given(members, st.integers(0, 1000))
def test_who_is_chosen(pairs, seed):
    risk, n_nodes = zip(*pairs, strict=True)
    herd = herd_of(risk, n_nodes)
    best, worst, parent, free, spare = chosen(herd, 0, state_of(seed))
    assert (risk[best], n_nodes[best], -best) == min(
        zip(risk, n_nodes, -np.arange(len(risk)), strict=True)
    )
    others = [k for k in range(len(risk)) if k != best]
    assert worst in others
    assert herd.n_better[worst] == max(herd.n_better[k] for k in others)
    assert parent != 0
    assert herd.n_better[free] == 0
    assert spare == len(risk)


def test_the_best_stays_when_all_are_of_the_first_rank():
    herd = herd_of([0.3, 0.2, 0.1], [1, 3, 5])
    assert herd.n_better[:3].tolist() == [0, 0, 0]
    assert {chosen(herd, 0, state_of(seed))[1] for seed in range(30)} == {0, 1}


def test_better_ranks_breed_more_often_in_proportion():
    herd = herd_of([0.1, 0.2, 0.3], [1, 1, 1])  # ranks 0, 1 and 2: chances 3, 2 and 1
    state = state_of()
    drawn = np.bincount([chosen(herd, -1, state)[2] for _ in range(3000)], minlength=3)
    np.testing.assert_allclose(drawn / 3000, [3 / 6, 2 / 6, 1 / 6], atol=0.04)
