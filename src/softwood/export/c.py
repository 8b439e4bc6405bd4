"""Models as one C file that needs nothing but the standard library."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np

from softwood._files import PathLike, check_place, write_atomically
from softwood._types import AnyArray
from softwood.data.table import UNKNOWN_CODE
from softwood.export._leaves import only_answers
from softwood.export.source import Source, source_of

LINKS = ("identity", "logistic", "sigmoid", "softmax", "exponential")
RULES = ("largest", "tied", "positive", "not_negative")
WIDTH = 100  # of a line of numbers
NODE_ARRAYS = {
    "n_children": "int",
    "first_child": "int",
    "kind": "unsigned char",
    "feature": "int",
    "threshold": "double",
    "missing_child": "int",
    "weight": "double",
    "below": "double",
    "above": "double",
}
GATES = {"sd": "double", "home": "int", "redraw": "double", "drawn": "double"}


def export_c(model: Any, path: PathLike | None = None) -> str:
    """Write a model as one file of C99, without dependencies.

    Parameters
    ----------
    model : estimator or booster
        A fitted model of softwood, scikit-learn, LightGBM or XGBoost.
    path : str or path-like, optional
        File to write; the text is returned in any case.

    Returns
    -------
    str
        The file. Its head says how to call it.

    Notes
    -----
    Its answers are those of ``predict_proba`` to the last bit, if it is compiled with
    ``-std=c99`` (which forbids to fuse a product and a sum) and linked with the same ``libm``;
    probabilities of boosted models, which pass through an exponential, may differ in it.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.export import export_c
    >>> text = export_c(CARTClassifier().fit([[1.0], [2.0]], ["no", "yes"]))
    >>> "int softwood_predict(const double *row, double *out)" in text
    True
    """
    if path is not None:
        check_place(path)
    source = source_of(model)
    text = "\n".join([_head(source), *_tables(source), _engine()])
    if path is not None:
        write_atomically(path, text.encode("utf-8"))
    return text


@cache
def _engine() -> str:
    return files("softwood.export").joinpath("engine.c").read_text(encoding="utf-8")


# -- what the reader is told ------------------------------------------------------------


def _head(source: Source) -> str:
    imported = source.imported
    n_outputs = 2 if imported.forest.link == "logistic" else imported.forest.n_outputs
    columns = [
        f" *   {j}: {_comment(feature.name)}"
        + (" (code of a category: see softwood_category)" if feature.is_nominal else "")
        + (" (days since 1970-01-01)" if feature.is_date else "")
        for j, feature in enumerate(imported.schema.features)
    ]
    answers = (
        ["the number predicted"]
        if imported.classes is None
        else [f"probability of {_comment(name)}" for name in imported.classes.tolist()]
    )
    lines = [
        f"/* A {imported.kind} of {len(source.trees)} trees, written by softwood.",
        " *",
        " *   cc -std=c99 -O2 -c model.c, and link with -lm",
        " *",
        " * int softwood_predict(const double *row, double *out): 0, or what went wrong.",
        " * int softwood_predict_class(const double *row): place of the class; negative: failed.",
        " * int softwood_category(int column, const char *name): code of a category, or -2.",
        " *",
        " * row (NAN is missing; infinite values are refused):",
        *columns,
        " * out:",
        *(f" *   {k}: {text}" for k, text in enumerate(answers)),
        " */",
        "",
        f"#define SOFTWOOD_N_COLUMNS {len(imported.schema.features)}",
        f"#define SOFTWOOD_N_OUTPUTS {n_outputs}",
        "#define SOFTWOOD_INFINITE 1",
        "#define SOFTWOOD_NO_MEMORY 2",
        "",
    ]
    return "\n".join(lines)


def _comment(value: Any) -> str:
    """Return a name as a comment can hold it: on one line, and nothing that ends it."""
    text = str(value).encode("unicode_escape").decode("ascii")
    return text.replace("*/", "* /").replace("/*", "/ *").replace("\\", "\\\\")


# -- numbers ------------------------------------------------------------------------------


def _tables(source: Source) -> list[str]:
    from softwood._kernels.normal import cdf_table

    gates = source.gates
    tables = [_constants(source), _reader(source)]
    for name, kind in NODE_ARRAYS.items():
        tables.append(_array(kind, name, _joined(getattr(tree, name) for tree in source.trees)))
    for name, kind in GATES.items():
        values = _joined(getattr(gate, name) for gate in gates)
        tables.append(_array(kind, f"gate_{name}", values))
    tables.append(_array("double", "answers", _joined(t.response.ravel() for t in source.trees)))
    tables += _ragged(source)
    has_blocks = bool((source.most_by_blocks(gates) >= 0.0).any())
    tables.append(f"#define HAS_BLOCKS {int(has_blocks)}")
    if has_blocks:
        tables.append(_array("double", "cdf_table", cdf_table().ravel()))
        tables.append(_array("int", "only_answer", _joined(map(only_answers, source.trees))))
    forest = source.imported.forest
    tables.append(_array("double", "factor", forest.factor))
    tables.append(_array("int", "output", forest.output))
    tables.append(_array("double", "base", forest.base))
    tables.append(_array("double", "divisor", source.divisor))
    tables.append(_index_of_trees(source, gates))
    return tables


def _constants(source: Source) -> str:
    imported, forest, reader = source.imported, source.imported.forest, source.imported.reader
    numbers = {
        "N_TREES": len(source.trees),
        "N_RAW": forest.n_outputs,
        "MOST_OUTPUTS": max(tree.n_outputs for tree in source.trees),
        "MOST_NODES": max(tree.n_nodes for tree in source.trees) + 1,
        "IS_MEAN": int(forest.is_mean),
        "IS_HARD": int(source.is_hard),
        "LINK": LINKS.index(forest.link),
        "SLOPE": _number(forest.slope),
        "RULE": RULES.index(imported.rule),
        "ZERO": _number(reader.zero),
        "HAS_FILL": int(bool(reader.fill)),
        "HAS_MARK": int(not np.isnan(reader.missing_value)),
        "MISSING_MARK": _number(np.nan_to_num(reader.missing_value)),
    }
    return "\n".join(f"#define {name} {value}" for name, value in numbers.items())


def _reader(source: Source) -> str:
    """Return what turns given values into those that trees read."""
    features, reader = source.imported.schema.features, source.imported.reader
    sizes = [len(feature.categories or ()) for feature in features]
    null = [
        len(f.categories) - 1 if f.categories and None in f.categories else -1 for f in features
    ]
    unknown = [_unknown(reader.unknown, n, at) for n, at in zip(sizes, null, strict=True)]
    zero = [int(j in reader.zero_is_missing) for j in range(len(features))]
    names = [name for feature in features for name in feature.categories or ()]
    start = np.concatenate(([0], np.cumsum(sizes)))[:-1]
    shown = ", ".join("0" if name is None else _string(name) for name in names) or "0"
    return "\n".join(
        [
            "#include <math.h>",
            _array("int", "n_categories", sizes),
            _array("int", "null_code", null),
            f"static const double unknown_code[] = {{{', '.join(unknown)}}};",
            _array("unsigned char", "zero_is_missing", zero),
            _array("double", "fill", reader.fill or [0.0]),
            _array("int", "category_start", start),
            f"static const char *const category_names[] = {{{shown}}};",
        ]
    )


def _unknown(rule: str, n_categories: int, null: int) -> str:
    if rule == "spread":
        return f"{UNKNOWN_CODE}.0"
    if rule == "other":
        return f"{n_categories - 1}.0"
    return f"{null}.0" if null >= 0 else "NAN"


def _string(name: Any) -> str:
    text = "".join(
        chr(byte) if 32 <= byte < 127 and chr(byte) not in '"\\?' else f"\\{byte:03o}"
        for byte in str(name).encode("utf-8")
    )
    return f'"{text}"'


def _ragged(source: Source) -> list[str]:
    """Return terms and sets; their starts are places in the arrays of all trees."""
    tables = []
    for prefix, names in (("term", ("feature", "weight")), ("set", ("child",))):
        counts = _joined(np.diff(getattr(tree, f"{prefix}_start")) for tree in source.trees)
        tables.append(_array("int", f"{prefix}_start", np.concatenate(([0], np.cumsum(counts)))))
        for name in names:
            values = _joined(getattr(tree, f"{prefix}_{name}") for tree in source.trees)
            kind = "double" if name == "weight" else "int"
            tables.append(_array(kind, f"{prefix}_{name}", values if values.size else [0]))
    return tables


def _index_of_trees(source: Source, gates: Sequence[Any]) -> str:
    most = source.most_by_blocks(gates)
    lines, node, answer = [], 0, 0
    for tree, gate, largest in zip(source.trees, gates, most, strict=True):
        numbers = [node, answer, tree.n_nodes, tree.n_outputs, int(gate.shape)]
        doubles = [gate.drop, gate.span, float(largest)]
        lines.append("{" + ", ".join([*map(str, numbers), *map(_number, doubles)]) + "}")
        node += tree.n_nodes
        answer += tree.response.size
    struct = (
        "typedef struct {\n    int first_node, first_answer, n_nodes, "
        "n_outputs, shape;\n    double drop, span, most_by_blocks;\n} Tree;"
    )
    return f"{struct}\nstatic const Tree trees[] = {{\n" + ",\n".join(lines) + "\n};"


def _joined(parts: Iterable[Any]) -> AnyArray:
    return np.concatenate([np.asarray(part) for part in parts])


def _array(kind: str, name: str, values: Any) -> str:
    texts = [_number(value) for value in np.asarray(values).tolist()]
    lines, line = [], ""
    for text in texts:
        if line and len(line) + len(text) + 2 > WIDTH:
            lines.append(line)
            line = ""
        line += f"{text}," if not line else f" {text},"
    lines.append(line)
    return f"static const {kind} {name}[] = {{\n" + "\n".join(lines) + "\n};"


def _number(value: Any) -> str:
    """Return a number so that C reads the same bits."""
    return str(value) if isinstance(value, int) else repr(float(value))
