"""The rules that trees of an ensemble share, in words."""

from __future__ import annotations

from typing import Any

from softwood.explain._ensembles import Ensemble
from softwood.explain.labels import (
    DECIMALS,
    SHOWN_TERMS,
    count_text,
    number_text,
    same_digits,
    share_text,
    signed_text,
    value_text,
)
from softwood.explain.rule import TypicalRule
from softwood.explain.typical_rules import Found, typical_rules

TYPICAL_RULES = 20  # unless one asks for more


def ensemble_rules(
    ensemble: Ensemble,
    max_rules: int | None,
    decimals: int = DECIMALS,
    max_terms: int | None = SHOWN_TERMS,
) -> list[TypicalRule]:
    """Return the most typical rules of an ensemble, in words."""
    found = typical_rules(ensemble, TYPICAL_RULES if max_rules is None else max_rules)
    return [_typical_rule(ensemble, one, decimals, max_terms) for one in found]


def _typical_rule(
    ensemble: Ensemble, found: Found, decimals: int, max_terms: int | None
) -> TypicalRule:
    middle = found.middle
    subject = ensemble.subject(ensemble.forest.trees[middle.tree], decimals, max_terms)
    conditions = tuple(one.words(subject) for one in middle.conditions)
    return TypicalRule(
        rule=" AND ".join(conditions),
        prediction=_spoken_for(ensemble, found),
        support=found.support,
        confidence=found.answer if ensemble.is_vote else float("nan"),
        conditions=conditions,
        effect=_effect(ensemble, found),
        n_trees=found.n_trees,
        tree=middle.tree,
        score=found.score,
    )


def _effect(ensemble: Ensemble, found: Found) -> float:
    if ensemble.is_mean:
        return found.effect
    # A class is spoken for by more of its score, or by less of that of the other.
    return found.move if ensemble.classes is None else abs(found.move)


def _spoken_for(ensemble: Ensemble, found: Found) -> Any:
    if ensemble.classes is None:
        return found.answer if ensemble.is_mean else found.move
    if ensemble.forest.n_outputs == 1 and len(ensemble.classes) == 2:  # one score for two
        return ensemble.classes[int(found.move > 0.0)]
    return ensemble.classes[found.middle.output]


def typical_sentence(rule: TypicalRule, ensemble: Ensemble, decimals: int = DECIMALS) -> str:
    """Return a rule of an ensemble in words."""
    facts = [f"support {share_text(rule.support)}"]
    digits = min(decimals, same_digits([rule.effect]))
    change = signed_text(rule.effect, digits)
    if ensemble.is_vote:
        overall = share_text(rule.confidence - rule.effect)
        facts.append(f"confidence {share_text(rule.confidence)} against {overall} overall")
    elif ensemble.is_mean:
        facts.append(f"{change} from the average")
    elif ensemble.classes is not None:
        facts.append(f"score {change}")
    facts.append(f"in {rule.n_trees} of {count_text(ensemble.forest.n_trees, 'tree')}")
    if ensemble.classes is not None:
        answer = value_text(rule.prediction)
    elif ensemble.is_mean:
        answer = number_text(rule.prediction, digits)
    else:
        answer = change
    return f"IF {rule.rule} THEN {answer} ({', '.join(facts)})"
