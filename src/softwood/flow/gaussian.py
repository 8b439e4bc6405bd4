"""Normal noise on the row, in closed form."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from softwood.flow import spreading as parts
from softwood.flow.base import Gated
from softwood.tree import Tree

if TYPE_CHECKING:
    from softwood._kernels.flow.gates import Gates


@dataclass(frozen=True, slots=True)
class Gaussian(Gated):
    r"""The row is blurred by normal noise: a test sends :math:`\Phi((t - x) / s)` left.

    Parameters
    ----------
    scale : float or sequence of float
        Standard deviation s of the noise, one for all features or one for each. Tests
        of a feature with scale 0 are hard.
    exact : bool, default=True
        Whether all tests of a feature see the same noise. Then the mass of a leaf is the
        probability that the blurred row lies in its box; otherwise every test draws
        noise of its own, and masses multiply. Oblique tests share their noise with
        collinear tests only. So it is with categories that are drawn anew.
    drop : float, default=1e-15
        A branch with less mass is not followed; its siblings get the mass.
    redraw : float, default=0.0
        Chance that a category is drawn anew; 0 leaves nominal tests hard. A missing
        category is not drawn anew, one that nobody knows is.
    marginals : sequence of sequences of float, optional
        For each feature the shares in which its categories are drawn; features with none
        are not drawn anew.

    Examples
    --------
    >>> Gaussian(scale=[0.1, 0.5], exact=False)
    Gaussian(scale=(0.1, 0.5), exact=False, drop=1e-15, redraw=0.0, marginals=())
    """

    scale: float | Sequence[float]
    exact: bool = True
    drop: float = 1e-15
    redraw: float = 0.0
    marginals: Sequence[Sequence[float]] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "scale", parts.canonical_scale(self.scale))
        object.__setattr__(self, "marginals", parts.canonical_marginals(self.marginals))
        parts.check_drop(self.drop)
        object.__setattr__(self, "redraw", parts.checked_redraw(self.redraw, self.marginals))

    def _gates(self, tree: Tree) -> Gates:
        from softwood._kernels.flow.gates import gaussian_gates

        scale = parts.scale_of_features(self.scale, tree)
        marginals = parts.marginals_of_features(self.marginals, tree)
        return gaussian_gates(tree.nodes, scale, self.exact, self.drop, self.redraw, marginals)
