"""``softwood reproduce``: one paper or all of them, stores where they are asked for."""

import json

from softwood.cli.main import main
from softwood.papers.paper import KEYS
from softwood.papers.reproduce import write_page


def test_a_part_is_kept_and_the_page_of_all_claims_follows(tmp_path, capsys):
    write_page(tmp_path)
    arguments = ["-o", str(tmp_path / "spectrum"), "--store", str(tmp_path / "stores")]
    assert main(["reproduce", "spectrum", "statistics", *arguments]) == 0
    assert "HOLDS: the methods differ significantly" in capsys.readouterr().out
    kept = json.loads((tmp_path / "spectrum" / "claims.json").read_text())
    assert list(kept["parts"]) == ["statistics"]
    assert "3 claims: 3 holds. 100% hold" in (tmp_path / "README.md").read_text()
    assert (tmp_path / "stores" / "spectrum.parts.json").exists()
    assert main(["reproduce", "spectrum", "statistics", "--resume", *arguments]) == 0
    assert "(done before)" in capsys.readouterr().out


def test_pages_are_written_anew_without_a_run(tmp_path):
    assert main(["reproduce", "spectrum", "statistics", "-o", str(tmp_path / "spectrum")]) == 0
    before = (tmp_path / "spectrum" / "claims.md").read_text()
    (tmp_path / "spectrum" / "claims.md").write_text("old")
    assert main(["reproduce", "--pages", "-o", str(tmp_path)]) == 0
    assert (tmp_path / "spectrum" / "claims.md").read_text() == before
    assert "3 claims" in (tmp_path / "README.md").read_text()


def test_all_papers_or_one(capsys):
    assert main(["reproduce", "vicinal", "--all"]) != 0
    assert "--all runs all papers" in capsys.readouterr().err


def test_papers_are_listed(capsys):
    assert main(["reproduce"]) == 0
    printed = capsys.readouterr().out
    assert all(f"{key}: " in printed for key in KEYS)
