import re
from importlib.resources import files

import pytest

from softwood.view.explorer import bundle

HOME = files("softwood.view.explorer")


def test_every_module_comes_after_those_it_imports_from():
    for place, name in enumerate(bundle.MODULES):
        text = HOME.joinpath(name).read_text(encoding="utf-8")
        folder = name.rpartition("/")[0]
        for path in re.findall(r'from "(.+?)";', text):
            other = path.replace("./", f"{folder}/") if path.startswith("./") else path[3:]
            assert other in bundle.MODULES[:place], f"{name} imports {path}"


def test_no_module_is_forgotten():
    names = {
        f"{folder}/{entry.name}"
        for folder in ("engine", "page")
        for entry in HOME.joinpath(folder).iterdir()
        if entry.name.endswith(".js")
    }
    assert names == set(bundle.MODULES)


def test_what_is_imported_is_exported():
    exported = {
        name
        for module in bundle.MODULES
        for name in re.findall(
            r"^export (?:async )?(?:function|const|class) (\w+)",
            HOME.joinpath(module).read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    }
    for module in bundle.MODULES:
        text = HOME.joinpath(module).read_text(encoding="utf-8")
        for names in re.findall(r"^import \{([^}]+)\}", text, re.MULTILINE):
            assert {name.strip() for name in names.split(",") if name.strip()} <= exported


def test_the_script_has_no_module_lines_left():
    script = bundle.script()
    assert not re.search(r"^(import|export)\b", script, re.MULTILINE)
    assert "</script" not in script
    assert "innerHTML" not in script


def test_a_name_that_is_declared_twice_is_told():
    with pytest.raises(ValueError, match="twice is margin"):
        bundle._check_names(["const margin = 1;\n", "function margin() {}\n"])
