"""Small files as people have them, and what a person would read in them.

``python -m tests.cli.messy.files FOLDER`` writes all of them, to look at.
"""

from __future__ import annotations

import sys
from pathlib import Path

from tests.cli.messy.case import Messy, Refused
from tests.cli.messy.cells import moments, numbers, words
from tests.cli.messy.formats import formats
from tests.cli.messy.layouts import layouts
from tests.cli.messy.refusals import refused

READ = [*layouts(), *numbers(), *moments(), *words(), *formats()]
REFUSED = refused()


def write(case: Messy | Refused, folder: Path) -> Path:
    path = folder / case.file
    path.write_bytes(case.raw)
    return path


if __name__ == "__main__":
    place = Path(sys.argv[1])
    place.mkdir(parents=True, exist_ok=True)
    for each in (*READ, *REFUSED):
        write(each, place)
