"""softwood warmup: every model that is asked for is fitted once."""

import json

from softwood.cli.main import main


def test_models_are_fitted(capsys):
    assert main(["warmup", "c45", "cart", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found["seconds"]) == {"c45", "cart"}
    assert main(["warmup", "oak"]) == 2
    assert "there is no model 'oak'" in capsys.readouterr().err
