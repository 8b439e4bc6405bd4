import numpy as np
import pytest

from softwood import CARTRegressor, CoalescenceClassifier
from softwood.data.telling import untold
from softwood.export import compile_model
from tests.export.models import asked
from tests.view.explorer.models import MAKE, as_table, made


@pytest.mark.parametrize("name", MAKE)
def test_answers_are_those_of_the_model_to_the_last_bit(name):
    model, imported, rows, expected, labels = asked(name, 60)
    compiled = compile_model(model)
    with untold():
        table = as_table(imported, rows)
        assert np.array_equal(compiled(table), expected)
        assert compiled.predict(table).tolist() == labels.tolist()
        if imported.schema.all_numeric:
            X = imported.encode(table)
            complete = ~np.isnan(X).any(axis=1)
            assert complete.any()
            assert np.array_equal(compiled(X[complete]), expected[complete])
            for row, answer, label in zip(X, expected, labels, strict=True):
                assert np.array_equal(compiled(row), answer)
                assert np.array_equal(compiled(row.tolist()), answer)
                assert compiled.predict(row) == label


def test_models_compile_themselves():
    X = np.random.default_rng(0).normal(size=(50, 3))
    for model in (CoalescenceClassifier(3, random_state=0), CARTRegressor()):
        model.fit(X, X[:, 0] > 0)
        assert model.compile().predict(X).tolist() == model.predict(X).tolist()


def test_mistakes_are_told():
    compiled = compile_model(made("regression")[0])
    with pytest.raises(ValueError, match="'age' is infinite"):
        compiled(np.full(10, np.inf))
    with pytest.raises(ValueError, match="X has 2 features, but the model was fitted with 10"):
        compiled(np.zeros(2))


def test_what_is_infinite_is_refused_in_mixed_tables_too():
    model, X, _ = made("LightGBM")
    with pytest.raises(ValueError, match="'age' is infinite"):
        compile_model(model)(X.head(2).assign(age=np.inf))
