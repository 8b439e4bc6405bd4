"""Closed-form dual perturb and combine (Geurts and Wehenkel)."""

from softwood.papers.paper import Paper, Part
from softwood.papers.perturb import figure1, figure2, figure3, figure4, figure5, table2

PAPER = Paper(
    key="perturb",
    citation="P. Geurts, L. Wehenkel. Closed-form dual perturb and combine for tree-based models.",
    parts=(
        Part("figure1", "What smoothing does to a tree of one variable", figure1.run),
        Part("figure2", "Errors on every data set, crisp and smooth", figure2.run),
        Part("table2", "Win/draw/loss of every method against every other", table2.run),
        Part("figure3", "The lambdas that were chosen", figure3.run),
        Part("figure4", "Error, bias and variance over lambda", figure4.run),
        Part("figure5", "ROC curves on two-norm, crisp and smooth", figure5.run),
    ),
)
