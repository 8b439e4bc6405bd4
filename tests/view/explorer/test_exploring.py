import html
import json
import re

import numpy as np
import pandas as pd
import pytest

from softwood import C45Classifier, CARTClassifier, CARTRegressor
from softwood.view import Explorer, explore
from tests.view.tables import HOSTILE, hostile_table, messy_table


@pytest.fixture(scope="module")
def messy():
    X, y = messy_table()
    return C45Classifier().fit(X, y), X, y


def data_of(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page.html, re.DOTALL)[1])


def test_a_page_is_one_file_that_is_saved_wholly(messy, tmp_path):
    page = explore(*messy, tmp_path / "tree.html")
    assert (tmp_path / "tree.html").read_text(encoding="utf-8") == page.html
    assert repr(page).startswith("<Explorer of ")


def test_the_same_model_makes_the_same_page(messy):
    assert explore(*messy).html == explore(*messy).html


def test_names_come_from_the_target(messy):
    model, X, y = messy
    assert "<h1>Predicting outcome</h1>" in explore(model, X, y).html
    assert "<h1>C45Classifier</h1>" in explore(model).html
    assert data_of(explore(model, X, y, target="leaving"))["target"] == "leaving"


def test_rows_can_be_kept_back(messy):
    model, X, y = messy
    assert data_of(explore(model, X, y, max_rows=0))["rows"] is None
    assert data_of(explore(model, X, y, max_rows=7))["rows"]["nRows"] == 7


def test_hostile_names_stay_in_the_data():
    X, y = hostile_table()
    page = explore(C45Classifier().fit(X, y), X, y, title=HOSTILE[0])
    assert page.html.count("<script") == 2  # the data, and the page's own
    assert page.html.count("</script>") == 2
    assert html.escape(HOSTILE[0]) in page.html


def test_notebooks_show_it_in_a_frame(messy):
    shown = explore(*messy)._repr_html_()
    assert shown.startswith("<iframe srcdoc=")
    assert "allow-same-origin" not in shown


def test_a_polars_frame_will_do():
    polars = pytest.importorskip("polars")
    X = polars.DataFrame({"size": [1.0, 2.0, 3.0, 4.0], "colour": ["a", "b", "a", "b"]})
    page = explore(C45Classifier(min_samples_leaf=1).fit(X, [0, 1, 0, 1]), X, [0, 1, 0, 1])
    assert data_of(page)["columns"][1]["categories"] == ["a", "b"]


def test_categories_that_were_never_seen_are_shown(messy):
    model, X, y = messy
    page = explore(model, X.assign(plan="golden"), y)
    assert isinstance(page, Explorer)


@pytest.mark.parametrize(
    ("given", "complaint"),
    [
        ({"y": [1, 2]}, "y was given without X"),
        ({"X": [[1.0], [2.0]], "y": [1]}, r"X has 2 rows, and y the shape \(1,\)"),
        ({"max_rows": -1}, "max_rows must not be negative; got -1"),
    ],
)
def test_mistakes_are_told(given, complaint):
    model = CARTClassifier().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(ValueError, match=complaint):
        explore(model, **given)


def test_a_pair_must_read_the_same_columns(messy):
    model, X, y = messy
    other = CARTRegressor().fit(X[["age"]], np.arange(len(X)))
    with pytest.raises(ValueError, match="both models must read the same columns"):
        explore(model, X, y, other=other)


def test_what_has_no_trees_is_refused():
    from sklearn.linear_model import LogisticRegression

    model = LogisticRegression().fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(TypeError, match="cannot import a LogisticRegression"):
        explore(model)


def test_numbers_beyond_all_measure_are_json():
    X = pd.DataFrame({"x": [1e300, -1e300, 5.0, 1e308]})
    page = explore(CARTRegressor().fit(X, [1.0, 2.0, 3.0, 4.0]), X, [1.0, 2.0, 3.0, 4.0])
    assert data_of(page)["columns"][0]["name"] == "x"
