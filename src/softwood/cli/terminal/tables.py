"""Tables of rules, and of anything in rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, is_dataclass
from numbers import Number, Real
from typing import Any

import numpy as np
from rich.box import SIMPLE_HEAD
from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from rich.table import Table
from rich.text import Text

from softwood.cli.terminal._drawing import Canvas, canvas_of
from softwood.explain.labels import number_text, same_digits, share_text
from softwood.explain.rule import Rule, TypicalRule

DECIMALS = 4
MOST_CELL = 60  # cells of text in a column


@dataclass(frozen=True, slots=True)
class Tabled:
    """A renderable: a table that is made when the console is known."""

    make: Callable[[Canvas], Table]
    width: int | None = None
    colour: bool | None = None

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        canvas = canvas_of(console, options, self.width, self.colour)
        outer = options.max_width if self.width is None else min(self.width, options.max_width)
        yield from self.make(canvas).__rich_console__(console, options.update(max_width=outer))


def column_table(
    rows: Iterable[Any], width: int | None = None, colour: bool | None = None
) -> RenderableType:
    """Return a table of records: one line for each, one column for each key.

    Parameters
    ----------
    rows : iterable of mapping, dataclass or named tuple
        Records with the same keys, which become the headings in the order of the first record.
        Numbers stand at the right; None is left empty; of long texts the middle is left out.
    width : int, optional
        Cells to use; by default all of the console.
    colour : bool, optional
        Whether to use colours; by default as the console does.

    Returns
    -------
    rich renderable

    Examples
    --------
    >>> from softwood.cli.terminal import column_table, printed
    >>> rows = [{"column": "age", "type": "number", "gaps": 3}, {"column": "[red]", "type": "text"}]
    >>> print(printed(column_table(rows), width=40))
    column   type     gaps
    ──────────────────────
    age      number      3
    [red]    text
    """
    records = [_record(row) for row in rows]
    keys = list(dict.fromkeys(key for record in records for key in record))

    def make(canvas: Canvas) -> Table:
        table = _empty(canvas)
        for key in keys:
            values = [record.get(key) for record in records]
            is_number = any(_is_number(value) for value in values) and all(
                value is None or _is_number(value) for value in values
            )
            justify: Any = "right" if is_number else "left"
            table.add_column(canvas.text(key), justify=justify, overflow="fold")
        for record in records:
            table.add_row(*(_cell(canvas, record.get(key)) for key in keys))
        return table

    return Tabled(make, width, colour)


def rules_table(
    rules: Sequence[Rule], width: int | None = None, colour: bool | None = None
) -> RenderableType:
    """Return rules as a table.

    Parameters
    ----------
    rules : sequence of Rule or TypicalRule
        As :func:`softwood.explain.rules_table` returns them.
    width : int, optional
        Cells to use; by default all of the console.
    colour : bool, optional
        Whether to use colours; by default as the console does.

    Returns
    -------
    rich renderable
        The rule, a condition on each line, what it predicts, its support and its confidence; of
        an ensemble also its effect and in how many trees it is.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.cli.terminal import printed, rules_table
    >>> from softwood.explain import rules_table as rules_of
    >>> model = CARTClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "a"])
    >>> print(printed(rules_table(rules_of(model)), width=60))
    if                prediction   support   confidence
    ───────────────────────────────────────────────────
    x0 > 2.5          a                0.5            1
    x0 <= 1.5         a               0.25            1
    1.5 < x0 <= 2.5   b               0.25            1
    """
    are_typical = any(isinstance(rule, TypicalRule) for rule in rules)
    are_classes = any(not np.isnan(rule.confidence) for rule in rules)

    def make(canvas: Canvas) -> Table:
        table = _empty(canvas)
        table.add_column("if", overflow="fold", ratio=1 if are_typical else None)
        table.add_column("prediction", overflow="fold")
        table.add_column("support", justify="right")
        if are_classes:
            table.add_column("confidence", justify="right")
        if are_typical:
            table.add_column("effect", justify="right")
            table.add_column("trees", justify="right")
        for rule in rules:
            table.add_row(*_rule_cells(canvas, rule, are_classes))
        return table

    return Tabled(make, width, colour)


def _empty(canvas: Canvas) -> Table:
    style = "bold" if canvas.is_coloured else ""
    border = "dim" if canvas.is_coloured else ""
    return Table(
        box=SIMPLE_HEAD,
        header_style=style,
        border_style=border,
        show_edge=False,
        pad_edge=False,
        highlight=False,
    )


def _rule_cells(canvas: Canvas, rule: Rule, are_classes: bool) -> list[Text]:
    cells = [
        Text("\n").join(canvas.text(one) for one in _conditions(rule)),
        _cell(canvas, rule.prediction),
        canvas.text(share_text(rule.support)),
    ]
    if are_classes:
        known = not np.isnan(rule.confidence)
        cells.append(canvas.text(share_text(rule.confidence) if known else ""))
    if isinstance(rule, TypicalRule):
        style = "green3" if rule.effect > 0.0 else "red3"
        cells.append(canvas.text(f"{rule.effect:+.{same_digits([rule.effect])}f}", style))
        cells.append(canvas.text(rule.n_trees))
    for cell in cells[:2]:
        cell.no_wrap = False
    return cells


def _conditions(rule: Rule) -> list[str]:
    first, *more = rule.conditions or (rule.rule,)
    return [first, *(f"and {one}" for one in more)]


def _record(row: Any) -> dict[str, Any]:
    if isinstance(row, Mapping):
        return dict(row)
    if is_dataclass(row) and not isinstance(row, type):
        return asdict(row)
    if hasattr(row, "_asdict"):
        return dict(row._asdict())
    raise TypeError(f"rows must be mappings, dataclasses or named tuples; got {type(row).__name__}")


def _is_number(value: Any) -> bool:
    return isinstance(value, Number) and not isinstance(value, bool | np.bool_)


def _cell(canvas: Canvas, value: Any) -> Text:
    if value is None:
        return Text("")
    if isinstance(value, Real) and not isinstance(value, bool | int | np.bool_ | np.integer):
        value = number_text(float(value), DECIMALS)
    words = canvas.plain(value)
    cell = canvas.fitted(words, min(len(words), MOST_CELL))
    cell.rstrip()
    cell.no_wrap = False
    return cell
