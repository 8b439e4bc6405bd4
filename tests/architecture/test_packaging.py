"""What the project says of itself agrees, and what its workflows call is there."""

import re
import tomllib
from pathlib import Path

import pytest

import softwood
from softwood.papers.paper import KEYS, load_paper

ROOT = Path(__file__).parent.parent.parent
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))
COMPAT = ROOT / "src/softwood/estimators/_sklearn_compat.py"


def project():
    with (ROOT / "pyproject.toml").open("rb") as file:
        return tomllib.load(file)


def parsed(path):
    yaml = pytest.importorskip("yaml")
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def steps_of(workflow):
    return [step for job in workflow["jobs"].values() for step in job.get("steps", [])]


def test_the_version_is_written_once():
    said = project()
    assert "version" not in said["project"]
    assert "version" in said["project"]["dynamic"]
    home = ROOT / said["tool"]["hatch"]["version"]["path"]
    assert f'\n__version__ = "{softwood.__version__}"\n' in home.read_text(encoding="utf-8")
    assert "version" not in parsed(ROOT / "CITATION.cff")


def test_types_are_shipped():
    assert (Path(softwood.__file__).parent / "py.typed").is_file()


def test_the_papers_are_cited():
    cited = parsed(ROOT / "CITATION.cff")["references"]
    for key, said in zip(KEYS, cited, strict=True):
        citation = load_paper(key).citation
        assert said["title"] in citation
        assert all(author["family-names"] in citation for author in said["authors"])


def test_every_python_of_the_classifiers_is_tested():
    python = "Programming Language :: Python :: "
    classifiers = project()["project"]["classifiers"]
    listed = [text.removeprefix(python) for text in classifiers if text.startswith(python)]
    tests = parsed(ROOT / ".github/workflows/tests.yml")["jobs"]
    assert tests["newest"]["strategy"]["matrix"]["python"] == listed
    assert project()["project"]["requires-python"] == f">={listed[0]}"


def test_the_oldest_scikit_learn_is_said_where_versions_are_told_apart():
    needed = [text for text in project()["project"]["dependencies"] if "scikit-learn" in text]
    assert needed == ["scikit-learn>=1.6"]
    assert "From 1.6 on." in COMPAT.read_text(encoding="utf-8")


def test_nobody_else_imports_what_not_every_scikit_learn_has():
    private = r"from sklearn\S* import _|from sklearn\S*\._|import sklearn\S*\._"
    asked = re.compile(rf"^\s*({private}|from sklearn\.callback)", re.M)
    files = (ROOT / "src/softwood").rglob("*.py")
    asking = [path for path in files if asked.search(path.read_text(encoding="utf-8"))]
    assert asking == [COMPAT]


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.stem)
def test_what_a_workflow_calls_is_there(path):
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    extras = project()["project"]["optional-dependencies"]
    workflow = parsed(path)
    called = [step["run"] for step in steps_of(workflow) if "run" in step]
    targets = [word for text in called for word in re.findall(r"make ([a-z-]+)", text)]
    for job in workflow["jobs"].values():
        targets += job.get("strategy", {}).get("matrix", {}).get("target", [])
        assert "timeout-minutes" in job or "uses" in job
    assert all(f"\n{target}: " in makefile for target in targets)
    for names in re.findall(r"\.\[([a-z,]+)\]", " ".join(called)):
        assert set(names.split(",")) <= set(extras)
    for folder in re.findall(r"tests/[a-z]+", " ".join(called)):
        assert (ROOT / folder).is_dir()


def test_a_release_is_published_without_a_password():
    job = parsed(ROOT / ".github/workflows/release.yml")["jobs"]["publish"]
    assert job["permissions"] == {"id-token": "write"}
    step = job["steps"][-1]
    assert step["uses"].startswith("pypa/gh-action-pypi-publish@")
    assert "with" not in step


def test_hooks_before_a_commit_are_those_of_make_check():
    check = (ROOT / "Makefile").read_text(encoding="utf-8").split("\ncheck:")[1].split("\n\n")[0]
    hooks = parsed(ROOT / ".pre-commit-config.yaml")["repos"][0]["hooks"]
    for hook in hooks:
        assert hook["entry"].split("/")[-1].split(" --fix")[0] in check
    assert len(hooks) == check.count("$(BIN)/")


def test_the_tests_that_hold_the_promises_of_model_files_are_there():
    text = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    named = re.findall(r"`((?:tests/)?[a-z_/]+\.py)`", text)
    assert len(named) > 10
    homes = {"tests/": ROOT, "test_": ROOT / "tests/persist", "persi": ROOT / "src/softwood"}
    for name in named:
        home = next(home for begins, home in homes.items() if name.startswith(begins))
        assert (home / name).is_file(), name
