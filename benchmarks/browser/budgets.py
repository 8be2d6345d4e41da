"""What the built site costs a reader: weights, barriers, complaints of the browser, waits after a slider's move.

`make budgets` builds the book, measures every page and every explorer in headless Chromium, and writes for each chapter
hal/results/SLUG/budgets.json, for all other pages hal/results/site/budgets.json; `hal.site.budgets` has the limits. It
fails (exit 1) if one is missed.

All sliders go to random positions. A wait runs from the last of these moves to the painted frame, to the first points
of the first run, and to its end; the latter once more with the processor slowed down to a quarter, as Chromium does it
for a page and its workers. Other work on the machine delays frames too, so each explorer's waits are those of the
fastest of up to three rounds.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy

import argparse
import gzip
import json
import re
import statistics
import sys
from typing import Any

from parts.report import provenance
from playwright.sync_api import Browser, sync_playwright

from hal.chapters import written
from hal.explorer import Computed
from hal.results import path_of, write
from hal.site.budgets import FRAME_MS, missed, part_of, recorded
from hal.site.weights import weight
from lib.errors import require
from tests.browser import (
    FLAGS,
    SITE,
    Watch,
    find_chromium,
    pages_to_read,
    scroll_through,
    serious_barriers,
    served,
)
from tests.chapters import explorers

SLOWED = 4  # how much slower a page on a slow machine is
MOVES = 30  # to random positions of all sliders of a figure, unless --moves says how many


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20, method="inclusive")[-1]


def measure_page(chromium: Browser, home: str, name: str) -> dict[str, int]:
    """Weights, complaints (over http and from files) and serious barriers (light and dark) of one page."""
    problems, barriers = [], {}
    for theme, base in (("light", home), ("dark", SITE.as_uri() + "/")):
        context = chromium.new_context(
            viewport={"width": 1280, "height": 900}, color_scheme=theme, reduced_motion="reduce"
        )
        page = context.new_page()
        watch = Watch(page, base)
        page.goto(base + name, wait_until="load")
        page.wait_for_load_state("networkidle")
        scroll_through(page)
        problems += watch.problems  # before axe-core makes requests of its own
        barriers[theme] = len(serious_barriers(page))
        context.close()
    first_load, ours = weight(SITE, name)
    for problem in problems:
        print(f"  {name}: {problem}")
    return {
        "first_load": first_load,
        "ours": ours,
        "problems": len(problems),
        "barriers_light": barriers["light"],
        "barriers_dark": barriers["dark"],
    }


RANDOM = """async ([which, moves]) => {
  const root = document.querySelector(which);
  const sliders = [...root.querySelectorAll("input[data-setting]")];
  let state = 7;
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  }));
  const grown = (run) => run && Object.values(run.readings).some((values) => values.length > 1);
  const waits = [];
  while (waits.length < moves) {
    // The last to move is the one whose frame is waited for: a reader has one hand.
    const order = sliders.map((slider) => [random(), slider]).sort(([a], [b]) => a - b).map(([, slider]) => slider);
    let begun = 0;
    for (const slider of order) {
      await painted();
      begun = performance.now();
      slider.value = Math.round(Number(slider.min) + random() * (slider.max - slider.min));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
    }
    await painted();
    const frame = performance.now() - begun;
    const { error } = root.explorerState();
    let points = 0;
    for (let now = root.explorerState(); !error && now.count === 0; now = root.explorerState()) {
      if (!points && grown(now.runs[0])) points = performance.now() - begun;
      await painted();
    }
    const run = performance.now() - begun;
    if (!error) waits.push([frame, points || run, run]);
  }
  return waits;
}"""


def waits_of(
    chromium: Browser, home: str, chapter: str, explorer: Computed, moves: int, slowed: int = 1
) -> tuple[list[float], list[float], list[float]]:
    """Waits (ms) for the frame, for the first points and for the first run, each one a move to random positions."""
    which = f"[data-explorer={explorer.name}]"
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{home}book/{chapter}.html#{explorer.name}:")
    page.locator(which).scroll_into_view_if_needed()
    page.wait_for_selector(f"{which}[aria-busy=false]")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    frames, points, runs = zip(*page.evaluate(RANDOM, [which, moves]), strict=True)
    page.close()
    return list(frames), list(points), list(runs)


def program_size(page: str, explorer: Computed) -> int:
    """Bytes, gzip, that a figure brings: its modules, and the default state in the page."""
    text = (SITE / page).read_text(encoding="utf-8")
    (root,) = re.findall(rf'<div class="lib-explorer" data-explorer="{explorer.name}".*?</script>', text)
    modules = "\n".join(explorer.program.values())
    return len(gzip.compress((modules + root).encode(), 9))


def measure_explorer(chromium: Browser, home: str, chapter: str, explorer: Computed, moves: int) -> dict[str, Any]:
    """Size of a figure, and its waits, of up to three rounds; those on a slow machine of one."""
    rounds: list[tuple[list[float], list[float], list[float]]] = []
    while len(rounds) < 3 and not (rounds and p95(rounds[-1][0]) <= FRAME_MS):
        rounds.append(waits_of(chromium, home, chapter, explorer, moves))
    frames, points, runs = min(rounds, key=lambda waits: p95(waits[0]))
    _, _, slow = waits_of(chromium, home, chapter, explorer, moves, SLOWED)
    waits = {"frame": frames, "points": points, "run": runs, "slow_run": slow}
    return {
        "page": f"book/{chapter}.html",
        "program": program_size(f"book/{chapter}.html", explorer),
        "moves": len(frames),
        **({"dear": explorer.dear} if explorer.dear else {}),
        **{f"{name}_median_ms": round(statistics.median(values), 1) for name, values in waits.items()},
        **{f"{name}_p95_ms": round(p95(values), 1) for name, values in waits.items()},
    }


def measure(chromium: Browser, home: str, part: str, waits: bool, moves: int) -> dict[str, Any]:
    """The record of one part of the book: a chapter by its slug, or "site", all other pages.

    Without `waits` the explorers' numbers are those of the old record; `moves` are to random positions.
    """
    path = path_of(part, "budgets")
    report: dict[str, Any] = {"pages": {}, "explorers": {}}
    for name in pages_to_read():
        if part_of(name) == part:
            report["pages"][name] = measure_page(chromium, home, name)
            print(name, *report["pages"][name].values(), flush=True)
    if not waits:
        old = json.loads(path.read_text())
        report["explorers"], moves = old["explorers"], old["provenance"]["settings"]["moves"]
    elif part != "site":
        for name, explorer in explorers(part).items():
            report["explorers"][name] = measure_explorer(chromium, home, part, explorer, moves)
            print(name, json.dumps(report["explorers"][name]), flush=True)
    settings = {"browser": f"Chromium {chromium.version}", "moves": moves, "slowed": SLOWED}
    report["provenance"] = provenance("make budgets", settings)
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, json.dumps(report, indent=1))
    return report


def main() -> int:
    known = ["site", *(row.slug for row in written())]
    parser = argparse.ArgumentParser(description="Measure what the built site costs a reader, and record it.")
    parser.add_argument("parts", nargs="*", help=f"of {', '.join(known)}; all when none is given")
    parser.add_argument("--pages", action="store_true", help="pages only: the explorers keep the numbers they have")
    parser.add_argument("--moves", type=int, default=MOVES, help="to random positions of all sliders")
    args = parser.parse_args()
    for part in args.parts:
        require(part in known, "parts", f"some of {', '.join(known)}", part)
    with served(SITE) as home, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=find_chromium(), args=FLAGS)
        for part in args.parts or known:
            measure(chromium, home, part, not args.pages, args.moves)
        chromium.close()
    over = missed(recorded())
    print(*(f"over budget: {line}" for line in over), sep="\n")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
