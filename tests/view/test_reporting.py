import re
import subprocess
import sys
from datetime import date
from html.parser import HTMLParser
from types import SimpleNamespace

import matplotlib.pyplot as plt
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from sklearn.svm import LinearSVC

import softwood
from softwood import C45Classifier, CARTClassifier, CoalescenceClassifier
from softwood.errors import MissingExtraError
from softwood.view import report
from softwood.view.reporting import SECTIONS
from tests.view.tables import HOSTILE, hostile_table, messy_table

QUICK = {"folds": 2, "rivals": None, "day": date(2024, 5, 17)}


@pytest.fixture(scope="module")
def fitted():
    X, y = messy_table()
    return C45Classifier().fit(X, y), X, y


@pytest.fixture(scope="module")
def page(fitted):
    return report(*fitted, **QUICK)


class Reader(HTMLParser):
    """Notes every element, every attribute and every text."""

    def __init__(self, html):
        super().__init__()
        self.tags, self.attributes, self.texts = [], [], []
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += [(tag, name, value) for name, value in attrs]

    def handle_data(self, data):
        self.texts.append(data)


def reasons_of(html):
    return re.findall(r'<p class="reason">([^<]*)</p>', html)


def test_the_names_of_the_room():
    assert softwood.view.report is report
    assert dir(softwood.view) == sorted(softwood.view.__all__)
    with pytest.raises(AttributeError, match="no attribute 'poster'"):
        softwood.view.poster  # noqa: B018


def test_importing_the_room_imports_nothing_heavy():
    code = (
        "import sys, softwood.view\n"
        "print([m for m in ('matplotlib', 'jinja2', 'sklearn', 'pandas') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_page_has_all_sections_in_order(page):
    titles = re.findall(r"<h2 [^>]*>([^<]*)</h2>", page.html)
    assert titles == [section.TITLE for section in SECTIONS]
    assert not reasons_of(page.html)
    assert page.html.count("<h1>") == 1


def test_a_page_asks_nobody_and_runs_nothing(page):
    seen = Reader(page.html)
    assert "script" not in seen.tags
    assert not {"iframe", "object", "embed", "form", "link", "base"} & set(seen.tags)
    assert not [name for _, name, _ in seen.attributes if name.startswith("on")]
    links = [v for _, n, v in seen.attributes if n in ("href", "src", "xlink:href")]
    assert all(link.startswith(("#", "data:image/png")) for link in links)
    [policy] = [v for t, n, v in seen.attributes if t == "meta" and "default-src" in v]
    assert policy == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    assert "url(http" not in page.html
    assert "@import" not in page.html


def contrast(first, second):
    """Return the contrast of two colours, as the WCAG define it."""

    def luminance(colour):
        shares = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
        linear = [s / 12.92 if s <= 0.04045 else ((s + 0.055) / 1.055) ** 2.4 for s in shares]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted(map(luminance, (first, second)))
    return (high + 0.05) / (low + 0.05)


def test_texts_stand_out_by_day_by_night_and_on_paper(page):
    schemes = [
        dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block))
        for block in re.findall(r":root \{(.*?)\}", page.html, re.S)
    ]
    assert len(schemes) == 3
    for colours in schemes:
        for text in ("ink", "soft", "accent"):
            for ground in ("paper", "card"):
                assert contrast(colours[text], colours[ground]) >= 4.5


def test_hostile_names_do_not_leave_their_texts():
    X, y = hostile_table()
    model = CARTClassifier(max_depth=3).fit(X, y)
    html = report(model, X, y, title=HOSTILE[1], target=HOSTILE[0], **QUICK).html
    seen = Reader(html)
    assert not {"script", "img", "i>", "u"} & set(seen.tags)
    assert not [name for _, name, _ in seen.attributes if name.startswith("on")]
    assert HOSTILE[0] in "".join(seen.texts)
    assert not [c for c in html if not (c.isprintable() or c == "\n") and c != "\u202f"]
    ids = [value for _, name, value in seen.attributes if name == "id"]
    assert all(re.fullmatch(r"[\w.-]+", value) for value in ids)


def test_the_same_seed_makes_the_same_page(fitted, page):
    assert report(*fitted, **QUICK).html == page.html
    assert report(*fitted, **QUICK, n_jobs=2).html == page.html


def test_another_seed_makes_another_page(fitted, page):
    assert report(*fitted, **QUICK, random_state=1).html != page.html


def test_a_model_without_seed_makes_the_same_page():
    X, y = messy_table(80)
    model = CoalescenceClassifier(5).fit(X, y)
    assert report(model, X, y, **QUICK).html == report(model, X, y, **QUICK).html


def test_the_day_may_come_from_outside(fitted, page, monkeypatch):
    assert "2024-05-17" in page.html
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    options = {**QUICK, "day": None}
    assert "1970-01-02" in report(*fitted, **options).html
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(
        ValueError, match="SOURCE_DATE_EPOCH must be seconds since 1970; got 'soon'"
    ):
        report(*fitted, **options)


def test_a_page_is_saved_and_shown(fitted, page, tmp_path):
    path = tmp_path / "report.html"
    saved = report(*fitted, path, **QUICK)
    assert path.read_text(encoding="utf-8") == saved.html == page.html
    assert repr(page) == f"<Report of {len(page.html) // 1024} KiB: save(path) writes it>"
    shown = Reader(page._repr_html_())
    assert shown.tags == ["iframe"]
    assert dict((n, v) for _, n, v in shown.attributes)["srcdoc"] == page.html


def test_a_place_that_cannot_be_written_is_found_before_the_work(fitted, tmp_path):
    def progress(*_):
        pytest.fail("it has begun to work")

    with pytest.raises(FileNotFoundError, match="there is no folder"):
        report(*fitted, tmp_path / "nowhere" / "r.html", progress=progress)


def test_progress_counts_up_to_all(fitted):
    seen = []
    report(*fitted, progress=lambda *told: seen.append(told), **QUICK)
    done, total, what = zip(*seen, strict=True)
    assert list(done) == list(range(1, 2 + len(SECTIONS) + 1))
    assert set(total) == {done[-1]}
    assert what[0] == "cross-validation of this model"
    assert what[-1] == SECTIONS[-1].TITLE


def test_no_figure_remains_and_settings_stay(fitted):
    before = dict(plt.rcParams)
    report(*fitted, **QUICK)
    assert plt.get_fignums() == []
    assert dict(plt.rcParams) == before


def test_settings_of_the_user_do_not_show(fitted, page):
    with plt.rc_context({"font.size": 30, "axes.facecolor": "red", "text.usetex": False}):
        assert report(*fitted, **QUICK).html == page.html


@pytest.mark.parametrize("name", ["jinja2", "matplotlib"])
def test_a_missing_package_is_named(fitted, monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(MissingExtraError, match=rf"{name}.*pip install 'softwood\[plot\]'"):
        report(*fitted, **QUICK)


def test_too_few_rows_are_said():
    X, y = messy_table(6)
    said = reasons_of(report(C45Classifier().fit(X, y), X, y).html)
    assert said.count("There are only 6 rows, and cross-validation needs 10.") == 4


def test_one_class_is_said():
    X, _ = messy_table(20)
    y = ["same"] * 20
    said = reasons_of(report(CARTClassifier().fit(X, y), X, y).html)
    assert "All rows are of one class: there is nothing to tell apart." in said


def test_a_model_of_others_is_reported_as_far_as_it_can_be_read():
    X, y = messy_table()
    rows = X[["age", "calls"]].fillna(0).to_numpy()
    html = report(LinearSVC().fit(rows, y), rows, y, **QUICK).html
    calibration, tree, size = reasons_of(html)
    assert calibration == "The model gives no probabilities, so there is nothing to calibrate."
    assert tree == size == "LinearSVC has no trees that could be read."
    assert "joblib.load" in html


def test_bugs_are_not_swallowed(fitted, monkeypatch):
    def broken(page):
        raise KeyError("a bug")

    monkeypatch.setattr(SECTIONS[0], "content", broken)
    with pytest.raises(KeyError, match="a bug"):
        report(*fitted, **QUICK)


@pytest.mark.parametrize(
    ("changes", "kind", "message"),
    [
        ({"folds": 1}, ValueError, "folds must be at least 2; got 1"),
        ({"rivals": "all"}, ValueError, "rivals must be 'usual', None, or map names"),
        ({"rivals": {"this model": CARTClassifier()}}, ValueError, "rivals has a 'this model'"),
        ({"random_state": None}, TypeError, "random_state must be a whole number"),
    ],
)
def test_odd_options_are_named(fitted, changes, kind, message):
    with pytest.raises(kind, match=message):
        report(*fitted, **{**QUICK, **changes})


def test_a_model_must_be_fitted(fitted):
    with pytest.raises(NotFittedError):
        report(C45Classifier(), *fitted[1:])
    with pytest.raises(TypeError, match="model must be a fitted classifier or regressor; got C45"):
        report(C45Classifier, *fitted[1:])


def test_columns_that_the_model_is_not_given_are_described(fitted):
    model, X, y = fitted
    others = [
        SimpleNamespace(name=n, kind=k, n_missing=m, n_distinct=160, action=a)
        for n, k, m, a in (
            ("id <1>", "identifier", 0, "left out: it names rows"),
            ("plan", "category", 15, "used as it is"),
        )
    ]
    html = report(model, X, y, description=SimpleNamespace(columns=others), **QUICK).html
    assert "id &lt;1&gt;" in html
    assert "left out: it names rows" in html
    assert html.index("id &lt;1&gt;") < html.index('role="rowheader">plan<')
    assert "what is done with it" in html


def test_frames_of_any_kind_make_the_same_page(fitted, page):
    from softwood.data.encode import table_of

    model, X, y = fitted
    assert report(model, table_of(X), y, **QUICK).html == page.html
    polars = pytest.importorskip("polars")
    assert report(model, polars.from_pandas(X), y, **QUICK).html == page.html


def test_a_title_and_a_target_are_shown(fitted):
    html = report(*fitted, title="Who leaves?", target="churn", **QUICK).html
    assert "<h1>Who leaves?</h1>" in html
    assert "The model predicts churn, one of 2 classes" in html


def test_columns_numbered_as_pandas_does():
    X, y = messy_table()
    rows = pd.DataFrame(X[["age", "calls"]].to_numpy())
    assert not reasons_of(report(CARTClassifier(max_depth=3).fit(rows, y), rows, y, **QUICK).html)
