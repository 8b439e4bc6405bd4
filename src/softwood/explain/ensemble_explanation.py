"""Why a row gets its prediction from many trees: how they scatter, and which columns moved it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from softwood._types import FloatArray
from softwood.data.table import Table
from softwood.data.telling import untold
from softwood.explain._ensembles import Ensemble
from softwood.explain._one_row import one_row
from softwood.explain.contributions import Moves, moves_of
from softwood.explain.explanation import Explanation, listed, prediction_text
from softwood.explain.labels import (
    count_text,
    more_text,
    name_of,
    number_text,
    plain_value,
    same_digits,
    share_text,
    value_text,
)
from softwood.explain.typical import typical_of
from softwood.explain.way import category_text, leaves_of, steps_of
from softwood.explain.wording import Subject
from softwood.forest.ties import most_probable

SHOWN_COLUMNS = 10
OUTER = (0.1, 0.9)  # quantiles between which most trees answer


@dataclass(frozen=True, slots=True)
class Contribution:
    """What a column adds to the answer: its name, what the row has there, and how much."""

    column: str
    value: str
    amount: float


@dataclass(frozen=True, slots=True)
class EnsembleExplanation:
    """Why an ensemble answers what it does for one row; prints as text.

    Attributes
    ----------
    prediction : object
        The predicted class, or number.
    probabilities : dict or None
        Probability of each class; None for regression.
    n_trees : int
        How many trees there are; of a boosted model for several classes, those that add to the
        score of the predicted one.
    n_agreeing : int
        How many of them, asked alone, predict the same class; for numbers, how many lie on the
        same side of the average as the prediction; of a sum, how many terms move it the way
        in which it went.
    low, high : float or None
        Between these values lie four fifths of the trees' answers (10 % to 90 %): probabilities
        of the predicted class, or numbers. None for the terms of a sum.
    unit : {"probability", "number", "score"}
        What contributions are measured in. "score" is before the link of a boosted model:
        log-odds for classes, the logarithm for counts.
    base : float
        The answer without any test, that of the roots.
    contributions : tuple of Contribution
        What each column that is tested on the way adds, the largest first. ``base`` plus all
        amounts is ``answer``, but for rounding.
    typical : Explanation
        The way of the row through the most typical tree.
    typical_tree : int
        Which tree that is; see :func:`softwood.explain.typical_tree`.

    Notes
    -----
    Contributions are path attributions: at every test, the change from the response of the node
    to those of its children, weighted by where the mass of the row goes. They need no data and
    hold for every flow. Deep in a tree they favour the columns tested last; SHAP values
    (:func:`softwood.shap_values`) do not, and take a background to compare with.
    """

    prediction: Any
    probabilities: dict[Any, float] | None
    n_trees: int
    n_agreeing: int
    low: float | None
    high: float | None
    unit: str
    base: float
    contributions: tuple[Contribution, ...]
    typical: Explanation
    typical_tree: int

    @property
    def answer(self) -> float:
        """The base and all contributions: a probability, the number, or a score."""
        return self.base + sum(one.amount for one in self.contributions)

    @property
    def prediction_text(self) -> str:
        """The prediction in words."""
        return prediction_text(self.prediction, self.probabilities)

    @property
    def scatter_text(self) -> str:
        """How the trees' answers scatter, in words."""
        some = f"{self.n_agreeing} of {count_text(self.n_trees, 'tree')}"
        if self.low is None or self.high is None:
            return f"{some} move it that way"
        if self.probabilities is None:
            digits = same_digits([self.low, self.high])
            ends = f"{self.low:.{digits}f} to {self.high:.{digits}f}"
            return f"{some} are on that side of the average; most answer {ends}"
        ends = f"{share_text(self.low)} to {share_text(self.high)}"
        return f"{some} say so; to most of them its probability is {ends}"

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as lists, texts and numbers, fit for JSON."""
        own = {name: getattr(self, name) for name in ("n_trees", "n_agreeing", "low", "high")}
        return {
            "prediction": plain_value(self.prediction),
            "probabilities": listed(self.probabilities),
            **own,
            "unit": self.unit,
            "base": self.base,
            "answer": self.answer,
            "contributions": [asdict(one) for one in self.contributions],
            "typical_tree": self.typical_tree,
            "typical": self.typical.to_dict(),
        }

    def __str__(self) -> str:
        answer = self.typical
        number = answer.probabilities is None
        words = number_text(answer.prediction) if number else value_text(answer.prediction)
        return "\n".join(
            [
                f"Predicted: {self.prediction_text}",
                f"  {self.scatter_text}",
                *self._column_lines(),
                f"Tree {self.typical_tree}, the most typical of them, answers {words}:",
                *answer.way_lines(),
            ]
        )

    def _column_lines(self) -> list[str]:
        if not self.contributions:
            return ["No column is tested on the way of this row"]
        shown = self.largest()
        width = max(len(number) for _, number, _ in shown)
        return [f"{self.moved_text}:"] + [f"  {n:>{width}}  {text}" for _, n, text in shown]

    @property
    def moved_text(self) -> str:
        """Between which values contributions lead, in words."""
        digits = same_digits([one.amount for one in self.contributions])
        scale = " of its score" if self.unit == "score" else ""
        ends = f"{self.base:.{digits}f}, to {self.answer:.{digits}f}"
        return f"What moved it from the average{scale}, {ends}"

    def largest(self) -> list[tuple[float, str, str]]:
        """Return the largest contributions, as numbers and in words; the others as one of them.

        Returns
        -------
        list of (float, str, str)
            What is added, that number with its sign, and the column with its value.
        """
        digits = same_digits([one.amount for one in self.contributions])
        seen = [one for one in self.contributions if abs(one.amount) >= 0.5 * 10.0**-digits]
        shown = [(one.amount, f"{one.column} is {one.value}") for one in seen[:SHOWN_COLUMNS]]
        rest = self.contributions[len(shown) :]
        if rest:
            together = sum(one.amount for one in rest)
            shown.append((together, more_text(len(rest), "column") + " together"))
        return [(amount, f"{amount:+.{digits}f}", text) for amount, text in shown]


def explain_ensemble(ensemble: Ensemble, x: Any) -> EnsembleExplanation:
    """Explain what an ensemble predicts for one row; see :func:`explain_row`.

    Examples
    --------
    >>> from softwood import BaggedTreesClassifier
    >>> X = [["red", 1], ["red", 2], ["blue", 1], ["blue", 2]] * 5
    >>> model = BaggedTreesClassifier(20, random_state=0).fit(X, ["no", "yes", "no", "no"] * 5)
    >>> print(model.explain(["red", 2.5]))
    Predicted: yes (probability 1)
      20 of 20 trees say so; to most of them its probability is 1 to 1
    What moved it from the average, 0.288, to 1.000:
      +0.372  x1 is 2.5
      +0.340  x0 is red
    Tree 0, the most typical of them, answers yes:
      1. x0 is red, so x0 = red
      2. x1 is 2.5, so x1 > 1.5
         leaf 4: yes (training weight 4)
    """
    if ensemble.read is None:
        raise TypeError(
            "a bare Forest does not know how to read rows; explain the model that it is from, or "
            "what softwood.interop.import_model makes of one"
        )
    table = one_row(ensemble, x)
    with untold():  # the explanation itself says which category is not known
        row = ensemble.read(table)[0]
    moves = moves_of(ensemble, row)
    raw = ensemble.forest.raw(row[None], ensemble.flows)
    answer = ensemble.forest.answer(raw)[0]
    if ensemble.classes is None:
        chosen, probabilities, prediction = None, None, float(answer[0])
    else:
        chosen = int(ensemble.label(raw)[0])
        probabilities = dict(zip(ensemble.classes, answer.tolist(), strict=True))
        prediction = ensemble.classes[chosen]
    output, sign = _score_of(ensemble, chosen)
    scale = sign * ensemble.forest.slope
    low, high = _range(ensemble, moves, output)
    typical = typical_of(ensemble)
    return EnsembleExplanation(
        prediction=prediction,
        probabilities=probabilities,
        n_trees=int((~np.isnan(moves.answers[:, output])).sum()),
        n_agreeing=_n_agreeing(ensemble, moves, output, sign, chosen),
        low=low,
        high=high,
        unit=_unit(ensemble),
        base=float(scale * moves.base[output]),
        contributions=_in_words(ensemble, scale * moves.by_column[:, output], row, table),
        typical=_way(ensemble, typical, row, table),
        typical_tree=typical,
    )


def _unit(ensemble: Ensemble) -> str:
    if ensemble.is_vote:
        return "probability"
    return "number" if ensemble.forest.link == "identity" and not ensemble.classes else "score"


def _score_of(ensemble: Ensemble, chosen: int | None) -> tuple[int, float]:
    """Return the raw score that speaks for the prediction, and whether more or less of it does."""
    if chosen is None:
        return 0, 1.0
    if ensemble.forest.n_outputs == 1:  # one score for two classes
        return 0, 1.0 if chosen == 1 else -1.0
    return chosen, 1.0


def _n_agreeing(
    ensemble: Ensemble, moves: Moves, output: int, sign: float, chosen: int | None
) -> int:
    if ensemble.is_vote:
        return int((most_probable(moves.answers) == chosen).sum())
    if ensemble.is_mean:
        away = moves.answers[:, output] - moves.base[output]
        return int((away * moves.by_column[:, output].sum() > 0.0).sum())
    went = moves.by_column[:, output].sum() if chosen is None else sign
    change = ensemble.forest.factor * (moves.answers - moves.roots)[:, output]
    return int((change * went > 0.0).sum())  # NaN, of trees for other classes, is not


def _range(ensemble: Ensemble, moves: Moves, output: int) -> tuple[float | None, float | None]:
    if not ensemble.is_mean:
        return None, None
    low, high = np.quantile(moves.answers[:, output], OUTER)
    return float(low), float(high)


def _in_words(
    ensemble: Ensemble, amounts: FloatArray, row: FloatArray, table: Table
) -> tuple[Contribution, ...]:
    subject = ensemble.subject(ensemble.forest.trees[0])
    order = np.argsort(-np.abs(amounts), kind="stable")
    return tuple(
        Contribution(
            column=name_of(j, subject.feature_names),
            value=_value(ensemble, subject, j, row, table),
            amount=float(amounts[j]),
        )
        for j in order[amounts[order] != 0.0].tolist()
    )


def _value(
    ensemble: Ensemble, subject: Subject, feature: int, row: FloatArray, table: Table
) -> str:
    if ensemble.schema.features[feature].is_nominal:
        return category_text(subject, feature, row, table)[0]
    value = float(row[feature])
    return "missing" if np.isnan(value) else subject.value_text(feature, value)


def _way(ensemble: Ensemble, place: int, row: FloatArray, table: Table) -> Explanation:
    """Return the way of the row through one of the trees."""
    tree, flow = ensemble.forest.trees[place], ensemble.flows[place]
    subject = ensemble.subject(tree)
    reach = flow.reach(tree, row[None]).toarray()[0]
    answer = reach @ np.where(tree.is_leaf[:, None], tree.response, 0.0)
    if subject.classes is None:
        prediction, probabilities = float(answer[0]), None
    else:
        prediction = subject.classes[int(most_probable(answer))]
        probabilities = dict(zip(subject.classes, answer.tolist(), strict=True))
    return Explanation(
        prediction=prediction,
        probabilities=probabilities,
        steps=steps_of(subject, reach, row, table),
        leaves=leaves_of(subject, reach, tree.response),
    )
