"""Why a row gets its prediction: the tests on its way, and how its mass divides."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from softwood.data.table import Table
from softwood.data.telling import untold
from softwood.explain._ensembles import ensemble_of
from softwood.explain._one_row import one_row
from softwood.explain.labels import more_text, number_text, plain_value, value_text
from softwood.explain.way import Leaf, Step, leaves_of, percent_text, steps_of
from softwood.explain.wording import Subject, subject_of

if TYPE_CHECKING:
    from softwood.explain.ensemble_explanation import EnsembleExplanation

SHOWN_MASS = 0.01  # steps and leaves with less of the row are counted, not printed


@dataclass(frozen=True, slots=True)
class Explanation:
    """The way of one row through a tree; prints as text.

    Attributes
    ----------
    prediction : object
        The predicted class, or number.
    probabilities : dict or None
        Probability of each class; None for regression.
    steps : tuple of Step
        The tests the row meets, parents before children.
    leaves : tuple of Leaf
        The leaves it reaches, the heaviest first.
    """

    prediction: Any
    probabilities: dict[Any, float] | None
    steps: tuple[Step, ...]
    leaves: tuple[Leaf, ...]

    def __str__(self) -> str:
        return "\n".join([f"Predicted: {self.prediction_text}", *self.way_lines()])

    @property
    def prediction_text(self) -> str:
        """The prediction in words."""
        return prediction_text(self.prediction, self.probabilities)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as lists, texts and numbers, fit for JSON.

        Examples
        --------
        >>> from softwood import CARTClassifier
        >>> model = CARTClassifier().fit([[1.0], [2.0]], ["a", "b"])
        >>> found = model.explain([1.2]).to_dict()
        >>> found["prediction"], found["steps"][0]["branches"]
        ('a', [{'child': 1, 'test': 'x0 <= 1.5', 'share': 1.0}])
        """
        return {
            "prediction": plain_value(self.prediction),
            "probabilities": listed(self.probabilities),
            "steps": [
                {**asdict(step), "branches": [asdict(branch) for branch in step.branches]}
                for step in self.steps
            ],
            "leaves": [
                {**asdict(leaf), "prediction": plain_value(leaf.prediction)} for leaf in self.leaves
            ],
        }

    def way_lines(self) -> list[str]:
        """Return the tests and the leaves in words, a line for each."""
        lines = []
        shown = [step for step in self.steps if step.mass >= SHOWN_MASS]
        lines += [f"{number:>3}. {step}" for number, step in enumerate(shown, start=1)]
        if len(shown) < len(self.steps):
            hidden = more_text(len(self.steps) - len(shown), "test")
            lines.append(f"     {hidden}, each of less than 1% of the row")
        return lines + self._leaf_lines()

    def _leaf_lines(self) -> list[str]:
        shown = [leaf for leaf in self.leaves if leaf.mass >= SHOWN_MASS]
        lines = []
        for leaf in shown:
            answer = leaf.prediction
            words = number_text(answer) if self.probabilities is None else value_text(answer)
            cases = f"training weight {number_text(leaf.weight, 2)}"
            whole = leaf.mass > 1.0 - 1e-9
            share = "" if whole else f"{percent_text(leaf.mass)} of the row in "
            lines.append(f"     {share}leaf {leaf.node}: {words} ({cases})")
        if len(shown) < len(self.leaves):
            rest = sum(leaf.mass for leaf in self.leaves[len(shown) :])
            lines.append(f"     {percent_text(rest)} of the row in other leaves")
        return lines


def prediction_text(prediction: Any, probabilities: dict[Any, float] | None) -> str:
    """Return a class with its probability, or a number.

    Examples
    --------
    >>> prediction_text("yes", {"no": 0.25, "yes": 0.75}), prediction_text(2.5, None)
    ('yes (probability 0.75)', '2.5')
    """
    if probabilities is None:
        return number_text(prediction)
    probability = number_text(probabilities[prediction], 3)
    return f"{value_text(prediction)} (probability {probability})"


def listed(probabilities: dict[Any, float] | None) -> list[dict[str, Any]] | None:
    """Return the probabilities of classes as JSON can hold them, whatever the classes are."""
    if probabilities is None:
        return None
    pairs = probabilities.items()
    return [{"class": plain_value(name), "probability": share} for name, share in pairs]


def explain_row(estimator: Any, x: Any) -> Explanation | EnsembleExplanation:
    """Explain the prediction of one row.

    Parameters
    ----------
    estimator : estimator or Imported
        A fitted softwood model, of one tree or of many; its flow may be soft. Or what
        :func:`softwood.interop.import_model` has made of another's ensemble.
    x : array-like of shape (n_features,) or (1, n_features), mapping, or frame of one row
        The row. A mapping or pandas Series is read by names if the model knows them.

    Returns
    -------
    Explanation or EnsembleExplanation
        The way of the row through the tree. For ensembles: how their trees' answers scatter, what
        each column adds to the prediction, and the way through the most typical tree.

    Examples
    --------
    >>> import numpy as np
    >>> from softwood import C45Classifier
    >>> from softwood.explain.explanation import explain_row
    >>> X = np.array([["red", 1], ["red", 2], ["blue", 1], ["blue", 2]] * 3, dtype=object)
    >>> model = C45Classifier().fit(X, ["no", "yes", "no", "no"] * 3)
    >>> print(explain_row(model, ["red", 0.9]))
    Predicted: no (probability 1)
      1. x0 is red, so x0 = red
      2. x1 is 0.9, so x1 <= 1
         leaf 3: no (training weight 3)
    >>> print(explain_row(model, ["green", None]))
    Predicted: no (probability 0.75)
      1. x0 is unknown category 'green': 50% to x0 = blue, 50% to x0 = red
      2. (50% of the row) x1 is missing: 50% to x1 <= 1, 50% to x1 > 1
         50% of the row in leaf 1: no (training weight 6)
         25% of the row in leaf 3: no (training weight 3)
         25% of the row in leaf 4: yes (training weight 3)
    """
    ensemble = ensemble_of(estimator)
    if ensemble is not None:
        from softwood.explain.ensemble_explanation import explain_ensemble

        return explain_ensemble(ensemble, x)
    subject = subject_of(estimator)
    table = one_row(estimator, x)
    with untold():  # the explanation itself says which category is not known
        return _explained(subject, estimator, table)


def _explained(subject: Subject, estimator: Any, table: Table) -> Explanation:
    rows = estimator._rows(table)
    reach = estimator.flow_.reach(subject.tree, rows).toarray()[0]
    response = estimator._responses()
    if subject.classes is None:
        probabilities = None
    else:
        shares = estimator.predict_proba(table)[0].tolist()
        probabilities = dict(zip(subject.classes, shares, strict=True))
    return Explanation(
        prediction=estimator.predict(table).tolist()[0],
        probabilities=probabilities,
        steps=steps_of(subject, reach, rows[0], table),
        leaves=leaves_of(subject, reach, response),
    )
