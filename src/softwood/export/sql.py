"""Models as one SQL query."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from softwood._files import PathLike, check_place, write_atomically
from softwood.export.levels import Grove, answers_of
from softwood.export.source import Source, source_of
from softwood.export.sql_algebra import DIALECTS, Query, column_of, literal, quoted, total_of
from softwood.export.sql_hard import nested_answers
from softwood.export.sql_rows import encoded_columns, refusal
from softwood.flow import Hard

MOST_TESTS = 250  # of trees whose tests are columns side by side; SQLite has 2000 at most
MOST_TREES = 100  # of hard trees side by side, each a column or some


def export_sql(
    model: Any,
    path: PathLike | None = None,
    *,
    dialect: str = "duckdb",
    table: str = "rows",
    keep: Sequence[str] = (),
) -> str:
    """Write a model as one SQL query that answers the rows of a table.

    Parameters
    ----------
    model : estimator or booster
        A fitted model of softwood, scikit-learn, LightGBM or XGBoost.
    path : str or path-like, optional
        File to write; the text is returned in any case.
    dialect : {"duckdb", "sqlite", "postgres"}, default="duckdb"
        Whose SQL it is.
    table : str, default="rows"
        Name of the table with the rows; its columns are called as in training.
    keep : sequence of str, default=()
        Further columns of the table, such as a key, to be among the answers.

    Returns
    -------
    str
        The query. It selects the columns of ``keep``, one column ``proba_...`` for each class,
        and ``prediction``. Missing values are NULL or NaN, in SQLite also empty texts. Dates are
        days since 1970-01-01; DuckDB and SQLite also read dates, and texts like 2024-05-17.

    Notes
    -----
    Answers are within 1e-12 of the model's. A row that the model refuses, because a value is
    infinite or a category unknown to a model with ``handle_unknown="error"``, gets NULL for
    its answers. DuckDB plans queries of large forests sooner after ``SET disabled_optimizers =
    'common_subexpressions'``. Soft models need SQLite 3.35 with its mathematical functions, which
    are built in as a rule.

    Examples
    --------
    >>> import sqlite3
    >>> from softwood import CARTClassifier
    >>> from softwood.export import export_sql
    >>> model = CARTClassifier().fit([[1.0], [2.0]], ["no", "yes"])
    >>> query = export_sql(model, dialect="sqlite", table="visits", keep=["id"])
    >>> base = sqlite3.connect(":memory:")
    >>> _ = base.execute("CREATE TABLE visits (id INTEGER, x0 REAL)")
    >>> _ = base.execute("INSERT INTO visits VALUES (7, 1.2), (8, 1.9)")
    >>> base.execute(query).fetchall()
    [(7, 1.0, 0.0, 'no'), (8, 0.0, 1.0, 'yes')]
    >>> base.close()
    """
    if dialect not in DIALECTS:
        raise ValueError(f"dialect must be one of {', '.join(DIALECTS)}; got {dialect!r}")
    if path is not None:
        check_place(path)
    text = _query(source_of(model), dialect, table, [str(name) for name in keep])
    if path is not None:
        write_atomically(path, text.encode("utf-8"))
    return text


def _query(source: Source, dialect: str, table: str, keep: list[str]) -> str:
    imported = source.imported
    kept = {f"k{j}": column_of(name) for j, name in enumerate(keep)}
    columns = encoded_columns(imported, dialect)
    refused = refusal(imported, dialect)
    query = Query(dialect, quoted(table), imported.n_categories, [*kept, *refused])
    query.layer({**kept, **columns, **refused})
    sums = _sums(source, query)
    base = imported.forest.base
    raw = query.hold([f"{s} + {literal(b)}" if b else s for s, b in zip(sums, base, strict=True)])[
        0
    ]
    answers = _linked(source, query, raw)
    shown = {quoted(name): f"k{j}" for j, name in enumerate(keep)}
    if refused:
        answers = [f"CASE WHEN refused = 0 THEN {answer} END" for answer in answers]
    answers = query.hold(answers)[0]
    names = _answer_names(source)
    shown |= {quoted(name): answer for name, answer in zip(names, answers, strict=True)}
    if imported.classes is not None:
        label = _label(source, raw, answers, dialect)
        shown[quoted("prediction")] = f"CASE WHEN {answers[0]} IS NOT NULL THEN {label} END"
    n_trees = len(source.trees)
    head = f"-- A {imported.kind} of {n_trees} tree{'s' if n_trees > 1 else ''}, by softwood.\n"
    return head + query.text(shown)


def _answer_names(source: Source) -> list[str]:
    if source.imported.classes is not None:
        return [f"proba_{label}" for label in source.imported.classes.tolist()]
    n_outputs = source.imported.forest.n_outputs
    return ["prediction"] if n_outputs == 1 else [f"prediction_{k}" for k in range(n_outputs)]


# -- trees -------------------------------------------------------------------------------


def _sums(source: Source, query: Query) -> list[str]:
    """Return, for each output, the sum over all trees."""
    grove, parts = source.grove, []
    is_hard = [isinstance(flow, Hard) for flow in source.flows]
    for batch in _batches(source, is_hard):
        some = _part(grove, batch)
        answers = nested_answers(query, some) if is_hard[batch[0]] else answers_of(query, some)
        parts.append(query.hold(answers)[0])
    return [total_of([part[k] for part in parts]) for k in range(source.imported.forest.n_outputs)]


def _part(grove: Grove, batch: list[int]) -> Grove:
    trees, gates, by_blocks, responses, n_categories = grove
    return Grove(
        [trees[k] for k in batch],
        [gates[k] for k in batch],
        [by_blocks[k] for k in batch],
        [responses[k] for k in batch],
        n_categories,
    )


def _batches(source: Source, is_hard: list[bool]) -> list[list[int]]:
    """Return which trees are computed side by side: hard ones, or soft ones with few tests."""
    batches: list[list[int]] = []
    n_tests = 0
    for k, tree in enumerate(source.trees):
        n_more = tree.n_nodes - tree.n_leaves
        most = MOST_TREES if is_hard[k] else MOST_TESTS
        n_more = 1 if is_hard[k] else n_more
        if batches and is_hard[batches[-1][0]] == is_hard[k] and n_tests + n_more <= most:
            batches[-1].append(k)
            n_tests += n_more
        else:
            batches.append([k])
            n_tests = n_more
    return batches


# -- answers -----------------------------------------------------------------------------


def _linked(source: Source, query: Query, raw: list[str]) -> list[str]:
    forest = source.imported.forest
    scores = [f"{literal(forest.slope)} * {r}" for r in raw] if forest.slope != 1.0 else raw
    if forest.link == "identity":
        return scores
    clipped = query.hold([query.clipped(score, -700.0, 700.0) for score in scores])[0]
    if forest.link in ("logistic", "sigmoid"):
        second = [f"1.0 / (1.0 + exp(-{score}))" for score in clipped]
        return [f"1.0 - {second[0]}", second[0]] if forest.link == "logistic" else second
    if forest.link == "exponential":
        return [f"exp({score})" for score in clipped]
    largest = query.hold([query.largest(scores)])[0][0]
    parts = query.hold(
        [f"exp({query.clipped(f'({score}) - {largest}', -700.0, 0.0)})" for score in scores]
    )[0]
    return [f"{part} / ({total_of(parts)})" for part in parts]


def _label(source: Source, raw: list[str], answers: list[str], dialect: str) -> str:
    """Return the class, chosen as the model chooses."""
    imported = source.imported
    assert imported.classes is not None
    labels = [_label_literal(label, dialect) for label in imported.classes.tolist()]
    if imported.rule in ("positive", "not_negative") and len(raw) == 1:
        sign = ">" if imported.rule == "positive" else ">="
        return f"CASE WHEN {raw[0]} {sign} 0.0 THEN {labels[1]} ELSE {labels[0]} END"
    scores = raw if imported.rule in ("positive", "not_negative") else answers
    slack = " - 1e-9" if imported.rule == "tied" else ""
    cases = []
    for k in range(len(labels) - 1):
        others = [s for at, s in enumerate(scores) if at != k]
        wins = " AND ".join(f"{scores[k]} >= {other}{slack}" for other in others)
        cases.append(f"WHEN {wins} THEN {labels[k]}")
    return f"CASE {' '.join(cases)} ELSE {labels[-1]} END" if cases else labels[0]


def _label_literal(label: Any, dialect: str) -> str:
    if isinstance(label, (bool, np.bool_)):
        return ("1" if label else "0") if dialect == "sqlite" else str(bool(label)).upper()
    if isinstance(label, (int, float)):
        return repr(label)
    if isinstance(label, str):
        return "'" + label.replace("'", "''") + "'"
    raise ValueError(
        f"{label!r} is a {type(label).__name__}, which cannot be written down; fit the model with "
        "texts or numbers"
    )
