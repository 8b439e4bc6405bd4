"""Hostile files and commands: the command line ends in an answer, or in one line of complaint."""

import contextlib
import io
import os
import tempfile
from pathlib import Path

import numpy as np

from softwood.cli.main import main
from tests.fuzz.answers import expect
from tests.fuzz.hostile import choose

FIELDS = (
    *("", " ", "?", "NA", "null", "0", "-0", "007", "1e400", "-1e-400", "nan", "inf", "1,5", "1.5"),
    *("1.234.567,89", "$12.50", "12 %", "yes", "TRUE", "2024-02-30", "2024-02-29", "31.12.1999"),
    *(
        "12:61",
        "a;b",
        'say "so"',
        "'",
        "\\",
        "\u202ehidden",
        "<script>",
        "=SUM(A1)",
        "名前",
        "\x00",
    ),
    *("9" * 40, "x" * 3000, "a\tb", "a\nb", "#", "//", "9007199254740993", "0x1F", "1_000"),
)
ENDS = ("\n", "\r\n", "\n\n", "\r")
COMMANDS = ("fit", "predict", "describe", "explain", "compare", "distil", "refresh", "diff")
MODELS = ("c45", "cart", "coalescence", "cart-unpruned")


def prepare():
    """Return a folder with a table and a model of it."""
    folder = Path(tempfile.mkdtemp())
    os.chdir(folder)
    rng = np.random.default_rng(0)
    lines = [f"{a:.2f},{b},{'yes' if a > 0 else 'no'}" for a, b in _pairs(rng, 60)]
    Path("good.csv").write_text("size,kind,y\n" + "\n".join(lines) + "\n")
    with contextlib.redirect_stdout(io.StringIO()):
        code = main(
            ["fit", "good.csv", "--target", "y", "--model", "cart", "--folds", "0", "-o", "m"]
        )
    expect(code == 0, "the good table was refused")
    return folder


def _pairs(rng, n):
    return zip(rng.normal(size=n).tolist(), rng.choice(list("abc"), n).tolist(), strict=True)


def case(rng, folder):
    """Write a file, and run a command on it."""
    content = draw_bytes(rng)
    Path("odd.csv").write_bytes(content)
    before = Path("m").read_bytes()
    words = _draw_command(rng)
    told = run(words, content)
    expect(Path("m").read_bytes() == before, "the model file was written to")
    return told


def run(words, content):
    """Run a command, and return what became of it; it may answer, or complain in a line."""
    out, err = io.StringIO(), io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            code = main(words)
        complaints = [line for line in err.getvalue().splitlines() if line.startswith("softwood: ")]
        expect(code in (0, 1, 2), f"exit code {code}")
        expect(code == 0 or complaints, f"exit code {code} without a word")
        expect("Traceback" not in err.getvalue(), "a traceback")
        left = [name for name in os.listdir() if name.endswith(".tmp")]
        expect(not left, f"left over: {left}")
    except BaseException as error:
        error.add_note(f"softwood {' '.join(words)}\n{content[:600]!r}\n{err.getvalue()[-600:]}")
        raise
    return f"{words[0]}: {'done' if code == 0 else 'refused'}"


def _draw_command(rng):
    name = choose(rng, *COMMANDS)
    if name == "fit":
        words = ["fit", "odd.csv", "--model", choose(rng, *MODELS), "--folds", "0"]
        return words + (
            ["--target", choose(rng, "y", "kind", "0", "")] if rng.random() < 0.8 else []
        )
    if name == "describe":
        return ["datasets", "odd.csv"]
    if name == "explain":
        return ["explain", "m", "odd.csv", "--row", choose(rng, "1", "3", "0", "99")]
    if name == "compare":
        return ["compare", "odd.csv", "--models", "c45", "--protocol", "kfold:2"]
    if name == "diff":
        return ["diff", "m", "m", "odd.csv"]
    if name == "predict":
        return ["predict", "m", "odd.csv", *choose(rng, [], ["--proba"], ["--json"])]
    return [name, "m", "odd.csv", "-o", "out.softwood", *(["--hard"] if name == "distil" else [])]


def draw_bytes(rng):
    separator = choose(rng, ",", ",", ";", "\t", "|", " ")
    n_rows, end = choose(rng, 0, 1, 2, 5, 20, 40), choose(rng, *ENDS, "\n", "\n")
    header = choose(rng, ["size", "kind", "y"], ["size", "kind", "y"], ["y"], ["a", "a", ""], [])
    lines = [separator.join(header)] if header else []
    is_tame = rng.random() < 0.5
    lines += [separator.join(_draw_row(rng, len(header) or 3, is_tame)) for _ in range(n_rows)]
    encoding = choose(rng, "utf-8", "utf-8", "utf-8-sig", "utf-16", "cp1252")
    data = bytearray(end.join(lines).encode(encoding, errors="replace"))
    if rng.random() < 0.15 and data:
        data[int(rng.integers(len(data)))] = int(rng.integers(256))
    return bytes(data)


def _draw_row(rng, width, is_tame):
    if is_tame:
        row = [f"{rng.normal():.2f}", choose(rng, "a", "b", "c"), choose(rng, "yes", "no")][:width]
        if rng.random() < 0.1:
            row[int(rng.integers(len(row)))] = choose(rng, *FIELDS)
        return row
    row = [
        choose(rng, *FIELDS)
        for _ in range(width + (choose(rng, -1, 1) if rng.random() < 0.05 else 0))
    ]
    return [f'"{field}"' if rng.random() < 0.3 else field for field in row]
