"""Trees on the terminal: every width, every kind of test, every encoding."""

import io

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from sklearn.datasets import load_diabetes, load_iris

from softwood import (
    BaggedTreesClassifier,
    C45Classifier,
    CARTClassifier,
    CARTRegressor,
    ObliqueTreeClassifier,
    SoftTreeClassifier,
)
from softwood.cli.terminal import printed, tree_panel
from softwood.explain import typical_tree
from tests.strategies import checked, trees

DATA = load_iris(as_frame=True)
X, Y = DATA.data, DATA.target_names[DATA.target]


def on_terminal(renderable, width=80, **options):
    """Return what a terminal with colours gets."""
    file = io.StringIO()
    options = {
        "force_terminal": True,
        "color_system": "truecolor",
        "legacy_windows": False,
        **options,
    }
    Console(file=file, width=width, **options).print(renderable)
    return file.getvalue()


def test_a_tree_line_by_line():
    model = C45Classifier().fit(X, Y)
    assert printed(tree_panel(model), width=72).splitlines() == [
        "C45Classifier: 5 leaves",
        "all rows                             setosa     ████░░░░░░░░ 150",
        "├─ petal width (cm) <= 0.6           setosa     ████████████  50",
        "└─ petal width (cm) > 0.6                                    100",
        "   ├─ petal width (cm) <= 1.7                                 54",
        "   │  ├─ petal length (cm) <= 4.9    versicolor ███████████░  48",
        "   │  └─ petal length (cm) > 4.9                               6",
        "   │     ├─ petal width (cm) <= 1.5  virginica  ████████████   3",
        "   │     └─ petal width (cm) > 1.5   versicolor ████████░░░░   3",
        "   └─ petal width (cm) > 1.7         virginica  ███████████░  46",
    ]


def test_small_branches_are_folded():
    model = C45Classifier().fit(X, Y)
    lines = printed(tree_panel(model, max_lines=7), width=72).splitlines()
    assert lines[-2].startswith("   ├─ petal width (cm) <= 1.7 … 3 leaves")
    assert len(lines) == 6


def test_ascii_where_the_encoding_has_no_more():
    model = C45Classifier(max_depth=2).fit(X.rename(columns={"petal width (cm)": "weiß"}), Y)
    lines = printed(tree_panel(model), width=60, encoding="ascii").splitlines()
    assert lines[2].startswith("|- wei\\xdf <= 0.6")
    assert "##" in lines[2]
    assert "weiß" in printed(tree_panel(model), width=60, encoding="latin-1")


def hostile():
    """Names, categories and classes that would do something to a careless terminal."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "[red]name[/red] :smile: " + "very_long_" * 12: rng.normal(size=200),
            "col\x1b[31m\nour": rng.choice(["[link=x]a", "\u202eb", "שלום", "c" * 70, "d"], 200),
            "when": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 99, 200), "D"),
        }
    )
    value = frame.iloc[:, 0] + (frame.iloc[:, 1] == "שלום") * 2.0 + frame["when"].dt.month
    return (
        frame,
        np.where(value > 3, "[bold]yes", np.where(value > 2, "no\x1b[0m", "名前" * 20)),
        value,
    )


FRAME, LABEL, VALUE = hostile()
MODELS = {
    "nominal": C45Classifier(pruning=None),
    "sets": CARTClassifier(max_depth=5),
    "oblique": ObliqueTreeClassifier(n_restarts=2, random_state=0, pruning=None),
    "soft": SoftTreeClassifier(method="anneal", random_state=0),
    "perturbed": SoftTreeClassifier(method="perturb", smoothing=0.1, random_state=0),
    "bag": BaggedTreesClassifier(3, random_state=0),
    "number": CARTRegressor(max_depth=5),
}


@pytest.fixture(scope="module", params=MODELS)
def model(request):
    target = VALUE if request.param == "number" else LABEL
    return MODELS[request.param].fit(FRAME, target)


@pytest.mark.parametrize("encoding", ["utf-8", "ascii"])
@pytest.mark.parametrize("width", [40, 64, 80, 120])
def test_nothing_is_wider_than_the_console_or_wraps(model, width, encoding):
    text = printed(tree_panel(model, max_lines=30), width=width, encoding=encoding)
    lines = text.splitlines()
    assert len(lines) <= 30
    assert max(map(cell_len, lines)) <= width
    assert all(line.replace("\u2068", "").replace("\u2069", "").isprintable() for line in lines)


@pytest.mark.parametrize("width", [40, 80])
def test_a_terminal_gets_a_frame_and_colours_and_nothing_of_the_data(model, width):
    text = on_terminal(tree_panel(model, max_lines=30), width)
    assert text.startswith("\x1b[") or text.startswith("╭")
    assert len(text.splitlines()) <= 30
    assert "\x1b[31m" not in text
    assert "\x1b]8" not in text  # a link
    assert "\u202e" not in text
    assert "😄" not in text
    plain = on_terminal(tree_panel(model, max_lines=30), width, color_system=None)
    assert {cell_len(line) for line in plain.splitlines()} == {cell_len(plain.splitlines()[0])}
    assert cell_len(plain.splitlines()[0]) <= width


def test_colours_can_be_turned_off():
    tree = tree_panel(C45Classifier().fit(X, Y), colour=False)
    assert "38;2" not in on_terminal(tree)
    assert "░" in on_terminal(tree)


def test_markup_in_names_is_shown_as_it_is():
    frame = pd.DataFrame({"[red]x[/red]": [0.0, 1.0, 2.0, 3.0]})
    model = CARTClassifier().fit(frame, ["[b]", "[b]", "[/b]", "[/b]"])
    text = printed(tree_panel(model), width=60)
    assert "├─ [red]x[/red] <= 1.5" in text
    assert "[/b]" in text


@pytest.mark.parametrize(
    ("targets", "shown"),
    [
        ([1.0, 250.0], ["1.0", "250.0"]),
        ([0.001, 0.02], ["0.00100", "0.02000"]),
        ([1e-9, 2e-9], ["1e-09", "2e-09"]),
        ([0.0, 3e20], ["0", "3e+20"]),
        ([0.0, 0.0], ["0"]),
    ],
)
def test_numbers_have_the_same_digits(targets, shown):
    model = CARTRegressor().fit([[0.0], [1.0]], targets)
    words = printed(tree_panel(model), width=60).split()
    assert set(shown) <= set(words)


def test_numbers_lie_between_the_least_and_the_largest():
    table, target = load_diabetes(return_X_y=True)
    model = CARTRegressor(max_leaf_nodes=3).fit(table, target)
    lines = printed(tree_panel(model), width=72).splitlines()
    drawn = {line.count("█"): line for line in lines[2:] if "leaf" not in line}
    leaves = model.tree_.response[model.tree_.is_leaf, 0]
    least, largest = leaves.min(), leaves.max()
    assert f"{largest:.1f}" in drawn[12]
    assert f"{least:.1f}" in "".join(line for line in lines if "█" not in line)


def test_of_an_ensemble_it_is_the_typical_tree():
    model = BaggedTreesClassifier(5, random_state=0).fit(X, Y)
    text = printed(tree_panel(model))
    assert text.startswith(
        f"BaggedTreesClassifier: tree {typical_tree(model)}, the most typical of 5\n"
    )


def test_soft_tests_say_so():
    model = SoftTreeClassifier(method="anneal", random_state=0).fit(X, Y)
    assert printed(tree_panel(model), width=60).splitlines()[0].endswith(", soft")
    assert "(soft from " in printed(tree_panel(model), width=140)
    assert " ~ " in printed(tree_panel(model), width=60)


@checked
@given(trees(max_tests=12), st.integers(20, 100), st.one_of(st.none(), st.integers(1, 20)))
def test_bare_trees_of_any_shape(tree, width, max_lines):
    lines = printed(tree_panel(tree, max_lines=max_lines), width=width).splitlines()
    assert max(map(cell_len, lines)) <= width
    assert max_lines is None or len(lines) <= max(max_lines, 5)


def test_a_very_deep_tree_keeps_its_tests():
    X = np.arange(200.0)[:, None]
    model = CARTClassifier().fit(X, np.arange(200) % 2)
    lines = printed(tree_panel(model), width=60).splitlines()
    assert max(map(cell_len, lines)) <= 60
    assert len(lines) == model.tree_.n_nodes + 1
    assert all("x0" in line for line in lines[2:])


def test_width_may_be_less_than_the_console():
    model = C45Classifier().fit(X, Y)
    assert printed(tree_panel(model, width=50), width=200) == printed(tree_panel(model), width=50)
