"""The tree as a picture, and its rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from softwood.explain.rules import rules_table
from softwood.flow import Hard
from softwood.view._chosen_tree import ChosenTree, chosen_tree
from softwood.view._page import Page
from softwood.view._words import counted, percent, short, shown

TITLE = "The tree, and its rules"
MOST_RULES = 20
MOST_LEAVES = 20  # of the picture
DECIMALS = 4
LONGEST_CONDITION = 120


@dataclass(frozen=True)
class RuleRow:
    """A rule in the table."""

    conditions: list[str]
    answer: str
    support: str
    confidence: str
    n_trees: int = 0


def content(page: Page) -> dict[str, Any]:
    """Return the picture, and the rules that most rows follow."""
    chosen = chosen_tree(page.subject.model)
    rules = rules_table(chosen.source, decimals=DECIMALS)
    return {
        "which": which(chosen),
        "is_soft": not isinstance(chosen.flow_, Hard),
        "drawn": _figure(page, chosen),
        "rules": [_row(rule, chosen.classes_ is not None) for rule in rules[:MOST_RULES]],
        "n_more": max(len(rules) - MOST_RULES, 0),
        "n_trees": chosen.n_trees,
        "is_classes": chosen.classes_ is not None,
    }


def which(chosen: ChosenTree) -> str:
    """Return which tree is shown, in a sentence."""
    tree = chosen.tree_
    size = f"{counted(int(tree.n_leaves), 'leaf', 'leaves')} and depth {tree.depth}"
    if chosen.place is None:
        return f"The model is one tree of {size}."
    return (
        f"The model is the mean of {counted(chosen.n_trees, 'tree')}. Shown is tree "
        f"{chosen.place}, the most typical of them, with {size}: it gives an impression, "
        "not the answers of the whole."
    )


def _figure(page: Page, chosen: ChosenTree) -> Any:
    from softwood.plot import plot_tree

    caption = "Rows enter at the top; thicker lines carry more of them."
    if chosen.tree_.n_leaves > MOST_LEAVES:
        caption += (
            " Parts that few rows reach are folded; a dashed box says how many leaves they have."
        )
    return page.figures.draw_new(
        lambda: plot_tree(chosen, max_leaves=MOST_LEAVES, decimals=DECIMALS),
        f"The tree: {which(chosen)} Its rules are in the table below.",
        caption,
    )


def _row(rule: Any, is_classes: bool) -> RuleRow:
    answer = shown(rule.prediction) if is_classes else short(float(rule.prediction))
    return RuleRow(
        conditions=[shown(text, LONGEST_CONDITION) for text in rule.conditions] or ["always"],
        answer=answer,
        support=percent(rule.support),
        confidence=percent(rule.confidence) if is_classes else "",
        n_trees=getattr(rule, "n_trees", 0),
    )
