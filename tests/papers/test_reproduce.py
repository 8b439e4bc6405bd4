import csv
from pathlib import Path

import numpy as np
import pytest

from softwood.papers import kept, report
from softwood.papers.findings import Beside, Finding
from softwood.papers.paper import KEYS, Paper, Part, load_paper
from softwood.papers.reproduce import reproduce, reproduce_all
from softwood.papers.rules import stated
from softwood.papers.setting import Setting
from softwood.papers.verdicts import Verdict, judge

NAN = float("nan")


def small_finding(setting):
    table = Beside(
        "errors", ("iris", "wine"), ("C4.5",), np.array([[0.1], [NAN]]), np.array([[0.25], [0.5]])
    )
    claim = judge("Table 1", "trees err", "they do", stated(True, "holds if they err", "3"))
    return Finding((table,), (claim,), {}, {"zoo": "not at hand"}, (f"seed {setting.seed}",))


SMALL = Paper("small", "A. Author. A paper.", (Part("table1", "Errors", small_finding),))


@pytest.fixture
def small_paper(monkeypatch):
    monkeypatch.setattr("softwood.papers.reproduce.load_paper", lambda key: SMALL)


def test_every_paper_loads_and_names_its_parts_once():
    for key in KEYS:
        paper = load_paper(key)
        assert paper.key == key
        keys = [part.key for part in paper.parts]
        assert len(set(keys)) == len(keys)


def test_unknown_names_get_a_suggestion():
    with pytest.raises(ValueError, match="no paper is called 'vicinel'; did you mean 'vicinal'"):
        load_paper("vicinel")
    with pytest.raises(ValueError, match="no part of spectrum is called 'table9'; did you mean"):
        load_paper("spectrum").parts_named(["table9"])


def test_report_files(small_paper, tmp_path):
    lines = []
    reproduce("small", setting=Setting(seed=3), output=tmp_path / "out", tell=lines.append)
    assert "HOLDS: trees err (Table 1)" in "\n".join(lines)
    page = (tmp_path / "out" / "table1.md").read_text()
    assert "| iris | 0.1000 | 0.2500 | +0.1500 |" in page
    assert "| wine | - | 0.5000 | - |" in page
    assert "zoo: not at hand" in page
    assert "seed 3" in page
    with open(tmp_path / "out" / "table1.csv") as file:
        assert list(csv.reader(file))[1:] == [
            ["iris", "C4.5", "0.1", "0.25"],
            ["wine", "C4.5", "", "0.5"],
        ]
    assert "**holds**: trees err" in (tmp_path / "out" / "claims.md").read_text()
    assert not list((tmp_path / "out").glob(".*"))


def test_a_part_that_fails_keeps_what_others_wrote(monkeypatch, tmp_path):
    def broken(setting):
        raise RuntimeError("no luck")

    paper = Paper("small", "x", (SMALL.parts[0], Part("table2", "Broken", broken)))
    monkeypatch.setattr("softwood.papers.reproduce.load_paper", lambda key: paper)
    with pytest.raises(RuntimeError, match="no luck"):
        reproduce("small", output=tmp_path)
    assert (tmp_path / "table1.md").exists()


def test_small_numbers_are_not_printed_as_zero():
    table = Beside("p", ("a",), ("x",), np.array([[5.9e-10]]), np.array([[5.6e-10]]), digits=10)
    assert "5.60e-10" in report.text(Finding((table,)))


def test_wide_tables_become_long():
    names = tuple("abcd")
    table = Beside("wide", ("row",), names, np.ones((1, 4)), np.ones((1, 4)))
    assert "row, d" in report.text(Finding((table,)))


def test_spectrum_statistics_are_the_papers():
    """The numbers of section I.3 of the specification, to the digits given."""
    finding = reproduce("spectrum", ["statistics"])["statistics"]
    ranks = finding.tables[0].ours[1]
    np.testing.assert_allclose(ranks, [2.867, 4.156, 4.033, 3.578, 3.222, 3.144], atol=5e-4)
    assert [claim.verdict for claim in finding.claims] == [Verdict.HOLDS] * 3
    assert "chi2 17.03" in finding.claims[0].evidence
    assert "F 3.604 (p 0.0037)" in finding.claims[0].evidence
    assert "1.016" in finding.claims[1].evidence


def test_vicinal_statistics_are_the_papers():
    finding = reproduce("vicinal", ["statistics"])["statistics"]
    table = finding.tables[0]
    ours = dict(zip(table.rows, table.ours[:, 0], strict=True))
    assert ours["Iman-Davenport F"] == pytest.approx(8.768, abs=5e-4)
    assert ours["p of F"] == pytest.approx(8.49e-4, rel=1e-3)
    assert ours["p, VRM against C4.5"] == pytest.approx(1.154e-3, rel=1e-3)
    assert ours["aligned p, VRM against C4.5"] == pytest.approx(5.63e-10, rel=2e-3)
    assert "0.0023 and 0.0060" in finding.claims[1].evidence
    assert all(claim.verdict is Verdict.HOLDS for claim in finding.claims)


def counted_paper(runs, fail_at=None):
    """A paper of three parts, which notes what is run, and is killed at one of them."""

    def part(key):
        def run(setting):
            runs.append(key)
            if fail_at == (key, len(runs)):
                raise KeyboardInterrupt
            return small_finding(setting)

        return Part(key, f"Title of {key}", run)

    return Paper("small", "A. Author. A paper.", tuple(map(part, ("table1", "table2", "figure3"))))


def contents(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def test_killed_twice_and_resumed_it_writes_the_same_files(monkeypatch, tmp_path):
    load = "softwood.papers.reproduce.load_paper"
    monkeypatch.setattr(load, lambda key: counted_paper([]))
    reproduce("small", None, Setting(), tmp_path / "whole")
    runs, setting = [], Setting(store=tmp_path / "small.sqlite", resume=True)
    for killed_at in (("table2", 2), ("figure3", 4)):
        paper = counted_paper(runs, killed_at)
        monkeypatch.setattr(load, lambda key, paper=paper: paper)
        with pytest.raises(KeyboardInterrupt):
            reproduce("small", None, setting, tmp_path / "killed")
    lines = []
    paper = counted_paper(runs)
    monkeypatch.setattr(load, lambda key: paper)
    reproduce("small", None, setting, tmp_path / "killed", lines.append)
    assert runs == [
        "table1",
        "table2",
        "table2",
        "figure3",
        "figure3",
    ]  # none twice
    assert lines.count("(done before)") == 2
    assert contents(tmp_path / "killed") == contents(tmp_path / "whole")


def test_parts_of_several_runs_stand_side_by_side(small_paper, tmp_path, monkeypatch):
    paper = counted_paper([])
    monkeypatch.setattr("softwood.papers.reproduce.load_paper", lambda key: paper)
    reproduce("small", None, Setting(), tmp_path)
    reproduce("small", ["table2"], Setting(full=True), tmp_path)
    page = (tmp_path / "claims.md").read_text()
    assert "`softwood reproduce small table1 --quick`" in page
    assert "`softwood reproduce small table2 --full`" in page
    assert "`softwood reproduce small table2 --quick`" not in page


def test_a_quick_run_does_not_replace_a_full_one(small_paper, tmp_path, monkeypatch):
    """It has a folder of its own, resumes there, and says which verdicts differ."""
    out, runs = tmp_path / "out", []
    monkeypatch.setattr("softwood.papers.reproduce.load_paper", lambda key: counted_paper(runs))
    full = Setting(full=True, seed=1, store=tmp_path / "full.sqlite")
    reproduce("small", ["table1"], full, out)
    before, lines = contents(out), []
    quick = Setting(store=tmp_path / "quick.sqlite", resume=True)
    for _ in range(2):
        reproduce("small", ["table1"], quick, out, lines.append)
    assert runs == ["table1"] * 2  # the second quick run found all done
    written = {name: (out / name).read_bytes() for name in before}
    assert written == before
    assert "seed 0" in (out / "quick" / "table1.md").read_text()
    told = next(line for line in lines if line.startswith("the full run is kept in"))
    assert told.endswith("1 of 1 verdicts are those of the full run")
    reproduce("small", ["table2"], quick, out)  # of this part there is nothing longer
    assert (out / "table2.md").exists()
    reproduce("small", ["table1"], Setting(full=True, seed=2), out)
    assert "seed 2" in (out / "table1.md").read_text()


def test_verdicts_that_differ_from_those_of_the_full_run_are_named():
    entries = [
        {"claims": [{"where": "Table 1", "claim": f"claim {k}", "verdict": verdict}
                    for k, verdict in enumerate(verdicts)]}
        for verdicts in (["holds", "does not hold"], ["holds", "holds", "holds"])
    ]  # fmt: skip
    told = kept.beside(*entries, Path("out/small/quick"))
    assert "1 of 3 verdicts are those of the full run, not: " in told
    assert "claim 1 (holds; at full length: does not hold)" in told
    assert "claim 2 (holds; at full length: not judged)" in told


def test_all_papers_and_a_page_of_all_their_claims(monkeypatch, tmp_path):
    def tiny(key):
        return Paper(key, "A. Author.", (SMALL.parts[0],))

    monkeypatch.setattr("softwood.papers.reproduce.load_paper", tiny)
    reproduce_all(Setting(), tmp_path / "stores", tmp_path / "out")
    page = (tmp_path / "out" / "README.md").read_text()
    assert page.startswith("# What became of five papers")
    assert "5 claims: 5 holds. 100% hold" in page
    for key in KEYS:
        assert f"`softwood reproduce {key} table1 --quick`" in page
        assert (tmp_path / "out" / key / "claims.json").exists()
