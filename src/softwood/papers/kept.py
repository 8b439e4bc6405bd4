"""What is kept of a reproduction: one file a paper, which all its pages are made from.

The file has the claims with their verdicts, and by which command each part was made, so that
parts of different runs can stand side by side. Times are not kept to the second: they would
differ whenever a run is killed and resumed.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from softwood._files import write_atomically
from softwood.papers.findings import Finding
from softwood.papers.paper import Paper, Part
from softwood.papers.setting import Setting

FORMAT = 1
NAME = "claims.json"
QUICK = "quick"  # folder of quick runs beside what is kept of full ones
# Files of papers/ that change no number and no verdict.
NOT_NUMBERS = {"reasons.py", "errata.py", "pages.py", "remaining.py", "costs.csv"}
TIMES = ((60, "seconds"), (600, "minutes"), (3600, "tens of minutes"))

Entry = dict[str, Any]


def command(paper: str, part: str, setting: Setting) -> str:
    """Return what makes a part again.

    Examples
    --------
    >>> command("margins", "table2", Setting(full=True))
    'softwood reproduce margins table2 --full'
    """
    seed = f" --seed {setting.seed}" if setting.seed else ""
    return f"softwood reproduce {paper} {part} --{setting.length}{seed}"


def entry(paper: Paper, part: Part, finding: Finding, setting: Setting, seconds: float) -> Entry:
    """Return what is kept of a part."""
    claims = [
        {
            "where": claim.where,
            "claim": claim.text,
            "evidence": claim.evidence,
            **asdict(claim.ruling),
        }
        for claim in finding.claims
    ]
    return {
        "title": part.title,
        "command": command(paper.key, part.key, setting),
        "length": setting.length,
        "seed": setting.seed,
        "time": duration(seconds),
        "used": finding.used,
        "claims": claims,
        "missing": dict(finding.missing),
    }


def duration(seconds: float) -> str:
    """Return about how long a part takes on one core.

    Examples
    --------
    >>> [duration(seconds) for seconds in (5, 100, 3000, 9000)]
    ['seconds', 'minutes', 'tens of minutes', 'hours']
    """
    return next((name for limit, name in TIMES if seconds < limit), "hours")


def read(folder: Path) -> dict[str, Entry]:
    """Return the kept parts of a paper, by key; none if there are none.

    Raises
    ------
    ValueError
        If another version of the format wrote them.
    """
    path = folder / NAME
    if not path.exists():
        return {}
    content = json.loads(path.read_text(encoding="utf-8"))
    if content.get("format") != FORMAT:
        raise ValueError(
            f"{path} is of format {content.get('format')}, this version reads {FORMAT}; "
            "remove it and run `softwood reproduce` again"
        )
    parts: dict[str, Entry] = content["parts"]
    return parts


def write(folder: Path, paper: Paper, parts: dict[str, Entry]) -> None:
    """Write the kept parts of a paper, in the order in which the paper has them."""
    ordered = {part.key: parts[part.key] for part in paper.parts if part.key in parts}
    content = {"format": FORMAT, "paper": paper.key, "parts": ordered}
    text = json.dumps(content, indent=1, ensure_ascii=False, sort_keys=False)
    write_atomically(folder / NAME, (text + "\n").encode())


def place(folder: Path, part: str, setting: Setting) -> Path:
    """Return where a part is to be written: not over what a longer run found.

    Parameters
    ----------
    folder : Path
        Of the paper.
    part : str
        Key of the part.
    setting : Setting
        Of the run that is to be written.

    Returns
    -------
    Path
        The folder, or the one called "quick" in it.
    """
    entry = read(folder).get(part)
    is_longer = entry is not None and entry["length"] == "full" and not setting.full
    return folder / QUICK if is_longer else folder


def beside(longer: Entry, quick: Entry, place: Path) -> str:
    """Return in a sentence how the verdicts of a quick run compare with those of a full one."""
    known = {(claim["where"], claim["claim"]): claim["verdict"] for claim in longer["claims"]}
    pairs = [(c, known.get((c["where"], c["claim"]))) for c in quick["claims"]]
    others = [
        f"{claim['claim']} ({claim['verdict']}; at full length: {verdict or 'not judged'})"
        for claim, verdict in pairs
        if claim["verdict"] != verdict
    ]
    told = f"{len(pairs) - len(others)} of {len(pairs)} verdicts are those of the full run"
    return (
        f"the full run is kept in {place.parent}, this quick one is written to {place}; {told}"
        + (f", not: {'; '.join(others)}" if others else "")
    )


class Done:
    """Parts that are done, noted beside the store: a run that was killed skips them.

    Parameters
    ----------
    store : Path or None
        The store of cells; None notes nothing.
    resume : bool
        Whether what was noted before counts.
    """

    def __init__(self, store: Path | None, resume: bool) -> None:
        self._path = None if store is None else store.with_suffix(".parts.json")
        is_known = resume and self._path is not None and self._path.exists()
        self._noted: dict[str, Any] = (
            json.loads(self._path.read_text(encoding="utf-8")) if is_known and self._path else {}
        )

    def entry(self, wanted: str, output: Path) -> Entry | None:
        """Return the entry of a command, if this code made it, and the very files are there.

        Files of the same names may be those of another run, such as a quick one.
        """
        noted = self._noted.get(wanted)
        if noted is None or noted["code"] != code_digest():
            return None
        if noted["files"] != digests(output, noted["files"]):
            return None
        found: Entry = noted["entry"]
        return found

    def note(self, made: Entry, output: Path, names: list[str], seconds: float) -> None:
        """Take note of a part, the files it wrote to a folder, and its seconds on one core."""
        self._noted[made["command"]] = {
            "code": code_digest(),
            "entry": made,
            "files": digests(output, names),
            "seconds": round(seconds, 1),
        }
        if self._path is not None:
            text = json.dumps(self._noted, ensure_ascii=False)
            write_atomically(self._path, text.encode())


def digests(folder: Path, names: Iterable[str]) -> dict[str, str | None]:
    """Return a digest of each file of a folder; None where there is no such file."""
    paths = {name: folder / name for name in names}
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] if path.exists() else None
        for name, path in paths.items()
    }


@lru_cache(maxsize=1)
def code_digest() -> str:
    """Return a digest of the code that makes tables, figures and verdicts."""
    state = hashlib.sha256()
    root = Path(str(files("softwood.papers")))
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.csv")]):
        if path.name in NOT_NUMBERS:
            continue
        state.update(path.relative_to(root).as_posix().encode() + path.read_bytes())
    return state.hexdigest()[:16]
