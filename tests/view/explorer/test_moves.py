"""How columns may move in a page."""

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

from softwood import C45Classifier, column_scales
from softwood.interop import import_model
from softwood.view.explorer.moves import Move, moves_of
from tests.view.tables import messy_table

pytestmark = pytest.mark.filterwarnings("ignore::softwood.errors.TableWarning")


def test_a_model_says_what_it_has_kept():
    X, y = messy_table()
    model = C45Classifier().fit(X, y)
    moves = moves_of(model, import_model(model), None)
    assert [move.scale for move in moves] == column_scales(model).tolist()
    by_name = dict(zip(X.columns, moves, strict=True))
    assert by_name["calls"].is_whole
    assert by_name["since"].is_whole  # days
    assert not by_name["plan"].is_held
    known = import_model(model).schema.features[1].categories
    assert by_name["plan"].shut == tuple(k for k, name in enumerate(known) if name is None)


def test_rows_tell_of_models_that_keep_nothing():
    X = np.column_stack([np.arange(8.0), np.linspace(0.0, 1.0, 8)])
    model = DecisionTreeClassifier(random_state=0).fit(X, np.arange(8) > 3)
    imported = import_model(model)
    first, second = moves_of(model, imported, X)
    assert first == Move(pytest.approx(X[:, 0].std()), is_whole=True)
    assert second == Move(pytest.approx(X[:, 1].std()))
    cuts = moves_of(model, imported, None)
    assert [move.scale for move in cuts] == column_scales(model).tolist()
    assert not any(move.is_whole for move in cuts)
