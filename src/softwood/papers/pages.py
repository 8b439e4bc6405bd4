"""The pages that list claims: of one paper, and of all of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from softwood.evaluate.tables import markdown_text
from softwood.papers.errata import ERRATA, erratum
from softwood.papers.kept import FORMAT, Entry
from softwood.papers.paper import Paper
from softwood.papers.reasons import reason
from softwood.papers.verdicts import Verdict

HEADER = ("paper", "where", "claim", "verdict", "our number", "rule", "runs enough?", "made by",
          "seed", "time")  # fmt: skip
ENOUGH = {True: "yes", False: "no", None: "-"}
GOOD = (Verdict.HOLDS, Verdict.IN_SIGN)

Parts = Mapping[str, Entry]


def overview(paper: Paper, parts: Parts) -> str:
    """Return the first page of a paper: what was made, by which command, and the verdicts."""
    lines = [
        f"- [{key}]({key}.md): {entry['title']}. {_counted(entry['claims'])} "
        f"`{entry['command']}` ({entry['time']})"
        for key, entry in parts.items()
    ]
    blocks = [f"# {paper.key}", paper.citation, "\n".join(lines)]
    blocks.append("All claims, with rules and evidence: [claims.md](claims.md).")
    blocks += _errors_of(paper.key)
    return "\n\n".join(blocks).rstrip() + "\n"


def claims_page(paper: Paper, parts: Parts) -> str:
    """Return all claims of a paper with their rules and evidence."""
    blocks = [f"# {paper.key}: all claims", paper.citation]
    for key, entry in parts.items():
        blocks.append(f"## [{key}]({key}.md): {entry['title']}")
        blocks.append(f"`{entry['command']}`")
        blocks += [_told(paper.key, claim) for claim in entry["claims"]]
        if not entry["claims"]:
            blocks.append("No claims, only numbers.")
    return "\n\n".join(blocks).rstrip() + "\n"


def every_claim(found: Mapping[str, Parts]) -> str:
    """Return the page of all claims of all papers."""
    claims = [claim for _, _, claim in _claims(found)]
    good = sum(claim["verdict"] in GOOD for claim in claims)
    share = f"{good / len(claims):.0%}" if claims else "none"
    blocks = [
        "# What became of five papers",
        f"{len(claims)} claims: {_counted(claims)} {share} hold, or hold in sign. Made by "
        f"`softwood reproduce`; each line has its command. Format {FORMAT}.",
        "How verdicts are found: every claim has a rule, written once in `softwood.papers.rules`. "
        "*Holds in sign* needs the direction of the effect on the claim's own measure. *Runs "
        "enough?* says whether so many runs could have shown the paper's effect; `-` where "
        "that is not known or does not matter. The time is of one core, roughly.",
        "## Paper by paper",
        _by_paper(found),
        "## All claims",
        _grid(list(_rows(found)), HEADER),
        "## What does not hold, and why",
        _reasons(found),
        "## Data that could not be had",
        _missing(found),
        "## Errors in the papers",
        "\n".join(f"- {error.paper}, {error.where}: {error.told}" for error in ERRATA),
    ]
    return "\n\n".join(blocks).rstrip() + "\n"


def _claims(found: Mapping[str, Parts]) -> Iterator[tuple[str, Entry, Entry]]:
    for paper, parts in found.items():
        for entry in parts.values():
            for claim in entry["claims"]:
                yield paper, entry, claim


def _rows(found: Mapping[str, Parts]) -> Iterator[list[str]]:
    for paper, entry, claim in _claims(found):
        yield [
            paper,
            claim["where"],
            markdown_text(claim["claim"]),
            f"**{claim['verdict']}**",
            markdown_text(claim["number"] or "-"),
            markdown_text(claim["rule"] or "-"),
            ENOUGH[claim["enough"]],
            f"`{entry['command']}`",
            str(entry["seed"]),
            entry["time"],
        ]


def _by_paper(found: Mapping[str, Parts]) -> str:
    rows = []
    for paper, parts in found.items():
        counts = Counter(c["verdict"] for entry in parts.values() for c in entry["claims"])
        lengths = sorted({entry["length"] for entry in parts.values()})
        rows.append([f"[{paper}]({paper}/README.md)", _sets_used(parts), " and ".join(lengths)]
                    + [str(counts[verdict]) for verdict in Verdict])  # fmt: skip
    return _grid(rows, ("", "data sets", "length", *Verdict))


def _grid(rows: Sequence[Sequence[str]], header: Sequence[str]) -> str:
    """Return a table whose cells are Markdown already."""
    lines = [header, ["---"] * len(header), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _reasons(found: Mapping[str, Parts]) -> str:
    lines = [
        f"- {paper}, {claim['where']}: {claim['claim']}. {_why(paper, claim)}"
        for paper, _, claim in _claims(found)
        if claim["verdict"] == Verdict.FAILS
    ]
    return "\n".join(lines) or "All claims hold."


def _why(paper: str, claim: Entry) -> str:
    known = reason(paper, claim["where"], claim["claim"])
    return (
        f"{known[0].upper()}{known[1:]} ({claim['evidence']}.)"
        if known
        else f"Here: {claim['evidence']}."
    )


def _missing(found: Mapping[str, Parts]) -> str:
    lines = []
    for paper, parts in found.items():
        names = dict.fromkeys(name for entry in parts.values() for name in entry["missing"])
        if names:
            lines.append(f"- {paper}, {_sets_used(parts)} sets: no {', '.join(names)}")
    told = "The pages of the parts say where each would be looked for."
    return "\n".join([*lines, "", told]) if lines else "All data were at hand."


def _sets_used(parts: Parts) -> str:
    """Return how many of the paper's data sets were run, as its main table tells."""
    used = [entry["used"] for entry in parts.values() if entry["used"]]
    return "{} of {}".format(*max(used)) if used else "-"


def _told(paper: str, claim: Entry) -> str:
    lines = [
        f"- **{claim['verdict']}**: {claim['claim']} ({claim['where']}).",
        f"  - Here: {claim['evidence']}.",
        f"  - Rule: {claim['rule'] or 'no data'}. Our number: {claim['number'] or '-'}.",
    ]
    if claim["power"]:
        lines.append(f"  - What so many runs show: {claim['power']}.")
    why = reason(paper, claim["where"], claim["claim"])
    if why and claim["verdict"] != Verdict.HOLDS:
        lines.append(f"  - Why: {why}")
    return "\n".join(lines)


def _errors_of(paper: str) -> list[str]:
    told = erratum(paper)
    if not told:
        return []
    return ["## Errors in the paper", "\n".join(f"- {e.where}: {e.told}" for e in told)]


def _counted(claims: list[Entry]) -> str:
    counts = Counter(claim["verdict"] for claim in claims)
    told = [f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict]]
    return f"{', '.join(told)}." if told else "No claims."
