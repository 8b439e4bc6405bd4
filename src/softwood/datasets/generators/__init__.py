"""Made data: samples from known laws, and complete sets labelled by a rule.

Every ``make_*`` function returns ``(X, y)`` as numpy arrays. Those that draw at random take
``n_samples`` and ``random_state``; the complete ones take neither, and return arrays of
strings in the order of the published files.
"""

from softwood.datasets.generators.churn import make_churn
from softwood.datasets.generators.classic import (
    make_friedman1,
    make_hwang,
    make_led,
    make_waveform,
)
from softwood.datasets.generators.concepts import make_concept
from softwood.datasets.generators.games import (
    make_balance_scale,
    make_monks,
    make_three_of_nine,
    make_tic_tac_toe,
)
from softwood.datasets.generators.gaussian import (
    make_gaussians,
    make_mixture,
    make_separable,
    make_twonorm,
)
from softwood.datasets.generators.grades import make_car, make_nursery

__all__ = [
    "make_balance_scale",
    "make_car",
    "make_churn",
    "make_concept",
    "make_friedman1",
    "make_gaussians",
    "make_hwang",
    "make_led",
    "make_mixture",
    "make_monks",
    "make_nursery",
    "make_separable",
    "make_three_of_nine",
    "make_tic_tac_toe",
    "make_twonorm",
    "make_waveform",
]
