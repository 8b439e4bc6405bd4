"""Which columns matter, as bars."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from softwood.cli.terminal._bars import bar
from softwood.cli.terminal._drawing import Canvas, Drawing
from softwood.explain.labels import more_text, same_digits, value_text

SHOWN = 12
MOST_NAME = 40  # cells


def importance_table(
    names: Sequence[Any],
    importances: Any,
    spread: Any = None,
    width: int | None = None,
    max_rows: int | None = SHOWN,
    colour: bool | None = None,
) -> RenderableType:
    """Return importances of columns as bars, the largest first.

    Parameters
    ----------
    names : sequence
        Names of the columns.
    importances : array-like of shape (n_features,)
        Their importances; below 0 there is no bar.
    spread : array-like of shape (n_features,), optional
        How far each scatters, such as ``importances_std`` of permutation importances: a line
        from the end of the bar, and a number.
    width : int, optional
        Cells to use; by default all of the console.
    max_rows : int or None, default=12
        Show no more than this many columns; None shows all.
    colour : bool, optional
        Whether to use colours; by default as the console does.

    Returns
    -------
    rich renderable

    Examples
    --------
    >>> from softwood.cli.terminal import importance_table, printed
    >>> print(printed(importance_table(["age", "income"], [0.2, 0.8], [0.05, 0.1]), width=50))
    Columns that matter
    income ███████████████████████████▌─── 0.800 ±0.1
    age    ██████▉──                       0.200 ±0.05
    """
    values = np.asarray(importances, dtype=np.float64)
    spreads = None if spread is None else np.asarray(spread, dtype=np.float64)
    for name, given in (("importances", values), ("spread", spreads)):
        if given is not None and given.shape != (len(names),):
            raise ValueError(f"{name} must have {len(names)} entries; got shape {given.shape}")

    def lines(canvas: Canvas) -> list[Text]:
        return importance_lines(canvas, names, values, spreads, max_rows)

    return Drawing("Columns that matter", lines, width, colour)


def importance_lines(
    canvas: Canvas,
    names: Sequence[Any],
    values: Any,
    spreads: Any = None,
    max_rows: int | None = SHOWN,
) -> list[Text]:
    """Return a line for each column; see :func:`importance_table`.

    Examples
    --------
    >>> from softwood.cli.terminal._drawing import Canvas
    >>> [line.plain for line in importance_lines(Canvas(24), ["a", "b"], [0.75, 0.25])]
    ['a ████████████████ 0.750', 'b █████▍           0.250']
    """
    values = np.nan_to_num(np.asarray(values, dtype=np.float64))
    order = np.argsort(-values, kind="stable")[:max_rows]
    if order.size == 0:
        return [canvas.text("no columns", "dim")]
    digits = same_digits(values[order].tolist())
    numbers = [f"{values[j]:.{digits}f}" for j in order]
    if spreads is not None:
        spreads = np.nan_to_num(np.asarray(spreads, dtype=np.float64))
        numbers = [f"{n} ±{spreads[j]:.{digits}g}" for n, j in zip(numbers, order, strict=True)]
    ends = values if spreads is None else values + spreads
    shown = [canvas.plain(value_text(names[j])) for j in order]
    name = min(max(map(cell_len, shown)), MOST_NAME, canvas.width // 3)
    number = max(map(len, numbers))
    room = max(canvas.width - name - number - 2, 4)
    largest = max(float(ends[order].max()), 0.0) or 1.0
    lines = []
    for j, text, words in zip(order, shown, numbers, strict=True):
        line = canvas.fitted(text, name).append(" ")
        line.append_text(_whiskered(canvas, values[j] / largest, ends[j] / largest, room))
        lines.append(line.append(" ").append_text(canvas.text(words.ljust(number))))
    if order.size < len(names):
        lines.append(canvas.text(more_text(len(names) - order.size, "column"), "dim"))
    return lines


def _whiskered(canvas: Canvas, share: float, end: float, width: int) -> Text:
    """Return a bar up to ``share``, and a line from there to ``end``."""
    whole = bar(canvas, share, width, canvas.colour(0))
    used = len(whole.plain.rstrip())
    stop = int(np.clip(end, 0.0, 1.0) * width + 0.5)
    if stop <= used:
        return whole
    line = canvas.text(canvas.signs.line * (stop - used), "dim")
    return Text.assemble(whole[:used], line, " " * (width - stop))
