from softwood.papers.rules import most
from softwood.papers.verdicts import Verdict, judge


def test_a_claim_has_the_verdict_of_its_ruling():
    claim = judge("Table 1", "pruning helps on most sets", "a lot", most(7, 2, 10, "sets"))
    assert claim.verdict is Verdict.HOLDS
    assert claim.ruling.rule.startswith("holds if so on more than half of the sets")


def test_without_a_ruling_there_were_no_data():
    claim = judge("Table 1", "pruning helps", "no data at hand", None)
    assert claim.verdict is Verdict.NO_DATA
    assert claim.ruling.enough is None
