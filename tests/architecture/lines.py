"""How many lines of code there are, room by room.

A line counts if some token of Python stands on it that is neither a comment nor part of a
docstring: so blank lines, comments and docstrings do not count, and a statement over five lines
counts five. ``papers/``, the tables of the papers reproduced, is left out of the total.

Usage: python -m tests.architecture.lines [FOLDER]
"""

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

import softwood

ROOT = Path(softwood.__file__).parent
LAYOUT = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENCODING,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef


def lines_of_code(text):
    """Return how many lines of a source hold code.

    >>> lines_of_code('def f(x):\\n    "Doubled."\\n\\n    return (\\n        2 * x  # 4\\n    )')
    4
    """
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    held = set()
    for token in tokens:
        if token.type not in LAYOUT:
            held.update(range(token.start[0], token.end[0] + 1))
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            held.difference_update(range(node.body[0].lineno, node.body[0].end_lineno + 1))
    return len(held)


def lines_by_room(root):
    """Return the lines of each folder of a package; files of its own are in ``.``."""
    rooms = Counter()
    for path in root.rglob("*.py"):
        room, *rest = path.relative_to(root).parts
        rooms[room if rest else "."] += lines_of_code(path.read_text(encoding="utf-8"))
    return rooms


if __name__ == "__main__":
    counted = lines_by_room(Path(sys.argv[1]) if sys.argv[1:] else ROOT)
    for room, lines in counted.most_common():
        sys.stdout.write(f"{lines:7} {room}\n")
    sys.stdout.write(f"{counted.total() - counted['papers']:7} without papers\n")
