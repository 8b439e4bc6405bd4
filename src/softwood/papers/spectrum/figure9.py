"""Figure 9: the randomness that a random forest can have, and that of variable-random trees."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from softwood._types import FloatArray
from softwood.papers.findings import Beside, Finding
from softwood.papers.pictures import panels
from softwood.papers.rules import stated
from softwood.papers.setting import Setting
from softwood.papers.spectrum.figure4 import share_legend
from softwood.papers.spectrum.methods import ALPHAS, FOREST, N_TREES, ensemble, points
from softwood.papers.spectrum.runs import Loaded, Problem, Score, load, scores_of
from softwood.papers.spectrum.votes import vote_metrics
from softwood.papers.verdicts import Claim, judge

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SETS = (Problem("segment", "segment"), Problem("waveform21", "waveform21"))
PROTOCOL = {"quick": "random_splits:1x0.67", "full": "kfold:10"}
STEP = {"quick": 4, "full": 1}  # between numbers of features
WIDER = 2.0  # times

Found = dict[str, dict[str, Score]]  # by data set, by ensemble


def run(setting: Setting) -> Finding:
    """Run random forests with every number of features, and Aggregating with every alpha."""
    found: Found = {}
    missing = {}
    for problem in SETS:
        loaded = load(problem)
        if isinstance(loaded, str):
            missing[problem.title] = loaded
        else:
            found[problem.title] = _run(setting, problem, loaded)
    kinds = [(title, is_agg) for title in found for is_agg in (False, True)]
    ranges = [
        (*_ranges(found[title], is_agg), _of_kind(found[title], is_agg)[:, 0].min())
        for title, is_agg in kinds
    ]
    table = Beside.ours_alone(
        "Ranges of strength and of correlation, and the least correlation",
        tuple(f"{title}, {'Agg' if is_agg else FOREST}" for title, is_agg in kinds),
        ("strength", "correlation", "least correlation"),
        np.array(ranges).reshape(len(kinds), 3), digits=3,
    )  # fmt: skip
    step = setting.pick(**STEP)
    notes = (
        f"{setting.pick(quick='One split, two thirds for training', full='10 folds')}; "
        f"F = 1 to the number of features{f', in steps of {step}' if step > 1 else ''}.",
    )
    return Finding(
        (table,), tuple(_claims(found)),
        {"strength_correlation": lambda: _draw(found)} if found else {}, missing, notes,
    )  # fmt: skip


def _run(setting: Setting, problem: Problem, loaded: Loaded) -> dict[str, Score]:
    from sklearn.ensemble import RandomForestClassifier

    n_features = loaded.X.shape[1]
    methods: dict[str, Any] = {name: ensemble(name) for name in points("Agg", setting)}
    for f in sorted({*range(1, n_features + 1, setting.pick(**STEP)), n_features}):
        methods[f"{FOREST} {f}"] = RandomForestClassifier(N_TREES, max_features=f)
    comparison = setting.compare(
        problem.name,
        methods,
        {problem.title: (loaded.X, loaded.y)},
        setting.pick(**PROTOCOL),
        ["error", *vote_metrics()],
    )
    return scores_of(comparison)


def _of_kind(scores: dict[str, Score], is_agg: bool) -> FloatArray:
    """Return correlation and strength of one kind of ensemble, in the order of randomness."""
    return np.array(
        [
            (score.votes.rho, score.votes.strength)
            for name, score in scores.items()
            if name.startswith("Agg ") == is_agg
        ]
    )


def _ranges(scores: dict[str, Score], is_agg: bool) -> FloatArray:
    """Return the ranges of strength and of correlation."""
    return np.asarray(np.ptp(_of_kind(scores, is_agg), axis=0)[::-1])


def _claims(found: Found) -> Iterator[Claim]:
    times = {
        title: float(_ranges(scores, True)[1] / _ranges(scores, False)[1])
        for title, scores in found.items()
    }
    power = "two sets, as in the paper"
    yield judge(
        "Fig. 9",
        "Aggregating ranges over far more correlation than random forests with any F",
        "; ".join(f"{title}: {ratio:.1f} times as much" for title, ratio in times.items()),
        stated(
            min(times.values()) > WIDER,
            f"holds if on both sets more than {WIDER:g} times as much; in sign if more",
            f"{min(times.values()):.1f} times",
            in_sign=min(times.values()) > 1,
            power=power,
        )
        if times
        else None,
    )
    strengths = {
        title: (float(_ranges(scores, False)[0]), float(_ranges(scores, True)[0]))
        for title, scores in found.items()
    }
    yield judge(
        "section 6.1", "random forests with different F are of similar strength",
        "; ".join(
            f"{title}: a range of {forest:.3f}, Agg {agg:.3f}"
            for title, (forest, agg) in strengths.items()
        ),
        stated(
            all(forest < agg for forest, agg in strengths.values()),
            "holds if their strengths range over less than those of Agg, on both sets; no sign",
            "; ".join(f"{forest:.3f} and {agg:.3f}" for forest, agg in strengths.values()),
            power=power,
        ) if found else None,
    )  # fmt: skip


def _draw(found: Found) -> Figure:
    from softwood.plot import plot_strength_correlation

    alphas = {len(values): values for values in ALPHAS.values()}
    figure, axes = panels(1, len(found), (5.0, 4.2))
    for ax, (title, scores) in zip(axes, found.items(), strict=True):
        agg = [tuple(pair) for pair in _of_kind(scores, True).tolist()]
        forests = [tuple(pair) for pair in _of_kind(scores, False).tolist()]
        plot_strength_correlation(
            {"Agg": (alphas[len(agg)], agg), FOREST: forests}, colour_bar=False, ax=ax
        )
        ax.set_title(title)
    share_legend(figure, axes)
    return figure
