"""Softening trees: four methods, each a dataclass of its own options."""

from softwood.learn.soften.anneal import Anneal
from softwood.learn.soften.confidence import Confidence
from softwood.learn.soften.gradient import Gradient
from softwood.learn.soften.method import Method
from softwood.learn.soften.perturb import Perturb

METHODS: dict[str, type[Method]] = {
    "gradient": Gradient,
    "anneal": Anneal,
    "perturb": Perturb,
    "confidence": Confidence,
}

__all__ = ["METHODS", "Anneal", "Confidence", "Gradient", "Method", "Perturb"]
