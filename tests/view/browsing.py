"""A browser for the tests: started once, and asked in a thread of its own.

Playwright runs an event loop in the thread that starts it; in the main thread it would be in the
way of tests that run one of theirs.
"""

import shutil
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

NAMES = ("chromium", "chromium-browser", "google-chrome")
OPTIONS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
)
IDS_TWICE = """() => {
    const ids = [...document.querySelectorAll('[id]')].map(element => element.id);
    return ids.filter((id, place) => ids.indexOf(id) !== place);
}"""
BROKEN_LINKS = """() => {
    const links = document.documentElement.outerHTML.matchAll(/(?:url\\(|href=")#([^")]+)/g);
    return [...links].map(found => found[1]).filter(id => !document.getElementById(id));
}"""


def found_browser():
    """Return the path of a browser, or None."""
    return next(filter(None, map(shutil.which, NAMES)), None)


@dataclass
class Look:
    """What a page does when it is opened."""

    messages: list = field(default_factory=list)
    requests: list = field(default_factory=list)
    dialogs: list = field(default_factory=list)
    text: str = ""
    too_wide: int = 0  # pixels beyond the window
    ids_twice: list = field(default_factory=list)
    broken_links: list = field(default_factory=list)
    n_scripts: int = 0
    headings: list = field(default_factory=list)
    unnamed: int = 0  # pictures without a label
    background: str = ""
    pdf: bytes = b""


class Browser:
    """Opens pages; every call runs in the one thread that knows the browser."""

    def __init__(self, path):
        self._thread = ThreadPoolExecutor(1)
        self._thread.submit(self._start, path).result()

    def look(self, path, width, scheme="light"):
        return self._thread.submit(self._look, path, width, scheme).result()

    def run(self, path, job, width=1280):
        """Open an explorer, wait until it is ready, and return what ``job(page)`` does."""
        return self._thread.submit(self._run, path, job, width).result()

    def close(self):
        self._thread.submit(self._stop).result()
        self._thread.shutdown()

    def _start(self, path):
        from playwright.sync_api import sync_playwright

        self._playwright = sync_playwright().start()
        self._browser = self._playwright.chromium.launch(executable_path=path, args=OPTIONS)

    def _stop(self):
        self._browser.close()
        self._playwright.stop()

    def _run(self, path, job, width):
        page = self._browser.new_page(viewport={"width": width, "height": 900})
        try:
            page.goto(path.as_uri())
            page.wait_for_selector("html[data-ready]")
            return job(page)
        finally:
            page.close()

    def _look(self, path, width, scheme):
        seen = Look()
        size = {"width": width, "height": 900}
        page = self._browser.new_page(viewport=size, color_scheme=scheme)
        page.on("console", lambda message: seen.messages.append(message.text))
        page.on("pageerror", lambda error: seen.messages.append(str(error)))
        page.on("request", lambda request: seen.requests.append(request.url))
        page.on("dialog", lambda dialog: (seen.dialogs.append(dialog.message), dialog.dismiss()))
        page.goto(path.as_uri())
        if page.locator("#data").count():  # an explorer draws itself
            page.wait_for_selector("html[data-ready]")
        seen.text = page.inner_text("body")
        seen.too_wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        seen.ids_twice = page.evaluate(IDS_TWICE)
        seen.broken_links = page.evaluate(BROKEN_LINKS)
        seen.n_scripts = page.evaluate("document.scripts.length")
        seen.headings = page.locator("h2").all_inner_texts()
        seen.unnamed = page.locator("svg:not([aria-label])").count()
        seen.background = page.evaluate("getComputedStyle(document.body).backgroundColor")
        seen.pdf = page.pdf()
        page.close()
        return seen
