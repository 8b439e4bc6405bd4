"""What is drawn depends on the console: frames, colours, signs."""

import io

from rich.console import Console
from rich.text import Text

from softwood.cli.terminal._drawing import Canvas, Drawing, printed


def shown(drawing, **options):
    file = io.StringIO()
    Console(file=file, width=30, legacy_windows=False, **options).print(drawing)
    return file.getvalue()


DRAWING = Drawing("[b]title", lambda canvas: [canvas.text(f"[i]{canvas.width}", "red")])


def test_in_a_file_it_is_plain():
    assert shown(DRAWING) == "[b]title\n[i]30\n"


def test_on_a_terminal_it_has_a_frame():
    lines = shown(DRAWING, force_terminal=True, color_system=None).splitlines()
    assert lines[0].startswith("╭─ [b]title ")
    assert lines[1].startswith("│ [i]26 ")
    assert lines[2].startswith("╰")


def test_colours_are_there_if_the_console_has_them():
    coloured = {"force_terminal": True, "color_system": "truecolor"}
    assert "\x1b[31m[i]26" in shown(DRAWING, **coloured)
    assert "\x1b[31m" not in shown(DRAWING, no_color=True, **coloured)
    plain = Drawing(DRAWING.title, DRAWING.lines, colour=False)
    assert "\x1b[31m" not in shown(plain, **coloured)


def test_too_long_a_line_is_cut_and_not_wrapped():
    long = Drawing("t" * 50, lambda canvas: [Text("x" * 50)])
    assert [len(line) for line in printed(long, width=30).splitlines()] == [30, 30]


def test_a_style_ends_where_its_text_ends():
    canvas = Canvas(30, is_coloured=True)
    line = canvas.fitted("ab", 4, "red").append_text(canvas.text("c"))
    assert line.plain == "ab  c"
    assert [(span.start, span.end) for span in line.spans] == [(0, 2)]


def test_text_is_fitted_by_cells():
    assert Canvas(30).fitted("名前", 6).plain == "名前  "
    assert Canvas(30, "ascii").fitted("naïve text", 8).plain == "na\\..ext"
