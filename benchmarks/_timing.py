"""Timing two things against each other: in turns, best of several, as a ratio."""

from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any


def seconds(job: Callable[[], Any]) -> float:
    start = perf_counter()
    job()
    return perf_counter() - start


def cpu_seconds(job: Callable[[], Any]) -> float:
    """Return the processor's time: what one thread takes, whoever else is on the machine."""
    start = process_time()
    job()
    return process_time() - start


def in_turns(
    ours: Callable[[], Any], theirs: Callable[[], Any], rounds: int
) -> tuple[float, float]:
    """Return the best processor time of each; turns spread the machine's moods evenly."""
    pairs = [(cpu_seconds(ours), cpu_seconds(theirs)) for _ in range(rounds)]
    return min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)


def table(title: str, header: list[str], rows: list[list[str]]) -> str:
    lines = [f"### {title}", "", "| " + " | ".join(header) + " |"]
    lines.append("|" + "---|" * len(header))
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"
