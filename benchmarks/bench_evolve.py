"""Evolution: evaluations per second beside DEAP, a whole run, and the cost of more rows.

Both evaluate the same trees of 31 tests on the same 500 rows. DEAP (not a dependency; pip
install deap) compiles an individual to a Python function. Its answers are asked for twice:
row by row, which gives the empirical risk, as its own examples do; and for all rows at once,
by primitives on numpy arrays that give the vicinal risk, without minding that features are
tested again. Ours is the exact vicinal risk, from the shared up; in a run most of a child's
masses are known from its parents.
"""

import argparse
from time import process_time

import numpy as np
from _timing import cpu_seconds, table
from scipy.special import ndtr

from softwood._kernels._jit import kernel
from softwood._kernels.vicinal.node_buffers import FRESH
from softwood._kernels.vicinal.sweep import sweep
from softwood.data.training import TrainingSet
from softwood.datasets import load_dataset, make_gaussians
from softwood.grow.evolve import Evolution
from softwood.grow.evolve_trees import as_tree, read_line
from softwood.learn.vicinity import vicinity

try:
    from deap import gp
except ImportError:
    gp = None

SIGMA = 0.1**0.5
DEPTH, N_ROWS, N_FEATURES = 5, 500, 8


@kernel
def evaluate_all(farm, n_times):
    """Compute the risks of all members, from the shared up, so many times."""
    for _ in range(n_times):
        for line in range(farm.rules.n_members):
            farm.scratch.stale[line, : farm.book.n_nodes[line]] = FRESH
            sweep(farm.rows, farm.book, line, farm.scratch.stale[line], farm.pool, farm.path)


def full_trees(data, n_trees):
    """Return random trees with all their leaves at the same depth."""
    run = Evolution(vicinity(data, 0.1), max_depth=DEPTH, population_size=200)
    founded = run.start(data, np.random.SeedSequence(0))
    lines = [read_line(founded.farm.book, k) for k in range(200)]
    full = [line for line in lines if line.n_nodes == 2 ** (DEPTH + 1) - 1][:n_trees]
    return [as_tree(line, np.eye(2)[line.label], data) for line in full], full


def deap_individuals(lines):
    """Return the trees as DEAP's, and two sets of primitives: for a row, and for all rows."""
    by_row, by_column = gp.PrimitiveSet("row", N_FEATURES), gp.PrimitiveSet("rows", N_FEATURES + 2)
    by_row.addPrimitive(lambda x, cut, left, right: left if x <= cut else right, 4, name="test")

    def mixed(x, cut, left, right):
        share = ndtr((cut - x) / SIGMA)
        return share * left + (1.0 - share) * right

    by_column.addPrimitive(mixed, 4, name="test")
    individuals = {"row": [], "rows": []}
    for line in lines:
        for name, primitives in (("row", by_row), ("rows", by_column)):
            individuals[name].append(gp.PrimitiveTree(_expression(line, name, primitives)))
    return individuals, by_row, by_column


def _expression(line, name, primitives):
    test = primitives.mapping["test"]
    nodes = []
    for k in range(line.n_nodes):
        label = int(line.label[k])
        if line.feature[k] >= 0:
            cut = gp.Terminal(float(line.cut[k]), False, object)
            nodes += [test, primitives.mapping[f"ARG{line.feature[k]}"], cut]
        elif name == "row":
            nodes.append(gp.Terminal(label, False, object))
        else:  # the column that says which rows are not of this class
            nodes.append(primitives.mapping[f"ARG{N_FEATURES + label}"])
    return nodes


def beside_deap():
    X, y = make_gaussians(N_ROWS, n_features=N_FEATURES, random_state=0)
    X /= X.std(axis=0, ddof=1)
    data = TrainingSet.of_classes(X, y)
    trees, lines = full_trees(data, 20)
    run = Evolution(vicinity(data, 0.1), population_size=len(trees)).start(
        data, np.random.SeedSequence(0), trees
    )
    individuals, by_row, by_column = deap_individuals(lines)
    columns = [*X.T, (y != 0).astype(float), (y != 1).astype(float)]

    def row_by_row():
        for one in individuals["row"]:
            answer = gp.compile(one, by_row)
            np.mean([answer(*row) != label for row, label in zip(X, y, strict=True)])

    def all_at_once():
        for one in individuals["rows"]:
            np.mean(gp.compile(one, by_column)(*columns))

    evaluate_all(run.farm, 1)
    ours = min(cpu_seconds(lambda: evaluate_all(run.farm, 50)) for _ in range(15)) / 50
    rate = len(trees) / ours
    rows = [["softwood, vicinal", f"{rate:.0f}", ""]]
    for name, job in (
        ("DEAP, row by row, empirical", row_by_row),
        ("DEAP, numpy, vicinal", all_at_once),
    ):
        theirs = len(trees) / min(cpu_seconds(job) for _ in range(3))
        rows.append([name, f"{theirs:.0f}", f"{rate / theirs:.0f}"])
    in_run = Evolution(vicinity(data, 0.1)).start(data, np.random.SeedSequence(0))
    in_run.advance(5000)
    bred = min(cpu_seconds(lambda: in_run.advance(1000)) for _ in range(10))
    rows.append([f"softwood, in a run ({_mean_size(in_run):.0f} nodes)", f"{2000 / bred:.0f}", ""])
    title = f"Evaluations per second, {N_ROWS} rows, {2**DEPTH - 1} tests"
    return table(title, ["", "per second", "ours is faster by"], rows)


def _mean_size(run):
    return run.farm.book.n_nodes[np.flatnonzero(run.farm.herd.is_member)].mean()


def whole_run(n_iter):
    """One run on half of pima, on one core."""
    X, y = load_dataset("pima", return_X_y=True)
    X, y = np.asarray(X, dtype=float), np.unique(np.asarray(y), return_inverse=True)[1]
    half = np.random.default_rng(0).permutation(y.size)[: y.size // 2]
    data = TrainingSet.of_classes(X[half], y[half])
    rows = []
    for objectives in ("multi", "single"):
        run = Evolution(vicinity(data, 0.1), objectives).start(data, np.random.SeedSequence(0))
        start = process_time()
        run.advance(n_iter)
        took = process_time() - start
        rows.append(
            [objectives, f"{took:.2f}", f"{took / n_iter * 1e6:.1f}", f"{run.best_risk:.4f}"]
        )
    title = f"{n_iter} iterations on half of pima, 384 x 8"
    header = ["objectives", "s of one core", "us per iteration", "vicinal risk"]
    return table(title, header, rows)


def by_rows():
    rows = []
    for n_rows in (384, 1000, 3000, 10_000, 30_000):
        data = TrainingSet.of_classes(*make_gaussians(n_rows, n_features=8, random_state=0))
        trees, _ = full_trees(data, 10)
        run = Evolution(vicinity(data, 0.1), population_size=len(trees)).start(
            data, np.random.SeedSequence(0), trees
        )
        evaluate_all(run.farm, 1)
        took = min(cpu_seconds(lambda: evaluate_all(run.farm, 5)) for _ in range(10)) / (
            5 * len(trees)
        )
        rows.append([f"{n_rows}", f"{took * 1e6:.1f}", f"{took / n_rows / 31 * 1e9:.2f}"])
    header = ["rows", "us", "ns per row and test"]
    return table("One evaluation of 31 tests, from the shared up", header, rows)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n-iter", type=int, default=200_000)
    n_iter = parser.parse_args().n_iter
    if gp is None:
        print("DEAP is not installed: nothing is compared with it")
    else:
        print(beside_deap())
    print(by_rows())
    print(whole_run(n_iter))
