"""Trees evolved to minimise vicinal risk (Cao and Rockett)."""

from softwood.papers.paper import Paper, Part
from softwood.papers.vicinal import statistics, table3, table4

PAPER = Paper(
    key="vicinal",
    citation="Y. Cao, P. I. Rockett. The use of vicinal-risk minimization for training "
    "decision trees.",
    parts=(
        Part("table3", "Three synthetic problems: test error and size of the tree", table3.run),
        Part("table4", "Test errors over ten half splits of 18 data sets", table4.run),
        Part("statistics", "The tests of section 5.4, from the printed errors", statistics.run),
    ),
)
