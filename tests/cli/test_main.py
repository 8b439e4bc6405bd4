"""The command as a whole: switches, help, errors, what is imported."""

import json
import subprocess
import sys
from importlib import import_module

import pytest

from softwood.cli.main import COMMANDS, main


@pytest.mark.parametrize("name", COMMANDS)
def test_commands_say_the_same_of_themselves_before_they_are_imported(name):
    words = import_module(f"softwood.cli.{name}").run.__doc__.split("\n\n")[0]
    assert " ".join(words.split()) == COMMANDS[name]


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_and_tells_exit_codes(name, capsys):
    assert main([name, "--help"]) == 0
    printed = " ".join(capsys.readouterr().out.split())
    assert COMMANDS[name][:20] in printed
    assert "Exit codes: 0 done" in printed


def test_help_imports_neither_numpy_nor_a_command():
    code = (
        "import sys; from softwood.cli.main import main; main(['--help']); "
        "heavy = {'numpy', 'polars', 'sklearn', 'numba', 'softwood.cli.fit'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, capture_output=True)


def test_quiet_and_json_say_nothing_else(messy_churn, capsys):
    words = ["fit", str(messy_churn), "--target", "churned", "--model", "c45", "--folds", "0"]
    assert main([*words, "--quiet"]) == 0
    assert capsys.readouterr() == ("", "")
    assert main([*words, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["model"] == "C45Classifier"
    assert main(words) == 0  # the switches do not stay
    assert "gaps" in capsys.readouterr().out


def test_a_traceback_if_asked_for(capsys):
    assert main(["info", "nowhere.softwood"]) == 2
    assert "Traceback" not in capsys.readouterr().err
    assert main(["info", "nowhere.softwood", "--traceback"]) == 2
    assert "Traceback" in capsys.readouterr().err


def test_completion_knows_options_of_commands():
    environment = {"_SOFTWOOD_COMPLETE": "complete_bash", "COMP_WORDS": "softwood fit --del"}
    environment |= {"COMP_CWORD": "2", "PATH": ""}
    done = subprocess.run(
        [sys.executable, "-m", "softwood.cli.main"],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert "--delimiter" in done.stdout
