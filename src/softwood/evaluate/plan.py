"""The plan of a comparison: every cell there is to run, before any of them is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from softwood.evaluate.cells import Cell, rows_digest, seed_of
from softwood.evaluate.methods import Method, methods_of, task_of
from softwood.evaluate.metrics import METRICS, Metric, metrics_of
from softwood.evaluate.problems import Problem, problems_of
from softwood.evaluate.protocols import Split, protocol_of, split_ratio


@dataclass(frozen=True, eq=False)
class Task:
    """A cell, and what it takes to run it."""

    cell: Cell
    problem: Problem
    method: Method
    split: Split
    seed: int

    @property
    def pair(self) -> tuple[str, str]:
        """The names of the data set and the method."""
        return self.problem.name, self.method.name


@dataclass(frozen=True, eq=False)
class Plan:
    """What a comparison consists of.

    Attributes
    ----------
    experiment : str
        The name under which the store keeps it.
    tasks : list of Task
        All cells.
    extra : tuple of Metric
        Metrics to measure besides those that always are.
    definition : dict
        What the tables and tests have to know; plain values, kept in the store too.
    """

    experiment: str
    tasks: list[Task]
    extra: tuple[Metric, ...]
    definition: dict[str, Any]


def plan(
    estimators: Any, datasets: Any, protocol: Any, metrics: Any, seed: int, experiment: str | None
) -> Plan:
    """Return the plan of a comparison; see :func:`softwood.evaluate.compare`."""
    methods = methods_of(estimators)
    how = protocol_of(protocol)
    task = task_of(methods)
    problems = problems_of(datasets, task)
    tasks = {problem.task: problem.name for problem in problems}
    if len(tasks) > 1:
        raise ValueError(
            f"data set {tasks['classification']!r} has classes and {tasks['regression']!r} numbers "
            "to predict; compare on one kind at a time"
        )
    shown = metrics_of(metrics, problems[0].task)
    name = experiment or f"{how}, seed {seed}"
    work: list[Task] = []
    sets: dict[str, dict[str, Any]] = {}
    for problem in problems:
        splits = _splits(how, problem, seed)
        sets[problem.name] = {
            "digest": problem.digest,
            "n_rows": len(problem.y),
            "rows": [rows_digest(split) for split in splits],
            "test_over_train": split_ratio(splits),
        }
        for index, split in enumerate(splits):
            cell_seed = seed_of(seed, problem.name, index)
            for method in methods:
                cell = Cell(
                    experiment=name,
                    dataset=problem.name,
                    digest=problem.digest,
                    method=method.name,
                    parameters=method.parameters,
                    versions=method.versions,
                    protocol=str(how),
                    split=index,
                    rows=sets[problem.name]["rows"][index],
                    seed=seed,
                )
                work.append(Task(cell, problem, method, split, cell_seed))
    definition = {
        "task": problems[0].task,
        "protocol": str(how),
        "seed": seed,
        "datasets": sets,
        "methods": {m.name: {"parameters": m.parameters, "versions": m.versions} for m in methods},
        "metrics": {metric.name: metric.greater_is_better for metric in shown},
    }
    extra = tuple(metric for metric in shown if METRICS.get(metric.name) is not metric)
    return Plan(name, work, extra, definition)


def _splits(how: Any, problem: Problem, seed: int) -> list[Split]:
    try:
        splits: list[Split] = how.splits(problem.y, seed, problem.classes is not None)
    except ValueError as error:
        raise ValueError(f"data set {problem.name!r}: {error}") from None
    return splits
