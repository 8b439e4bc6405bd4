"""How fast rows flow: ours beside scikit-learn's, through the same trees, in one run.

    python benchmarks/bench_flow.py

Times are the best of several; read the ratios. Set NUMBA_CACHE_DIR to an empty folder to
see what compilation costs.
"""

import argparse
from time import perf_counter

import numpy as np
from sklearn.datasets import make_classification
from sklearn.tree import DecisionTreeClassifier

from softwood.flow import Gaussian, Hard, Ramp, Sampled, leaf_of
from softwood.tree import Tree

SHAPES = {  # name: rows to train on, features, classes
    "letter-like": (20_000, 16, 26),
    "magic-like": (19_020, 10, 2),
}


def best_of(repeats, *calls):
    """Return the shortest of several runs of each call, taken in turns, in microseconds."""
    best = np.full(len(calls), np.inf)
    for _ in range(repeats):
        for i, call in enumerate(calls):
            start = perf_counter()
            call()
            best[i] = min(best[i], perf_counter() - start)
    return best * 1e6


def same_tree(model):
    """Return the tree of a scikit-learn model: siblings brought together, breadth first."""
    theirs = model.tree_
    order, first_child = [0], []
    for node in order:  # grows as we go
        is_leaf = theirs.children_left[node] < 0
        first_child.append(-1 if is_leaf else len(order))
        if not is_leaf:
            order += [theirs.children_left[node], theirs.children_right[node]]
    inner = np.array(first_child) >= 0
    return Tree.from_nodes(
        n_features=theirs.n_features,
        first_child=first_child,
        n_children=np.where(inner, 2, 0),
        kind=inner,
        feature=np.where(inner, theirs.feature[order], -1),
        threshold=np.where(inner, theirs.threshold[order], 0.0),
        weight=theirs.weighted_n_node_samples[order],
        response=theirs.value[order][:, 0, :],
    )


def softened(tree, X):
    """Give every ramp a tenth of a deviation to either side."""
    inner = tree.n_children > 0
    width = np.where(inner, 0.1 * X.std(axis=0)[tree.feature], 0.0)
    return tree.replace(below=width, above=width)


def first_calls(tree, X):
    for name, call in {
        "Hard.predict": lambda: Hard().predict(tree, X[:9]),
        "Gaussian.predict": lambda: Gaussian(0.1).predict(tree, X[:9]),
        "Gaussian.spread": lambda: Gaussian(0.1).spread(tree, X[:9]),
    }.items():
        start = perf_counter()
        call()
        print(f"  first call of {name:<18}{perf_counter() - start:8.3f} s")


def against_sklearn(tree, model, X, repeats):
    raw = X.astype(np.float32)  # their tree reads single precision; the model converts each time
    assert np.mean(Hard().predict(tree, X).argmax(1) == model.predict_proba(X).argmax(1)) > 0.999
    pairs = {
        "leaf ids, their raw tree": (lambda: model.tree_.apply(raw), lambda: leaf_of(tree, X)),
        "leaf ids, their model": (lambda: model.apply(X), lambda: leaf_of(tree, X)),
        "probabilities": (lambda: model.predict_proba(X), lambda: Hard().predict(tree, X)),
        "probabilities of one row": (
            lambda: model.predict_proba(X[:1]),
            lambda: Hard().predict(tree, X[:1]),
        ),
    }
    for name, (theirs, ours) in pairs.items():
        a, b = best_of(repeats, theirs, ours)
        print(f"  {name:<26} scikit-learn {a:9.1f} us   ours {b:9.1f} us   {a / b:5.1f} x")


def soft_flows(tree, X, repeats):
    scale = X.std(axis=0)
    holes = X.copy()
    holes[np.random.default_rng(0).random(X.shape) < 0.02] = np.nan
    print(f"  {'':<34}{'ns/row':>9}{'leaves/row':>12}{'one row':>12}")
    for name, flow, soft, rows in (
        ("Hard", Hard(), tree, X),
        ("Hard, 2 % of values missing", Hard(), tree, holes),
        ("Ramp of 0.1 sd", Ramp(), softened(tree, X), X),
        ("Gaussian 0.1 sd", Gaussian(0.1 * scale), tree, X[:1000]),
        ("Gaussian 0.1 sd, product", Gaussian(0.1 * scale, exact=False), tree, X[:1000]),
        ("Gaussian 0.1 sd, drop=1e-6", Gaussian(0.1 * scale, drop=1e-6), tree, X[:1000]),
        ("Sampled 0.1 sd, n=256", Sampled(0.1 * scale), tree, X[:200]),
    ):
        (whole,) = best_of(max(3, repeats // 5), lambda f=flow, t=soft, r=rows: f.predict(t, r))
        (one,) = best_of(repeats, lambda f=flow, t=soft, r=rows: f.predict(t, r[:1]))
        leaves = flow.spread(soft, rows[:200]).nnz / 200
        print(f"  {name:<34}{whole / len(rows) * 1e3:9.0f}{leaves:12.1f}{one:9.1f} us")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--leaves", type=int, default=3000)
    parser.add_argument("--rows", type=int, default=10_000)
    parser.add_argument("--repeats", type=int, default=50)
    options = parser.parse_args()
    for name, (n_train, n_features, n_classes) in SHAPES.items():
        X, y = make_classification(
            n_train + options.rows,
            n_features,
            n_informative=n_features - 2,
            n_classes=n_classes,
            class_sep=0.7,
            flip_y=0.05,
            random_state=0,
        )
        model = DecisionTreeClassifier(max_leaf_nodes=options.leaves, random_state=0)
        tree = same_tree(model.fit(X[:n_train], y[:n_train]))
        rows = np.ascontiguousarray(X[n_train:])
        print(f"\n{name}: {tree}")
        first_calls(tree, rows)
        against_sklearn(tree, model, rows, options.repeats)
        soft_flows(tree, rows, options.repeats)


if __name__ == "__main__":
    main()
