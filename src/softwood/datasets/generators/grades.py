"""Nursery and car: complete data sets labelled by a tree of small grading tables.

Both were made with DEX, an expert system that joins the grades of two or three attributes
into the grade of a broader one, step by step, up to the decision. A table is written as
strings of digits: one string per value of the first attribute, one digit per value of the
second, in the order of ``levels``.
"""

from __future__ import annotations

from softwood._types import AnyArray
from softwood.datasets.generators.universe import Row, Universe

_NURSERY_LEVELS = {
    "parents": ("usual", "pretentious", "great_pret"),
    "has_nurs": ("proper", "less_proper", "improper", "critical", "very_crit"),
    "form": ("complete", "completed", "incomplete", "foster"),
    "children": ("1", "2", "3", "more"),
    "housing": ("convenient", "less_conv", "critical"),
    "finance": ("convenient", "inconv"),
    "social": ("nonprob", "slightly_prob", "problematic"),
    "health": ("recommended", "priority", "not_recom"),
}
_NURSERY_CLASSES = ("not_recom", "recommend", "very_recom", "priority", "spec_prior")
# Higher digits are worse: here they speak for urgency.
_EMPLOYMENT = ("01123", "11233", "22333")  # parents by has_nurs
_STRUCTURE = ("0122", "1122", "1222", "2222")  # form by children
_HOUSE = ("01", "11", "22")  # housing by finance
_FAMILY = ("011", "112", "122")  # structure by house
_WELFARE = ("012", "012", "112")  # social by health; 2 rules the child out
# Employment by family, once for children without and once for those with some problem.
_URGENCY = (("123", "223", "333", "334"), ("333", "333", "334", "344"))

_CAR_LEVELS = {
    "buying": ("vhigh", "high", "med", "low"),
    "maint": ("vhigh", "high", "med", "low"),
    "doors": ("2", "3", "4", "5more"),
    "persons": ("2", "4", "more"),
    "lug_boot": ("small", "med", "big"),
    "safety": ("low", "med", "high"),
}
_CAR_CLASSES = ("unacc", "acc", "good", "vgood")
# Higher digits are better.
_PRICE = ("0011", "0111", "1123", "1233")  # buying by maint
_COMFORT = {  # lug_boot, for each number of persons and of doors
    "2": ("000", "000", "000", "000"),
    "4": ("112", "112", "122", "122"),
    "more": ("012", "122", "122", "122"),
}
_TECHNIQUE = ("000", "012", "023")  # comfort by safety
_CAR = ("0000", "0011", "0113", "0123")  # price by technique


def make_nursery() -> tuple[AnyArray, AnyArray]:
    """All 12 960 applications to a nursery school, ranked as in Ljubljana in the 1980s.

    Returns
    -------
    X : ndarray of str, of shape (12960, 8)
        Parents' occupation, child's present nursery, form of the family, number of
        children, housing, finance, social conditions and health.
    y : ndarray of str, of shape (12960,)
        ``not_recom``, ``recommend``, ``very_recom``, ``priority`` or ``spec_prior``.

    References
    ----------
    .. [1] M. Olave, V. Rajkovic, M. Bohanec (1989). An application for admission in public
       school systems. Expert Systems in Public Administration.

    Examples
    --------
    >>> X, y = make_nursery()
    >>> X.shape, int((y == "very_recom").sum())
    ((12960, 8), 328)
    """
    return NURSERY.arrays()


def make_car() -> tuple[AnyArray, AnyArray]:
    """All 1728 cars by price and technique, and how acceptable they are.

    Returns
    -------
    X : ndarray of str, of shape (1728, 6)
        Buying price, maintenance, doors, persons, luggage boot and safety.
    y : ndarray of str, of shape (1728,)
        ``unacc``, ``acc``, ``good`` or ``vgood``.

    References
    ----------
    .. [1] M. Bohanec, V. Rajkovic (1988). Knowledge acquisition and explanation for
       multi-attribute decision making. 8th International Workshop on Expert Systems.

    Examples
    --------
    >>> X, y = make_car()
    >>> X.shape, int((y == "vgood").sum())
    ((1728, 6), 65)
    """
    return CAR.arrays()


def _nursery_class(row: Row) -> str:
    parents, has_nurs, form, children, housing, finance, social, health = _positions(
        row, _NURSERY_LEVELS
    )
    welfare = int(_WELFARE[social][health])
    if welfare == 2:
        return "not_recom"
    employment = int(_EMPLOYMENT[parents][has_nurs])
    structure, house = int(_STRUCTURE[form][children]), int(_HOUSE[housing][finance])
    family = int(_FAMILY[structure][house])
    return _NURSERY_CLASSES[int(_URGENCY[welfare][employment][family])]


def _car_class(row: Row) -> str:
    buying, maint, doors, _, lug_boot, safety = _positions(row, _CAR_LEVELS)
    comfort = int(_COMFORT[row[3]][doors][lug_boot])
    technique = int(_TECHNIQUE[comfort][safety])
    return _CAR_CLASSES[int(_CAR[int(_PRICE[buying][maint])][technique])]


def _positions(row: Row, levels: dict[str, tuple[str, ...]]) -> list[int]:
    return [values.index(value) for value, values in zip(row, levels.values(), strict=True)]


NURSERY = Universe(_NURSERY_LEVELS, _NURSERY_CLASSES, _nursery_class)
CAR = Universe(_CAR_LEVELS, _CAR_CLASSES, _car_class)
