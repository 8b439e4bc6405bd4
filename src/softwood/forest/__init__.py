"""The forest: many trees in one set of arrays, and the walk of rows through all of them."""

from softwood.forest.checks import ALL_OUTPUTS
from softwood.forest.forest import Forest

__all__ = ["ALL_OUTPUTS", "Forest"]
