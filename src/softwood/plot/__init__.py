"""Pictures of models and of comparisons, with matplotlib.

Every function draws on ``ax``, or on a new figure if there is none, and returns the axes;
none of them shows or saves anything. Names are imported when they are first used.
"""

from softwood._lazy import lazy_names

_HOME = {
    "plot_bias_variance": "softwood.plot.bias_variance",
    "plot_calibration": "softwood.plot.calibration",
    "plot_critical_difference": "softwood.plot.critical_difference",
    "plot_diff": "softwood.plot.diff",
    "plot_flow": "softwood.plot.flow",
    "plot_margins": "softwood.plot.margins",
    "plot_pareto_front": "softwood.plot.pareto",
    "plot_roc": "softwood.plot.roc",
    "plot_size_path": "softwood.plot.size_path",
    "plot_smoothing": "softwood.plot.smoothing",
    "plot_spectrum": "softwood.plot.spectrum",
    "plot_strength_correlation": "softwood.plot.strength_correlation",
    "plot_surface": "softwood.plot.surface",
    "plot_tree": "softwood.plot.tree",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOME)
