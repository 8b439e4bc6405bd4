"""Take the pictures of pages in the guide, in a Chromium that is there: `python screenshots.py`."""

import shutil
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright
from sklearn.datasets import load_breast_cancer

from softwood import SoftTreeClassifier
from softwood.view import explore

HERE = Path(__file__).parent
SIZE = {"width": 1280, "height": 760}
SHOTS = {
    "explorer-row": "softwood.state.setRow(softwood.state.sample.values(13), 13)",
    "explorer-node": "softwood.canvases[0].choose(0)",
}


def main():
    X, y = load_breast_cancer(return_X_y=True, as_frame=True)
    y = y.map({0: "malignant", 1: "benign"}).rename("diagnosis")
    model = SoftTreeClassifier(max_leaf_nodes=8, random_state=0).fit(X, y)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "tree.html"
        explore(model, X, y, path)
        browser = playwright.chromium.launch(
            executable_path=shutil.which("chromium"), args=["--no-sandbox", "--headless"]
        )
        for name, script in SHOTS.items():
            page = browser.new_page(viewport=SIZE)
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]")
            page.evaluate(script)
            page.screenshot(path=HERE / f"{name}.png")
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
