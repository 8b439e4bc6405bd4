"""The scores of a comparison as tables: arrays, frames, and text in four formats."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from os import PathLike
from typing import Any

import numpy as np

from softwood._files import check_place, write_atomically
from softwood._types import FloatArray
from softwood.errors import missing_extra
from softwood.evaluate._naming import did_you_mean
from softwood.evaluate.cells import FAILED, OK, Record
from softwood.evaluate.metrics import METRICS
from softwood.evaluate.scores import belonging, split_scores, summarised
from softwood.evaluate.tables import number_texts, render

NO_NUMBER = "–"  # noqa: RUF001  (a dash, as tables have it)


class ScoreTable:
    """Records of cells, and the tables made of them: data sets by methods.

    Attributes
    ----------
    datasets, methods : list of str
        Their names, in the order given.
    metrics : list of str
        Metrics that were asked for; the first is what tables show by default.
    records : list of Record
        One for each cell that is done.
    definition : dict
        What was compared, and how.
    """

    def __init__(self, definition: dict[str, Any], records: Sequence[Record]) -> None:
        self.definition = definition
        self.datasets = list(definition["datasets"])
        self.methods = list(definition["methods"])
        self.metrics = list(definition["metrics"])
        place = {name: i for i, name in enumerate((*self.datasets, *self.methods))}
        self.records = sorted(
            belonging(definition, records),
            key=lambda r: (place[r.cell.dataset], place[r.cell.method], r.cell.split),
        )

    # -- what there is ---------------------------------------------------------

    @property
    def n_cells(self) -> int:
        """Number of cells, those not yet run too."""
        n_splits = sum(len(entry["rows"]) for entry in self.definition["datasets"].values())
        return n_splits * len(self.methods)

    @property
    def failures(self) -> list[Record]:
        """The cells that failed."""
        return [record for record in self.records if record.outcome.status == FAILED]

    @property
    def frame(self) -> Any:
        """A pandas frame with a row for each cell, and a column for each metric."""
        pandas = _pandas()
        rows = []
        for record in self.records:
            cell, outcome = record.cell, record.outcome
            rows.append(
                {
                    "dataset": cell.dataset,
                    "method": cell.method,
                    "split": cell.split,
                    "status": outcome.status,
                    **outcome.metrics,
                    "error_message": outcome.error,
                    "n_warnings": outcome.n_warnings,
                    "parameters": cell.parameters,
                    "versions": cell.versions,
                }
            )
        return pandas.DataFrame(rows)

    def split_scores(self, metric: str | None = None) -> FloatArray:
        """Return an array, data sets by methods by splits; NaN where there is no number."""
        return split_scores(self.records, self.datasets, self.methods, self._metric(metric))

    def scores(self, metric: str | None = None, statistic: str = "mean") -> FloatArray:
        """Return an array, data sets by methods; NaN where a cell failed or is not done."""
        return summarised(self.split_scores(metric), statistic)

    def table(self, metric: str | None = None, statistic: str = "mean") -> Any:
        """Return a pandas frame, data sets by methods.

        Parameters
        ----------
        metric : str, optional
            By default the first of :attr:`metrics`.
        statistic : {"mean", "median", "std"}, default="mean"
            Over the splits.

        Returns
        -------
        pandas.DataFrame
        """
        scores = self.scores(metric, statistic)
        return _pandas().DataFrame(scores, index=self.datasets, columns=self.methods)

    def _metric(self, metric: str | None) -> str:
        if metric is None:
            return str(self.metrics[0])
        known = {name: None for name in self.metrics}
        for record in self.records:
            if record.outcome.status == OK:
                known |= dict.fromkeys(record.outcome.metrics)
                break
        if metric not in known:
            raise ValueError(f"there is no metric {metric!r} here; {did_you_mean(metric, known)}")
        return metric

    def _greater_is_better(self, metric: str) -> bool:
        ours = METRICS[metric].greater_is_better if metric in METRICS else False
        return bool(self.definition["metrics"].get(metric, ours))

    # -- tables to print -------------------------------------------------------

    def to_text(self, metric: str | None = None, path: Any = None, **options: Any) -> str:
        """Return the table as text, an asterisk at the best; see :meth:`rendered`."""
        return self.rendered("text", metric, path, **options)

    def to_markdown(self, metric: str | None = None, path: Any = None, **options: Any) -> str:
        """Return the table in Markdown, the best in bold; see :meth:`rendered`."""
        return self.rendered("markdown", metric, path, **options)

    def to_latex(self, metric: str | None = None, path: Any = None, **options: Any) -> str:
        """Return the table in LaTeX, the best in bold; see :meth:`rendered`."""
        return self.rendered("latex", metric, path, **options)

    def to_csv(self, metric: str | None = None, path: Any = None, **options: Any) -> str:
        """Return the table as CSV, numbers in full; see :meth:`rendered`."""
        return self.rendered("csv", metric, path, **options)

    def rendered(
        self,
        format: str,
        metric: str | None = None,
        path: str | PathLike[str] | None = None,
        *,
        statistic: str = "mean",
        spread: bool = False,
        ranks: bool = False,
    ) -> str:
        """Return the table in a format, and write it to a file if asked.

        Parameters
        ----------
        format : {"text", "markdown", "latex", "csv"}
            How to write it.
        metric : str, optional
            By default the first of :attr:`metrics`.
        path : path-like, optional
            File to write it to.
        statistic : {"mean", "median", "std"}, default="mean"
            Over the splits.
        spread : bool, default=False
            Whether to add the standard deviation over the splits (of a sample: over n - 1).
        ranks : bool, default=False
            Whether to add a line of mean ranks.

        Returns
        -------
        str
        """
        if spread and format == "csv":
            raise ValueError("CSV holds plain numbers; get the spread by statistic='std'")
        if path is not None:
            check_place(path)
        scores = self.scores(metric, statistic)
        texts = [_texts(row, exact=format == "csv") for row in scores]
        if spread:
            deviations = self.scores(metric, "std")
            texts = [_with_spread(*pair) for pair in zip(texts, deviations, strict=True)]
        rows = [[name, *row] for name, row in zip(self.datasets, texts, strict=True)]
        if ranks:
            rows.append(["mean rank", *(f"{rank:.2f}" for rank in self.ranks(metric).values())])
        best = self._best(scores, self._metric(metric))
        text = render(rows, ["data set", *self.methods], format, best)
        if path is not None:
            write_atomically(path, f"{text}\n".encode())
        return text

    def _best(self, scores: FloatArray, metric: str) -> set[tuple[int, int]]:
        if len(self.methods) < 2:
            return set()
        losses = -scores if self._greater_is_better(metric) else scores
        losses = np.where(np.isnan(losses), np.inf, losses)
        hits = (losses == losses.min(axis=1, keepdims=True)) & ~np.isnan(scores)
        return {(int(i), int(j) + 1) for i, j in np.argwhere(hits)}

    # -- what tests need ---------------------------------------------------------

    def losses(self, metric: str | None = None) -> tuple[FloatArray, list[str]]:
        """Return scores of which less is better, and their data sets: those fit for tests."""
        scores = self.scores(metric)
        sign = -1.0 if self._greater_is_better(self._metric(metric)) else 1.0
        whole = np.isfinite(scores).all(axis=1)
        return sign * scores[whole], [self.datasets[i] for i in np.flatnonzero(whole)]

    def left_out(self, metric: str | None = None) -> list[str]:
        """Return the data sets that tests leave out, because some method has no score."""
        kept = self.losses(metric)[1]
        return [name for name in self.datasets if name not in kept]

    def ranks(self, metric: str | None = None) -> dict[str, float]:
        """Return the mean rank of each method; the lowest is the best."""
        from softwood.statistics import mean_ranks

        ranks = self._over_datasets(mean_ranks, metric)
        return dict(zip(self.methods, ranks.tolist(), strict=True))

    def _over_datasets(self, test: Callable[..., Any], metric: str | None, **options: Any) -> Any:
        losses, names = self.losses(metric)
        if not names:
            raise ValueError(
                f"no data set has a score of {self._metric(metric)!r} for every method; "
                "see failures"
            )
        return test(losses, **options)


def _texts(values: FloatArray, exact: bool = False) -> list[str]:
    texts = [repr(float(v)) for v in values] if exact else number_texts(values.tolist())
    gap = "" if exact else NO_NUMBER
    return [gap if np.isnan(v) else text for v, text in zip(values, texts, strict=True)]


def _with_spread(texts: list[str], deviations: FloatArray) -> list[str]:
    pairs = zip(texts, _texts(deviations), strict=True)
    return [text if NO_NUMBER in (text, more) else f"{text} ± {more}" for text, more in pairs]


def _pandas() -> Any:
    try:
        import pandas as pd
    except ImportError:
        raise missing_extra("pandas", "data") from None
    return pd
