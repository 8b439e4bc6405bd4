"""The ``softwood`` command: dispatch, and errors in one line."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

import typer

from softwood.cli._lean_start import import_scikit_learn
from softwood.cli._screen import SCREEN, set_switches
from softwood.cli._warnings import warnings_on_stderr

# Typer has carried its own click for some time: ask it for the base of its errors.
USAGE_ERRORS: Any = next(
    base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException"
)
EXIT_CODES = (
    "Exit codes: 0 done; 1 nothing could be computed; 2 a mistake in the command, a file or its "
    "data; 130 interrupted. Every command also takes --json, --quiet (-q) and --traceback."
)

app = typer.Typer(
    name="softwood",
    help="Decision trees with soft splits, wide margins and just the right amount of randomness.",
    epilog=EXIT_CODES,
    add_completion=True,
    pretty_exceptions_enable=False,
)
INTERRUPTED = 130  # what a shell calls an end by Ctrl-C

# Commands that need scikit-learn, but neither pandas nor statistics.
_FITTING = {
    *("demo", "distil", "explain", "export", "fit"),
    *("info", "predict", "soften", "view", "warmup"),
}

# What each command says of itself, so that only the one that is asked for need be imported.
COMMANDS = {
    "fit": "Fit a model to a table: print it with its honest error, save it, report on it.",
    "predict": "Predict every row of a table; the answer is CSV, or JSON lines with --json.",
    "explain": "Say why a model answers a row as it does: its way through the tree, in words.",
    "info": "Say what a model file holds: what it reads and answers, and the tree itself.",
    "view": "Make a page to explore a model: its trees, and how rows flow through them.",
    "export": "Write a model for use elsewhere: as C, Python without numpy, JSON, SQL or ONNX.",
    "soften": "Soften a saved model, say what that changes, and save the soft one.",
    "distil": "Make one tree that answers as a saved model does, and say how closely.",
    "refresh": "Estimate what a saved model answers anew from new rows; its tests stay.",
    "diff": "Say what changed from one model to another: answers, leaves, tests.",
    "compare": "Compare methods on data sets, every one on the same splits.",
    "datasets": "List the data sets, show the card of one, or write its rows to a CSV file.",
    "reproduce": "Run the tables and figures of a paper, beside the numbers it prints.",
    "demo": "Compare families of trees on a real table; write a model, pages, and exports.",
    "warmup": "Compile the kernels of models for this machine, once; later fits find them on disk.",
}


def register(names: Iterable[str]) -> None:
    """Let the command line know the commands: those named with their options, others by name."""
    wanted = set(names)
    app.registered_commands.clear()
    for name, help_text in COMMANDS.items():
        run = import_module(f"softwood.cli.{name}").run if name in wanted else _not_imported
        app.command(name, help=None if name in wanted else help_text, epilog=EXIT_CODES)(run)


def _not_imported() -> None:
    """Stand for a command that was not asked for."""


@app.callback(invoke_without_command=True)
def _options(
    version: bool = typer.Option(False, "--version", help="Print the version and leave."),
    as_json: bool = typer.Option(False, "--json", help="Answer in JSON, for programs."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Say nothing but errors."),
    trace: bool = typer.Option(False, "--traceback", help="Show where an error comes from."),
) -> None:
    if version:
        import softwood

        print(f"softwood {softwood.__version__}")
        raise typer.Exit


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit code.

    Mistakes of the user end in one line on stderr and code 2; anything else is a bug
    and shows its traceback.
    """
    words = set_switches(list(sys.argv[1:] if arguments is None else arguments))
    try:
        register(COMMANDS if "_SOFTWOOD_COMPLETE" in os.environ else words[:1])
        if arguments is None and words and words[0] in _FITTING and "--help" not in words:
            import_scikit_learn()
        with warnings_on_stderr():
            code = app(args=words or ["--help"], prog_name="softwood", standalone_mode=False)
    except USAGE_ERRORS as error:
        return _complain(error.format_message(), error.exit_code)
    except (typer.Abort, KeyboardInterrupt):
        return _complain("interrupted", INTERRUPTED)
    except BrokenPipeError:  # the reader of our output has seen enough
        sys.stderr.close()
        return 0
    except (ValueError, TypeError, OSError, ImportError) as error:
        if SCREEN.has_traceback:
            traceback.print_exc()
        return _complain(str(error) or type(error).__name__, 2)
    if code == INTERRUPTED:  # typer keeps the exception to itself
        return _complain("interrupted", INTERRUPTED)
    return code if isinstance(code, int) else 0


def _complain(message: str, code: int) -> int:
    print(f"softwood: {' '.join(message.split())}", file=sys.stderr)
    return code


if __name__ == "__main__":
    sys.exit(main())
