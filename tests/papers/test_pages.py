"""Pages of claims say what holds, by which rule and command, and why the rest does not."""

import pytest

from softwood.papers import pages, reasons
from softwood.papers.errata import ERRATA, erratum
from softwood.papers.findings import Finding
from softwood.papers.kept import entry
from softwood.papers.paper import KEYS, Paper, Part
from softwood.papers.rules import nowhere, paired
from softwood.papers.setting import Setting
from softwood.papers.verdicts import judge


@pytest.fixture
def margins():
    import numpy as np

    claims = (
        judge("Table 2", "OC1 is never best", "it is on Iris", nowhere(1, 9, "sets")),
        judge("Fig. 2", "FAT is better", "by 1", paired(np.linspace(1, 2, 9), "sets")),
        judge("Fig. 3", "so is MOC1", "no data", None),
    )
    finding = Finding((), claims, {}, {"Dim": "nobody | has it"}, (), (8, 10))
    part = Part("table2", "Accuracy", lambda setting: finding)
    paper = Paper("margins", "D. Wu.", (part,))
    return paper, {"table2": entry(paper, part, finding, Setting(full=True, seed=3), 700.0)}


def test_the_page_of_all_claims(margins, monkeypatch):
    _, parts = margins
    why = {("margins", "Table 2", "OC1 is"): "Iris has three classes that two lines part."}
    monkeypatch.setattr(reasons, "REASONS", why)
    page = pages.every_claim({"margins": parts})
    assert "3 claims: 1 holds, 1 does not hold, 1 not run: data. 33% hold" in page
    line = next(line for line in page.splitlines() if "OC1 is never best" in line)
    for told in (
        "| Table 2 |", "**does not hold**", "1 of 9", "it has no sign", "| 3 |", "tens of minutes",
        "`softwood reproduce margins table2 --full --seed 3`",
    ):  # fmt: skip
        assert told in line
    below = page.split("## What does not hold, and why")[1]
    assert "Iris has three classes that two lines part. (it is on Iris.)" in below
    assert "8 of 10" in page
    assert "- margins, 8 of 10 sets: no Dim" in page
    for error in ERRATA:
        assert error.told in page


def test_the_pages_of_a_paper(margins):
    paper, parts = margins
    page = pages.claims_page(paper, parts)
    assert "Rule: holds if so on none of the sets; it has no sign. Our number: 1 of 9." in page
    assert "What so many runs show: 9 sets show a mean of" in page
    first = pages.overview(paper, parts)
    assert "(table2.md): Accuracy. 1 holds, 1 does not hold, 1 not run: data." in first
    assert erratum("margins")[0].told in first


def test_reasons_and_errors_name_papers_there_are():
    assert {error.paper for error in ERRATA} <= set(KEYS)
    assert {paper for paper, _, _ in reasons.REASONS} <= set(KEYS)
