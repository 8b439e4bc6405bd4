"""``softwood refresh`` as a user types it."""

import json

import numpy as np
import pytest

from softwood import CARTClassifier, CARTRegressor, SoftTreeClassifier, load, refresh, save
from softwood.cli.main import main


@pytest.fixture
def numbers(tmp_path):
    """A model of last year, and the rows of this one, in which the labels are turned round."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 2))
    y = np.where(X[:, 0] > 0, "up", "down")
    saved, data = tmp_path / "old.softwood", tmp_path / "rows.csv"
    save(CARTClassifier().fit(X, y), saved)
    turned = np.where(X[:, 0] > 0, "down", "up")
    lines = [f"{a!r},{b!r},{label}" for (a, b), label in zip(X.tolist(), turned, strict=True)]
    data.write_text("\n".join(["x0,x1,way", *lines]))
    return saved, data, X, turned


def test_the_file_holds_what_refresh_returns(numbers, tmp_path, capsys):
    saved, data, X, y = numbers
    output = tmp_path / "new.softwood"
    assert main(["refresh", str(saved), str(data), "-o", str(output)]) == 0
    printed = capsys.readouterr().out
    assert "2 leaves estimated anew from 80 rows; 0 that no row reaches" in printed
    assert "error 1 -> 0" in printed
    assert "1 the same" in printed
    expected = refresh(load(saved), X, y)
    assert load(output).tree_ == expected.tree_
    assert (load(output).predict(X) == y).all()


@pytest.mark.parametrize(("keep", "n_changed"), [("0.5", 80), ("1.0", 80), ("3", 0)])
def test_old_rows_count_as_much_as_is_asked(keep, n_changed, numbers, tmp_path, capsys):
    saved, data, X, y = numbers
    output = tmp_path / "new.softwood"
    words = ["refresh", str(saved), str(data), "-o", str(output), "--keep", keep, "--json"]
    assert main(words) == 0
    said = json.loads(capsys.readouterr().out)
    expected = refresh(load(saved), X, y, keep=float(keep))
    assert load(output).tree_ == expected.tree_
    assert said["n_changed"] == np.sum(expected.predict(X) != load(saved).predict(X))
    assert (said["n_rows"], said["n_leaves"], said["n_unreached"]) == (80, 2, 0)
    assert said["saved"] == str(output)
    if keep != "1.0":  # where votes are even, either may win
        assert said["n_changed"] == n_changed


@pytest.mark.parametrize("smoothing", ["auto", "keep", "0.3"])
def test_lambda(smoothing, numbers, tmp_path, capsys):
    _, data, X, y = numbers
    saved, output = tmp_path / "soft.softwood", tmp_path / "new.softwood"
    save(SoftTreeClassifier(method="perturb", random_state=0).fit(X, y), saved)
    words = ["refresh", str(saved), str(data), "-o", str(output), "--smoothing", smoothing]
    assert main([*words, "--seed", "3"]) == 0
    value = float(smoothing) if smoothing[0].isdigit() else smoothing
    expected = refresh(load(saved), X, y, smoothing=value, random_state=3)
    np.testing.assert_array_equal(load(output).predict_proba(X), expected.predict_proba(X))


def test_a_table_as_people_have_it(messy_churn, fitted_churn, tmp_path, capsys):
    output = tmp_path / "new.softwood"
    assert main(["refresh", str(fitted_churn), str(messy_churn), "-o", str(output)]) == 0
    assert "answers   0 of " in capsys.readouterr().out  # the rows that it was fitted to
    assert main(["predict", str(output), str(messy_churn), "-q"]) == 0
    assert load(output).schema_.preparation is not None


def test_a_number_to_predict(tmp_path, capsys):
    X = np.arange(20.0)[:, None]
    saved, data = tmp_path / "old.softwood", tmp_path / "rows.csv"
    save(CARTRegressor(max_depth=2).fit(X, X[:, 0]), saved)
    data.write_text("x0,y\n" + "".join(f"{x},{x + 3}\n" for x in range(20)))
    output = tmp_path / "new.softwood"
    assert main(["refresh", str(saved), str(data), "-o", str(output)]) == 0
    np.testing.assert_allclose(load(output).predict(X), load(saved).predict(X) + 3)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["{saved}", "{data}"], "Missing option"),
        (["{saved}", "-o", "{new}"], "Missing argument"),
        (["{saved}", "{data}", "-o", "{saved}"], "is read as well"),
        (["{saved}", "{data}", "-o", "no/such/m.softwood"], "there is no folder"),
        (["{saved}", "{data}", "-o", "{new}", "--keep", "-1"], "keep must be"),
        (["{saved}", "{data}", "-o", "{new}", "--smoothing", "much"], "auto, keep or a number"),
        (["{saved}", "{data}", "-o", "{new}", "--target", "x1"], "the model reads the column"),
    ],
)
def test_mistakes_end_in_one_line_and_write_nothing(numbers, tmp_path, capsys, arguments, words):
    places = {"saved": numbers[0], "data": numbers[1], "new": tmp_path / "new.softwood"}
    before = numbers[0].read_bytes()
    assert main(["refresh", *(argument.format(**places) for argument in arguments)]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert words in " ".join(captured.err.strip().splitlines()[-1].split())
    assert not places["new"].exists()
    assert numbers[0].read_bytes() == before


@pytest.mark.parametrize("kind", ["tree", "forest", "numbers"])
def test_rows_some_at_a_time_say_the_same(kind, tmp_path, monkeypatch, capsys):
    from softwood import CoalescenceClassifier
    from softwood.cli import _streamed

    rng = np.random.default_rng(0)
    X = rng.normal(size=(400, 3)).round(2)
    y = X[:, 0] + X[:, 1] if kind == "numbers" else np.where(X[:, 0] > 0, "up", "down")
    model = {
        "tree": CARTClassifier(),
        "forest": CoalescenceClassifier(5, random_state=0),
        "numbers": CARTRegressor(max_leaf_nodes=9),
    }[kind].fit(X[:100], y[:100])
    saved, data, new = tmp_path / "m.softwood", tmp_path / "rows.csv", tmp_path / "new.softwood"
    save(model, saved)
    lines = [
        ",".join([*map(repr, row), str(label)]) for row, label in zip(X.tolist(), y, strict=True)
    ]
    data.write_text("\n".join(["x0,x1,x2,y", *lines, "1.0,1.0,1.0,"]))
    sizes = []
    batches = _streamed.batches_with_target
    monkeypatch.setattr(
        _streamed,
        "batches_with_target",
        lambda *given: sizes.append(64) or batches(*given, size=64),
    )
    assert main(["refresh", str(saved), str(data), "-o", str(new), "--target", "y"]) == 0
    assert sizes
    assert "from 400 rows" in capsys.readouterr().out
    expected = refresh(model, X, y)
    fresh = load(new)
    ask = "predict" if kind == "numbers" else "predict_proba"
    np.testing.assert_allclose(getattr(fresh, ask)(X), getattr(expected, ask)(X), rtol=1e-12)
    assert fresh.get_params() == model.get_params()


def test_models_whose_leaves_need_all_rows(numbers, tmp_path):
    from softwood import BaggedTreesClassifier, CoalescenceClassifier
    from softwood.estimators.refresh_batches import takes_batches

    _, _, X, y = numbers
    assert takes_batches(CoalescenceClassifier(3).fit(X, y))
    assert takes_batches(BaggedTreesClassifier(3).fit(X, y))
    for model in (
        CoalescenceClassifier(3, smoothing=0.1),
        CARTClassifier(class_weight="balanced"),
        CARTClassifier(criterion="vicinal"),
        SoftTreeClassifier(max_leaf_nodes=3, oblique=False),
        BaggedTreesClassifier(2, estimator=CARTClassifier(criterion="vicinal")),
    ):
        assert not takes_batches(model.fit(X, y))
