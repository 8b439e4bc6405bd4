"""Whether exported models answer as Python does: the table of benchmarks/README.md.

    python benchmarks/study_exports.py [--rows 1000000] [--seconds 60] [--only NAME ...]

Rows are made to break comparisons: gaps, categories never seen, values on the cuts of any tree and
on the two numbers next to them, on the corners of ramps, far outside, huge, tiny and negative
zeros. They are shared out among the models. The exported things are run: a C program, the Python
module, onnxruntime, DuckDB, SQLite. The Python module and SQLite get as many rows as they answer
in SECONDS of processor time per model, and at least 500; how many is said. Needs a C compiler and
the extras ``onnx`` and ``test``.
"""

import argparse
import ctypes
import sqlite3
import subprocess
import sys
import tempfile
from functools import partial
from pathlib import Path
from time import process_time

import numpy as np
import pandas as pd
from lightgbm import LGBMClassifier
from sklearn.ensemble import RandomForestClassifier

sys.path.insert(0, str(Path(__file__).parents[1]))
from softwood import (
    BaggedTreesClassifier,
    BaggedTreesRegressor,
    C45Classifier,
    CARTClassifier,
    CoalescenceClassifier,
    EvolvedTreeClassifier,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
    SoftTreeRegressor,
    VRForestClassifier,
    soften,
)
from softwood.data.telling import untold
from softwood.export import (
    compile_model,
    export_c,
    export_json,
    export_python,
    export_sql,
    from_json,
    to_onnx,
)
from softwood.export.source import source_of
from tests.view.explorer.models import DAY, UNSEEN, cancer, diabetes, with_gaps
from tests.view.tables import messy_table

UNKNOWN = -2.0
STRICT = ("-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2", "-shared", "-fPIC")
LOOP = """
int softwood_predict(const double *row, double *out);
long many(const double *rows, long n, int width, double *out, int n_outputs);
long many(const double *rows, long n, int width, double *out, int n_outputs) {
    for (long k = 0; k < n; k++)
        if (softwood_predict(rows + k * width, out + k * n_outputs) != 0) return k + 1;
    return 0;
}
"""


# -- models --------------------------------------------------------------------------


def wide_table():
    """Return more rows of the messy table, without the date, and a column of 40 categories."""
    X, y = messy_table(1500)
    town = np.random.default_rng(1).integers(0, 40, len(X))
    return X.drop(columns="since").assign(town=[f"town {k}" for k in town]), y


def fitted(model, table):
    X, y = table()
    with untold():
        return model.fit(X, y), X


def softened_forest():
    X, y = cancer()
    forest = RandomForestClassifier(10, random_state=0).fit(X, y)
    return soften(forest, X, y, smoothing=0.1, random_state=0), X


SOFT = {"method": "perturb", "smoothing": 0.4, "random_state": 0}
MODELS = {
    "C4.5": lambda: fitted(C45Classifier(), messy_table),
    "CART, sets of categories": lambda: fitted(CARTClassifier(min_samples_leaf=3), wide_table),
    "soft tree, gradients": lambda: fitted(
        SoftTreeClassifier(max_leaf_nodes=12, random_state=0), messy_table
    ),
    "soft tree, perturbed": lambda: fitted(SoftTreeClassifier(**SOFT), wide_table),
    "soft tree, oblique": lambda: fitted(
        SoftTreeClassifier(oblique=True, max_leaf_nodes=8, random_state=0), cancer
    ),
    "oblique (OC1)": lambda: fitted(ObliqueTreeClassifier(random_state=0), cancer),
    "evolved": lambda: fitted(EvolvedTreeClassifier(n_iter=3000, random_state=0), cancer),
    "Coalescence, 100 trees": lambda: fitted(
        CoalescenceClassifier(100, random_state=0), messy_table
    ),
    "Coalescence, 10 soft trees": lambda: fitted(
        CoalescenceClassifier(10, smoothing=0.3, random_state=0), messy_table
    ),
    "VRForest, 50 trees": lambda: fitted(VRForestClassifier(50, random_state=0), cancer),
    "bagged CART, 25 trees": lambda: fitted(BaggedTreesClassifier(25, random_state=0), messy_table),
    "bagged regression, 10 trees": lambda: fitted(
        BaggedTreesRegressor(10, random_state=0), diabetes
    ),
    "soft regression": lambda: fitted(
        SoftTreeRegressor(max_leaf_nodes=10, random_state=0), diabetes
    ),
    "softened forest of scikit-learn": softened_forest,
    "LightGBM": lambda: fitted(LGBMClassifier(n_estimators=8, verbose=-1), with_gaps),
}


# -- rows ----------------------------------------------------------------------------


def cuts_of(source):
    """Return, for each column, the cuts of all trees, the corners of ramps, and zero."""
    cuts = [{0.0} for _ in source.imported.schema.features]
    for tree in source.trees:
        for node in np.flatnonzero(tree.kind == 1):
            cut = float(tree.threshold[node])
            corners = {cut - float(tree.below[node]), cut, cut + float(tree.above[node])}
            cuts[int(tree.feature[node])] |= {value for value in corners if np.isfinite(value)}
    return [np.array(sorted(values)) for values in cuts]


def fuzzed(source, X, n_rows, rng):
    """Return rows as numbers: codes of categories, -2 for unknown ones, NaN for gaps."""
    imported = source.imported
    with untold():
        seen = imported.encode(X)
    cuts = cuts_of(source)
    columns = [
        nominal(rng, feature, imported.reader.unknown, n_rows)
        if feature.is_nominal
        else numbers(rng, seen[:, j], cuts[j], n_rows, feature.is_date)
        for j, feature in enumerate(imported.schema.features)
    ]
    rows = np.column_stack(columns)
    on_hyperplanes(source, rows, rng)
    rows[rng.random(rows.shape) < 0.08 * rng.integers(0, 2, (n_rows, 1))] = np.nan
    return rows


def nominal(rng, feature, unknown, n_rows):
    known = [code for code, name in enumerate(feature.categories) if name is not None]
    codes = rng.choice(known, n_rows).astype(float)
    if unknown in ("spread", "missing"):
        codes[rng.random(n_rows) < 0.1] = UNKNOWN
    return codes


def numbers(rng, seen, cuts, n_rows, is_date):
    seen = seen[np.isfinite(seen)]
    low, high = seen.min(), seen.max()
    if is_date:
        return rng.integers(int(low) - 400, int(high) + 400, n_rows).astype(float)
    cut = rng.choice(cuts, n_rows)
    far = (low + high) / 2 + (high - low) * rng.normal(size=n_rows) * 10.0 ** rng.integers(
        0, 9, n_rows
    )
    odd = np.array([-0.0, 5e-324, -5e-324, 1e-300, 1e30, -1e30, 1e300, -1e300, 1.7e308, -1.7e308])
    choices = {
        0.35: rng.choice(seen, n_rows),
        0.30: rng.uniform(low, high, n_rows),
        0.12: cut,
        0.06: np.where(cut == 0.0, 1e-30, np.nextafter(cut, np.inf)),
        0.061: np.where(cut == 0.0, -1e-30, np.nextafter(cut, -np.inf)),
        0.10: far,
        0.009: rng.choice(odd, n_rows),
    }
    share = np.array(list(choices))
    which = rng.choice(len(share), n_rows, p=share / share.sum())
    return np.choose(which, list(choices.values()))


def on_hyperplanes(source, rows, rng):
    """Move one value of some rows so that an oblique test comes out at its cut, or next to it."""
    for tree in source.trees:
        for node in np.flatnonzero(tree.kind == 3):
            terms = slice(tree.term_start[node], tree.term_start[node + 1])
            columns, weights = tree.term_feature[terms], tree.term_weight[terms]
            some = np.flatnonzero(rng.random(len(rows)) < 0.02)
            at = int(rng.integers(len(columns)))
            with np.errstate(over="ignore", invalid="ignore"):
                rest = rows[some][:, columns] @ weights - rows[some, columns[at]] * weights[at]
                value = (tree.threshold[node] - rest) / weights[at]
            fine = np.isfinite(value)
            rows[some[fine], columns[at]] = value[fine]


def as_frame(imported, rows, *, dates):
    """Return rows as people have them: names of categories, dates, None and NaN for gaps."""
    columns = {}
    for j, feature in enumerate(imported.schema.features):
        values = rows[:, j]
        if feature.is_nominal:
            names = np.array([*feature.categories, UNSEEN, None], dtype=object)
            n = len(feature.categories)
            place = np.where(np.isnan(values), n + 1, np.where(values == UNKNOWN, n, values))
            columns[feature.name] = names[place.astype(int)]
        elif feature.is_date and dates:
            columns[feature.name] = DAY + pd.to_timedelta(values, unit="D")
        else:
            columns[feature.name] = values
    return pd.DataFrame(columns)


def as_given(imported, frame):
    plain = imported.schema.all_numeric and not any(f.is_date for f in imported.schema.features)
    return frame if imported.reader.checks_names or not plain else frame.to_numpy()


# -- what float32 cannot tell -------------------------------------------------------


def hard_to_tell(source, rows):
    """Return which rows float32 cannot hold, or has a test of at its cut but for roundings."""
    with np.errstate(over="ignore", invalid="ignore"):
        size = np.abs(rows)
        near = ((size > 3.4e38) | ((size > 0.0) & (size < 1.2e-38))).any(axis=1)
        for tree in source.trees:
            for node in np.flatnonzero((tree.kind == 1) | (tree.kind == 3)):
                if tree.kind[node] == 1:
                    value, n_roundings = rows[:, tree.feature[node]], 4
                    size = np.abs(value)
                else:
                    terms = slice(tree.term_start[node], tree.term_start[node + 1])
                    parts = rows[:, tree.term_feature[terms]] * tree.term_weight[terms]
                    value, size = parts.sum(axis=1), np.abs(parts).sum(axis=1)
                    n_roundings = parts.shape[1] + 4
                corners = (0.0, -tree.below[node], tree.above[node])
                for corner in {c for c in map(float, corners) if np.isfinite(c)}:
                    cut = tree.threshold[node] + corner
                    near |= np.abs(value - cut) <= n_roundings * 2.0**-24 * np.maximum(
                        size, abs(cut)
                    )
                near |= size > 3.4e38
    return near


# -- places to run ------------------------------------------------------------------


def in_c(model, source, rows, folder, n_outputs):
    export_c(model, folder / "model.c")
    (folder / "loop.c").write_text(LOOP)
    made = folder / "model.so"
    command = [
        "cc",
        *STRICT,
        "-o",
        str(made),
        str(folder / "model.c"),
        str(folder / "loop.c"),
        "-lm",
    ]
    subprocess.run(command, check=True)
    library = ctypes.CDLL(str(made))
    library.many.restype = ctypes.c_long
    made.unlink()
    pointer, out = ctypes.POINTER(ctypes.c_double), np.empty((len(rows), n_outputs))
    rows = np.ascontiguousarray(rows)
    failed = library.many(
        rows.ctypes.data_as(pointer),
        ctypes.c_long(len(rows)),
        rows.shape[1],
        out.ctypes.data_as(pointer),
        n_outputs,
    )
    if failed:
        out[failed - 1] = np.nan
    return out


def in_python(model, frame, seconds):
    module = {}
    exec(compile(export_python(model), "model.py", "exec"), module)
    names, ask, start, out = list(frame.columns), module["predict_proba"], process_time(), []
    for values in zip(*(frame[name].tolist() for name in names), strict=True):
        out.append(ask(dict(zip(names, values, strict=True))))
        if len(out) >= 500 and process_time() - start > seconds:
            break
    return np.array(out)


def in_onnx(model, rows, dtype):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    proto = to_onnx(model, rows, dtype=dtype)
    session = onnxruntime.InferenceSession(
        proto.SerializeToString(), options, providers=["CPUExecutionProvider"]
    )
    with np.errstate(over="ignore"):
        given = rows.astype(dtype)
    parts = [session.run(None, {"X": given[at : at + 5000]}) for at in range(0, len(given), 5000)]
    return np.concatenate([part[-1] for part in parts])


def in_duckdb(model, frame, n_outputs):
    import duckdb

    base = duckdb.connect()
    base.execute("SET threads = 1; SET disabled_optimizers = 'common_subexpressions'")
    base.execute("SET memory_limit = '6GB'")
    base.register("rows", frame.assign(the_row=np.arange(len(frame))))
    try:
        found = base.execute(export_sql(model, keep=["the_row"])).fetchnumpy()
    except duckdb.OutOfMemoryException:  # wide steps of large forests are held as a whole
        return in_duckdb(model, frame[: len(frame) // 8], n_outputs)
    order = np.argsort(found["the_row"])
    columns = list(found.values())[1 : 1 + n_outputs]
    return np.column_stack([np.ma.filled(c.astype(float), np.nan)[order] for c in columns])


def in_sqlite(model, frame, seconds, n_outputs):
    base = sqlite3.connect(":memory:")
    names = ", ".join(f'"{name}"' for name in frame.columns)
    base.execute(f"CREATE TABLE rows ({names})")
    cells = frame.astype(object).where(frame.notna(), None).to_numpy().tolist()
    base.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * frame.shape[1])})", cells)
    query, start, out = export_sql(model, dialect="sqlite"), process_time(), []
    for answer in base.execute(query):
        out.append(answer[:n_outputs])
        if len(out) >= 500 and process_time() - start > seconds:
            break
    return np.array(out, dtype=float)


# -- one model ----------------------------------------------------------------------


def gap_of(found, expected):
    """Return the largest difference, relative to the largest answer where that exceeds 1."""
    expected = expected[: len(found)]
    if np.isnan(found).any():
        return np.inf
    return float(np.abs(found - expected).max() / max(1.0, np.abs(expected).max()))


def refusals(model, source, frame, rows, folder):
    """Return how many places answer a row with an infinite number, over all columns."""
    answered, n_outputs = [], 2 if source.imported.classes is not None else 1
    first = int(np.flatnonzero(~np.isnan(rows).any(axis=1) & (np.abs(rows) < 1e30).all(axis=1))[0])
    for j, feature in enumerate(source.imported.schema.features):
        if feature.is_nominal or feature.is_date:
            continue
        for value in (np.inf, -np.inf):
            row = rows[first : first + 1].copy()
            row[0, j] = value
            table = frame.iloc[first : first + 1].copy()
            table[feature.name] = value
            places = {
                "onnx": partial(in_onnx, model, row, "float64"),
                "onnx32": partial(in_onnx, model, row, "float32"),
                "sqlite": partial(in_sqlite, model, table, 1, n_outputs),
                "python": partial(in_python, model, table, 1),
                "compile": partial(compile_model(model), table),
            }
            if j == 0:
                places["c"] = partial(in_c, model, source, row, folder, n_outputs)
            if j == 0 and len(source.trees) < 60:
                places["duckdb"] = partial(in_duckdb, model, table, n_outputs)
            for place, ask in places.items():
                try:
                    if not np.isnan(np.asarray(ask(), dtype=float)).all():
                        answered.append(f"{place}: {feature.name} {value}")
                except ValueError:
                    pass
        if len(source.trees) > 20:
            break
    return answered


def one(name, n_rows, seconds, folder):
    with untold():
        model, X = MODELS[name]()
    source = source_of(model)
    imported = source.imported
    rows = fuzzed(source, X, n_rows, np.random.default_rng(7))
    frame = as_frame(imported, rows, dates=False)
    with untold():
        given = as_given(imported, as_frame(imported, rows, dates=True))
        if name == "LightGBM":  # of its own, it does not take categories never seen
            expected = imported.forest.predict(imported.encode(given), imported.flow)
        else:
            ask = model.predict_proba if imported.classes is not None else model.predict
            expected = np.asarray(ask(given), dtype=float).reshape(n_rows, -1)
        again = from_json(export_json(model))
        expected_again = again.forest.predict(again.encode(given), again.flow)
        compiled = compile_model(model)(given[:2000])
    n_outputs, cell = expected.shape[1], {"model": name, "rows": n_rows}
    cell["json"] = gap_of(expected_again, expected)
    cell["compile"] = gap_of(compiled, expected)
    cell["c"] = gap_of(in_c(model, source, rows, folder, n_outputs), expected)
    found = in_python(model, frame, seconds)
    cell["python"], cell["python rows"] = gap_of(found, expected), len(found)
    cell["onnx"] = gap_of(in_onnx(model, rows, "float64"), expected)
    with untold():
        hard = hard_to_tell(source, imported.encode(given))
    found = in_onnx(model, rows, "float32")
    cell["onnx32"], cell["at a cut"] = gap_of(found[~hard], expected[~hard]), int(hard.sum())
    size = max(1.0, np.abs(expected).max())
    wrong = ~(np.abs(found - expected).max(axis=1) < 1e-5 * size)
    cell["onnx32 off"] = int(wrong.sum())
    found = in_duckdb(model, frame, n_outputs)
    cell["duckdb"], cell["duckdb rows"] = gap_of(found, expected), len(found)
    found = in_sqlite(model, frame, seconds, n_outputs)
    cell["sqlite"], cell["sqlite rows"] = gap_of(found, expected), len(found)
    cell["answered"] = refusals(model, source, frame, rows, folder)
    return cell


LIMITS = {"json": 0.0, "compile": 0.0, "c": 0.0, "python": 0.0, "onnx": 1e-12, "onnx32": 1e-5,
          "duckdb": 1e-12, "sqlite": 1e-12}  # fmt: skip
LINKED = {"LightGBM": {"c": 1e-15, "python": 1e-15}}  # an exponential of another library


def shown(value):
    return "=" if value == 0.0 else f"{value:.0e}"


def main(options):
    names = options.only or list(MODELS)
    failed = []
    print("| model | rows | C | Python (rows) | ONNX | float32, away from cuts | at a cut (off) "
          "| DuckDB (rows) | SQLite (rows) |\n|---|---|---|---|---|---|---|---|---|")  # fmt: skip
    for name in names:
        start = process_time()
        with tempfile.TemporaryDirectory() as folder, np.errstate(over="ignore"):
            cell = one(name, options.rows // len(names), options.seconds, Path(folder))
        print(
            f"| {name} | {cell['rows']} | {shown(cell['c'])} | {shown(cell['python'])} "
            f"({cell['python rows']}) | {shown(cell['onnx'])} | {shown(cell['onnx32'])} "
            f"| {cell['at a cut']} ({cell['onnx32 off']}) | {shown(cell['duckdb'])} "
            f"({cell['duckdb rows']}) "
            f"| {shown(cell['sqlite'])} ({cell['sqlite rows']}) |",
            flush=True,
        )
        limits = LIMITS | LINKED.get(name, {})
        failed += [f"{name}, {k}: {cell[k]:.2g}" for k, most in limits.items() if cell[k] > most]
        failed += [f"{name} answers {what}" for what in cell["answered"]]
        print(f"{name}: {process_time() - start:.0f} s", file=sys.stderr, flush=True)
    print(
        "\n"
        + ("\n".join(failed) if failed else "all within their limits; what is infinite is refused")
    )
    return bool(failed)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=1_000_000)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--only", action="append", choices=MODELS)
    sys.exit(main(parser.parse_args()))
