"""The one Chromium and the one web server of all tests that look at the built site.

`conftest.py` makes the fixtures known to all tests: two Playwrights at a time cannot run in one thread.
"""

from __future__ import annotations

import contextlib
import functools
import gzip
import http.server
import os
import shutil
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

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


def find_chromium() -> str | None:
    """Path of the system's Chromium or Chrome, if there is one."""
    names = ("chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


class _Server(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *_):
        pass


def chromium_or_skip() -> str:
    """Path of Chromium; without one the test is skipped, or fails when REQUIRE_BROWSER=1."""
    path = find_chromium()
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
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def site() -> Path:
    """Folder of the built book."""
    assert (SITE / "index.html").is_file(), "the book is not built; run: make book"
    return SITE


def pages_to_read() -> list[str]:
    """Pages of the built book with something to read, as paths in it."""
    found = [path.relative_to(SITE) for path in sorted(SITE.rglob("*.html"))]
    kept = [path for path in found if not any(part.startswith(("_", "reports")) for part in path.parts)]
    return [str(path) for path in kept if path.name not in ("genindex.html", "search.html")]


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


class Watch:
    """What a page asks for and complains about, from before its first request."""

    def __init__(self, page, home: str):
        self.problems: list[str] = []
        self._responses = []
        page.on("console", lambda m: m.type in ("error", "warning") and self._add(f"console {m.type}", m.text))
        page.on("pageerror", lambda error: self._add("uncaught", error))
        page.on("requestfailed", lambda r: self._add("failed", f"{r.url} {r.failure}"))
        page.on("response", lambda r: self._response(r, home))

    def _add(self, kind, text):
        self.problems.append(f"{kind}: {text}")

    def _response(self, response, home):
        if not response.url.startswith((home, "data:", "blob:")):
            self._add("third party", response.url)
        if response.status >= 400:
            self._add(str(response.status), response.url)
        self._responses.append(response)

    def weigh(self) -> dict[str, int]:
        """Size of every answer as a server would send it, gzip, by address."""
        found = {r.url: r for r in self._responses if not r.url.startswith(("data:", "blob:"))}
        return {url: len(gzip.compress(response.body(), 9)) for url, response in found.items()}


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


def serious_barriers(axe, page, context: str = "#main-content") -> list[str]:
    """What axe-core calls serious or critical in a part of a page, in its words."""
    found = axe.run(page, context=context, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{v['id']}: {node['target']} {node['failureSummary']}"
        for v in found
        if v["impact"] in ("serious", "critical")
        for node in v["nodes"]
    ]
