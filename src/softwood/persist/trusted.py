"""What skops is to trust when it reads our models."""

from __future__ import annotations

from softwood.persist.registry import ESTIMATORS, METHODS, class_named, method_named

# What fitted models hold besides; all of it is plain data.
PARTS = (
    "softwood.conformal.calibration.Calibration",
    "softwood.data.schema.Feature",
    "softwood.data.schema.Schema",
    "softwood.data.training.TrainingSet",
    "softwood.ensemble.out_of_bag.Witnesses",
    "softwood.flow.gaussian.Gaussian",
    "softwood.flow.hard.Hard",
    "softwood.flow.ramp.Ramp",
    "softwood.flow.sampled.Sampled",
    "softwood.forest.forest.Forest",
    "softwood.forest.one_hot.OneHotColumns",
    "softwood.forest.packed.PackedForest",
    "softwood.forest.packed.PackedTrees",
    "softwood.interop._rows.RowReader",
    "softwood.interop.imported.Imported",
    "softwood.refine.perturbation.Perturbation",
    "softwood.refine.smoothing.SmoothingPath",
    "softwood.tree.Tree",
)


def skops_types() -> list[str]:
    """Return the names of softwood's types that ``skops.io.load`` is to trust.

    Returns
    -------
    list of str
        For ``trusted``. Models of other libraries inside of ours, such as a softened forest of
        scikit-learn, need the names of those libraries' types besides.

    Examples
    --------
    >>> import softwood
    >>> "softwood.tree.Tree" in softwood.skops_types()
    True
    """
    known = [class_named(name) for name in ESTIMATORS] + [method_named(name) for name in METHODS]
    return sorted({*PARTS, *(f"{kind.__module__}.{kind.__qualname__}" for kind in known)})
