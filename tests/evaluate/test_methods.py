import numpy as np
import pytest
from sklearn.ensemble import BaggingClassifier, RandomForestClassifier, VotingClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import softwood
from softwood.evaluate.methods import described, methods_of, seeded, task_of


class Opaque:
    """An option whose repr says nothing."""

    def __init__(self, level):
        self.level = level


def times(factor):
    return lambda x: factor * x


ALIKE = [
    (DecisionTreeClassifier(max_depth=2), DecisionTreeClassifier(max_depth=2)),
    (FunctionTransformer(np.log1p), FunctionTransformer(np.log1p)),
    (np.random.RandomState(1), np.random.RandomState(1)),
    (np.random.default_rng(1), np.random.default_rng(1)),
    (Opaque(1), Opaque(1)),
    ({"a": np.arange(3)}, {"a": np.arange(3)}),
    (lambda x: x, lambda x: x),
    (times(2), times(2)),
]
DIFFERENT = [
    (DecisionTreeClassifier(max_depth=2), DecisionTreeClassifier(max_depth=3)),
    (
        make_pipeline(StandardScaler(), DecisionTreeClassifier()),
        make_pipeline(StandardScaler(), DecisionTreeClassifier(criterion="entropy")),
    ),
    (
        BaggingClassifier(DecisionTreeClassifier(max_depth=1)),
        BaggingClassifier(DecisionTreeClassifier(max_depth=2)),
    ),
    (FunctionTransformer(np.log1p), FunctionTransformer(np.sqrt)),
    (np.random.RandomState(1), np.random.RandomState(2)),
    (np.arange(2000), np.append(np.arange(1999), 0)),  # whose reprs are shortened
    (Opaque(1), Opaque(2)),
    (lambda x: x + 1, lambda x: x + 2),
    (lambda x: x + 1, lambda x: x * 1),
    (times(2), times(3)),
    ({"a": 1}, {"a": "1"}),
    (1.0, 1),
]


@pytest.mark.parametrize(("one", "other"), ALIKE)
def test_what_is_alike_is_described_alike(one, other):
    assert described(one) == described(other)
    assert " at 0x" not in described(one)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_differs_is_described_differently(one, other):
    assert described(one) != described(other)


def test_names_of_a_list():
    names = [m.name for m in methods_of([DecisionTreeClassifier(), RandomForestClassifier()])]
    assert names == ["DecisionTreeClassifier", "RandomForestClassifier"]
    [method] = methods_of(DecisionTreeClassifier())
    assert method.name == "DecisionTreeClassifier"


def test_versions_name_every_package():
    [method] = methods_of([BaggingClassifier(softwood.C45Classifier())])
    import sklearn

    assert method.versions == f"sklearn {sklearn.__version__}, softwood {softwood.__version__}"


def test_seeds_reach_nested_estimators():
    vote = VotingClassifier(
        [("a", DecisionTreeClassifier()), ("b", RandomForestClassifier(random_state=7))]
    )
    model = make_pipeline(StandardScaler(), vote)
    fresh = seeded(model, 3)
    values = fresh.get_params()
    assert isinstance(values["votingclassifier__a__random_state"], int)
    assert values["votingclassifier__b__random_state"] == 7
    assert model.get_params()["votingclassifier__a__random_state"] is None
    assert described(fresh) == described(seeded(model, 3)) != described(seeded(model, 4))


@pytest.mark.parametrize(
    ("estimators", "kind", "words"),
    [
        ({}, ValueError, "empty"),
        ({"tree": DecisionTreeClassifier}, TypeError, r"'tree' is .*add \(\) to make one"),
        (["forest"], TypeError, "not an estimator with fit and predict"),
        ([StandardScaler()], TypeError, "not an estimator with fit and predict"),
        ([DecisionTreeClassifier()] * 2, ValueError, r"DecisionTreeClassifier\(\) twice"),
    ],
)
def test_mistakes(estimators, kind, words):
    with pytest.raises(kind, match=words):
        methods_of(estimators)


def test_one_task_at_a_time():
    assert task_of(methods_of([DecisionTreeRegressor()])) == "regression"
    both = methods_of([DecisionTreeRegressor(), DecisionTreeClassifier()])
    with pytest.raises(ValueError, match="compare methods of one task at a time"):
        task_of(both)
