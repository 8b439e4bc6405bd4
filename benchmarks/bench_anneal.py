"""Annealed softening on MAGIC: a whole run beside a forest, a proposal beside a prediction.

The peer is scikit-learn's RandomForestClassifier(100, n_jobs=1), fitted to the same 12 680
rows. A proposal costs the time of whole phases, all their preparations included, divided by
the proposals evaluated; the full evaluation is the cost of the tree by ``Ramp().predict``.
"""

import argparse

import numpy as np
from _timing import seconds, table
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from softwood._kernels.soft.anneal import Schedule, anneal_phase
from softwood._kernels.soft.outputs import fill_outputs
from softwood.data.training import TrainingSet
from softwood.datasets import load_dataset
from softwood.flow import Ramp
from softwood.grow.greedy import Cart, GreedyGrower
from softwood.refine.anneal import SCHEDULES, SoftenByAnnealing, softening_cost
from softwood.refine.cost_complexity import pruning_sequence
from softwood.refine.phases import draw, open_desk, open_outputs, phase_groups, room_of_tests

N_PROPOSALS = 100


def magic(seed):
    """Return the training and the test part; classes as 0 and 1."""
    X, y = load_dataset("magic", return_X_y=True)
    X, label = np.asarray(X, dtype=float), np.unique(np.asarray(y), return_inverse=True)[1]
    train, test = train_test_split(np.arange(label.size), test_size=1 / 3, random_state=seed)
    whole = TrainingSet.of_classes(X, label)
    return whole.take(train), whole.take(test)


def pruned_tree(data, n_leaves):
    """Return the tree of the pruning sequence whose size is nearest."""
    sequence = pruning_sequence(
        GreedyGrower(Cart(min_samples_split=20, min_samples_leaf=7)).grow(data)
    )
    nearest = np.argmin(np.abs(sequence.n_leaves() - n_leaves))
    return sequence.at(sequence.alphas[nearest])


def seconds_per_proposal(soft_tree, data):
    """Return the time of one proposal, over all groups of an already soft tree."""
    room = room_of_tests(soft_tree, data.X)
    soft = open_outputs(soft_tree, data, np.column_stack([soft_tree.below, soft_tree.above]))
    desk, rng = open_desk(soft_tree, data, N_PROPOSALS + 1), np.random.default_rng(0)
    groups, schedule = phase_groups(soft_tree), Schedule(1.0, 10, 4.0, True)
    fill_outputs(soft, 4.0)

    def all_groups():
        for group in groups:
            anneal_phase(soft, room, group, schedule, draw(rng, N_PROPOSALS), desk)

    return seconds(all_groups) / (len(groups) * N_PROPOSALS)


def error(tree, data):
    return np.mean(Ramp().predict(tree, data.X).argmax(axis=1) != data.label)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--leaves", type=int, default=60)
    parser.add_argument("--seed", type=int, default=100)
    options = parser.parse_args()
    train, test = magic(options.seed)
    tree = pruned_tree(train, options.leaves)
    SoftenByAnnealing(patience=1, maxit=2).refine(tree, train)  # compiles
    softening_cost(tree, train)

    forest = RandomForestClassifier(100, n_jobs=1, random_state=0)
    peer = seconds(lambda: forest.fit(train.X, train.label))
    wrong = np.mean(forest.predict(test.X) != test.label)
    runs = [["forest, 100 trees", f"{peer:.2f}", "1", "", f"{wrong:.4f}"]]
    cost = f"{softening_cost(tree, train):.0f}"
    runs.append(["hard tree", "", "", cost, f"{error(tree, test):.4f}"])
    speed = []
    for name in SCHEDULES:
        made = []
        refiner = SoftenByAnnealing(name, random_state=0)
        ours = seconds(lambda: made.append(refiner.refine(tree, train)))
        soft = made[0]
        cost = f"{softening_cost(soft, train):.0f}"
        runs.append([name, f"{ours:.2f}", f"{ours / peer:.2f}", cost, f"{error(soft, test):.4f}"])
        full = min(seconds(lambda: softening_cost(soft, train)) for _ in range(5))
        one = seconds_per_proposal(soft, train)
        times = [f"{one * 1e6:.0f}", f"{full * 1e6:.0f}", f"{full / one:.0f}"]
        speed.append([f"tree of {name}", *times])
    title = f"MAGIC, {train.n_rows} rows, {tree.n_leaves} leaves"
    print(table(title, ["run", "s", "of forest", "cost", "test error"], runs))
    print(table("One proposal", ["", "ours us", "full us", "times faster"], speed))


if __name__ == "__main__":
    main()
