"""How sure a model is: scores of rows it has not seen, and what they say of new ones.

Numbers in, numbers out. Whoever has answers for rows that a model has not seen
(:mod:`softwood.estimators`) makes a :class:`Calibration` of them.
"""

from softwood.conformal.calibration import METHODS, Calibration
from softwood.conformal.more_trees import Halves, as_of_more_trees
from softwood.conformal.scores import class_scores, relative_spread
from softwood.conformal.thresholds import condensed, threshold

__all__ = [
    "METHODS",
    "Calibration",
    "Halves",
    "as_of_more_trees",
    "class_scores",
    "condensed",
    "relative_spread",
    "threshold",
]
