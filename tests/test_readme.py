"""The README and the public names."""

import re
import shlex
from pathlib import Path

import pytest

import softwood
from softwood.cli.main import main

README = Path(__file__).parent.parent / "README.md"
SLOW = ("reproduce",)  # run by name: minutes


def commands():
    """The words of each command of the README, in its order."""
    blocks = re.findall(r"```bash\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    words = [shlex.split(line, comments=True) for line in lines if line.startswith("softwood ")]
    return [each[1:] for each in words]


def test_the_commands_can_be_pasted_one_after_the_other(tmp_path, monkeypatch, capsys):
    pytest.importorskip("matplotlib")
    monkeypatch.chdir(tmp_path)
    names = [words[0] for words in commands()]
    assert names[:3] == ["datasets", "fit", "predict"]
    for words in commands():
        if words[0] not in SLOW:
            assert main(words) == 0, words
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Tested on rows it had not seen" in page
    answers = (tmp_path / "answers.csv").read_text().splitlines()
    assert answers[0] == "customer_id,prediction,P(no),P(yes)"
    assert len(answers) == 2001
    assert "10-fold cross-validated" in capsys.readouterr().out


def test_its_links_work_elsewhere_too_and_lead_to_files_that_are_there():
    text = README.read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    ours = re.compile(r"https://(?:github|raw\.githubusercontent)\.com/softwood-trees/softwood/")
    for link in links:
        assert ours.match(link), link
        path = re.sub(r"^(?:blob/|tree/)?main/", "", ours.sub("", link))
        assert (README.parent / path).exists(), link
    assert len(links) > 15


def test_the_readme_has_examples():
    assert README.read_text(encoding="utf-8").count("\n>>> ") > 5  # pytest runs them


def test_every_public_name_can_be_had():
    for name in softwood.__all__:
        assert getattr(softwood, name) is not None
    assert set(softwood.__all__) <= set(dir(softwood))
