"""Softening the splits of a fitted tree by simulated annealing (Dvořák and Savický)."""

from softwood.papers.anneal import table1, table2
from softwood.papers.paper import Paper, Part

PAPER = Paper(
    key="anneal",
    citation="J. Dvořák, P. Savický. Softening splits in decision trees using simulated annealing.",
    parts=(
        Part("table1", "MAGIC, seven splits: CART, hard and softened", table1.run),
        Part("table2", "MAGIC, seven splits: softened CART beside C5.0", table2.run),
    ),
)
