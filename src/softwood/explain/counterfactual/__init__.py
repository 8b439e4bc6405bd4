"""What if: the nearest row with another answer.

Names are imported when they are first used. A model is read by :func:`softwood.counterfactual`;
what stands here takes a forest, a flow and plain arrays.
"""

from softwood._lazy import lazy_names

_HOME = {
    "Change": "softwood.explain.counterfactual.result",
    "Counterfactual": "softwood.explain.counterfactual.result",
    "Domain": "softwood.explain.counterfactual.domain",
    "distances": "softwood.explain.counterfactual.distance",
    "goal_of_classes": "softwood.explain.counterfactual.goal",
    "goal_of_numbers": "softwood.explain.counterfactual.goal",
    "nearest_row": "softwood.explain.counterfactual.search",
    "spread_of_cuts": "softwood.explain.counterfactual.distance",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOME)
