"""A model gives the same answers on the command line as in Python, whatever its columns are."""

import csv
import io
import re
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl
import pytest

from softwood import C45Classifier, CARTClassifier, CoalescenceClassifier, load, save, soften
from softwood.cli.main import main

N = 80
RNG = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "flag": RNG.integers(0, 2, N).astype(bool),
        "code": pd.Categorical(RNG.integers(1, 5, N)),
        "grade": pd.Categorical(RNG.choice([0.1, 1.0, 2.5, 1e-7], N)),
        "word": RNG.choice(["red", "blue", "007", "1.10", "NA?"], N),
        "mark": RNG.choice(["?", "NA", "x"], N),
        "size": np.where(RNG.random(N) < 0.1, np.nan, RNG.normal(size=N)),
        "when": pd.to_datetime("2024-01-01") + pd.to_timedelta(RNG.integers(0, 10**7, N), "s"),
        "month": pd.period_range("2020-01", periods=N, freq="M"),
    }
)
LABELS = np.where(
    FRAME["flag"] ^ FRAME["code"].isin([1, 3]) ^ (FRAME["size"] > 0) ^ (FRAME["mark"] == "?"),
    "yes",
    "no",
)


def answers(model, data, tmp_path, capsys):
    """Return the probabilities that the command prints, to the last bit."""
    saved = tmp_path / "m.softwood"
    save(model, saved)
    assert main(["predict", str(saved), str(data), "--proba"]) == 0
    captured = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(captured.out)))
    shares = [[float(row[f"P({label})"]) for label in model.classes_] for row in rows]
    return np.array(shares), [row["prediction"] for row in rows], captured.err


@pytest.mark.parametrize(
    "model",
    [
        C45Classifier(min_samples_leaf=1),
        CARTClassifier(),
        CoalescenceClassifier(5, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_saved_model_answers_alike_from_a_file(model, tmp_path, capsys):
    model.fit(FRAME, LABELS)
    data = tmp_path / "rows.csv"
    FRAME.to_csv(data, index=False)
    shares, predicted, complaints = answers(model, data, tmp_path, capsys)
    np.testing.assert_array_equal(shares, model.predict_proba(FRAME))
    assert predicted == model.predict(FRAME).tolist()
    assert complaints == ""

    soft = soften(model, FRAME, LABELS, smoothing=0.1)
    shares, _, complaints = answers(soft, data, tmp_path, capsys)
    np.testing.assert_array_equal(shares, soft.predict_proba(FRAME))
    assert complaints == ""


def test_frames_and_arrays_answer_alike():
    model = CARTClassifier().fit(FRAME, LABELS)
    expected = model.predict_proba(FRAME)
    plain = FRAME.assign(month=FRAME["month"].dt.to_timestamp())
    polars = pl.DataFrame({name: plain[name].to_numpy() for name in plain})
    spelled = FRAME.assign(
        flag=FRAME["flag"].astype(str).str.upper(),
        code=FRAME["code"].astype(float),
        grade=FRAME["grade"].astype(str),
    )
    for rows in (polars, spelled, FRAME.astype({"flag": int}), FRAME.astype({"code": str})):
        np.testing.assert_array_equal(model.predict_proba(rows), expected)
    nameless = CARTClassifier().fit(FRAME.to_numpy(dtype=object), LABELS)
    np.testing.assert_array_equal(
        nameless.predict_proba(spelled.to_numpy(dtype=object)),
        nameless.predict_proba(FRAME.to_numpy(dtype=object)),
    )


def readme_model():
    text = (Path(__file__).parents[2] / "README.md").read_text()
    code = re.search(r">>> frame = .*?\n\.\.\. }\)\n", text, re.DOTALL)[0]
    play = re.search(r">>> play = .*?\]\n", text, re.DOTALL)[0]
    names = {"pd": pd}
    exec(re.sub(r"^(>>>|\.\.\.) ?", "", code + play, flags=re.MULTILINE), names)
    return C45Classifier().fit(names["frame"], names["play"]), names["frame"]


def test_the_model_of_the_readme(tmp_path, capsys):
    """Two of its fourteen answers changed on the command line."""
    model, frame = readme_model()
    for spelling in (str, lambda value: str(value).upper(), lambda value: str(int(value))):
        data = tmp_path / "tennis.csv"
        frame.assign(windy=[spelling(value) for value in frame["windy"]]).to_csv(data, index=False)
        shares, _, complaints = answers(model, data, tmp_path, capsys)
        np.testing.assert_array_equal(shares, model.predict_proba(frame))
        assert complaints == ""


def test_what_the_command_fitted_reads_frames(tmp_path, capsys):
    data, saved = tmp_path / "rows.csv", tmp_path / "m.softwood"
    columns = FRAME.drop(columns="month")
    columns.assign(y=LABELS).to_csv(data, index=False)
    options = ["--target", "y", "--model", "cart-unpruned", "--folds", "0", "--nominal", "code"]
    assert main(["fit", str(data), *options, "-o", str(saved)]) == 0
    captured = capsys.readouterr()
    assert captured.err == ""
    assert re.search(r"when +date +0 +\d+ +days since 1970, and its hour, weekday", captured.out)
    model = load(saved)
    text = columns.assign(mark=columns["mark"].replace(["?", "NA"], None))
    np.testing.assert_array_equal(model.predict(text), LABELS)
    np.testing.assert_array_equal(model.predict(pl.from_pandas(text)), LABELS)
    row = text.iloc[3].to_dict()
    assert f"Predicted: {LABELS[3]}" in str(model.explain(row))


def test_unknown_categories_are_told_once(tmp_path, capsys):
    model = CARTClassifier().fit(FRAME, LABELS)
    data = tmp_path / "rows.csv"
    FRAME.assign(word="mauve").to_csv(data, index=False)
    _, _, complaints = answers(model, data, tmp_path, capsys)
    assert complaints.count("\n") == 1
    assert complaints.startswith("softwood: warning: categories that were not seen in training: ")
    assert "column 'word' in 80 rows ('mauve')" in complaints


def test_identifiers_are_left_out_unless_they_are_meant(tmp_path, capsys):
    data, saved = tmp_path / "people.csv", tmp_path / "m.softwood"
    data.write_text("name,age,y\n" + "".join(f"p{i},{i % 7},{'ab'[i % 2]}\n" for i in range(60)))
    fitting = ["fit", str(data), "--target", "y", "--folds", "0", "--model", "c45"]
    assert main([*fitting, "-o", str(saved)]) == 0
    told = capsys.readouterr().out
    assert re.search(r"name +identifier +0 +60 +left out: it tells which row is which", told)
    assert load(saved).feature_names_in_.tolist() == ["age"]
    assert main(["predict", str(saved), str(data)]) == 0
    assert capsys.readouterr().out.startswith("name,prediction\np0,")  # they come along
    for option in ("--nominal", "--keep"):
        assert main([*fitting, option, "name", "-o", str(saved)]) == 0
        assert load(saved).feature_names_in_.tolist() == ["name", "age"]
    assert main([*fitting, "--drop", "age"]) == 2
    assert "no column is left to learn from" in capsys.readouterr().err


TARGETS = {
    "beyond integers": ["1e300", "2e300", "3e300"],
    "beyond whole floats": ["9007199254740992", "9007199254740993"],
    "beyond 64 bits": ["18446744073709551616", "18446744073709551617"],
    "leading zeros": ["007", "7", "010"],
    "decimals": ["1.0", "2.0"],
    "signs": ["+1", "+2"],
    "integers": ["10", "9", "-3"],
}


@pytest.mark.parametrize("kind", TARGETS)
def test_labels_are_those_of_the_file(kind, tmp_path, capsys):
    data, saved = tmp_path / "rows.csv", tmp_path / "m.softwood"
    labels = [label for label in TARGETS[kind] for _ in range(10)]
    data.write_text("x,y\n" + "".join(f"{i},{label}\n" for i, label in enumerate(labels)))
    options = ["--target", "y", "--model", "cart-unpruned", "--folds", "0", "-o", str(saved)]
    assert main(["fit", str(data), *options]) == 0
    assert f"{len(TARGETS[kind])} classes" in capsys.readouterr().out
    assert main(["predict", str(saved), str(data)]) == 0
    assert capsys.readouterr().out.split()[1:] == labels
    assert main(["soften", str(saved), str(data), "--folds", "0", "--smoothing", "0.0"]) == 0
    assert "0 of " in capsys.readouterr().out


def test_integers_stay_integers_and_other_spellings_are_the_same_class(tmp_path, capsys):
    data, saved = tmp_path / "rows.csv", tmp_path / "m.softwood"
    data.write_text("x,y\n" + "1,1\n2,1.0\n3,2\n4,2\n" * 5)
    options = ["--target", "y", "--model", "cart-unpruned", "--folds", "0", "-o", str(saved)]
    assert main(["fit", str(data), *options]) == 0
    assert load(saved).classes_.tolist() == [1, 2]
    capsys.readouterr()
    other = tmp_path / "other.csv"
    other.write_text("x,y\n1,1.00\n4,2\n")
    assert main(["soften", str(saved), str(other), "--folds", "0", "--smoothing", "0.0"]) == 0


def test_columns_with_leading_zeros_are_text(tmp_path, capsys):
    data = tmp_path / "rows.csv"
    data.write_text("code,half,y\n" + "007,0.5,a\n7,0,b\n" * 6)
    assert main(["fit", str(data), "--target", "y", "--folds", "0"]) == 0
    printed = capsys.readouterr().out
    assert "code = 007: a" in printed
    assert "1 of 2 columns nominal" in printed


def test_the_culprit_in_a_target_is_named(tmp_path, capsys):
    data, saved, bad = tmp_path / "a.csv", tmp_path / "m.softwood", tmp_path / "b.csv"
    data.write_text("x,y\n" + "".join(f"{i},{i / 3}\n" for i in range(40)))
    options = ["--target", "y", "--model", "cart", "--folds", "0", "-o", str(saved)]
    assert main(["fit", str(data), *options]) == 0
    bad.write_text("x,y\n1,50\n2,abc\n")
    capsys.readouterr()
    assert main(["soften", str(saved), str(bad)]) == 2
    assert "column 'y' holds 'abc' (row 1)" in capsys.readouterr().err
