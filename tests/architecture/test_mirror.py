"""The tests stand where the code stands, and each of them asserts something.

A test file has the name of the module or package that it tests, in the same folder; or it is
about a topic that crosses modules, and listed here.
"""

import ast
import inspect
from pathlib import Path

import pytest

import softwood
from tests.every_estimator import CLASSIFIERS, REGRESSORS

TESTS = Path(__file__).parent.parent
SOURCE = Path(softwood.__file__).parent
FOLDERS = {"kernels": "_kernels"}  # of tests, where the name differs
FILES = sorted(path.relative_to(TESTS).as_posix() for path in TESTS.rglob("test_*.py"))

TOPICS = {
    "architecture/": "the house as a whole",
    "cli/test_commands.py": "commands from the first to the last",
    "cli/test_doors.py": "odd input at every command",
    "cli/test_interrupts.py": "Ctrl-C",
    "cli/test_messy.py": "files as people have them",
    "cli/test_messy_churn.py": "a messy table against the same one cleaned by hand",
    "dask/test_cluster.py": "a real cluster",
    "dask/test_columns.py": "columns of distributed tables",
    "datasets/test_universes.py": "generators that list all cases",
    "fuzz/": "hostile tables, files, commands and faults, by numbers",
    "estimators/test_apply.py": "apply and decision_path of all",
    "estimators/test_backends.py": "joblib's backends",
    "estimators/test_causes.py": "what errors are put down to",
    "estimators/test_cart_vicinal.py": "one criterion, from the estimator down",
    "estimators/test_handle_missing.py": "a parameter of several",
    "estimators/test_hard_numbers.py": "numbers that are hardly numbers",
    "estimators/test_import.py": "what importing does to others",
    "estimators/test_importances.py": "importances of all",
    "estimators/test_j48_parity.py": "Weka's answers",
    "estimators/test_many_categories.py": "text that tells nothing",
    "estimators/test_scikit_learn_checks.py": "scikit-learn's battery",
    "estimators/test_soft_oblique.py": "an option of soft trees",
    "estimators/test_soft_words.py": "words about soft trees",
    "estimators/test_trees.py": "what all single trees share",
    "evaluate/test_resume.py": "runs that were killed",
    "flow/test_magnitudes.py": "large and small numbers in all flows",
    "flow/test_nominal.py": "categories in all flows",
    "grow/test_many_categories.py": "a rule of all growers",
    "papers/test_perturb_curves.py": "figures of a paper",
    "papers/test_spectrum_concepts.py": "tables of a paper",
    "persist/test_large.py": "files of real size",
    "persist/test_damage.py": "files that were damaged",
    "persist/test_forged.py": "files that were forged",
    "persist/test_plugin.py": "estimators yet to come",
    "persist/test_refusals.py": "what cannot be saved or loaded",
    "persist/test_sealed.py": "files with a right seal and wrong contents",
    "persist/test_sealed_estimators.py": "the same, estimator by estimator",
    "persist/test_sealed_softened.py": "the same, of softened models",
    "persist/test_softened.py": "softened models of anyone's",
    "plot/test_lazy.py": "what plotting imports",
    "refine/test_gradient_oblique.py": "hyperplanes trained by gradients",
    "refine/test_rpart_parity.py": "rpart's answers",
    "view/explorer/test_browser.py": "the explorer as a browser runs it",
    "view/test_browser.py": "pages as a browser shows them",
    "test_docs.py": "docs, and how they are built",
    "test_examples.py": "examples",
    "test_guide.py": "docs/guide",
    "test_readme.py": "README.md",
}


def has_a_module(test):
    """Whether there is a module or a package of a test's name, in its folder."""
    folder, _, file = test.rpartition("/")
    first, *rest = folder.split("/")
    place = SOURCE.joinpath(FOLDERS.get(first, first), *rest)
    name = file.removeprefix("test_").removesuffix(".py")
    return any(
        (place / way).exists() for way in (f"{name}.py", f"_{name}.py", f"{name}/__init__.py")
    )


def test_every_test_has_a_module_of_its_name_or_a_topic():
    astray = [
        test for test in FILES if not has_a_module(test) and not test.startswith(tuple(TOPICS))
    ]
    assert not astray, f"rename {astray} after what they test, or list them in TOPICS"


def test_topics_are_about_tests_that_are_there():
    stale = [topic for topic in TOPICS if not any(test.startswith(topic) for test in FILES)]
    named = [topic for topic in TOPICS if topic in FILES and has_a_module(topic)]
    assert not stale + named, f"remove {stale + named} from TOPICS"


# -- assertions ------------------------------------------------------------------------


def asserts(node):
    """Whether a statement, or a call in it, asserts: whatever happens, if it is reached."""
    if isinstance(node, ast.Assert):
        return True
    names = [call.func for call in ast.walk(node) if isinstance(call, ast.Call)]
    words = [getattr(name, "attr", getattr(name, "id", "")) for name in names]
    return any(
        word.startswith(("assert_", "raises", "warns", "check", "refused")) for word in words
    )


def always_asserts(body):
    """Whether some assertion is met on every way through the statements."""
    for node in body:
        if isinstance(node, ast.If):
            if always_asserts(node.body) and always_asserts(node.orelse):
                return True
            if any(isinstance(part, ast.Return) for part in ast.walk(node)):
                return always_asserts(node.body)
        elif isinstance(node, ast.For | ast.While | ast.With | ast.Try):
            items = getattr(node, "items", [])
            if any(asserts(item.context_expr) for item in items) or always_asserts(node.body):
                return True
        elif not isinstance(node, ast.FunctionDef) and asserts(node):
            return True
    return False


@pytest.mark.parametrize("test", FILES)
def test_no_test_asserts_under_an_if_alone(test):
    tree = ast.parse((TESTS / test).read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    doubtful = [
        function.name
        for function in functions
        if function.name.startswith("test_")
        and any(isinstance(node, ast.Assert) for node in ast.walk(function))
        and not always_asserts(function.body)
    ]
    assert not doubtful, "use hypothesis.assume, or build the case"


@pytest.mark.parametrize(
    ("text", "is_safe"),
    [
        ("assert x", True),
        ("if x:\n    assert y", False),
        ("if x:\n    assert y\nelse:\n    assert z", True),
        ("if x:\n    return\nassert y", False),
        ("if x:\n    assert y\n    return\nassert z", True),
        ("for x in y:\n    if x:\n        assert z", False),
        ("for x in y:\n    assert x", True),
        ("with raises(x):\n    y()", True),
        ("with x:\n    if y:\n        assert z", False),
    ],
)
def test_ways_around_an_assertion_are_seen(text, is_safe):
    assert always_asserts(ast.parse(text).body) == is_safe


# -- estimators ------------------------------------------------------------------------


def test_every_estimator_is_tested_like_the_others():
    public = [getattr(softwood, name) for name in softwood.__all__]
    kinds = [kind for kind in public if inspect.isclass(kind)]
    known = {kind for kind in kinds if hasattr(kind, "fit") and hasattr(kind, "predict")}
    assert {type(model) for model in [*CLASSIFIERS.values(), *REGRESSORS.values()]} == known
