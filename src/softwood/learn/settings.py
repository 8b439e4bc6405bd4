"""Ensembles whose trees grow in several ways: those that rows out of bag find good enough."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from softwood._types import AnyArray, FloatArray
from softwood.ensemble.alphas import coalescing_alphas, missing_alphas
from softwood.ensemble.choice import losses_of_blocks, means, worth_keeping
from softwood.ensemble.sampling import Sampling
from softwood.ensemble.shared_data import SampleGrower, SharedTrainingData, grow_trees
from softwood.forest.packed import joined
from softwood.grow.random import RandomGrower, VariableRandom
from softwood.learn.forest import Growth, Plan
from softwood.tree import Tree

FEWEST_PILOTS, MOST_PILOTS = 20, 50  # trees of each setting that are judged
MOST_ROWS = 4000  # of more, the usual setting: it is known to be good there, and time counts
NOBODY = -1


@dataclass(frozen=True, slots=True)
class Setting:
    """How some of the trees grow.

    Parameters
    ----------
    name : str
        What to call it.
    alpha_range : (float, float)
        From which alpha to which.
    policy : VariableRandom
        How nodes find their tests; its alpha is replaced by those of the trees.
    """

    name: str
    alpha_range: tuple[float, float] = (0.0, 0.5)
    policy: VariableRandom = field(default_factory=VariableRandom)

    def grower(self, alpha: float) -> RandomGrower:
        """Return the grower of a tree with this alpha."""
        return RandomGrower(replace(self.policy, alpha=float(alpha)))


def n_pilots(
    n_trees: int, n_settings: int, sampling: Sampling, shared: SharedTrainingData | None
) -> int:
    """Return how many trees of each setting are judged; 0 if there is nothing to choose."""
    if n_settings < 2 or not sampling.leaves_out_rows:
        return 0
    if shared is None or shared.data.n_rows > MOST_ROWS:
        return 0
    few = n_trees // n_settings
    return 0 if few < FEWEST_PILOTS else min(few, MOST_PILOTS)


def plan_of_chosen(settings: Sequence[Setting], n_trees: int, pilots: int, growth: Growth) -> Plan:
    """Return the plan of trees that the settings share which are worth it.

    Each setting grows some trees. Those of the settings that stay belong to the ensemble;
    those of the others grow again, with the same numbers and rows, in a setting that stays.

    Parameters
    ----------
    settings : sequence of Setting
        What to choose from.
    n_trees : int
        Trees of the ensemble.
    pilots : int
        Trees of each setting that are judged.
    growth : Growth
        How to grow.
    """
    assert growth.shared is not None
    tried = np.repeat(np.arange(len(settings)), pilots)
    first = _plan(settings, tried, np.full(tried.size, np.nan))
    starts = range(0, tried.size, pilots)
    blocks = [_block(first, start, pilots, growth) for start in starts]
    judged = losses_of_blocks(blocks, growth.shared, growth.jobs)
    kept = worth_keeping(*judged)
    stays = np.isin(tried, kept)
    owner = shared_out(kept, np.where(stays, tried, NOBODY), n_trees)
    known = np.full(n_trees, np.nan)
    known[: tried.size] = np.where(stays, first.facts["alphas"], np.nan)
    plan = _plan(settings, owner, known)
    grown: Sequence[Tree] = ()
    for number, start in enumerate(starts):
        lost = number not in kept
        grown = joined(grown, _block(plan, start, pilots, growth) if lost else blocks[number])
    losses = dict(zip([setting.name for setting in settings], means(*judged), strict=True))
    return replace(plan, grown=grown, facts={**plan.facts, "choice": told(settings, losses, owner)})


def plan_of_more(settings: Sequence[Setting], n_trees: int, growth: Growth) -> Plan:
    """Return the plan of a warm start: new trees are shared out among the settings that stayed."""
    assert growth.earlier is not None
    choice, alphas = growth.earlier.facts["choice"], growth.earlier.facts["alphas"]
    owner = np.full(len(alphas), NOBODY)
    for number, setting in enumerate(settings):
        owner[choice[setting.name]["trees"]] = number
    owner = shared_out(np.unique(owner), owner, n_trees)
    known = np.concatenate([alphas, np.full(n_trees - len(alphas), np.nan)])
    plan = _plan(settings, owner, known)
    losses = {name: facts["loss"] for name, facts in choice.items()}
    facts = {**plan.facts, "choice": told(settings, losses, owner)}
    return replace(plan, grown=growth.earlier_trees, facts=facts)


def shared_out(kept: AnyArray, owner: AnyArray, n_trees: int) -> AnyArray:
    """Return the setting of each tree: trees that nobody has are shared out.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood.learn.settings import shared_out
    >>> shared_out(np.array([0, 2]), np.array([0, 0, 0, -1, -1, -1, 2, 2, 2]), 10).tolist()
    [0, 0, 0, 0, 0, 2, 2, 2, 2, 2]
    """
    owner = np.append(owner, np.full(n_trees - owner.size, NOBODY))
    free = np.flatnonzero(owner == NOBODY)
    for setting, part in zip(kept, np.array_split(free, len(kept)), strict=True):
        owner[part] = setting
    return owner


def told(
    settings: Sequence[Setting], losses: dict[str, float], owner: AnyArray
) -> dict[str, dict[str, Any]]:
    """Return what was tried, what it lost, and which trees it has, by name."""
    return {
        setting.name: {
            "loss": float(losses[setting.name]),
            "trees": np.flatnonzero(owner == number).tolist(),
            "alpha_range": setting.alpha_range,
            "max_features": setting.policy.max_features,
            "min_samples_split": setting.policy.min_split,
            "min_samples_leaf": setting.policy.min_leaf,
            "curtail": setting.policy.curtail,
        }
        for number, setting in enumerate(settings)
    }


def _plan(settings: Sequence[Setting], owner: AnyArray, alphas: FloatArray) -> Plan:
    """Return the growers, and alphas where they are not known: each setting has all its range."""
    alphas = alphas.copy()
    for number in np.unique(owner):
        own = np.flatnonzero(owner == number)
        known = ~np.isnan(alphas[own])
        wanted = coalescing_alphas(own.size, *settings[number].alpha_range)
        alphas[own[~known]] = missing_alphas(alphas[own[known]], wanted)
    pairs = zip(owner, alphas, strict=True)
    growers: list[SampleGrower] = [settings[number].grower(alpha) for number, alpha in pairs]
    return Plan(growers, facts={"alphas": alphas})


def _block(plan: Plan, start: int, n_trees: int, growth: Growth) -> Sequence[Tree]:
    assert growth.shared is not None
    growers = plan.growers[start : start + n_trees]
    return grow_trees(growers, growth.shared, growth.jobs, first=start, report=growth.report)
