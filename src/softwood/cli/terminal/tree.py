"""A tree for the terminal: guide lines, tests, and a bar at every leaf."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from rich.cells import cell_len
from rich.console import RenderableType
from rich.text import Text

from softwood.cli.terminal._bars import bar, stacked
from softwood.cli.terminal._drawing import Canvas, Drawing
from softwood.cli.terminal._folding import Folded, folded
from softwood.cli.terminal._safe import shortened
from softwood.explain._ensembles import ensemble_of
from softwood.explain.labels import (
    count_text,
    more_text,
    name_of,
    number_text,
    same_digits,
    value_text,
)
from softwood.explain.typical import typical_of
from softwood.explain.wording import Subject, subject_of
from softwood.flow import Hard
from softwood.forest.ties import most_probable
from softwood.tree import OBLIQUE

STEP = 3  # cells of indentation
LEAST_NAME = 6  # cells that are left of a name
MOST_ANSWER = 18
BAR_OF_WIDTH = 6  # a bar gets this part of the width
SHOWN_CLASSES = 10
LEAST, LARGEST = 1e-5, 1e9  # numbers outside are shown in powers of ten


def tree_panel(
    model: Any, width: int | None = None, max_lines: int | None = None, colour: bool | None = None
) -> RenderableType:
    """Return a tree to be printed by Rich; of an ensemble, its most typical tree.

    Parameters
    ----------
    model : estimator, Imported, Tree or Forest
        A fitted model of softwood, or bare trees.
    width : int, optional
        Cells to use; by default all of the console.
    max_lines : int, optional
        Lines to use, the frame included: light branches are folded, and say how many leaves
        they have. By default all is shown.
    colour : bool, optional
        Whether to use colours; by default as the console does.

    Returns
    -------
    rich renderable
        A line for each branch: the test, what is predicted there, a bar, and the training
        weight. The bar shows the shares of classes, or where the number is between the least and
        the largest that the tree predicts. Nothing is wrapped: what is too long loses its middle.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from softwood import C45Classifier
    >>> from softwood.cli.terminal import printed, tree_panel
    >>> data = load_iris(as_frame=True)
    >>> model = C45Classifier(max_depth=2).fit(data.data, data.target_names[data.target])
    >>> print(printed(tree_panel(model), width=64))
    C45Classifier: 3 leaves
    all rows                       setosa     ████░░░░░░ 150
    ├─ petal width (cm) <= 0.6     setosa     ██████████  50
    └─ petal width (cm) > 0.6                            100
       ├─ petal width (cm) <= 1.7  versicolor █████████░  54
       └─ petal width (cm) > 1.7   virginica  █████████░  46
    """
    subject, title = _what_is_shown(model)

    def lines(canvas: Canvas) -> list[Text]:
        return _lines(subject, canvas, max_lines)

    return Drawing(title, lines, width, colour)


def _what_is_shown(model: Any) -> tuple[Subject, str]:
    ensemble = ensemble_of(model)
    if ensemble is None:
        subject, flow = subject_of(model), getattr(model, "flow_", Hard())
        title = f"{type(model).__name__}: {count_text(subject.tree.n_leaves, 'leaf', 'leaves')}"
    else:
        place = typical_of(ensemble)
        subject, flow = ensemble.subject(ensemble.forest.trees[place]), ensemble.flows[place]
        title = f"{ensemble.kind}: tree {place}, the most typical of {ensemble.forest.n_trees}"
    return subject, title if isinstance(flow, Hard) else f"{title}, soft"


def _lines(subject: Subject, canvas: Canvas, max_lines: int | None) -> list[Text]:
    legend = _legend(subject, canvas)
    room = None if max_lines is None else max(max_lines - 2 - len(legend), 3)
    shown = folded(subject.tree, room)
    return legend + Page.of(subject, canvas, shown).lines()


def _legend(subject: Subject, canvas: Canvas) -> list[Text]:
    if subject.classes is None or not canvas.is_coloured:
        return []
    line = Text()
    for place, name in enumerate(subject.classes[:SHOWN_CLASSES]):
        words = canvas.plain(value_text(name))
        text = canvas.fitted(words, min(cell_len(words), MOST_ANSWER))
        line.append_text(canvas.text(f"{canvas.signs.block} ", canvas.colour(place)))
        line.append_text(text).append("  ")
    if len(subject.classes) > SHOWN_CLASSES:
        hidden = more_text(len(subject.classes) - SHOWN_CLASSES, "class", "classes")
        line.append_text(canvas.text(hidden, "dim"))
    line.truncate(canvas.width)
    return [line]


@dataclass(frozen=True, slots=True)
class Page:
    """A tree on a canvas, with the widths of its columns: test, answer, bar, weight."""

    subject: Subject
    canvas: Canvas
    shown: Folded
    test: int
    answer: int
    bar: int
    weight: int
    step: int

    @classmethod
    def of(cls, subject: Subject, canvas: Canvas, shown: Folded) -> Page:
        """Divide the width of a canvas."""
        nodes = [node for node, _, _ in shown.walk() if node >= 0]
        answers = {canvas.plain(_answer_text(subject, node)) for node in nodes}
        answer = min(max(map(cell_len, answers)), MOST_ANSWER, canvas.width // 5)
        weight = max(len(_weight(float(subject.tree.weight[node]))) for node in nodes)
        blocks = canvas.width // BAR_OF_WIDTH
        test = max(canvas.width - answer - weight - blocks - 4, LEAST_NAME)
        step = max(1, min(STEP, test // 2 // max(shown.depth, 1)))
        page = cls(subject, canvas, shown, test, answer, blocks, weight, step)
        needed = max(
            step * depth + cell_len(canvas.plain(page._test(node, test)))
            for node, depth, _ in shown.walk()
            if node >= 0
        )
        return replace(page, test=min(test, needed))

    def lines(self) -> list[Text]:
        """Return a line for each shown node."""
        return [self._line(*row) for row in self.shown.walk()]

    def _line(self, node: int, depth: int, lasts: list[bool]) -> Text:
        canvas, guides = self.canvas, self._guides(lasts)
        room = self.test - cell_len(guides)
        line = Text.assemble(canvas.text(guides, "dim"))
        if node < 0:
            hidden = self.shown.hidden[~node]
            n_leaves = int(self.shown.n_leaves[hidden].sum())
            words = f"{more_text(len(hidden), 'branch', 'branches')}, {n_leaves} leaves"
            weight = float(self.subject.tree.weight[hidden].sum())
            line.append_text(canvas.fitted(words, room + 2 + self.answer + self.bar, "italic"))
            return line.append_text(self._weight(weight))
        line.append_text(canvas.fitted(self._test(node, room), room)).append("  ")
        if node in self.shown.children and node:
            line.append(" " * (self.answer + self.bar + 1))
        else:
            line.append_text(self._answer(node)).append(" ").append_text(self._bar(node))
        return line.append_text(self._weight(float(self.subject.tree.weight[node])))

    def _guides(self, lasts: list[bool]) -> str:
        """Return the guide lines before a node; of a very deep one only the last of them."""
        if not lasts:
            return ""
        signs, step = self.canvas.signs, self.step
        above = "".join((" " if last else signs.bar).ljust(step) for last in lasts[:-1])
        own = (signs.last if lasts[-1] else signs.fork)[:step].ljust(step)
        most = max(self.test // 2, step)
        return (above + own)[-most:]

    # -- the test --------------------------------------------------------------

    def _test(self, node: int, room: int) -> str:
        """Return what holds at ``node``, and how many leaves are folded there."""
        if node == 0:
            words, hidden = "all rows", self._folded(0)
            return words + hidden
        hidden = self._folded(node)
        above = int(self.subject.tree.parent[node])
        return self._test_text(above, node, room - cell_len(hidden)) + hidden

    def _folded(self, node: int) -> str:
        if node in self.shown.children or self.subject.tree.n_children[node] == 0:
            return ""
        return f" {self.canvas.signs.ellipsis} {self.shown.n_leaves[node]} leaves"

    def _test_text(self, above: int, node: int, room: int) -> str:
        """Return a test within so many cells: names give way before operators and cuts."""
        subject, branch = self.subject, node - int(self.subject.tree.first_child[above])
        ramp = subject.ramp(above)
        text = subject.test(above, branch)
        if cell_len(text + ramp) <= room:
            return text + ramp
        ramp = " ~" if ramp else ""
        room -= len(ramp)
        for n_terms in (2, 1) if subject.tree.kind[above] == OBLIQUE else ():
            if cell_len(text) > room:
                subject = replace(subject, decimals=min(subject.decimals, 3), max_terms=n_terms)
                text = subject.test(above, branch)
        excess = cell_len(text) - room
        if excess > 0:
            text = self._with_short_names(subject, above, excess).test(above, branch)
        return shortened(text, room, self.canvas.signs.ellipsis) + ramp

    def _with_short_names(self, subject: Subject, above: int, excess: int) -> Subject:
        """Return the same with the names in a test shorter by so many cells together."""
        features = [int(subject.tree.feature[above])]
        if features == [-1]:
            own, weights = subject.tree.terms(above)
            features = own[np.argsort(-np.abs(weights), kind="stable")][
                : subject.max_terms
            ].tolist()
        names = [*subject.feature_names]
        cut = -(-excess // len(features))
        for feature in features:
            name = name_of(feature, subject.feature_names)
            limit = max(cell_len(name) - cut, LEAST_NAME)
            names[feature] = shortened(name, limit, self.canvas.signs.ellipsis)
        return replace(subject, feature_names=names)

    # -- what is said there ----------------------------------------------------

    def _answer(self, node: int) -> Text:
        words, style = _answer_text(self.subject, node), ""
        if self.subject.classes is not None:
            style = self.canvas.colour(int(most_probable(self.subject.tree.response[node])))
        return self.canvas.fitted(words, self.answer, style)

    def _bar(self, node: int) -> Text:
        tree = self.subject.tree
        if self.subject.classes is not None:
            shares = tree.response[node]
            return stacked(self.canvas, shares.tolist(), self.bar, int(most_probable(shares)))
        leaves = tree.response[tree.is_leaf, 0]
        least, largest = float(leaves.min()), float(leaves.max())
        apart = largest - least
        share = (float(tree.response[node, 0]) - least) / apart if apart > 0.0 else 1.0
        return bar(self.canvas, share, self.bar, self.canvas.colour(0))

    def _weight(self, weight: float) -> Text:
        return self.canvas.text(" " + _weight(weight).rjust(self.weight), "dim")


def _weight(weight: float) -> str:
    return number_text(weight, 0 if weight >= 100.0 else 1)


def _answer_text(subject: Subject, node: int) -> str:
    """Return the class that a node predicts, or its number: with as many digits as all others."""
    if subject.classes is not None:
        return subject.answer_text(node)
    value, answers = float(subject.tree.response[node, 0]), subject.tree.response[:, 0]
    digits = same_digits(answers.tolist(), 4)
    return f"{value:.{digits}f}" if LEAST < np.abs(answers).max() < LARGEST else f"{value:.4g}"
