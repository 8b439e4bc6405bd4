"""Tables and tests of results that are made up, so that the answers are known."""

import csv
import io
import sys
from dataclasses import replace

import numpy as np
import pytest

from softwood import statistics
from softwood.errors import MissingExtraError
from softwood.evaluate import Comparison
from softwood.evaluate.cells import Cell, Outcome, Record
from softwood.evaluate.tables import render

# Six data sets, three methods, four splits: errors.
RNG = np.random.default_rng(3)
ERRORS = 0.2 + np.array([0.0, 0.05, 0.1])[None, :, None] + RNG.normal(0, 0.01, (6, 3, 4))
CLEAR = 0.2 + 0.02 * np.arange(3)[None, :, None] + RNG.normal(0, 0.001, ERRORS.shape)
DATASETS = [f"set {i}" for i in range(6)]
METHODS = ["best", "middle", "worst"]


def made(errors=ERRORS, failed=(), metrics=None, **more):
    """Return a comparison of given errors; ``failed`` are (data set, method, split)."""
    n_datasets, n_methods, n_splits = errors.shape
    records = []
    for i, j, k in np.ndindex(errors.shape):
        cell = Cell("e", DATASETS[i], "d", METHODS[j], "p", "v", "kfold:4", k, str(k), 0)
        measured = {"error": errors[i, j, k], "auc": 1 - errors[i, j, k], **more}
        outcome = Outcome("ok", measured)
        if (i, j, k) in failed:
            outcome = Outcome("failed", error="ValueError: no\nmore")
        records.append(Record(cell, outcome))
    definition = {
        "task": "classification",
        "protocol": "kfold:4",
        "seed": 0,
        "datasets": {
            name: {
                "digest": "d",
                "n_rows": 40,
                "rows": ["0", "1", "2", "3"][:n_splits],
                "test_over_train": 1 / 3,
            }
            for name in DATASETS[:n_datasets]
        },
        "methods": {name: {"parameters": "p", "versions": "v"} for name in METHODS[:n_methods]},
        "metrics": metrics or {"error": False},
    }
    return Comparison(definition, records[::-1])


def test_tables():
    result = made()
    np.testing.assert_array_equal(result.split_scores(), ERRORS)
    table = result.table()
    assert (list(table.index), list(table.columns)) == (DATASETS, METHODS)
    np.testing.assert_array_equal(table, ERRORS.mean(axis=2))
    np.testing.assert_array_equal(result.table("auc", "median"), np.median(1 - ERRORS, axis=2))
    frame = result.frame
    assert len(frame) == result.n_cells == 72
    means = frame.pivot_table("error", "dataset", "method")[METHODS]
    np.testing.assert_allclose(means, table, rtol=1e-14)


def test_texts():
    result = made()
    lines = result.to_text(spread=True).splitlines()
    assert lines[0].split() == ["data", "set", *METHODS]
    first = ERRORS[0]
    assert f"{first[0].mean():.4f} ± {first[0].std(ddof=1):.4f}*" in lines[1]
    assert result.to_markdown(ranks=True).splitlines()[-1] == "| mean rank | 1.00 | 2.00 | 3.00 |"
    assert f"\\textbf{{{first[0].mean():.4f}}}" in result.to_latex()
    [header, *rows] = csv.reader(io.StringIO(result.to_csv()))
    assert header == ["data set", *METHODS]
    np.testing.assert_array_equal(np.array(rows)[:, 1:].astype(float), ERRORS.mean(axis=2))
    with pytest.raises(ValueError, match="plain numbers"):
        result.to_csv(spread=True)


def test_the_best_of_a_metric_of_which_more_is_better():
    text = made().to_markdown("auc").splitlines()[2]
    assert text.split(" | ")[1].startswith("**")


def test_tables_are_written(tmp_path):
    path = tmp_path / "t.md"
    text = made().to_markdown(path=path)
    assert path.read_text(encoding="utf-8") == text + "\n"


def test_tests_are_those_of_the_statistics_package():
    result, means = made(), ERRORS.mean(axis=2)
    assert result.friedman().pvalue == statistics.friedman_test(means).pvalue
    assert result.iman_davenport().pvalue == statistics.iman_davenport_test(means).pvalue
    assert result.aligned_ranks().pvalue == statistics.aligned_ranks_test(means).pvalue
    holm = statistics.holm(means, control=2)
    np.testing.assert_array_equal(result.holm(control="worst").adjusted, holm.adjusted)
    dunn = statistics.bonferroni_dunn(means, control=0)
    np.testing.assert_array_equal(result.bonferroni_dunn(control="best").adjusted, dunn.adjusted)
    np.testing.assert_array_equal(result.nemenyi().adjusted, statistics.nemenyi(means).adjusted)
    expected = statistics.wilcoxon_test(means[:, 0], means[:, 2])
    assert result.wilcoxon("best", "worst").pvalue == expected.pvalue
    expected = statistics.corrected_t_test(ERRORS[1, 0], ERRORS[1, 1], test_over_train=1 / 3)
    assert result.corrected_t("best", "middle", "set 1").pvalue == expected.pvalue
    assert result.win_draw_loss()["best", "worst"] == (6, 0, 0)
    assert result.win_draw_loss(alpha=1e-9)["best", "worst"] == (0, 6, 0)
    assert result.ranks() == {"best": 1.0, "middle": 2.0, "worst": 3.0}


def test_direction_does_not_matter():
    result = made()
    assert result.ranks("auc") == result.ranks("error")
    assert result.win_draw_loss("auc") == result.win_draw_loss("error")
    assert result.wilcoxon("best", "worst", "auc").z == result.wilcoxon("best", "worst").z < 0


def test_data_sets_with_failures_are_left_out_and_named():
    result = made(failed={(2, 1, 0), (2, 1, 3)})
    assert result.left_out() == ["set 2"]
    assert np.isnan(result.scores()[2]).tolist() == [False, True, False]
    assert (
        result.friedman().pvalue
        == statistics.friedman_test(np.delete(ERRORS.mean(axis=2), 2, axis=0)).pvalue
    )
    summary = result.summary()
    assert "some method has no score: set 2." in summary
    assert "2 cells failed:\n  middle on set 2, 2 splits: ValueError: no" in summary
    hopeless = made(failed=set(np.ndindex(ERRORS.shape)))
    with pytest.raises(ValueError, match="no data set has a score of 'error' for every method"):
        hopeless.friedman()
    assert "72 cells failed" in hopeless.summary()


def test_a_split_on_which_nothing_is_defined_counts_for_nobody():
    errors = ERRORS.copy()
    errors[0, :, 1] = np.nan
    expected = ERRORS[0][:, [0, 2, 3]].mean(axis=1)
    np.testing.assert_array_equal(made(errors).scores()[0], expected)
    errors[0, 1, 2] = np.nan  # and here only one method has none
    assert np.isnan(made(errors).scores()[0]).tolist() == [False, True, False]
    assert made(errors).corrected_t("best", "worst", "set 0").df == 2


def test_records_of_other_parameters_data_or_splits_do_not_count():
    result = made()
    cell = result.records[0].cell
    strays = [
        Record(replace(cell, **change), Outcome("ok"))
        for change in (
            {"parameters": "q"}, {"versions": "w"}, {"digest": "x"}, {"rows": "x"}, {"seed": 1},
            {"split": 4}, {"protocol": "kfold:5"}, {"method": "other"}, {"dataset": "other"},
        )
    ]  # fmt: skip
    again = Comparison(result.definition, [*strays, *result.records])
    assert again.records == result.records


def test_what_is_not_done_yet_is_said():
    result = made()
    partial = Comparison(result.definition, result.records[:-3])
    assert "3 of 72 cells have not been run yet" in partial.summary()
    assert partial.left_out() == ["set 5"]
    assert repr(partial) == "<Comparison of 3 methods on 6 data sets: 69 of 72 cells, 0 failed>"


@pytest.mark.parametrize(
    ("errors", "words"),
    [
        (ERRORS, ["not all alike (Iman-Davenport", "best ranks above worst (p = "]),
        (ERRORS[:, :2], ["best wins 6, draws 0, loses 0 against middle. best is the better one"]),
        (ERRORS[:3], ["With only 3 data sets"]),
        (ERRORS[:1], ["best is the best here, but its lead over the others may be chance"]),
        (CLEAR[:1], ["best is the best on set 0; significantly worse: middle (p = "]),
        (ERRORS[:1, :, :1], ["nothing can be said about chance"]),
        (np.tile(ERRORS[:, :1], (1, 2, 1)), ["No difference between them was found"]),
        (ERRORS[:, :1], ["1 method on 6 data sets"]),
        (
            ERRORS[:, [0, 0, 0]] + RNG.normal(0, 0.01, ERRORS.shape),
            ["No difference between the methods was found", "there may still be one"],
        ),
    ],
)
def test_summaries_claim_no_more_than_they_may(errors, words):
    summary = made(errors).summary()
    for part in words:
        assert part in summary


def test_mistakes():
    result = made()
    for call, words in (
        (lambda: result.table("eror"), "did you mean 'error'"),
        (lambda: result.table("error", "mode"), "mean, median, std; got 'mode'"),
        (lambda: result.holm(control="bets"), "did you mean 'best'"),
        (lambda: result.corrected_t("best", "worst", "set 9"), "no data set 'set 9'"),
    ):
        with pytest.raises(ValueError, match=words):
            call()


def test_without_pandas_texts_still_work(monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    result = made()
    assert "set 0" in result.summary()
    with pytest.raises(MissingExtraError, match=r"softwood\[data\]"):
        result.table()
    with pytest.raises(MissingExtraError, match="pandas"):
        _ = result.frame


def test_plot():
    pytest.importorskip("matplotlib").use("Agg")
    import matplotlib.pyplot as plt

    axes = made().plot_critical_difference()
    assert {"best", "middle", "worst"} <= {text.get_text() for text in axes.texts}
    plt.close(axes.figure)


def test_rendering_escapes_what_the_format_cannot_say():
    rows, header = [["a|b_c", "50%"]], ["x", "y & z"]
    assert r"a\|b_c" in render(rows, header, "markdown")
    latex = render(rows, header, "latex", bold={(0, 1)})
    assert r"a|b\_c & \textbf{50\%} \\" in latex
    assert r"x & y \& z \\" in latex
    with pytest.raises(ValueError, match="got 'html'"):
        render(rows, header, "html")
    with pytest.raises(ValueError, match="as long as the header"):
        render([["a"]], header)


HOSTILE = {
    "<script>alert(1)</script>": "&lt;script&gt;alert(1)&lt;/script&gt;",
    "two\nlines\r\nand\u2028more": "two lines and more",
    "\x1b[31mred": r" \[31mred",
    "[a](javascript:b)": r"\[a\](javascript:b)",
    "**a** `b` _c_ __d__": r"\*\*a\*\* \`b\` \_c\_ \_\_d\_\_",
    "a_b &amp; c\\|d": r"a_b &amp;amp; c\\\|d",
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_are_shown_as_they_are_in_markdown(name):
    lines = render([[name, "1"], ["b", "2"]], ["", name], "markdown", {(0, 1)}).splitlines()
    assert lines == [
        f"|  | {HOSTILE[name]} |",
        "|---|--:|",
        f"| {HOSTILE[name]} | **1** |",
        "| b | 2 |",
    ]


@pytest.mark.parametrize("format", ["text", "latex", "markdown"])
def test_a_cell_is_one_line(format):
    plain = render([["a b", "1"]], ["", "c d"], format)
    assert render([["a\nb", "1"]], ["", "c\r\nd"], format) == plain


def test_the_spread_is_that_of_a_sample():
    result = made()
    cube = result.split_scores("error")
    assert np.allclose(result.scores("error", "std"), cube.std(axis=2, ddof=1))
