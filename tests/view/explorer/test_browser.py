"""The explorer as a browser runs it: the same numbers as Python's, and nothing but them."""

import numpy as np
import polars as pl
import pytest

from softwood import CARTClassifier, counterfactual
from softwood.data.columns.moments import part_of
from softwood.data.telling import untold
from softwood.flow import Gaussian, Hard, Ramp
from softwood.interop import import_model
from softwood.view import explore
from softwood.view.explorer.columns import facts_of
from softwood.view.explorer.softness import blur_of
from tests.view.explorer.models import MAKE, as_table, made, random_rows
from tests.view.explorer.test_columns import dated
from tests.view.tables import messy_table

N_ROWS = 1000
SOFT = ("soft by gradients", "soft by perturbation", "m-ary", "oblique", "soft forest")
NAME_OF = (
    "at => at === document.body ? '' : at.id || at.getAttribute('aria-label') || at.textContent"
)
NAMES = f"""() => [...document.querySelectorAll('button, input, select')]
    .filter(element => element.checkVisibility() && !element.disabled
        && element.getAttribute('tabindex') !== '-1').map({NAME_OF})"""


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """Make each page once, when it is first asked for."""
    folder, written = tmp_path_factory.mktemp("explorer"), {}

    def file_of(name):
        if name not in written:
            model, X, y = made(name)
            written[name] = folder / f"{name}.html"
            explore(model, X, y, written[name])
        return written[name]

    return file_of


def predicted(imported, rows, flow=None):
    with untold():
        encoded = imported.encode(as_table(imported, rows))
    return imported.forest.predict(encoded, imported.flow if flow is None else flow)


@pytest.mark.parametrize("name", MAKE)
def test_the_page_answers_as_python_does(name, files, browser):
    model, X, _ = made(name)
    imported = import_model(model)
    rows = random_rows(imported, X, N_ROWS)
    found = browser.run(
        files(name),
        lambda page: page.evaluate("rows => rows.map(row => softwood.predict(row))", rows),
    )
    expected = predicted(imported, rows)
    assert np.abs(np.array([one["answer"] for one in found]) - expected).max() < 1e-9
    if imported.classes is not None:
        with untold():
            labels = imported.predict(as_table(imported, rows))
        assert [imported.classes[one["label"]] for one in found] == labels.tolist()


@pytest.mark.parametrize("name", ["m-ary", "evolved", "soft by perturbation", "forest of 100"])
def test_confidence_is_that_of_the_model(name, files, browser):
    model, X, _ = made(name)
    imported = import_model(model)
    rows = random_rows(imported, X, 200)
    found = browser.run(
        files(name),
        lambda page: page.evaluate(
            "rows => rows.map(row => softwood.predict(row).confidence)", rows
        ),
    )
    with untold():
        expected = model.predict_confidence(as_table(imported, rows))
    assert np.abs(np.array(found) - expected).max() < 1e-9


@pytest.mark.parametrize("name", SOFT)
def test_softness_does_what_it_says(name, files, browser):
    model, X, _ = made(name)
    imported = import_model(model)
    rows = random_rows(imported, X, 300)

    def ask(page):
        softness = page.evaluate("softwood.state.models[0].softness")
        at = 0.6 * softness["most"]
        run = "([rows, at]) => rows.map(row => softwood.predict(row, 0, at).answer)"
        return softness, at, page.evaluate(run, [rows, at]), page.evaluate(run, [rows, 0])

    softness, at, soft, hard = browser.run(files(name), ask)
    times = at / softness["unit"]
    if softness["kind"] == "widths":
        forest = imported.forest.map(
            lambda tree: tree.replace(below=times * tree.below, above=times * tree.above)
        )
        imported_soft = Ramp(imported.flow.drop, imported.flow.shape)
        with untold():
            encoded = imported.encode(as_table(imported, rows))
        expected = forest.predict(encoded, imported_soft)
    else:
        expected = predicted(imported, rows, softer(imported, X, softness, times))
    assert np.abs(np.array(soft) - expected).max() < 1e-8
    assert np.abs(np.array(hard) - predicted(imported, rows, Hard())).max() < 1e-9


def softer(imported, X, softness, times):
    """Return the flow that the slider stands for."""
    flow = imported.flow
    if not isinstance(flow, Gaussian):
        with untold():
            flow = blur_of(facts_of(None, imported, imported.encode(X)))
    scale = tuple(times * s for s in np.broadcast_to(flow.scale, imported.n_features))
    redraw = min(1.0, softness["redraw"] * times**2) if flow.marginals else 0.0
    return Gaussian(scale, flow.exact, flow.drop, redraw, flow.marginals)


@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", MAKE)
def test_a_page_is_whole_and_quiet(name, width, files, browser):
    path = files(name)
    seen = browser.look(path, width)
    assert seen.messages == []
    assert seen.requests == [path.as_uri()]
    assert seen.dialogs == []
    assert seen.too_wide <= 0
    assert seen.ids_twice == []
    assert seen.unnamed == 0
    assert seen.pdf.startswith(b"%PDF")


@pytest.mark.parametrize("name", MAKE)
def test_a_page_is_there_in_a_second(name, files, browser):
    ready = browser.run(
        files(name),
        lambda page: page.evaluate("performance.getEntriesByName('ready')[0].startTime"),
    )
    assert ready < 5000  # milliseconds: a second on a machine that does nothing else


def test_a_thousand_leaves_are_half_a_megabyte(files):
    model, _, _ = made("1000 leaves")
    assert model.get_n_leaves() > 850
    assert files("1000 leaves").stat().st_size < 500_000
    assert files("soft, 1000 leaves").stat().st_size < 500_000


@pytest.mark.parametrize("name", ["m-ary", "forest of 100", "evolved", "regression", "one leaf"])
def test_tab_reaches_every_control(name, files, browser):
    def walk(page):
        n_controls = len(page.evaluate(NAMES))
        seen = set()
        for _ in range(2 * n_controls + 10):
            page.keyboard.press("Tab")
            seen.add(page.evaluate(f"({NAME_OF})(document.activeElement)"))
        return seen, page.evaluate(NAMES)

    seen, names = browser.run(files(name), walk)
    assert set(names) <= seen
    assert all(names)  # a control without a name cannot be announced


def test_arrows_walk_the_tree(files, browser):
    def walk(page):
        page.focus('[role="treeitem"][tabindex="0"]')
        seen = []
        for key in ("ArrowRight", "ArrowDown", "End", "ArrowUp", "Home", "ArrowLeft", "ArrowRight"):
            page.keyboard.press(key)
            at = page.evaluate("Number(document.activeElement.dataset.node)")
            seen.append((key, at, page.locator('[role="treeitem"]').count()))
        return seen

    seen = {key: (node, n) for key, node, n in browser.run(files("m-ary"), walk)[:-1]}
    opened = browser.run(files("m-ary"), walk)[-1]
    tree = made("m-ary")[0].tree_
    assert seen["ArrowRight"][0] == tree.first_child[0]
    assert seen["ArrowDown"][0] > tree.first_child[0]
    assert seen["End"][0] != seen["ArrowUp"][0]
    assert seen["Home"][0] == 0
    assert seen["ArrowLeft"] == (0, 1)  # the root is closed
    assert opened[1] == 0
    assert opened[2] == seen["Home"][1]  # and open again, as it was


def test_a_slider_moves_the_row(files, browser):
    model, X, _ = made("regression")
    imported = import_model(model)

    def move(page):
        page.evaluate("softwood.state.setRow(softwood.state.sample.values(3), 3)")
        slider = page.locator("#column-2")
        slider.focus()
        for _ in range(5):
            page.keyboard.press("ArrowRight")
        return page.evaluate("softwood.state.row"), page.evaluate("softwood.state.answer.answer")

    row, answer = browser.run(files("regression"), move)
    assert row[2] != X.iloc[3, 2]
    assert answer == pytest.approx(predicted(imported, [row])[0].tolist(), abs=1e-9)


def test_parts_of_a_date_follow_it(tmp_path, browser):
    model, table = dated()
    days = [-1000.6, -0.25, 0.0, 11016.999, 18567.5, 19782.0]
    explore(model, table, path=tmp_path / "dated.html")

    def move(page):
        page.evaluate("softwood.state.setRow(softwood.state.usualRow())")
        usual = page.evaluate("softwood.state.row")
        run = """days => days.map(day => { softwood.state.setValue(0, day);
            return [...softwood.state.row]; })"""
        moved = page.evaluate(run, days)
        page.evaluate("softwood.state.setValue(0, null)")
        slider = page.locator("#column-2")
        return usual, moved, page.evaluate("softwood.state.row"), slider.is_disabled()

    usual, moved, missing, is_held = browser.run(tmp_path / "dated.html", move)
    for day, weekday, month, _ in [usual, *moved]:
        moments = pl.Series([day])
        assert [weekday, month] == [part_of(moments, p)[0] for p in ("weekday", "month")]
    assert [row[0] for row in moved] == days
    assert missing[:3] == [None, None, None]
    assert is_held


def test_what_would_change_the_answer(files, browser):
    model, X, _ = made("1000 leaves")
    imported = import_model(model)
    rows = [list(map(float, row)) for row in X[:40]]
    found = browser.run(
        files("1000 leaves"),
        lambda page: page.evaluate("rows => rows.map(row => softwood.nearest(row))", rows),
    )
    points = np.array([one["point"] for one in found])
    assert (imported.predict(points) != model.predict(X[:40])).all()
    assert all(one["isExact"] for one in found)


@pytest.mark.parametrize(
    "name", ["soft by gradients", "soft and oblique", "forest of 100", "boosted elsewhere"]
)
def test_another_answer_is_one_for_every_model(name, files, browser):
    model, X, _ = made(name)
    imported = import_model(model)
    rows = random_rows(imported, X, 12, seed=1)

    def ask(page):
        run = """rows => rows.map(row => { const near = softwood.nearest(row);
            if (!near) return null;
            softwood.state.setRow(row); const own = softwood.state.answer.label;
            const now = [...row];
            near.point.forEach((value, j) => {
                if (value !== null && value !== softwood.state.encoded[j]) now[j] = value; });
            return [own, softwood.predict(now).label, near.distance]; })"""
        return page.evaluate(run, rows)

    found = browser.run(files(name), ask)
    assert all(one is not None for one in found)
    assert all(before != after and distance > 0 for before, after, distance in found)


@pytest.mark.parametrize("name", ["m-ary", "evolved", "1000 leaves", "hostile names", "imported"])
def test_another_answer_is_as_near_as_python_finds_it(name, files, browser):
    model, X, _ = made(name)
    imported = import_model(model)
    rows = random_rows(imported, X, 60, seed=2)
    found = browser.run(
        files(name),
        lambda page: page.evaluate("rows => rows.map(row => softwood.nearest(row))", rows),
    )
    table, scale = as_table(imported, rows), X if name == "imported" else None
    n_exact = 0
    for i, one in enumerate(found):
        x = table[i] if isinstance(table, np.ndarray) else table.iloc[[i]]
        with untold():
            nearest = counterfactual(model, x, scale=scale)
        assert nearest.is_exact
        if one["isExact"]:
            assert one["distance"] == pytest.approx(nearest.distance, abs=1e-4)
        else:  # the row has a gap, or a category that spreads
            assert one["distance"] >= nearest.distance - 1e-4
        n_exact += one["isExact"]
    assert n_exact >= 10


def test_two_models_side_by_side(tmp_path, browser):
    X, y = messy_table()
    small, large = (CARTClassifier(max_leaf_nodes=n).fit(X, y) for n in (4, 9))
    explore(small, X, y, tmp_path / "pair.html", other=large)

    def look(page):
        page.click("#tab-model")
        text = page.inner_text("#panel-model")
        marked = page.evaluate(
            "[...document.querySelectorAll('.changed')].map(e => +e.dataset.node)"
        )
        page.locator("#panel-model table button").first.click()
        node = page.evaluate("softwood.state.node")
        page.click("#tab-row")
        said = page.inner_text("#answer")
        return page.locator("svg.tree").count(), text, marked, node, said

    n_trees, text, marked, node, said = browser.run(tmp_path / "pair.html", look)
    assert n_trees == 2
    assert said.count("confidence") == 2  # the row is answered by both
    assert "second: " in said.lower()
    assert "answered differently" in text
    assert "grown" in text
    assert node in marked


def test_search_opens_what_it_finds(files, browser):
    def look(page):
        page.fill("#search", "x3")
        page.press("#search", "Enter")
        return page.inner_text("#search-found"), page.evaluate("softwood.state.node")

    text, node = browser.run(files("1000 leaves"), look)
    tree = made("1000 leaves")[0].tree_
    assert text.startswith("1 of ")
    parent = int(tree.parent[node]) if node else 0
    assert 3 in (tree.feature[node], tree.feature[parent])


def test_the_tree_as_a_picture(files, browser):
    def save(page):
        text = page.evaluate("softwood.svg()")
        return text, page.evaluate("softwood.png()")

    text, n_bytes = browser.run(files("hostile names"), save)
    assert text.startswith("<svg")
    assert "<script" not in text
    assert n_bytes > 5000


def test_hostile_names_are_text(files, browser):
    text = browser.look(files("hostile names"), 1280).text
    assert "<script>alert(1)</script>" in text
    assert "\u202e" not in text


def test_without_rows(tmp_path, browser):
    model = CARTClassifier(max_depth=2).fit([[1.0], [2.0], [3.0], [4.0]], [0, 1, 1, 0])
    explore(model, path=tmp_path / "bare.html")
    n_rows, answer = browser.run(
        tmp_path / "bare.html",
        lambda page: page.evaluate("[softwood.state.sample, softwood.predict([2.2]).answer]"),
    )
    assert n_rows is None
    assert answer == [0.0, 1.0]
