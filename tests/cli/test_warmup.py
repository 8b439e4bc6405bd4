"""softwood warmup: every model that is asked for is fitted once."""

import json

from softwood.cli import warmup
from softwood.cli.main import main


def test_models_are_fitted(capsys):
    assert main(["warmup", "c45", "cart", "--n-jobs", "1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["seconds"]) == {"c45", "cart"}
    assert main(["warmup", "oak"]) == 2
    assert "there is no model 'oak'" in capsys.readouterr().err


def test_models_are_fitted_by_several_processes(capsys):
    assert main(["warmup", "c45", "cart-unpruned", "--n-jobs", "2", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["seconds"]) == {"c45", "cart-unpruned"}
    assert all(seconds > 0 for seconds in found["seconds"].values())


def test_all_is_every_model(capsys, monkeypatch):
    monkeypatch.setattr(warmup, "_warm", lambda name: 0.5)
    for asked in (["--all"], ["all"]):
        assert main(["warmup", *asked, "--n-jobs", "1", "--json"]) == 0
        assert set(json.loads(capsys.readouterr().out)["seconds"]) == set(warmup._models.OURS)
