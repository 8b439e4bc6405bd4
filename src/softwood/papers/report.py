"""Findings as text, Markdown and CSV."""

from __future__ import annotations

import csv
from collections.abc import Iterable
from io import StringIO
from textwrap import fill

import numpy as np

from softwood.evaluate.tables import markdown_text, render
from softwood.papers.findings import Beside, Finding
from softwood.papers.paper import Part

WIDEST = 3  # columns that fit a terminal with three numbers each


def text(finding: Finding) -> str:
    """Return a finding as it is printed on a terminal."""
    blocks = [f"{table.title}\n{_table(table, 'text')}" for table in finding.tables]
    blocks += [
        f"{claim.verdict.upper()}: {claim.text} ({claim.where})\n    {claim.evidence}\n"
        f"    rule: {claim.ruling.rule}: {claim.ruling.number}"
        for claim in finding.claims
    ]
    if finding.missing:
        names = ", ".join(finding.missing)
        blocks.append(fill(f"not run for want of data: {names}", 100, subsequent_indent="    "))
    blocks += [fill(note, 100) for note in finding.notes]
    return "\n\n".join(blocks)


def files(part: Part, finding: Finding, pictures: Iterable[str]) -> dict[str, str]:
    """Return the report's files, by name: one in Markdown, and a CSV file for each table."""
    made = {f"{part.key}.md": _markdown(part, finding, pictures)}
    for k, table in enumerate(finding.tables):
        suffix = f"-{k + 1}" if len(finding.tables) > 1 else ""
        made[f"{part.key}{suffix}.csv"] = _csv(table)
    return made


def _markdown(part: Part, finding: Finding, pictures: Iterable[str]) -> str:
    blocks = [f"# {part.title}"]
    blocks += [f"## {table.title}\n\n{_table(table, 'markdown')}" for table in finding.tables]
    blocks += [f"![{part.title}]({name})" for name in pictures]
    if finding.claims:
        blocks += ["## Claims", _claims(finding)]
    if finding.missing:
        reasons = "\n".join(
            f"- {markdown_text(name)}: {markdown_text(why)}"
            for name, why in finding.missing.items()
        )
        blocks += ["## Not run for want of data", reasons]
    if finding.notes:
        blocks += ["## Notes", "\n".join(f"- {note}" for note in finding.notes)]
    return "\n\n".join(blocks).rstrip() + "\n"


def _claims(finding: Finding) -> str:
    return "\n".join(
        f"- **{claim.verdict}**: {claim.text} ({claim.where}). Here: {claim.evidence}.\n"
        f"  - *Rule*: {claim.ruling.rule or 'no data'}. *Our number*: {claim.ruling.number or '-'}."
        + (f"\n  - *What so many runs show*: {claim.ruling.power}." if claim.ruling.power else "")
        for claim in finding.claims
    )


def _table(table: Beside, form: str) -> str:
    if np.isnan(table.theirs).all():
        ours = [[_number(float(v), table.digits) for v in line] for line in table.ours]
        rows = [[name, *cells] for name, cells in zip(table.rows, ours, strict=True)]
        return render(rows, ["", *table.columns], form)
    first, *others = [table.source, "ours", "difference"]
    if len(table.columns) <= WIDEST:
        header = ["", *(kind for c in table.columns for kind in (f"{c}: {first}", *others))]
        rows = [
            [name, *(cell for j in range(len(table.columns)) for cell in _cells(table, i, j))]
            for i, name in enumerate(table.rows)
        ]
        return render(rows, header, form)
    rows = [
        [f"{name}, {column}", *_cells(table, i, j)]
        for i, name in enumerate(table.rows)
        for j, column in enumerate(table.columns)
    ]
    return render(rows, ["", first, *others], form)


def _cells(table: Beside, i: int, j: int) -> list[str]:
    theirs, ours = float(table.theirs[i, j]), float(table.ours[i, j])
    return [
        _number(theirs, table.digits),
        _number(ours, table.digits),
        _number(ours - theirs, table.digits, "+"),
    ]


def _number(value: float, digits: int, sign: str = "") -> str:
    if np.isnan(value):
        return "-"
    # A p-value of 1e-9 says nothing in fixed decimals.
    if 0 < abs(value) < 1e-3 and digits > 4:
        return f"{value:{sign}.2e}"
    return f"{value:{sign}.{min(digits, 4)}f}"


def _csv(table: Beside) -> str:
    file = StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(["row", "column", "theirs", "ours"])
    for i, row in enumerate(table.rows):
        for j, column in enumerate(table.columns):
            pair = (float(table.theirs[i, j]), float(table.ours[i, j]))
            writer.writerow([row, column, *("" if np.isnan(v) else repr(v) for v in pair)])
    return file.getvalue()
