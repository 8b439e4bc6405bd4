"""Damaged and forged model files: refused in words, or a model that answers as a model does."""

import random
import tempfile
import time
import warnings
from pathlib import Path

from softwood import load, save
from softwood.errors import ModelFileError
from softwood.persist.format import members_of
from tests.fuzz.answers import answers, expect, same
from tests.persist.edits import EDITS
from tests.persist.forging import ask, forged, look_at, models

LONGEST = 5.0  # seconds of a refusal


def prepare():
    """Return a folder, and of every model its file, its members and its answers."""
    folder, kept = Path(tempfile.mkdtemp()), []
    for name, (model, table) in models().items():
        path = folder / name
        save(model, path)
        kept.append((name, path.read_bytes(), members_of(model), table, answers(model, table)))
    return folder / "edited", kept


def case(rng, state):
    """Edit a file: its bytes, or what it says under a seal of its own; then load and ask."""
    path, kept = state
    name, content, members, table, right = kept[int(rng.integers(len(kept)))]
    number = int(rng.integers(2**62))
    is_forged = rng.random() < 0.6
    path.write_bytes(forged(members, number) if is_forged else _damaged(content, number))
    start = time.monotonic()
    try:
        try:
            model = load(path)
        except ModelFileError as error:
            expect(str(error).strip(), "refused without a word")
            expect(time.monotonic() - start < LONGEST, "a refusal that takes long")
            return "refused"
        if is_forged:
            ask(model, table)
            look_at(model)
            return "forged, and answers"
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            expect(same(answers(model, table), right), "damaged bytes pass, and answer otherwise")
        return "damaged where nothing is read"
    except Exception as error:
        error.add_note(f"{name}, {'forged' if is_forged else 'damaged'} by {number}")
        raise


def _damaged(content, number):
    chosen, data = random.Random(number), bytearray(content)
    chosen.choice(EDITS)(chosen, data)
    return bytes(data)
