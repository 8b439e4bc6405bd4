"""The transcribed tables are checked by what the papers derive from them."""

import numpy as np

from softwood.papers.printed import printed


def test_spectrum_table3_has_the_printed_means():
    errors, means = printed("spectrum", "table3"), printed("spectrum", "table3_means")
    assert len(errors.rows) == 45
    np.testing.assert_allclose(errors.values.mean(axis=0), means.values[0], atol=0.0501)
    assert np.isnan(means.values[1]).all()


def test_vicinal_table4_names_18_sets_of_the_registry():
    from softwood.datasets.registry import find_entry

    table = printed("vicinal", "table4", text=("set",))
    assert table.values.shape == (18, 3)
    assert all(find_entry(name) is not None for name in table.text["set"])


def test_anneal_ratios_follow_from_the_errors():
    table = printed("anneal", "table1")
    ratio = table.column("CART softened") / table.column("CART non-soft")
    np.testing.assert_allclose(ratio, table.column("ratio"), atol=1e-3)


def test_perturb_table2_counts_ten_sets_of_each_task():
    table = printed("perturb", "table2")
    assert (table.values[:, :3].sum(axis=1) == 10).all()
    assert (table.values[:, 3:].sum(axis=1) == 10).all()


def test_perturb_sizes_fit_the_registry():
    from softwood.datasets import list_datasets

    table = printed("perturb", "table1", text=("set", "task"))
    rows = {card.name: card.n_rows for card in list_datasets()}
    for i, name in enumerate(table.text["set"]):
        assert table.column("train")[i] + table.column("test")[i] <= rows[name], name


def test_margins_tables_count_as_the_text_does():
    table = printed("margins", "table2", text=("best",))
    gains = {m: table.column(m) - table.column("OC1") for m in ("FAT", "MOC1", "MOC2")}
    assert [int((gain > 0).sum()) for gain in gains.values()] == [9, 7, 8]
    assert [int((~np.isnan(table.column(f"{m} p"))).sum()) for m in gains] == [9, 6, 5]
    for i, best in enumerate(table.text["best"]):
        assert table.column(best)[i] == max(table.column(m)[i] for m in ("OC1", *gains))
    assert printed("margins", "table1").rows == table.rows


def test_margins_names_sets_of_the_registry():
    from softwood.datasets.registry import find_entry

    assert all(find_entry(name) for name in printed("margins", "sets", text=("set",)).text["set"])
