"""Pictures are drawn in memory, and thrown away after each test."""

import matplotlib as mpl
import pytest

mpl.use("Agg")


@pytest.fixture(autouse=True)
def _no_figure_remains():
    import matplotlib.pyplot as plt

    plt.close("all")  # what tests elsewhere have left
    yield
    plt.close("all")
