"""How to keep, load and use the model, and what nobody has checked."""

from __future__ import annotations

import shlex
from typing import Any

from softwood.view._evidence import MOST_ROWS
from softwood.view._page import Page
from softwood.view._words import grouped, shown

TITLE = "Using the model"
MODEL_FILE, OTHER_FILE, NEW_ROWS = "model.softwood", "model.joblib", "new.csv"
MOST_COLUMNS = 12  # of an example


def content(page: Page) -> dict[str, Any]:
    """Return commands, code, and limits."""
    model = page.subject.model
    is_ours = type(model).__module__.split(".")[0] == "softwood"
    return {
        "is_ours": is_ours,
        "shell": _shell(page) if is_ours else "",
        "python": _python(page, is_ours),
        "columns": [shown(name) for name in page.names[:MOST_COLUMNS]],
        "n_more": max(len(page.names) - MOST_COLUMNS, 0),
        "limits": limits(page),
        "unchecked": unchecked(page),
    }


def _shell(page: Page) -> str:
    proba = " --proba" if page.subject.is_classes else ""
    file, rows = shlex.quote(MODEL_FILE), shlex.quote(NEW_ROWS)
    return f"softwood predict {file} {rows}{proba} --output answers.csv"


def _python(page: Page, is_ours: bool) -> str:
    file = repr(MODEL_FILE if is_ours else OTHER_FILE)
    kept = [f"softwood.save(model, {file})   # once", f"model = softwood.load({file})"]
    if not is_ours:
        kept = [f"joblib.dump(model, {file})   # once", f"model = joblib.load({file})"]
        kept[1] += "   # only files you trust"
    lines = [
        "import pandas as pd",
        "import softwood" if is_ours else "import joblib",
        "",
        *kept,
        f"new = pd.read_csv({NEW_ROWS!r})   # the columns below, under the same names",
        "model.predict(new)",
    ]
    if hasattr(page.subject.model, "predict_proba"):
        lines.append("model.predict_proba(new)   # columns in the order of model.classes_")
    return "\n".join(lines)


def limits(page: Page) -> list[str]:
    """Return what becomes of rows that are not like those of training."""
    model = page.subject.model
    texts = []
    if any(column.is_nominal for column in page.subject.table.columns):
        unknown = {
            "spread": "count as unknown: the row goes all ways, in proportion to training rows, "
            "and a warning says so",
            "missing": "are taken for missing, and a warning says so",
            "error": "are refused by an error that names them",
        }.get(str(getattr(model, "handle_unknown", "")))
        if unknown:
            texts.append(f"Categories that training did not have {unknown}.")
    if hasattr(model, "handle_unknown"):
        as_category = getattr(model, "handle_missing", "spread") == "category"
        texts.append(
            "Missing values are a category of their own."
            if as_category
            else "Missing values are allowed: the row goes all ways, in proportion to training "
            "rows."
        )
    if not page.subject.is_classes:
        texts.append(
            "The model does not extrapolate: answers stay near the numbers that training rows had."
        )
    return texts


def unchecked(page: Page) -> list[str]:
    """Return what this report says nothing about."""
    texts = [
        "Whether new rows are like these: folds are drawn at random, so a change over time, or "
        "rows that belong together (one customer, one patient), would not show.",
        "Whether the columns are known at the time of prediction, and do not give the answer away.",
        "Whether the model is fair to groups of people, or lawful to use.",
        "What causes what: columns that matter here may only go along with what matters.",
    ]
    if page.subject.n_rows > MOST_ROWS:
        texts.append(f"Rows beyond the {grouped(MOST_ROWS)} that took part in cross-validation.")
    return texts
