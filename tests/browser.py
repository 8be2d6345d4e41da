"""The one Chromium (two Playwrights cannot run in one thread) and the one web server of all tests of the built site."""

from __future__ import annotations

import contextlib
import functools
import http.server
import json
import os
import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from hal.site.gone import GONE

ROOT = Path(__file__).parent.parent
SITE = Path(os.environ.get("BOOK_HTML", ROOT / "_build" / "html"))
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def _wait_for_function(page, expression, *, arg=None, timeout=30_000):
    """Playwright's has the page evaluate a string, which our policy forbids; here it is asked from outside."""
    from playwright.sync_api import Error, TimeoutError

    until = time.monotonic() + timeout / 1000
    while time.monotonic() < until:
        try:
            if page.evaluate(expression, arg):
                return
        except Error as error:
            if "context was destroyed" not in str(error):  # it goes to another page
                raise
        page.wait_for_timeout(30)
    raise TimeoutError(f"not so after {timeout} ms: {expression}")


def press_tool(page, figure: str, tool: str) -> None:
    """Press a button of a figure, also one behind its "⋯"."""
    button = page.locator(f"{figure} [data-tool={tool}]")
    if not button.is_visible():
        page.locator(f"{figure} [data-tool=more]").click()
    button.click()


class Chromium:
    """The one browser of the tests: a new tab finds nothing that an earlier one has stored or was allowed.

    Tabs of the same options share a context, in which an empty one stays: without a tab Chromium forgets what it has
    loaded and compiled, and a page of figures takes it twice the work.
    """

    def __init__(self, browser):
        self.browser = browser
        self._contexts = {}

    def new_page(self, viewport=None, color_scheme=None, reduced_motion=None, alone=False, **options):
        """A new tab of Playwright's options; `alone` with a context, and so a clock, of its own."""
        context = self.browser.new_context(**options) if alone else self._kept(options)
        page = context.new_page()
        talk = context.new_cdp_session(page)
        talk.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        talk.detach()
        if viewport:
            page.set_viewport_size(viewport)
        if color_scheme or reduced_motion:
            page.emulate_media(color_scheme=color_scheme, reduced_motion=reduced_motion)
        page.wait_for_function = functools.partial(_wait_for_function, page)
        return page

    def _kept(self, options):
        key = json.dumps(options, sort_keys=True)
        if key not in self._contexts:
            self._contexts[key] = self.browser.new_context(**options)
            self._contexts[key].new_page()
        self._contexts[key].clear_permissions()
        return self._contexts[key]


class _Server(http.server.SimpleHTTPRequestHandler):
    protocol_version = "HTTP/1.1"  # many files, one connection

    def end_headers(self):
        self.send_header("Cache-Control", "no-cache")  # a test may build its book again
        super().end_headers()

    def log_message(self, *_):
        pass


def chromium_or_skip() -> str:
    """Path of Chromium; without one the test is skipped, or fails when REQUIRE_BROWSER=1."""
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        say = pytest.fail if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip
        say("no Chromium on this machine; get one with: apt-get install chromium")
    return path


@pytest.fixture(scope="session")
def chromium():
    """The headless Chromium of all tests."""
    path = chromium_or_skip()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        yield Chromium(browser)
        browser.close()


@pytest.fixture(scope="session")
def site() -> Path:
    """Folder of the built book."""
    assert (SITE / "index.html").is_file(), "the book is not built; run: make book"
    return SITE


@pytest.fixture(scope="session")
def built() -> Path:
    """Folder of the built book, for tests that also run in a copy of the repository where none is built."""
    if not (SITE / "index.html").is_file():
        pytest.skip("the book is not built (make book)")
    return SITE


def pages_to_read() -> list[str]:
    """Pages of the built book with something to read, as paths in it."""
    found = [path.relative_to(SITE) for path in sorted(SITE.rglob("*.html"))]
    kept = [
        path for path in found if not any(part.startswith(("_", "reports")) or part == "embed" for part in path.parts)
    ]
    apart = {"404", "search", *GONE["pages"]}
    return [str(path) for path in kept if str(path.with_suffix("")) not in apart]


@contextlib.contextmanager
def served(folder: Path) -> Iterator[str]:
    """Address of a local web server for a folder, ending in a slash."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(_Server, directory=folder))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{server.server_port}/"
    server.shutdown()
    server.server_close()


@pytest.fixture(scope="session")
def serve(site):
    """Address of a local web server for the built book, ending in a slash."""
    with served(site) as address:
        yield address


def explorer_state(page, which: str) -> dict:
    """What the explorer `which` shows; as text, since Playwright itself takes seconds for ten thousand numbers."""
    kept = "(key, value) => (Object.is(value, -0) ? 'minus nought' : value)"
    text = page.evaluate(f"JSON.stringify(document.querySelector('{which}').explorerState(), {kept})")
    return json.loads(text.replace('"minus nought"', "-0.0"))


class Watch:
    """What a page asks for (`asked`, addresses) and complains about (`problems`), from before its first request."""

    def __init__(self, page, home: str):
        self.problems: list[str] = []
        self.asked: set[str] = set()
        listeners = {
            "console": self._console,
            "pageerror": lambda error: self._add("uncaught", error),
            "requestfailed": lambda r: self._add("failed", f"{r.url} {r.failure}"),
            "response": lambda r: self._response(r, home),
        }
        for event, listener in listeners.items():
            page.on(event, listener)

    def _add(self, kind, text):
        self.problems.append(f"{kind}: {text}")

    def _console(self, message):
        # Chromium asks the first page of a server for its icon; that of a frame brings none
        if message.type in ("error", "warning") and not message.location["url"].endswith("/favicon.ico"):
            self._add(f"console {message.type}", message.text)

    def _response(self, response, home):
        if not response.url.startswith((home, "data:", "blob:")):
            self._add("third party", response.url)
        if response.status >= 400:
            self._add(str(response.status), response.url)
        if not response.url.startswith(("data:", "blob:")):
            self.asked.add(response.url)


@pytest.fixture
def tab(chromium):
    """tab(home, silent=True, **context): a new tab that asks `home` alone; closed in the end, without a complaint."""
    opened = []

    def new(home, silent=True, **context):
        page = chromium.new_page(**{"viewport": {"width": 1440, "height": 900}, **context})
        page.set_default_timeout(20_000)
        opened.append((page, Watch(page, home) if silent else None))
        return page

    yield new
    for page, watch in opened:
        page.close()
        assert not (watch and watch.problems), watch.problems


def scroll_through(page):
    """Bring every part of the page into view once, so that what loads late has loaded."""
    page.evaluate(
        """async () => {
          const height = document.documentElement.scrollHeight;
          for (let y = 0; y < height; y += Math.max(600, height / 60)) {
            scrollTo(0, y);
            await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
          }
          scrollTo(0, 0);
        }"""
    )
    page.wait_for_load_state("networkidle")


def barriers(page, within: str | None = None, colours_only: bool = False) -> list[dict]:
    """What axe-core finds in a part of a page with all of its rules on, also those that it leaves out by itself."""
    if not page.evaluate("'axe' in globalThis"):
        page.evaluate(Axe().axe_script)
    return page.evaluate(
        """([within, only]) => {
          const rules = axe.getRules(only ? ["cat.color"] : undefined).map((rule) => rule.ruleId);
          const options = { preload: false, resultTypes: ["violations"], runOnly: rules };
          return axe.run(within ?? document, options).then((found) => found.violations);
        }""",
        [within, colours_only],
    )


def serious_barriers(page) -> list[str]:
    """What axe-core calls serious or critical in a page, in its words."""
    return [
        f"{one['id']}: {node['target']} {node['failureSummary']}"
        for one in barriers(page)
        if one["impact"] in ("serious", "critical")
        for node in one["nodes"]
    ]
