"""Random trees, and rows that hit their thresholds, lack values or hold unknown categories."""

import os

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

from softwood.tree import LEAF, NOMINAL, NUMERIC, OBLIQUE, Tree

WITHOUT_JIT = os.environ.get("NUMBA_DISABLE_JIT", "0") != "0"
ALL_KINDS = (NUMERIC, NOMINAL, OBLIQUE)

# The first example pays for compilation, hence no deadline.
checked = settings(deadline=None, max_examples=20 if WITHOUT_JIT else 40)

# Few values, so that tests, rows and ramps meet each other exactly.
cuts = st.sampled_from([-1.5, -1.0, -0.5, 0.0, 0.25, 0.5, 1.0, 1.5])
widths = st.sampled_from([0.0, 0.0, 0.25, 0.5, 1.0])
weights = st.sampled_from([0.0, 1.0, 1.0, 2.0, 3.5])
slopes = st.sampled_from([-2.0, -1.0, -0.5, 0.5, 1.0, 2.0])
numbers = st.one_of(cuts, cuts, st.floats(-2.0, 2.0), st.just(np.nan))
codes = st.sampled_from([0.0, 0.0, 1.0, 1.0, 2.0, 3.0, 4.0, -1.0, -2.0, 99.0, np.nan])


@st.composite
def tests_of(draw, kind, n_features):
    """Draw the test of one inner node, as columns of the node table."""
    if kind == NUMERIC:
        made = {"feature": draw(st.integers(0, n_features - 1)), "n_children": 2}
    elif kind == OBLIQUE:
        features = draw(st.lists(st.integers(0, n_features - 1), min_size=1, max_size=3))
        terms = [(f, draw(slopes)) for f in features]
        made = {"terms": terms, "n_children": 2}
    else:
        n_children = draw(st.integers(2, 4))
        extra = draw(st.lists(st.integers(-1, n_children - 1), max_size=2))
        branch = draw(st.permutations([*range(n_children), *extra]))
        made = {"feature": draw(st.integers(0, n_features - 1)), "n_children": n_children}
        return made | {"sets": branch, "missing": draw(st.integers(-1, n_children - 1))}
    return made | {
        "threshold": draw(cuts),
        "below": draw(widths),
        "above": draw(widths),
        "missing": draw(st.sampled_from([-1, -1, 0, 1])),
    }


@st.composite
def trees(draw, kinds=ALL_KINDS, max_tests=6, n_features=3, n_outputs=2):
    """Draw a tree: any shape, any of ``kinds``, siblings adjacent in random order."""
    nodes = [{}]
    leaves = [0]
    for _ in range(draw(st.integers(0, max_tests))):
        node = leaves.pop(draw(st.integers(0, len(leaves) - 1)))
        kind = draw(st.sampled_from(kinds))
        nodes[node] = {"kind": kind, "first": len(nodes), **draw(tests_of(kind, n_features))}
        children = range(len(nodes), len(nodes) + nodes[node]["n_children"])
        nodes.extend({} for _ in children)
        leaves.extend(children)
    responses = st.lists(st.floats(-1.0, 1.0), min_size=n_outputs, max_size=n_outputs)
    for node in nodes:
        node.update(weight=draw(weights), response=draw(responses))
    return tree_of(nodes, n_features)


def tree_of(nodes, n_features):
    """Return the tree of a list of dicts: ``first``, ``n_children`` and what the kind needs."""

    def column(name, otherwise):
        return [node.get(name, otherwise) for node in nodes]

    terms, sets = column("terms", []), column("sets", [])
    return Tree.from_nodes(
        n_features=n_features,
        first_child=column("first", -1),
        n_children=column("n_children", 0),
        kind=column("kind", LEAF),
        feature=column("feature", -1),
        threshold=column("threshold", 0.0),
        below=column("below", 0.0),
        above=column("above", 0.0),
        missing_child=column("missing", -1),
        weight=column("weight", 1.0),
        response=np.reshape(column("response", [0.0]), (len(nodes), -1)),
        term_start=np.cumsum([0, *map(len, terms)]),
        term_feature=np.array([f for term in terms for f, _ in term], dtype=np.int32),
        term_weight=np.array([w for term in terms for _, w in term], dtype=np.float64),
        set_start=np.cumsum([0, *map(len, sets)]),
        set_child=np.array([b for branches in sets for b in branches], dtype=np.int32),
    )


@st.composite
def rows_for(draw, tree, max_rows=12, missing=True):
    """Draw rows for ``tree``: codes where a column is tested as nominal, else numbers."""
    nominal = set(tree.feature[tree.kind == NOMINAL].tolist())
    columns = [codes if f in nominal else numbers for f in range(tree.n_features)]
    rows = draw(st.lists(st.tuples(*columns), min_size=1, max_size=max_rows))
    X = np.array(rows, dtype=np.float64).reshape(len(rows), tree.n_features)
    return X if missing else np.nan_to_num(X, nan=0.3)


@st.composite
def trees_and_rows(draw, missing=True, **options):
    """Draw a tree and rows for it."""
    tree = draw(trees(**options))
    return tree, draw(rows_for(tree, missing=missing))
