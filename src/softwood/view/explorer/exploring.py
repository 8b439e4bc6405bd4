"""A model to look at and to try out, in one HTML file that needs nothing else."""

from __future__ import annotations

import base64
import html
import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

import numpy as np

from softwood._files import PathLike, check_place, write_atomically
from softwood._types import AnyArray, FloatArray
from softwood.data.telling import untold
from softwood.explain.labels import value_text
from softwood.interop.imported import Imported, import_model
from softwood.view.explorer.arrays import Block
from softwood.view.explorer.bundle import script, style, template
from softwood.view.explorer.columns import columns_of, facts_of
from softwood.view.explorer.pairs import changes_of
from softwood.view.explorer.sample import sample_of
from softwood.view.explorer.specification import Shown, front_of, specification

MOST_ROWS = 500
FRAME = 'sandbox="allow-scripts allow-downloads" style="width:100%;height:46rem;border:0"'


@dataclass(frozen=True, eq=False)
class Explorer:
    """A page, as :func:`explore` makes it; notebooks show it.

    Attributes
    ----------
    html : str
        The whole page.
    """

    html: str

    def save(self, path: PathLike) -> None:
        """Write the page to a file, wholly or not at all.

        Parameters
        ----------
        path : str or path-like
            Where to write.
        """
        write_atomically(path, self.html.encode("utf-8"))

    def _repr_html_(self) -> str:
        return f'<iframe srcdoc="{html.escape(self.html)}" {FRAME} title="Explorer"></iframe>'

    def __repr__(self) -> str:
        return f"<Explorer of {len(self.html) // 1024} KiB: save(path) writes it>"


def explore(  # noqa: PLR0913  (what to show, and under which names)
    model: Any,
    X: Any = None,
    y: Any = None,
    path: PathLike | None = None,
    *,
    other: Any = None,
    title: str | None = None,
    target: str | None = None,
    max_rows: int = MOST_ROWS,
) -> Explorer:
    """Show a fitted model in a page in which rows can be moved through its trees.

    The page is one HTML file that loads nothing from anywhere: it can be mailed and opened
    without Python. It runs the model itself, and its probabilities are those of
    ``predict_proba`` to nine digits and more.

    Parameters
    ----------
    model : estimator or booster
        A fitted model of softwood, a tree, forest or boosted model of scikit-learn, or one of
        LightGBM or XGBoost. Of an evolved tree the page also has the others of its front.
    X : Table, frame or array-like of shape (n_rows, n_columns), optional
        Rows to choose from, and to draw histograms of. Without them the controls know the
        columns from the cuts of the model alone.
    y : array-like of shape (n_rows,), optional
        Their classes or numbers.
    path : str or path-like, optional
        Where to save the page; it can also be saved later.
    other : estimator or booster, optional
        A second model to compare with, on the same columns.
    title : str, optional
        Heading of the page.
    target : str, optional
        Name of what is predicted; by default that of ``y``.
    max_rows : int, default=500
        How many rows the page brings along at most, a random sample; fewer of wide tables.
        They can be read by everybody who has the page; with 0 there are none.

    Returns
    -------
    Explorer
        Its ``html`` is the page; ``save(path)`` writes it.

    Notes
    -----
    Of ensembles with more than some 24 megabytes of trees, the page has the first ones only,
    and says so.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import CARTClassifier
    >>> from softwood.view import explore
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> page = explore(CARTClassifier(max_depth=3).fit(X, y), X, y, title="Three irises")
    >>> "<title>Three irises</title>" in page.html
    True
    """
    if path is not None:
        check_place(path)
    if max_rows < 0:
        raise ValueError(f"max_rows must not be negative; got {max_rows!r}")
    imported, block = import_model(model), Block()
    rows, values = _rows_of(imported, X, y)
    facts = facts_of(model, imported, rows)
    shown = Shown(type(model).__name__, model, imported, facts)
    models = front_of(shown) if other is None else [shown, _other(other, shown)]
    content = {
        "title": title or _title(target, y, shown.name),
        "target": value_text(target or getattr(y, "name", None) or "the target"),
        "isPair": other is not None,
        "changes": None if other is None or X is None else changes_of(model, other, X, y),
        "columns": columns_of(imported, facts),
        "models": [specification(one, block) for one in models],
        "rows": None
        if rows is None or max_rows == 0
        else sample_of(imported, rows, values, max_rows, block),
    }
    made = Explorer(_rendered(content, block))
    if path is not None:
        made.save(path)
    return made


def _rows_of(imported: Imported, X: Any, y: Any) -> tuple[FloatArray | None, AnyArray | None]:
    """Return rows as the trees read them, and their target; or complain about them."""
    if X is None:
        if y is not None:
            raise ValueError("y was given without X: give both, or none")
        return None, None
    with untold():  # categories that the model has not seen are shown as such
        rows = imported.encode(X)
    if y is None:
        return rows, None
    values = np.asarray(y)
    if values.shape != (len(rows),):
        raise ValueError(f"X has {len(rows)} rows, and y the shape {values.shape}")
    return rows, values


def _other(other: Any, shown: Shown) -> Shown:
    """Return the second model, which must read what the first one reads."""
    imported = import_model(other)
    theirs, ours = imported.schema.features, shown.imported.schema.features
    same = [f.name for f in theirs] == [f.name for f in ours] and [
        f.categories for f in theirs
    ] == [f.categories for f in ours]
    if not same:
        raise ValueError(
            "both models must read the same columns with the same categories; the first reads "
            f"{[f.name for f in ours]}, the other {[f.name for f in theirs]}"
        )
    return Shown(type(other).__name__, other, imported, shown.facts)


def _title(target: str | None, y: Any, kind: str) -> str:
    name = target or getattr(y, "name", None)
    return f"Predicting {value_text(name)}" if name is not None else kind


def _rendered(content: dict[str, Any], block: Block) -> str:
    """Return the page. What comes from data is text in JSON, in which no tag can begin."""
    content["arrays"] = block.text()
    data = json.dumps(_without_nan(content), ensure_ascii=True, allow_nan=False)
    data = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    code = script()
    parts = {
        "TITLE": html.escape(value_text(content["title"])),
        "STYLE": style(),
        "DATA": data,
        "SCRIPT": code,
        "HASH": base64.b64encode(sha256(code.encode("utf-8")).digest()).decode("ascii"),
    }
    pieces = template().split("%%")  # text, name, text, name, ... text
    return "".join(parts[piece] if place % 2 else piece for place, piece in enumerate(pieces))


def _without_nan(value: Any) -> Any:
    """Return what JSON can hold: no numbers that are none."""
    if isinstance(value, dict):
        return {key: _without_nan(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_without_nan(part) for part in value]
    if isinstance(value, float) and not np.isfinite(value):
        return None
    return value
