"""One browser for all tests of a worker, and no figure that others left open."""

import importlib.util

import matplotlib as mpl
import pytest

from tests.view.browsing import Browser, found_browser

mpl.use("Agg")


@pytest.fixture(scope="session")
def browser():
    path = found_browser()
    if path is None or importlib.util.find_spec("playwright") is None:
        pytest.skip("there is no chromium with playwright here, in which to open pages")
    opened = Browser(path)
    yield opened
    opened.close()


@pytest.fixture(autouse=True)
def _no_figure_of_other_tests():
    import matplotlib.pyplot as plt

    plt.close("all")
