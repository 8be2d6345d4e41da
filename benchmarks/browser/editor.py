"""What it costs a reader to change a model in the page: bytes, milliseconds to begin, and to the first new curve.

`python benchmarks/browser/editor.py` opens the editor of every figure of the built site in headless Chromium, writes
comments into the model, and records hal/results/site/editor.json. It fails (exit 1) if a limit of `hal.site.editing` is
missed. Some three minutes.

*Ready* is from the click to the editor in place with the book's version translated; the *first curve* from the last
key, 150 ms of waiting for another one among it, to the first points of the changed run. Each is the median of the
repeats, the last key of the first repeat left out: there the workers begin.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy

import json
import statistics
import sys
from typing import Any

from parts.race import provenance
from playwright.sync_api import Browser, sync_playwright

from hal.chapters import written
from hal.results import write
from hal.site.editing import COMMAND, RECORD, missed, weights
from tests.browser import FLAGS, SITE, chromium_or_skip, served

KEYS = 6  # comments written into each model

WAITS = """async ([which, keys]) => {
  const root = document.querySelector(which);
  const painted = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const grown = (run) => run && Object.values(run.readings).some((values) => values.length > 1);
  let begun = performance.now();
  root.querySelector("[data-tool=change-the-model]").click();
  while (!root.querySelector(".le-code-text")?.value) await painted();
  const ready = performance.now() - begun;
  const area = root.querySelector(".le-code-text");
  let said = []; // what the editor says of itself; a run that is still under way may say something too
  new MutationObserver((changes) => {
    for (const { target, addedNodes } of changes) said.push((addedNodes[0] ?? target).textContent);
  }).observe(root.querySelector(".le-code-state"), { childList: true, characterData: true, subtree: true });
  const until = async (good) => { while (!good()) await painted(); };
  const curves = [];
  for (let i = 0; i < keys; i++) {
    area.value += `\\n# ${i}`;
    begun = performance.now();
    area.dispatchEvent(new Event("input", { bubbles: true }));
    said = [];
    await until(() => said.includes("translating"));
    await until(() => said.indexOf("your version trains") > said.indexOf("translating"));
    await until(() => grown(root.explorerState().runs[0]) || root.explorerState().count > 0);
    curves.push(performance.now() - begun);
    await until(() => root.explorerState().count > 0);
  }
  return [ready, curves];
}"""


def measured(chromium: Browser, home: str, page_name: str, name: str) -> dict[str, float]:
    """Milliseconds of one figure."""
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{home}{page_name}#{name}:")
    which = f"[data-explorer={name}]"
    page.locator(which).scroll_into_view_if_needed()
    page.eval_on_selector(which, "(one) => { while ((one = one.parentElement?.closest('details'))) one.open = true; }")
    page.wait_for_selector(f"{which}[aria-busy=false]")
    ready, curves = page.evaluate(WAITS, [which, KEYS])
    page.close()
    return {"ready_ms": round(ready, 1), "curve_ms": round(statistics.median(curves[1:]), 1)}


def main() -> int:
    record: dict[str, Any] = {"figures": {}}
    with served(SITE) as home, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_or_skip(), args=FLAGS)
        for row in written():
            page = f"book/{row.slug}.html"
            for name, sizes in weights(SITE, page).items():
                record["figures"][name] = {**sizes, **measured(chromium, home, page, name)}
                print(name, json.dumps(record["figures"][name]), flush=True)
        settings = {"browser": f"Chromium {chromium.version}", "keys": KEYS}
        chromium.close()
    record["provenance"] = provenance(COMMAND, settings)
    RECORD.parent.mkdir(parents=True, exist_ok=True)
    write(RECORD, json.dumps(record, indent=1))
    over = missed(record)
    print(*over, sep="\n")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
