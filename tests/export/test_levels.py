import numpy as np
import pytest

from softwood.data.telling import untold
from softwood.export.algebra import NumpyAlgebra
from softwood.export.levels import answers_of
from softwood.export.source import source_of
from tests.export.models import asked
from tests.view.explorer.models import MAKE, as_table


@pytest.mark.parametrize("name", MAKE)
def test_mass_level_by_level_is_that_of_the_kernels(name):
    model, imported, rows, _, _ = asked(name, 1000)
    source = source_of(model)
    with untold():
        X = imported.encode(as_table(imported, rows))
    found = answers_of(NumpyAlgebra(X, imported.n_categories), source.grove)
    raw = imported.forest.raw(X, imported.flow)
    assert np.abs(found + imported.forest.base - raw).max() < 1e-13 * max(1.0, np.abs(raw).max())
