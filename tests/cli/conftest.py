"""A churn table as the command writes it, and models fitted to it once."""

import pytest

from softwood.cli.main import main


@pytest.fixture(scope="session")
def messy_churn(tmp_path_factory):
    """The first 400 rows of ``softwood datasets churn``."""
    folder = tmp_path_factory.mktemp("churn")
    whole, path = folder / "whole.csv", folder / "churn.csv"
    assert main(["datasets", "churn", "-o", str(whole), "-q"]) == 0
    lines = whole.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:401]))
    return path


@pytest.fixture(scope="session")
def fitted_churn(messy_churn):
    """A model file: CART, fitted by the command."""
    path = messy_churn.with_name("cart.softwood")
    fitting = ["fit", str(messy_churn), "--target", "churned", "--model", "cart-unpruned"]
    assert main([*fitting, "-p", "max_depth=4", "--folds", "0", "-o", str(path), "-q"]) == 0
    return path


@pytest.fixture(scope="session")
def fitted_forest(messy_churn):
    """A model file: a small forest, fitted by the command."""
    path = messy_churn.with_name("forest.softwood")
    fitting = ["fit", str(messy_churn), "--target", "churned", "--model", "coalescence"]
    assert main([*fitting, "-p", "n_estimators=10", "--folds", "0", "-o", str(path), "-q"]) == 0
    return path
