"""Trees evolved to minimise vicinal risk (Cao and Rockett)."""

from softwood.papers.paper import Paper, Part
from softwood.papers.vicinal import (
    figure10,
    figure11,
    figure12,
    statistics,
    surfaces,
    table3,
    table4,
)

PAPER = Paper(
    key="vicinal",
    citation="Y. Cao, P. I. Rockett. The use of vicinal-risk minimization for training "
    "decision trees.",
    parts=(
        Part("table3", "Three synthetic problems: test error and size of the tree", table3.run),
        Part("table4", "Test errors over ten half splits of 18 data sets", table4.run),
        Part("statistics", "The tests of section 5.4, from the printed errors", statistics.run),
        Part("figure5", "Figures 5 and 6: surfaces on separable data", surfaces.separable),
        Part("figure7", "Figures 7 to 9: surfaces on two normal clouds", surfaces.gaussian),
        Part("figure10", "Test error by the variance of the noise", figure10.run),
        Part("figure11", "Test errors of many runs on one training set", figure11.run),
        Part("figure12", "Training risk and test error, from random trees on", figure12.run),
    ),
)
