"""Cases run in a child: a crash or a hang costs one case, and the next child goes on after it."""

import faulthandler
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path

import numpy as np

from tests.conftest import ROOT, STATE
from tests.fuzz.kinds import KINDS

LOOK_EVERY, TELL_EVERY = 0.2, 1.0  # seconds
COMPILING = 900.0  # seconds that a child may take before its first case, and for that
SHOWN = 2  # findings of one cause that are told in full
FOUND, OUTCOME = "FOUND ", "DONE "


@dataclass(frozen=True)
class Watched:
    """What is to be run: cases of one kind, from a number on."""

    kind: str
    seed: int
    first: int
    seconds: float
    cases: int | None
    bounds: bool


@dataclass
class Result:
    """What came of the cases, and what was found: number and text."""

    counts: Counter = field(default_factory=Counter)
    found: list = field(default_factory=list)


def watch(wanted):
    """Run cases in children until the time is over; return what was found."""
    result, number, end = Result(), wanted.first, time.monotonic() + wanted.seconds
    last = None if wanted.cases is None else wanted.first + wanted.cases
    while number is not None and (time.monotonic() < end if last is None else number < last):
        number = _one_child(wanted, number, last, end, result)
    return result


def _one_child(wanted, first, last, end, result):
    """Run one child; return the number of the case to go on with, None if there is no going on."""
    with tempfile.TemporaryDirectory() as folder:
        mark = Path(folder, "mark")
        command = [sys.executable, "-m", "tests.fuzz", wanted.kind, "--child", "--mark", str(mark)]
        command += ["--seed", str(wanted.seed), "--first", str(first)]
        command += ["--seconds", str(1e9 if last is not None else max(1.0, end - time.monotonic()))]
        command += ["--cases", str(last - first)] if last is not None else []
        with open(Path(folder, "out"), "w+") as out, open(Path(folder, "err"), "w+") as err:
            child = subprocess.Popen(command, stdout=out, stderr=err, env=_environment(wanted))
            try:
                is_hanging = _wait(child, mark, KINDS[wanted.kind].patience)
            finally:
                child.kill()
            out.seek(0)
            err.seek(0)
            _take_up(out.read(), result)
            if child.returncode == 0:
                return int(_read(mark) or first) + 1
            if not _read(mark):
                result.found.append((first, f"no case could be run\n{err.read()[-3000:]}"))
                return None
            at = int(_read(mark))
            how = "hangs" if is_hanging else f"ends with {child.returncode}"
            result.found.append((at, f"case {at} {how}\n{err.read()[-3000:]}"))
            return at + 1


def _environment(wanted):
    named = dict(os.environ)
    if wanted.bounds:
        cache = ROOT / ".numba_cache" / f"bounds-{STATE}"
        named |= {"NUMBA_BOUNDSCHECK": "1", "NUMBA_CACHE_DIR": str(cache)}
    return named


def _wait(child, mark, patience):
    """Wait for the child; kill it if it stays too long at a case, and say so."""
    seen, since = None, time.monotonic()
    while child.poll() is None:
        time.sleep(LOOK_EVERY)
        now = _read(mark)
        if now != seen:
            seen, since = now, time.monotonic()
        elif time.monotonic() - since > (patience if seen not in (None, "") else COMPILING):
            child.kill()
            child.wait()
            return True
    return False


def _read(mark):
    return mark.read_text().strip() if mark.exists() else None


def _take_up(text, result):
    """Sort what a child has said into counts and findings, a few of each cause."""
    causes = Counter()
    for line in text.splitlines():
        if line.startswith(OUTCOME):
            word, n = line.removeprefix(OUTCOME).rsplit(" ", 1)
            result.counts[word] += int(n)
        elif line.startswith(FOUND):
            number, _, told = line.removeprefix(FOUND).partition(" ")
            told = told.replace("\\n", "\n")
            cause = re.sub(r"[-+]?\d[\d.e+-]*", "#", told.splitlines()[0])[:60]
            causes[cause] += 1
            if causes[cause] <= SHOWN:
                result.found.append((int(number), told))
            else:
                result.counts["more of a cause told above"] += 1


def run_child(kind, options):
    """Run cases one after the other; print what they come to."""
    faulthandler.enable()
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    module = import_module(KINDS[kind].module)
    state = module.prepare()
    counts, number, told_at = Counter(), options.first, 0.0
    start, mark = time.monotonic(), os.open(options.mark, os.O_WRONLY | os.O_CREAT)
    while time.monotonic() - start < options.seconds:
        if options.cases is not None and number >= options.first + options.cases:
            break
        os.pwrite(mark, f"{number:>12}".encode(), 0)
        try:
            counts[module.case(np.random.default_rng([options.seed, number]), state)] += 1
        except Exception as error:
            told = f"{type(error).__name__}: {error}\n{traceback.format_exc()}"
            told = told.replace("\n", "\\n")
            sys.stdout.write(f"{FOUND}{number} {told}\n")
            sys.stdout.flush()
            counts["broken"] += 1
        number += 1
        if time.monotonic() - told_at > TELL_EVERY:
            _tell(counts)
            told_at = time.monotonic()
    _tell(counts)


def _tell(counts):
    """Write what came of cases so far, and begin anew: a crash takes the rest with it."""
    for word, n in counts.items():
        sys.stdout.write(f"{OUTCOME}{word} {n}\n")
    counts.clear()
    sys.stdout.flush()
