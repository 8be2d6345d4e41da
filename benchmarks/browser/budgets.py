"""What the built site costs a reader: weights, barriers, complaints of the browser, waits after a slider's move.

`make budgets` builds the book, measures every page and every figure in headless Chromium, and writes for each chapter
hal/results/SLUG/budgets.json, for all other pages hal/results/site/budgets.json; `hal.site.budgets` has the limits. It
fails (exit 1) if one is missed.

All sliders and choices go to random positions, what can be dragged in a picture a key's step on. A wait runs from the
last of these moves to the painted frame, to the first points of the first run, and to its end; the latter once more
with the processor slowed down to a quarter, as Chromium does it for a page and its workers. A figure without runs ends
with its frame. Other work on the machine delays frames too, so each figure's waits are those of the fastest of up to
three rounds.
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

from parts.race import provenance
from playwright.sync_api import Browser, sync_playwright

from hal.chapters import written
from hal.figure import Computed
from hal.results import path_of, write
from hal.site.budgets import FRAME_MS, missed, part_of, recorded
from hal.site.weights import weight
from lib.errors import require
from tests.browser import (
    FLAGS,
    SITE,
    Watch,
    chromium_or_skip,
    pages_to_read,
    scroll_through,
    serious_barriers,
    served,
)
from tests.chapters import moved

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


RANDOM = """async ([which, moves, trains]) => {
  const root = document.querySelector(which);
  let state = 7;
  const random = () => (state = (state * 16807) % 2147483647) / 2147483647;
  const painted = () => new Promise((done) => requestAnimationFrame(() => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = done;
    port2.postMessage(0);
  }));
  const slide = (slider) => () => {
    slider.value = Math.round(Number(slider.min) + random() * (slider.max - slider.min));
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  };
  const choose = (group) => () => {
    const others = [...group.querySelectorAll("[role=radio][aria-checked=false]")];
    others[Math.floor(random() * others.length)]?.click();
  };
  const drag = (handle) => () => {
    const key = ["ArrowRight", "ArrowUp", "ArrowLeft", "ArrowDown"][Math.floor(random() * 4)];
    const at = (what) => () => handle.dispatchEvent(new KeyboardEvent(what, { key, bubbles: true, cancelable: true }));
    at("keydown")();
    return at("keyup"); // let go
  };
  const press = (button) => () => button.click();
  const of = (what, move) => [...root.querySelectorAll(what)].map(move);
  const controls = () => {
    const mine = [
      ...of("input[data-setting]", slide),
      ...of("[role=radiogroup]:has([data-setting])", choose),
      ...of("[role=slider]:not(.le-cloud-keys, input)", drag),
    ];
    return mine.length ? mine : of("[data-tool]:not([data-tool=more], .le-menu *)", press);
  };
  const grown = (run) => run && Object.values(run.readings).some((values) => values.length > 1);
  const waits = [];
  while (waits.length < moves) {
    // The last to move is the one whose frame is waited for: a reader has one hand.
    const order = controls().map((move) => [random(), move]).sort(([a], [b]) => a - b).map(([, move]) => move);
    if (!order.length) throw new Error(`${which}: expected a control to move, got none`);
    let begun = 0;
    let letGo = null;
    for (const move of order) {
      await painted();
      letGo?.();
      begun = performance.now();
      letGo = move();
    }
    await painted();
    const frame = performance.now() - begun;
    letGo?.();
    const { error } = root.explorerState();
    let points = 0;
    for (let now = root.explorerState(); trains && !error && now.count === 0; now = root.explorerState()) {
      if (!points && grown(now.runs[0])) points = performance.now() - begun;
      await painted();
    }
    const run = performance.now() - begun;
    if (!error) waits.push([frame, points || (trains ? run : frame), trains ? run : frame]);
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
    page.eval_on_selector(which, "(one) => { while ((one = one.parentElement?.closest('details'))) one.open = true; }")
    page.wait_for_selector(f"{which}[aria-busy=false]")
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    frames, points, runs = zip(*page.evaluate(RANDOM, [which, moves, explorer.run is not None]), strict=True)
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
        **({"slow_reason": explorer.slow_reason} if explorer.slow_reason else {}),
        **{f"{name}_p95_ms": round(p95(values), 1) for name, values in waits.items()},
    }


def measure(chromium: Browser, home: str, part: str, only: str, moves: int) -> dict[str, Any]:
    """The record of one part of the book: a chapter by its slug, or "site", all other pages.

    With `only` "pages" the figures' numbers are those of the old record; with "new" so are the pages' and those of all
    figures that have some. `moves` are to random positions.
    """
    path = path_of(part, "budgets")
    report: dict[str, Any] = json.loads(path.read_text()) if only else {"pages": {}, "explorers": {}}
    if only != "new":
        report["pages"] = {}
    for name in pages_to_read() if only != "new" else []:
        if part_of(name) == part:
            report["pages"][name] = measure_page(chromium, home, name)
            print(name, *report["pages"][name].values(), flush=True)
    if only == "pages":
        moves = report["provenance"]["settings"]["moves"]
    elif part != "site":
        old = report["explorers"]
        report["explorers"] = {}
        for name, explorer in moved(part).items():
            report["explorers"][name] = old.get(name) or measure_explorer(chromium, home, part, explorer, moves)
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
    parser.add_argument(
        "--only",
        choices=["pages", "new"],
        default="",
        help="pages: figures keep the numbers they have; new: only figures that have none are measured",
    )
    parser.add_argument("--moves", type=int, default=MOVES, help="to random positions of all sliders")
    args = parser.parse_args()
    for part in args.parts:
        require(part in known, "parts", f"some of {', '.join(known)}", part)
    with served(SITE) as home, sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=chromium_or_skip(), args=FLAGS)
        for part in args.parts or known:
            measure(chromium, home, part, args.only, args.moves)
        chromium.close()
    over = missed(recorded())
    print(*(f"over budget: {line}" for line in over), sep="\n")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
