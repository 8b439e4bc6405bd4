"""What counts as a line of code."""

import pytest

from tests.architecture.lines import lines_by_room, lines_of_code

SOURCES = {
    "": 0,
    "# a comment\n\n": 0,
    '"""A module."""\n': 0,
    "x = 1  # why\n": 1,
    'x = """not\na docstring"""\n': 2,
    "def f(\n    x,\n):\n    # why\n    '''Twice\n    x.'''\n\n    return 2 * x\n": 4,
    "class A:\n    '''Nothing.'''\n": 1,
    "if x: pass\nelse:\n    'an expression'\n": 3,
}


@pytest.mark.parametrize("source", SOURCES)
def test_lines_with_code_count(source):
    assert lines_of_code(source) == SOURCES[source]


def test_rooms_are_the_folders_of_a_package(tmp_path):
    for name in ("top.py", "room/one.py", "room/inner/two.py", "papers/three.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("x = 1\ny = 2\n")
    assert lines_by_room(tmp_path) == {".": 2, "room": 4, "papers": 2}
