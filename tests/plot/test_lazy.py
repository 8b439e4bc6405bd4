"""Names come on demand, and a missing matplotlib is said so."""

import subprocess
import sys

import matplotlib as mpl
import pytest

import softwood.plot
from softwood.errors import MissingExtraError
from softwood.plot import _palette


def test_every_name_can_be_had():
    for name in softwood.plot.__all__:
        assert callable(getattr(softwood.plot, name))
    assert dir(softwood.plot) == sorted(softwood.plot.__all__)
    with pytest.raises(AttributeError, match="no attribute 'plot_nothing'"):
        softwood.plot.plot_nothing  # noqa: B018


def test_importing_plots_does_not_import_matplotlib():
    code = (
        "import sys, softwood.plot\n"
        "[getattr(softwood.plot, name) for name in softwood.plot.__all__]\n"
        "print([m for m in ('matplotlib', 'sklearn', 'pandas', 'scipy.stats') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_missing_matplotlib_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib.pyplot", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'softwood\[plot\]'"):
        softwood.plot.plot_critical_difference([[1, 2], [2, 1]])


def test_settings_of_the_user_stay():
    before = dict(mpl.rcParams)
    softwood.plot.plot_critical_difference([[1, 2], [2, 1]])
    softwood.plot.plot_roc({"a": ([0, 1], [0.0, 1.0])})
    assert dict(mpl.rcParams) == before


def test_colours_are_distinct_until_styles_take_over():
    looks = list(zip(_palette.colours(20), _palette.line_styles(20), strict=True))
    assert len(set(looks)) == 20
    marks = list(zip(_palette.colours(26), _palette.markers(26), strict=True))
    assert len(set(marks)) == 26
    assert len(set(_palette.colours(8))) == 8
