"""Risk by definition: boxes of single rows, and random draws."""

import numpy as np

from softwood.grow.evolve_trees import as_tree, read_line
from tests.oracles import spreading


def members(run):
    """Yield line, tree and one-hot answers of every member of a population."""
    from softwood._kernels.vicinal.columns import UNIT

    book, data = run.farm.book, run.data
    for line in np.flatnonzero(run.farm.herd.is_member):
        nodes = read_line(book, line)
        mass = book.mass[line, : nodes.n_nodes] * (data.weight.max() / float(UNIT))
        tree = as_tree(nodes, mass, data)
        labels = np.where((nodes.feature < 0)[:, None], np.eye(data.n_classes)[nodes.label], 0.0)
        yield int(line), tree, as_tree(nodes, labels, data).response


def risk(tree, answers, data, flow):
    """Mean mass at leaves of other classes, row by row."""
    return float(np.average(1.0 - right_mass(tree, answers, data, flow), weights=data.weight))


def right_mass(tree, answers, data, flow):
    predicted = flow.predict(tree, data.X, answers)
    return predicted[np.arange(data.n_rows), data.label]


def box_risk(tree, answers, data, scale):
    """The same by the box of every leaf; tests must be numeric."""
    mass = np.array([spreading.box(tree, x, scale) for x in data.X])
    wrong = 1.0 - answers[tree.leaves][:, data.label].T
    return float(np.average((mass * wrong).sum(axis=1), weights=data.weight))


def monte_carlo_risk(tree, answers, data, scale, n, rng):
    """The same by perturbed copies; return the mean and its standard error."""
    from softwood.flow import leaf_of

    noise = rng.standard_normal((n, *data.X.shape)) * scale
    copies = (data.X + noise).reshape(-1, data.X.shape[1])
    label = np.tile(data.label, n)
    wrong = answers[leaf_of(tree, copies)].argmax(axis=1) != label
    means = np.average(wrong.reshape(n, -1), axis=1, weights=data.weight)
    return float(means.mean()), float(means.std(ddof=1) / np.sqrt(n))
