"""Oblique trees with large margins: OC1, FAT, MOC1 and MOC2 (Wu and others)."""

from softwood.papers.margins import figures, table1, table2
from softwood.papers.paper import Paper, Part

PAPER = Paper(
    key="margins",
    citation=(
        "D. Wu, K. P. Bennett, N. Cristianini, J. Shawe-Taylor. Enlarging the margins in "
        "perceptron decision trees."
    ),
    parts=(
        Part("table1", "Sizes of the trees", table1.run),
        Part("table2", "Accuracy on every data set, and what differs from OC1", table2.run),
        Part("exact", "Table 2 with the exact search, softwood's own", table2.run_exact),
        Part("figure2", "FAT against OC1, set by set", figures.run_fat),
        Part("figure3", "MOC1 against OC1, set by set", figures.run_moc1),
        Part("figure4", "MOC2 against OC1, set by set", figures.run_moc2),
    ),
)
