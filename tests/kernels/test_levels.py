"""Levels of processors: what may run where."""

import llvmlite.binding
import pytest
from numba import config

from softwood._kernels import _levels

V3 = {name: True for name in _levels._LEVELS["x86_64"].abilities}


@pytest.fixture
def machine(monkeypatch):
    """Return a function that plays a processor of a kind, with abilities and settings."""
    monkeypatch.setattr(config, "CPU_NAME", None)
    monkeypatch.setattr(config, "CPU_FEATURES", None)
    monkeypatch.setattr(config, "BOUNDSCHECK", None)

    def play(kind, abilities, **settings):
        monkeypatch.setattr(_levels.platform, "machine", lambda: kind)
        monkeypatch.setattr(llvmlite.binding, "get_host_cpu_features", lambda: abilities)
        for name, value in settings.items():
            monkeypatch.setattr(config, name, value)
        return _levels.usable_level()

    return play


def test_a_processor_needs_every_ability_of_a_level(machine):
    assert machine("x86_64", V3 | {"avx512f": False}) == "x86-64-v3"
    assert machine("AMD64", V3) == "x86-64-v3"
    for ability in V3:
        assert machine("x86_64", V3 | {ability: False}) is None
        assert machine("x86_64", {k: v for k, v in V3.items() if k != ability}) is None
    assert machine("arm64", {}) == "generic"
    assert machine("riscv64", V3) is None


def test_who_plays_another_processor_gets_none_of_a_wheel(machine):
    assert machine("x86_64", V3, CPU_NAME="haswell") is None


def test_other_features_than_those_of_the_level_are_another_processor(machine):
    assert machine("x86_64", V3, CPU_NAME="x86-64-v3", CPU_FEATURES="") == "x86-64-v3"
    assert machine("x86_64", V3, CPU_NAME="x86-64-v3", CPU_FEATURES="+avx512f") is None
    # Without an empty list, numba would add all that this processor can do.
    assert machine("x86_64", V3, CPU_NAME="x86-64-v3", CPU_FEATURES=None) is None


def test_checked_code_is_in_no_wheel(machine):
    assert machine("x86_64", V3, BOUNDSCHECK=1) is None
