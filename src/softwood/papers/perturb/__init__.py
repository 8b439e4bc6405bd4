"""Closed-form dual perturb and combine (Geurts and Wehenkel)."""

from softwood.papers.paper import Paper, Part
from softwood.papers.perturb import table2

PAPER = Paper(
    key="perturb",
    citation="P. Geurts, L. Wehenkel. Closed-form dual perturb and combine for tree-based models.",
    parts=(Part("table2", "Win/draw/loss of every method against every other", table2.run),),
)
