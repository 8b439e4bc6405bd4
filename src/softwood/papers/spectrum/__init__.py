"""Variable-random trees and Coalescence (Liu, Ting, Yu and Zhou)."""

from softwood.papers.paper import Paper, Part
from softwood.papers.spectrum import (
    figure1,
    figure2,
    figure4,
    figure5,
    figure6,
    figure7,
    figure8,
    figure9,
    statistics,
    table2,
    table3,
    table4,
    table5,
)

PAPER = Paper(
    key="spectrum",
    citation="F. T. Liu, K. M. Ting, Y. Yu, Z.-H. Zhou. Spectrum of variable-random trees.",
    parts=(
        Part("statistics", "Ranks and tests, from the errors that Table 3 prints", statistics.run),
        Part("figure1", "The spectrum: error over alpha", figure1.run),
        Part("figure2", "Ranks of the alphas", figure2.run),
        Part("table2", "Ranges of strength and correlation", table2.run),
        Part("figure4", "Strength and correlation over alpha", figure4.run),
        Part("figure5", "Coalescence against single alphas", figure5.run),
        Part("table3", "Errors of the ensembles on every data set", table3.run),
        Part("figure6", "Ranks of Coalescence and its rivals", figure6.run),
        Part("figure7", "Coalescence beside Aggregating, set by set", figure7.run),
        Part("figure8", "An oblique boundary, by one tree and by random ones", figure8.run),
        Part("table4", "Two concepts, with noise, irrelevant attributes, few rows", table4.run),
        Part("table5", "Half of the attributes", table5.run),
        Part("figure9", "How random a random forest can be", figure9.run),
    ),
)
