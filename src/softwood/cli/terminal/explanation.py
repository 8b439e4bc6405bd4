"""Why a row gets its prediction, for the terminal."""

from __future__ import annotations

from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from softwood.cli.terminal._bars import bar, change
from softwood.cli.terminal._drawing import Canvas, Drawing
from softwood.explain.ensemble_explanation import EnsembleExplanation
from softwood.explain.explanation import Explanation
from softwood.explain.labels import more_text, share_text, value_text

SHOWN_CLASSES = 8
MOST_NAME = 24  # cells
BAR_OF_WIDTH = 4


def explanation_panel(
    explanation: Explanation | EnsembleExplanation,
    width: int | None = None,
    colour: bool | None = None,
) -> RenderableType:
    """Return an explanation to be printed by Rich.

    Parameters
    ----------
    explanation : Explanation or EnsembleExplanation
        What ``model.explain(x)`` returns.
    width : int, optional
        Cells to use; by default all of the console.
    colour : bool, optional
        Whether to use colours; by default as the console does.

    Returns
    -------
    rich renderable
        The probabilities of classes as bars. Of an ensemble, how its trees scatter, and what each
        column adds, to the left or to the right of a line. Then the way of the row.

    Examples
    --------
    >>> from softwood import CARTClassifier
    >>> from softwood.cli.terminal import explanation_panel, printed
    >>> model = CARTClassifier().fit([[1.0], [2.0], [3.0], [4.0]], ["a", "b", "a", "a"])
    >>> print(printed(explanation_panel(model.explain([2.0])), width=40))
    Predicted: b (probability 1)
    b ████████████████████████████████████ 1
    a                                      0
      1. x0 is 2, so x0 <= 2.5
      2. x0 is 2, so x0 > 1.5
         leaf 4: b (training weight 1)
    """

    def lines(canvas: Canvas) -> list[Text]:
        made = _probability_lines(canvas, explanation.probabilities)
        if isinstance(explanation, Explanation):
            return made + _way_lines(canvas, explanation)
        made += [_one_line(canvas, explanation.scatter_text)]
        made += _contribution_lines(canvas, explanation)
        answer = explanation.typical.prediction_text
        words = f"Tree {explanation.typical_tree}, the most typical, answers {answer}"
        made += [Text(""), _one_line(canvas, words, "bold")]
        return made + _way_lines(canvas, explanation.typical)

    return Drawing(f"Predicted: {explanation.prediction_text}", lines, width, colour)


def _probability_lines(canvas: Canvas, probabilities: dict[object, float] | None) -> list[Text]:
    """Return a bar for each class, the most probable first."""
    if probabilities is None:
        return []
    places = {name: place for place, name in enumerate(probabilities)}
    ranked = sorted(probabilities, key=lambda name: -probabilities[name])
    shown = [canvas.plain(value_text(name)) for name in ranked[:SHOWN_CLASSES]]
    numbers = [share_text(probabilities[name]) for name in ranked[:SHOWN_CLASSES]]
    name_width = min(max(map(cell_len, shown)), MOST_NAME)
    number_width = max(map(len, numbers))
    room = max(canvas.width - name_width - number_width - 2, 4)
    lines = []
    for name, words, number in zip(ranked, shown, numbers, strict=False):
        colour = canvas.colour(places[name])
        line = canvas.fitted(words, name_width, colour).append(" ")
        line.append_text(bar(canvas, probabilities[name], room, colour)).append(" ")
        lines.append(line.append_text(canvas.text(number)))
    if len(ranked) > SHOWN_CLASSES:
        hidden = more_text(len(ranked) - SHOWN_CLASSES, "class", "classes")
        lines.append(canvas.text(hidden, "dim"))
    return lines


def _contribution_lines(canvas: Canvas, explanation: EnsembleExplanation) -> list[Text]:
    if not explanation.contributions:
        return [canvas.text("No column is tested on the way of this row", "dim")]
    shown = explanation.largest()
    largest = max(abs(amount) for amount, _, _ in shown)
    number = max(len(words) for _, words, _ in shown)
    blocks = canvas.width // BAR_OF_WIDTH
    lines = [Text(""), _one_line(canvas, explanation.moved_text, "bold")]
    for amount, words, text in shown:
        line = Text.assemble(canvas.text(words.rjust(number)), " ")
        line.append_text(change(canvas, amount, largest, blocks)).append(" ")
        room = max(canvas.width - line.cell_len, 4)
        lines.append(line.append_text(_one_line(canvas, text, width=room)))
    return lines


def _way_lines(canvas: Canvas, explanation: Explanation) -> list[Text]:
    return [_one_line(canvas, line) for line in explanation.way_lines()]


def _one_line(canvas: Canvas, words: str, style: str = "", width: int | None = None) -> Text:
    """Return a text that loses its middle if it is too long."""
    text = canvas.fitted(words, canvas.width if width is None else width, style)
    text.rstrip()
    return text
