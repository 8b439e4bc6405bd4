"""The explorer: bytes of pages, seconds to make and to open them, milliseconds a slider step takes.

Steps are timed in Chromium: a column moves, all answers, edges and panels follow. The page shows as
many branches as it opens with, or all of them.
"""

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np
from playwright.sync_api import sync_playwright

from softwood import CARTClassifier, CoalescenceClassifier, SoftTreeClassifier, save
from softwood.view import explore

STEPS = """n => {
    const state = softwood.state, column = state.columns[0], times = [];
    for (let k = 0; k < n; k += 1) {
        const start = performance.now();
        state.setValue(0, column.low + (column.high - column.low) * k / (n - 1));
        document.body.getBoundingClientRect();
        times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    return [times[Math.floor(n / 2)], times[Math.floor(0.95 * n)]];
}"""


def table(n_rows=20_000, seed=0):
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n_rows, 10))
    chance = 1 / (1 + np.exp(-2 * X[:, 0] * X[:, 1] - X[:, 2]))
    return X, (rng.random(n_rows) < chance).astype(int)


def models(X, y):
    thousand = CARTClassifier(max_leaf_nodes=1000)
    yield "CART, 1000 leaves", thousand.fit(X, y)
    soft = SoftTreeClassifier(CARTClassifier(max_leaf_nodes=1000), method="perturb", smoothing=0.2)
    yield "soft tree, 1000 leaves", soft.fit(X, y)
    yield "soft tree, gradients", SoftTreeClassifier(random_state=0).fit(X[:2000], y[:2000])
    yield "Coalescence, 100 trees", CoalescenceClassifier(random_state=0).fit(X[:1000], y[:1000])


def measure(browser, page_file, opens_all):
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    start = perf_counter()
    page.goto(page_file.as_uri())
    page.wait_for_selector("html[data-ready]")
    loading = perf_counter() - start
    if opens_all:
        page.evaluate("softwood.canvases[0].openAbove(0)")
    median, late = page.evaluate(STEPS, 200)
    page.close()
    return loading, median, late


def seconds_of_command(model, X, y, folder):
    """Return how long the command takes from the shell, with rows to read."""
    save(model, folder / "model.softwood")
    rows = np.column_stack([X, y])
    names = ",".join([*(f"x{j}" for j in range(X.shape[1])), "y"])
    np.savetxt(folder / "rows.csv", rows, delimiter=",", header=names, comments="", fmt="%.6g")
    command = [shutil.which("softwood") or str(Path(sys.executable).parent / "softwood"), "view"]
    command += [str(folder / "model.softwood"), str(folder / "rows.csv"), "-o"]
    start = perf_counter()
    subprocess.run([*command, str(folder / "view.html"), "--quiet"], check=True)
    return perf_counter() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--browser", default=shutil.which("chromium"))
    options = parser.parse_args()
    X, y = table()
    print(
        "| model | page, kB | made, s | opened, s | a step, ms (95th percentile) | all branches |"
    )
    print("|---|---|---|---|---|---|")
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        browser = playwright.chromium.launch(
            executable_path=options.browser, args=["--no-sandbox", "--headless"]
        )
        for title, model in models(X, y):
            page_file = folder / "page.html"
            start = perf_counter()
            explore(model, X, y, page_file)
            made = perf_counter() - start
            loading, median, late = measure(browser, page_file, opens_all=False)
            _, all_median, all_late = measure(browser, page_file, opens_all=True)
            print(
                f"| {title} | {page_file.stat().st_size / 1000:.0f} | {made:.2f} | {loading:.2f} | "
                f"{median:.1f} ({late:.1f}) | {all_median:.1f} ({all_late:.1f}) |"
            )
        browser.close()
        thousand = CARTClassifier(max_leaf_nodes=1000).fit(X, y)
        print(f"\n`softwood view`, 1000 leaves, 20 000 rows of CSV: "
              f"{seconds_of_command(thousand, X, y, folder):.1f} s")  # fmt: skip


if __name__ == "__main__":
    main()
