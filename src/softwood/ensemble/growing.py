"""Growing the trees of an ensemble, many at once."""

from __future__ import annotations

from collections.abc import Sequence

from softwood.ensemble.jobs import Jobs, Report
from softwood.ensemble.shared_data import SampleGrower, SharedTrainingData, batched, most_in_batch
from softwood.tree import Tree


def grow_trees(
    growers: Sequence[SampleGrower],
    shared: SharedTrainingData,
    jobs: Jobs | None = None,
    *,
    first: int = 0,
    report: Report | None = None,
) -> Sequence[Tree]:
    """Return one tree of each grower.

    Parameters
    ----------
    growers : sequence
        The growers; they may all be the same.
    shared : SharedTrainingData
        What the trees grow on.
    jobs : Jobs, optional
        How many grow at once.
    first : int, default=0
        Number of the first tree, which is that of its seed.
    report : callable, optional
        Called for each tree that has grown.

    Returns
    -------
    sequence of Tree

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.data.training import TrainingSet
    >>> from softwood.ensemble.shared_data import SharedTrainingData
    >>> from softwood.ensemble.growing import grow_trees
    >>> from softwood.ensemble.sampling import Sampling
    >>> from softwood.grow.random import RandomGrower, VariableRandom
    >>> rng = np.random.default_rng(0)
    >>> data = TrainingSet.of_classes(rng.normal(size=(50, 3)), rng.integers(0, 2, 50))
    >>> shared = SharedTrainingData.of(data, Sampling("bootstrap"), seed=0)
    >>> growers = [RandomGrower(VariableRandom(alpha)) for alpha in (0.0, 0.5, 1.0)]
    >>> trees = grow_trees(growers, shared)
    >>> trees[1:] == tuple(grow_trees(growers[1:], shared, first=1))
    True
    """
    numbered = [(first + i, grower) for i, grower in enumerate(growers)]
    jobs = jobs or Jobs()
    batches = batched(numbered, most_in_batch(shared.data.n_rows), jobs.at_once)
    sizes = iter([len(batch) for batch in batches])

    def tell() -> None:
        for _ in range(next(sizes)):
            assert report is not None
            report()

    told = None if report is None else tell
    grown = (tree for batch in jobs.stream(shared.grow_batch, batches, told) for tree in batch)
    return shared.assembled(grown, len(numbered))
