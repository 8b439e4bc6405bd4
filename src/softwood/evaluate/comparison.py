"""What a comparison found: tables, ranks, tests and plots."""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.errors import StoreError
from softwood.evaluate._naming import did_you_mean
from softwood.evaluate.score_table import ScoreTable

if TYPE_CHECKING:
    from softwood import statistics


class Comparison(ScoreTable):
    """The results of :func:`softwood.evaluate.compare`.

    Tables have a row for each data set and a column for each method. Tests leave out the
    data sets on which some method has no score; see :attr:`left_out`.

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

    Examples
    --------
    >>> from sklearn.dummy import DummyClassifier
    >>> from softwood import C45Classifier
    >>> from softwood.evaluate import compare
    >>> methods = {"C4.5": C45Classifier(), "majority": DummyClassifier()}
    >>> result = compare(methods, ["iris", "tic-tac-toe"], "half_splits:3")
    >>> result.ranks()
    {'C4.5': 1.0, 'majority': 2.0}
    """

    @classmethod
    def from_store(cls, path: str | PathLike[str], experiment: str | None = None) -> Comparison:
        """Return the comparison a store has, finished or not.

        Parameters
        ----------
        path : path-like
            The store.
        experiment : str, optional
            Which one; may be left out if there is only one.

        Returns
        -------
        Comparison
        """
        from softwood.evaluate.store import Store

        with Store(path, create=False) as store:
            names = store.experiments()
            if experiment is None and len(names) != 1:
                known = ", ".join(map(repr, names)) or "none"
                raise StoreError(
                    f"store {path} has several experiments, or none: {known}; name one"
                )
            name = experiment or names[0]
            return cls(store.definition(name), store.read(name))

    def __repr__(self) -> str:
        return (
            f"<Comparison of {len(self.methods)} methods on {len(self.datasets)} data sets: "
            f"{len(self.records)} of {self.n_cells} cells, {len(self.failures)} failed>"
        )

    def summary(self, metric: str | None = None, alpha: float = 0.05) -> str:
        """Return the table, what tests make of it, and what failed, in words.

        Parameters
        ----------
        metric : str, optional
            By default the first of :attr:`metrics`.
        alpha : float, default=0.05
            Level of the tests.

        Returns
        -------
        str
        """
        from softwood.evaluate.summary import summary

        return summary(self, self._metric(metric), alpha)

    # -- tests -----------------------------------------------------------------

    def friedman(
        self, metric: str | None = None, *, tie_correction: bool = False
    ) -> statistics.OmnibusResult:
        """Test all methods by their ranks; see :func:`softwood.statistics.friedman_test`."""
        from softwood.statistics import friedman_test

        found: statistics.OmnibusResult = self._over_datasets(
            friedman_test, metric, tie_correction=tie_correction
        )
        return found

    def iman_davenport(
        self, metric: str | None = None, *, tie_correction: bool = False
    ) -> statistics.OmnibusResult:
        """Test all methods; see :func:`softwood.statistics.iman_davenport_test`."""
        from softwood.statistics import iman_davenport_test

        found: statistics.OmnibusResult = self._over_datasets(
            iman_davenport_test, metric, tie_correction=tie_correction
        )
        return found

    def aligned_ranks(self, metric: str | None = None) -> statistics.OmnibusResult:
        """Test all methods; see :func:`softwood.statistics.aligned_ranks_test`."""
        from softwood.statistics import aligned_ranks_test

        found: statistics.OmnibusResult = self._over_datasets(aligned_ranks_test, metric)
        return found

    def holm(
        self, metric: str | None = None, control: str | None = None
    ) -> statistics.PostHocResult:
        """Compare with a control, or all pairs; see :func:`softwood.statistics.holm`."""
        from softwood.statistics import holm

        found: statistics.PostHocResult = self._over_datasets(
            holm, metric, control=self._control(control)
        )
        return found

    def bonferroni_dunn(
        self, metric: str | None = None, control: str | None = None, alpha: float = 0.05
    ) -> statistics.PostHocResult:
        """Compare with a control; see :func:`softwood.statistics.bonferroni_dunn`."""
        from softwood.statistics import bonferroni_dunn

        found: statistics.PostHocResult = self._over_datasets(
            bonferroni_dunn, metric, control=self._control(control), alpha=alpha
        )
        return found

    def nemenyi(self, metric: str | None = None, alpha: float = 0.05) -> statistics.PostHocResult:
        """Compare all pairs of methods; see :func:`softwood.statistics.nemenyi`."""
        from softwood.statistics import nemenyi

        found: statistics.PostHocResult = self._over_datasets(nemenyi, metric, alpha=alpha)
        return found

    def wilcoxon(self, a: str, b: str, metric: str | None = None) -> statistics.WilcoxonResult:
        """Compare two methods over the data sets by signed ranks."""
        from softwood.statistics import wilcoxon_test

        losses, _ = self.losses(metric)
        return wilcoxon_test(losses[:, self._method(a)], losses[:, self._method(b)])

    def corrected_t(
        self, a: str, b: str, dataset: str, metric: str | None = None
    ) -> statistics.TTestResult:
        """Compare two methods over the splits of one data set (Nadeau and Bengio 2003)."""
        from softwood.statistics import corrected_t_test

        row = self._place(self.datasets, dataset, "data set")
        block = self._split_losses(metric)[row]
        ratio = self.definition["datasets"][dataset]["test_over_train"]
        return corrected_t_test(
            block[self._method(a)], block[self._method(b)], test_over_train=ratio
        )

    def win_draw_loss(
        self, metric: str | None = None, alpha: float | None = None
    ) -> dict[tuple[str, str], statistics.WinDrawLoss]:
        """Count the data sets on which a method beats, equals and loses to another.

        Parameters
        ----------
        metric : str, optional
            By default the first of :attr:`metrics`.
        alpha : float, optional
            Level of a corrected t-test over the splits; what is not significant is a
            draw. By default the means are compared.

        Returns
        -------
        dict of (method, method) to (win, draw, loss)
        """
        from softwood.statistics import win_table

        _, names = self.losses(metric)
        blocks = self._split_losses(metric)
        kept = [blocks[self.datasets.index(name)] for name in names]
        ratios = [self.definition["datasets"][name]["test_over_train"] for name in names]
        if alpha is None:
            wins = win_table(kept, test=None)
        else:
            wins = win_table(kept, test_over_train=ratios, alpha=alpha)
        n = range(len(self.methods))
        return {(self.methods[i], self.methods[j]): wins.pair(i, j) for i in n for j in n if i != j}

    def plot_critical_difference(self, metric: str | None = None, **options: Any) -> Any:
        """Draw the methods by mean rank, with bars over those that do not differ."""
        from softwood.plot import plot_critical_difference

        losses, _ = self.losses(metric)
        return plot_critical_difference(losses, self.methods, **options)

    def _split_losses(self, metric: str | None) -> list[FloatArray]:
        """Return, for each data set, methods by splits, less is better, defined splits only."""
        sign = -1.0 if self._greater_is_better(self._metric(metric)) else 1.0
        cube = self.split_scores(metric)
        return [sign * block[:, ~np.isnan(block).all(axis=0)] for block in cube]

    def _method(self, name: str) -> int:
        return self._place(self.methods, name, "method")

    def _control(self, name: str | None) -> int | None:
        return None if name is None else self._method(name)

    @staticmethod
    def _place(names: list[str], name: str, what: str) -> int:
        if name not in names:
            raise ValueError(f"there is no {what} {name!r} here; {did_you_mean(name, names)}")
        return names.index(name)
