"""C5.0's own trees, read from its text, and how it turns counts into probabilities."""

import re

import numpy as np

from softwood.flow import Ramp
from tests.strategies import NUMERIC, tree_of

NUMERIC_NODE = "2"


def single(number):
    """C5.0 keeps numbers in single precision: a printed 26.299999 is 26.3."""
    return np.float64(np.float32(number))


def parse_tree(text, features):
    """Return ``(tree, zones)``: the tree without its zones, and each node's (low, mid, high)."""
    lines = [dict(re.findall(r'(\w+)="([^"]*)"', line)) for line in text.splitlines()]
    records = iter([record for record in lines if "type" in record])
    nodes = [{}]

    def read(node):
        record = next(records)
        count = np.array(record["freq"].split(","), dtype=float)
        made = {"weight": count.sum(), "response": (count / count.sum()).tolist()}
        if record["type"] == NUMERIC_NODE:
            assert "freq" not in next(records)  # the branch of missing values: no case took it
            first = len(nodes)
            made |= {"first": first, "n_children": 2, "kind": NUMERIC}
            made |= {"feature": features.index(record["att"]), "threshold": single(record["cut"])}
            made["zone"] = [float(record[key]) for key in ("low", "mid", "high") if key in record]
            nodes.extend([{}, {}])
            read(first)
            read(first + 1)
        nodes[node] = made

    read(0)
    tree = tree_of(nodes, len(features))
    # Both trees list siblings side by side, so level by level they agree.
    order = [0]
    for node in order:
        if "first" in nodes[node]:
            order += [nodes[node]["first"], nodes[node]["first"] + 1]
    return tree, [nodes[node].get("zone", []) for node in order]


def probabilities(tree, X):
    """Return C5.0's class probabilities: the priors count as one more case.

    Shares of the classes and numbers of cases are both means over the leaves, by mass.
    """
    share = Ramp().predict(tree, X)
    n_cases = Ramp().predict(tree, X, response=tree.weight[:, None])
    return (n_cases * share + tree.response[0]) / (n_cases + 1.0)
