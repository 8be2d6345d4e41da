"""One training run as a page makes it, in a worker of headless Chromium, against the same run elsewhere.

All times are processor time of one run, so that a busy machine slows all alike; Chromium's is that of the page's whole
process, translation into machine code and garbage collection included, over several runs together. Runs are taken in
turns; the middle of the rounds counts.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import numpy as np
from playwright.sync_api import sync_playwright

from lib.errors import require
from lib.portable import javascript
from parts.report import provenance, seconds

ROUNDS = 5
FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
MOST = 1.5  # most that a run in the page may take in units of the library's

#: Names in the report, in words, in the order of the table.
WORDS = {
    "page": "in the page: the textbook, translated (a later run)",
    "first": "in the page, its first run",
    "fast": "this library's fast model",
    "numpy": "a plain loop over samples in NumPy",
    "cpython": "the textbook in CPython",
}

WORKER = """
onmessage = ({ data: [settings, seeds] }) => {
  const model = portable[NAME];
  for (const seed of seeds) {
    const state = model.start(settings, seed);
    while (!model.done(state)) model.step(state);
    model.read(state);
  }
  postMessage(0);
};
"""


class Page:
    """A page of Chromium that runs a textbook in workers.

    Args:
        browser: a Chromium of Playwright.
        run: the portable module.
        settings: of its runs.
    """

    def __init__(self, browser: Any, run: ModuleType, settings: Any) -> None:
        self.session = browser.new_browser_cdp_session()
        self.page = browser.new_page()
        source = f"const NAME = {json.dumps(run.__name__)};\n{javascript(run)}{WORKER}"
        self.page.evaluate(
            """([source, settings]) => {
              const address = URL.createObjectURL(new Blob([source]));
              globalThis.fresh = () => (globalThis.worker = new Worker(address));
              globalThis.train = (seeds) => new Promise((done, lost) => {
                worker.onmessage = done;
                worker.onerror = lost;
                worker.postMessage([settings, seeds]);
              });
            }""",
            [source, settings._asdict()],
        )

    def _used(self) -> float:
        found = self.session.send("SystemInfo.getProcessInfo")["processInfo"]
        return float(sum(one["cpuTime"] for one in found if one["type"] == "renderer"))

    def _took(self, code: str, *given: Any) -> float:
        before = self._used()
        self.page.evaluate(code, *given)
        took = self._used() - before
        require(took > 0, "page", "a run that takes processor time", took)
        return took

    def first(self) -> float:
        """Seconds of the first run of a new worker, its start included."""
        return self._took("async () => { fresh(); await train([0]); }")

    def later(self, runs: int) -> float:
        """Seconds a run, of the worker that has run before."""
        return self._took("async (seeds) => { await train(seeds); }", list(range(1, runs + 1))) / runs


def measure(run: ModuleType, settings: Any, fast: Callable[[], Any], numpy: Callable[[], float]) -> dict[str, Any]:
    """Seconds of one run, by implementation.

    Args:
        run: the textbook; its time is in steps.
        settings: of the run.
        fast: one run of the library's fast model.
        numpy: gives the seconds of one run of the plain loop.

    Returns:
        seconds (name -> number, see `WORDS`), browser, and provenance.
    """
    steps = round(run.steps_of(settings)[-1])
    part = max(1, steps // 10)
    times: dict[str, list[float]] = {name: [] for name in WORDS}
    fast()
    with sync_playwright() as playwright:
        path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))))
        browser = playwright.chromium.launch(executable_path=path, args=FLAGS)
        page = Page(browser, run, settings)
        for _ in range(ROUNDS):
            times["first"].append(page.first())
            page.later(3)
            times["page"].append(page.later(10))
            times["fast"].append(seconds(fast))
            times["numpy"].append(numpy())
            state = run.start(settings, 0)
            times["cpython"].append(seconds(lambda state=state: some(run, state, part)) * steps / part)
        version = f"Chromium {browser.version}"
        browser.close()
    median = {name: float(np.median(values)) for name, values in times.items()}
    where = provenance("", settings._asdict())
    return {"seconds": median, "browser": version, "processor": where["processor"], "date": where["date"][:10]}


def some(run: ModuleType, state: Any, steps: int) -> None:
    """So many steps of a run, or as many as are left."""
    for _ in range(steps):
        if not run.done(state):
            run.step(state)


def ratio(found: Mapping[str, Any]) -> float:
    """A run in the page in units of the fast model's."""
    return float(found["seconds"]["page"] / found["seconds"]["fast"])


def table(found: Mapping[str, Any], what: str) -> dict[str, Any]:
    """The table of the performance page.

    Args:
        found: of `measure`.
        what: the run, in words.
    """
    times = found["seconds"]
    rows = [[WORDS[name], f"{times[name]:.3g} s", f"{times[name] / times['fast']:.3g}"] for name in WORDS]
    return {
        "says": f"What the page computes itself, {what}:",
        "head": ["Where", "One run", "Times the fast model"],
        "rows": rows,
        "label": "Seconds of one run in the page and elsewhere",
        "note": f"Processor time, middle of {ROUNDS} rounds; {found['browser']} on {found['processor']}, "
        f"{found['date']}.",
    }
