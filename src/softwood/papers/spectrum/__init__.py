"""Variable-random trees and Coalescence (Liu, Ting, Yu and Zhou)."""

from softwood.papers.paper import Paper, Part
from softwood.papers.spectrum import table3

PAPER = Paper(
    key="spectrum",
    citation="F. T. Liu, K. M. Ting, Y. Yu, Z.-H. Zhou. Spectrum of variable-random trees.",
    parts=(Part("table3", "Errors of six ensembles on 45 data sets, and their ranks", table3.run),),
)
