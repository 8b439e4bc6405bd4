"""The forest: many trees in one set of arrays, and the walk of rows through all of them."""

from softwood.forest.forest import Forest
from softwood.forest.sums import ALL_OUTPUTS

__all__ = ["ALL_OUTPUTS", "Forest"]
