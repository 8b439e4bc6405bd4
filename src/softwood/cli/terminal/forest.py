"""An ensemble for the terminal: how large it is, which columns matter, what its trees share."""

from __future__ import annotations

from typing import Any

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from softwood._types import FloatArray
from softwood.cli.terminal._drawing import Canvas, Drawing
from softwood.cli.terminal._safe import shortened
from softwood.cli.terminal.importance import SHOWN, importance_lines
from softwood.explain._ensembles import Ensemble, ensemble_of
from softwood.explain.ensemble_text import heading, importances_of
from softwood.explain.rule import TypicalRule
from softwood.explain.typical_words import ensemble_rules, typical_sentence
from softwood.explain.wording import not_a_model

N_RULES = 3
INDENT = "   "


def forest_panel(
    model: Any,
    width: int | None = None,
    max_rows: int | None = SHOWN,
    n_rules: int = N_RULES,
    colour: bool | None = None,
) -> RenderableType:
    """Return an ensemble to be printed by Rich.

    Parameters
    ----------
    model : estimator, Imported or Forest
        A fitted ensemble.
    width : int, optional
        Cells to use; by default all of the console.
    max_rows : int or None, default=12
        Show no more than this many columns; None shows all.
    n_rules : int, default=3
        How many of the most typical rules to show.
    colour : bool, optional
        Whether to use colours; by default as the console does.

    Returns
    -------
    rich renderable
        Number and size of the trees; importances of the columns, which for bootstraps are
        measured on rows that the trees have not seen; and rules that the trees share.

    Examples
    --------
    >>> from softwood import BaggedTreesClassifier
    >>> from softwood.cli.terminal import forest_panel, printed
    >>> X = [["red", 1.0], ["red", 2.0], ["blue", 1.0], ["blue", 2.0]] * 5
    >>> model = BaggedTreesClassifier(20, random_state=1).fit(X, ["no", "yes", "no", "no"] * 5)
    >>> print(printed(forest_panel(model, n_rules=1), width=64))
    BaggedTreesClassifier: 20 trees, 3 leaves on average
    x0 ███████████████████████████████████████████████████████ 0.553
    x1 ████████████████████████████████████████████▌           0.447
    <BLANKLINE>
    Rules that its trees share
    IF x1 > 1.5 AND x0 = red THEN yes (support 0.23,
       confidence 1 against 0.23 overall, in 20 of 20 trees)
    """
    ensemble = ensemble_of(model)
    if ensemble is None:
        raise not_a_model(model, "a fitted ensemble")
    shares = getattr(model, "feature_importances_", None)
    shares = importances_of(ensemble) if shares is None else shares
    rules = ensemble_rules(ensemble, n_rules, decimals=4) if n_rules else []
    title = heading(ensemble, shares)[0]

    def lines(canvas: Canvas) -> list[Text]:
        return _lines(canvas, ensemble, shares, rules, max_rows)

    return Drawing(title, lines, width, colour)


def _lines(
    canvas: Canvas,
    ensemble: Ensemble,
    shares: FloatArray,
    rules: list[TypicalRule],
    max_rows: int | None,
) -> list[Text]:
    lines = importance_lines(canvas, ensemble.schema.names, shares, None, max_rows)
    if rules:
        lines += [Text(""), canvas.text("Rules that its trees share", "bold")]
    for rule in rules:
        lines += _rule_lines(canvas, rule, ensemble)
    return lines


def _rule_lines(canvas: Canvas, rule: TypicalRule, ensemble: Ensemble) -> list[Text]:
    """Return a rule in lines that break before a condition, THEN, or what is known of it."""
    sentence = typical_sentence(rule, ensemble)
    start = len("IF ") + len(rule.rule)
    answer, _, facts = sentence[start + 1 :].rpartition(" (")
    parts = [f"IF {rule.conditions[0]}", *(f"AND {one}" for one in rule.conditions[1:])]
    parts += [answer, *f"({facts}".replace(", ", ",\n").split("\n")]
    lines, current = [], ""
    for part in parts:
        part = shortened(canvas.plain(part), canvas.width - len(INDENT), canvas.signs.ellipsis)
        if current and cell_len(current) + 1 + cell_len(part) > canvas.width:
            lines.append(current)
            current = INDENT + part
        else:
            current = f"{current} {part}" if current else part
    return [canvas.text(line) for line in [*lines, current]]
