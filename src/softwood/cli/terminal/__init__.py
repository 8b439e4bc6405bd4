"""Models for the terminal, by Rich: trees, importances, rules, explanations and tables.

Every function returns a renderable for ``rich.console.Console.print``. It looks at the console
only when it is printed: frames and colours on a terminal, plain lines in a file or a pipe, ASCII
where the encoding has no more. Nothing that comes from data is read as markup or reaches the
terminal as a control sequence.

Names are imported when they are first used.
"""

from softwood._lazy import lazy_names

_HOME = {
    "column_table": "softwood.cli.terminal.tables",
    "explanation_panel": "softwood.cli.terminal.explanation",
    "forest_panel": "softwood.cli.terminal.forest",
    "importance_table": "softwood.cli.terminal.importance",
    "printed": "softwood.cli.terminal._drawing",
    "rules_table": "softwood.cli.terminal.tables",
    "tree_panel": "softwood.cli.terminal.tree",
}

__getattr__, __dir__, __all__ = lazy_names(__name__, _HOME)
