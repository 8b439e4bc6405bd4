"""Files that an attacker has sealed: each is refused, or gives a model that answers.

``FORGED_CASES=20000`` runs more of them.
"""

import os

import pytest

from softwood import load, save
from softwood.errors import ModelFileError
from softwood.persist.format import members_of
from softwood.persist.registry import ESTIMATORS
from tests.persist.forging import ask, forged, look_at, models
from tests.strategies import WITHOUT_JIT

N_CASES = int(os.environ.get("FORGED_CASES", 100 if WITHOUT_JIT else 440))


@pytest.fixture(scope="module")
def fitted():
    return models()


def test_every_estimator_is_forged(fitted):
    assert {type(model).__name__ for model, _ in fitted.values()} == set(ESTIMATORS)


def test_what_is_not_forged_is_loaded_and_answers(fitted, tmp_path):
    for name, (model, table) in fitted.items():
        save(model, tmp_path / name)
        again = load(tmp_path / name)
        assert again.predict(table).tolist() == model.predict(table).tolist()
        ask(again, table)
        look_at(again)


def test_a_forged_file_is_refused_or_answers(fitted, tmp_path):
    path = tmp_path / "forged"
    members = {name: members_of(model) for name, (model, _) in fitted.items()}
    names = list(fitted)
    n_loaded = 0
    for number in range(N_CASES):
        name = names[number % len(names)]
        path.write_bytes(forged(members[name], number))
        try:
            model = load(path)
        except ModelFileError:
            continue
        except Exception as error:
            raise AssertionError(f"case {number}, {name}: load raised {error!r}") from error
        n_loaded += 1
        try:
            ask(model, fitted[name][1])
            look_at(model)
        except Exception as error:
            raise AssertionError(f"case {number}, {name}: {error!r}") from error
    assert 0 < n_loaded < N_CASES
