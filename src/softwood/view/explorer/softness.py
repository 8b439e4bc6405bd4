"""How soft a model is shown to be: from hard to softer than it is, by one number.

The page multiplies what the gates of the trees hold, so that it need not know how they came
about: deviations of noise, or widths of ramps, by m; the chance that a category is drawn anew by
m squared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from softwood.flow import Flow, Gaussian, Hard, Ramp, Sampled
from softwood.refine.perturbation import DROP
from softwood.view.explorer.columns import ColumnFacts

NOISE, WIDTHS = "noise", "widths"
REDRAW_OF_UNIT = 0.5  # of a blur by one deviation; see refine.perturbation.redraw_of


@dataclass(frozen=True)
class Softness:
    """What the slider of softness does.

    Attributes
    ----------
    kind : {"noise", "widths"}
        Whether rows are blurred, or ramps are widened.
    flows : sequence of Flow
        Of each tree, at ``unit`` on the slider.
    unit, start, most : float
        Where the flows are as given, where the model is, and where the slider ends.
    redraw : float
        Chance at ``unit`` that a category is drawn anew, before it is cut off at 1.
    confidence_at : float or None
        Where the mass of leaves that agree says how sure a prediction is, if not at the model.
    note : str
        What a reader must know.
    """

    kind: str
    flows: Sequence[Flow]
    unit: float
    start: float
    most: float
    redraw: float = 0.0
    confidence_at: float | None = None
    note: str = ""


def softness_of(model: Any, flows: Sequence[Flow], facts: list[ColumnFacts]) -> Softness:
    """Return how the flows of a model are made harder and softer."""
    if all(isinstance(flow, Ramp) for flow in flows):
        return Softness(WIDTHS, flows, 1.0, 1.0, 3.0)
    soft = [flow for flow in flows if not isinstance(flow, Hard)]
    if soft and all(isinstance(flow, Gaussian | Sampled) for flow in soft):
        return _of_noise(model, flows)
    noise = getattr(model, "noise_", None)
    if isinstance(noise, Gaussian):  # an evolved tree knows the noise it was bred for
        return Softness(NOISE, [noise], 1.0, 0.0, 3.0, noise.redraw, confidence_at=1.0)
    blur = blur_of(facts)
    note = (
        "This model is hard. Softness blurs the row by so many standard deviations of each column."
    )
    return Softness(NOISE, [blur] * len(flows), 1.0, 0.0, 1.0, REDRAW_OF_UNIT, note=note)


def _of_noise(model: Any, flows: Sequence[Flow]) -> Softness:
    gaussian = [_gaussian(flow) for flow in flows]
    chosen = getattr(model, "smoothing_", None)
    known = isinstance(chosen, float | int) and chosen > 0.0
    start = float(chosen) if known else 1.0  # type: ignore[arg-type]
    redraw = max(flow.redraw for flow in gaussian)
    if known and redraw > 0.0:
        redraw = REDRAW_OF_UNIT * start * start
    noise = getattr(model, "noise_", None)
    sampled = any(isinstance(flow, Sampled) for flow in flows)
    note = "This model blurs rows at random; here is what many copies of a row come to."
    return Softness(
        NOISE,
        gaussian,
        unit=start,
        start=start,
        most=max(3.0 * start, 0.5),
        redraw=redraw,
        confidence_at=start if isinstance(noise, Gaussian) else None,
        note=note if sampled else "",
    )


def _gaussian(flow: Any) -> Gaussian:
    """Return noise in closed form; a hard flow among soft ones has none."""
    if isinstance(flow, Gaussian):
        return flow
    if isinstance(flow, Hard):
        return Gaussian(0.0)
    return Gaussian(flow.scale, redraw=flow.redraw, marginals=flow.marginals)


def blur_of(facts: list[ColumnFacts]) -> Gaussian:
    """Return the blur of a hard model: one deviation of each column."""
    marginals = [known.shares for known in facts]
    has_shares = any(map(bool, marginals))
    return Gaussian(
        scale=[known.deviation if np.isfinite(known.deviation) else 0.0 for known in facts],
        drop=DROP,
        redraw=REDRAW_OF_UNIT if has_shares else 0.0,
        marginals=marginals if has_shares else (),
    )
