"""The places data sets come from, in the order in which they are asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from softwood.datasets.registry import Entry, find_entry
from softwood.datasets.shaping import finished
from softwood.datasets.sources.folder import folder_offer
from softwood.datasets.sources.made import made_offer
from softwood.datasets.sources.offer import Offer
from softwood.datasets.sources.packages import PACKAGES, package_offer
from softwood.datasets.sources.scikit import scikit_offer
from softwood.datasets.transforms import TRANSFORMS

SOURCES = ("folder", "scikit-learn", "generator", *PACKAGES, "openml")

__all__ = ["SOURCES", "Offer", "derived_offer", "offline_offers"]


def offline_offers(entry: Entry, folders: Sequence[Path]) -> Iterator[Offer]:
    """Yield what is at hand without a network, best first; nothing is read yet."""
    direct = [
        folder_offer(entry.name, folders, entry),
        scikit_offer(entry),
        made_offer(entry),
        *(package_offer(entry, package) for package in PACKAGES.values()),
    ]
    yield from (offer for offer in direct if offer is not None)
    parent = find_entry(entry.parent)
    if parent is not None:
        yield from (derived_offer(entry, offer) for offer in offline_offers(parent, folders))


def derived_offer(entry: Entry, parent: Offer) -> Offer:
    """Return the offer to load the parent's rows and change them."""
    where = f"{parent.where} (by {entry.transform} from {entry.parent})"
    change = TRANSFORMS[entry.transform]
    return Offer(parent.source, where, lambda: finished(change(parent.load().table), entry, where))
