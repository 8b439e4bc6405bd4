"""Pages as a browser shows them: nothing fetched, nothing run, nothing cut off."""

import numpy as np
import pytest
from sklearn.datasets import load_iris

from softwood import (
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    CoalescenceClassifier,
    SoftTreeClassifier,
)
from softwood.data import describe
from softwood.view import report
from softwood.view.reporting import SECTIONS
from tests.view.tables import HOSTILE, hostile_table, messy_table

WIDTHS = (1280, 400)
QUICK = {"folds": 2, "rivals": None}


def messy():
    X, y = messy_table()
    whole = X.assign(id=[f"row {place}" for place in range(len(X))])
    return report(C45Classifier().fit(X, y), X, y, folds=2, description=describe(whole))


def hostile():
    X, y = hostile_table()
    return report(C45Classifier().fit(X, y), X, y, title=HOSTILE[1], folds=2)


def hostile_forest():
    X, y = hostile_table()
    model = CoalescenceClassifier(8, random_state=0).fit(X, y)
    return report(model, X, y, **QUICK)


def three_classes():
    X, y = load_iris(return_X_y=True, as_frame=True)
    return report(CARTClassifier(max_depth=3).fit(X, y), X, y, **QUICK)


def numbers():
    X, _ = messy_table()
    y = X["calls"] * 3 + np.arange(len(X)) % 5
    return report(CARTRegressor(max_depth=4).fit(X, y), X, y, **QUICK)


def soft():
    X, y = messy_table()
    model = SoftTreeClassifier(max_leaf_nodes=6, random_state=0).fit(X, y)
    return report(model, X, y, **QUICK)


def few_rows():
    X, y = messy_table(6)
    return report(C45Classifier().fit(X, y), X, y)


PAGES = (messy, hostile, hostile_forest, three_classes, numbers, soft, few_rows)


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Make each page once, when it is first asked for."""
    folder, made = tmp_path_factory.mktemp("pages"), {}

    def file_of(make):
        if make not in made:
            made[make] = folder / f"{make.__name__}.html"
            make().save(made[make])
        return made[make]

    return file_of


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("make", PAGES)
def test_a_page_is_whole_and_quiet(make, width, files, browser):
    path = files(make)
    seen = browser.look(path, width)
    assert seen.messages == []
    assert [url for url in seen.requests if not url.startswith("data:image/png")] == [path.as_uri()]
    assert seen.dialogs == []
    assert seen.n_scripts == 0
    assert seen.too_wide <= 0
    assert seen.ids_twice == []
    assert seen.broken_links == []
    assert seen.unnamed == 0
    assert seen.headings == [section.TITLE for section in SECTIONS]
    assert seen.pdf.startswith(b"%PDF")
    assert len(seen.pdf) > 10_000


@pytest.mark.parametrize("width", [320, 600, 760, 780, 1000])
@pytest.mark.parametrize("make", [messy, hostile])
def test_no_width_cuts_a_page_off(make, width, files, browser):
    assert browser.look(files(make), width).too_wide <= 0


@pytest.mark.parametrize("make", [hostile, hostile_forest])
def test_hostile_names_are_text(make, files, browser):
    text = browser.look(files(make), 400).text
    for shown in (
        HOSTILE[0],
        HOSTILE[1],
        HOSTILE[2],
        "two\\nlines",
        "right\\u202eleft",
        HOSTILE[5],
    ):
        assert shown in text
    assert "&amp;</style></svg>" in text
    assert "\\x00\\x07bell" in text
    assert "\u202e" not in text


def test_a_page_is_dark_by_night(files, browser):
    by_day, by_night = (
        browser.look(files(messy), 1280, scheme).background for scheme in ("light", "dark")
    )
    assert by_day == "rgb(255, 255, 255)"
    assert by_night != by_day
