"""Speed of the page's training: textbooks as they are translated, beside the same run written by hand for speed.

`python benchmarks/translation.py` prints milliseconds and ratios and fails (exit 1) if a translated run takes more than
`MOST` times the hand-written one, or if one bit of their readings differs.

What is timed: whole runs in V8, the engine of Chromium, Edge and Node, at small settings, at the defaults and at
the largest. Each implementation has an engine of its own, so that neither learns from the other; they take
turns, and the fastest of `ROUNDS` counts. Times are processor time. Beside the ratio of warm runs stands that of the
very first, in which an engine still translates into machine code: it is shown, and no target.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

from parts.report import Checks, seconds
from py_mini_racer import MiniRacer, init_mini_racer

from lib.models.random_walk import textbook as random_walk
from lib.models.random_walk.textbook_task import Settings as Walks
from lib.models.scb import textbook as scb
from lib.models.scb.textbook import Settings as Bigrams
from lib.portable import javascript

init_mini_racer(flags=())  # with V8's helper threads, as in a browser; alone it makes worse machine code
MOST = 1.3  # most that a translated run may take in units of the hand-written one
ROUNDS = 25
PARTS = Path(__file__).parent / "parts"
RUN = """
const translated = (settings, seed) => {
  const M = portable["MODULE"], state = M.start(settings, seed);
  while (!M.done(state)) M.step(state);
  return M.read(state);
};
const ended = (run, settings, seeds) => seeds.map((seed) => run(settings, seed)).at(-1);
const said = (readings) => JSON.stringify(Object.entries(readings).map(([name, of]) => [name, ...of].join()));
"""


class Case(NamedTuple):
    """A textbook at some setting, and how many runs are timed together."""

    textbook: ModuleType
    hand: str
    name: str
    settings: Bigrams | Walks
    runs: int


CASES = [
    Case(scb, "scb_hand.js", "scb, small", Bigrams(T=8, N=2, Q=1, batch=8, stage1=300), 20),
    Case(scb, "scb_hand.js", "scb, default", Bigrams(), 1),
    Case(scb, "scb_hand.js", "scb, skewed law", Bigrams(N=5, skew=1.0), 1),
    Case(scb, "scb_hand.js", "scb, largest", Bigrams(T=512, N=12, Q=8, batch=64, lr=0.01, stage1=150), 1),
    Case(random_walk, "random_walk_hand.js", "random_walk, small", Walks(K=3, N=9, n=10, M=90), 40),
    Case(random_walk, "random_walk_hand.js", "random_walk, default", Walks(), 2),
    Case(
        random_walk, "random_walk_hand.js", "random_walk, random start",
        Walks(N=49, n=200, lr=10.0, steps=300, sigma=0.01, unit=1), 1,
    ),
    Case(random_walk, "random_walk_hand.js", "random_walk, largest", Walks(K=30, N=301, n=1000, M=3010, steps=12), 1),
]  # fmt: skip


class Engine:
    """V8 with the textbook of a case and its hand-written twin, of which it runs one."""

    def __init__(self, case: Case, which: str) -> None:
        text = javascript(case.textbook) + RUN.replace("MODULE", case.textbook.__name__)
        self.engine = MiniRacer()
        self.engine.eval(text + (PARTS / case.hand).read_text(encoding="utf-8"))
        self.which, self.settings = which, json.dumps(case.settings._asdict())

    def run(self, seeds: list[int]) -> str:
        """The readings of the last of these seeds' runs, every number as JavaScript writes it: shortest, exact."""
        return str(self.engine.eval(f"said(ended({self.which}, {self.settings}, {seeds}))"))


def measure(case: Case, rounds: int) -> tuple[dict[str, float], dict[str, float], bool]:
    """Milliseconds of a run by implementation: the first, the fastest; and whether all readings are the same."""
    seeds = list(range(case.runs))
    engines = {which: Engine(case, which) for which in ("translated", "hand")}
    said: list[dict[str, str]] = []
    first = {which: 1e3 * seconds(lambda e=engine: e.run([0])) for which, engine in engines.items()}
    fastest = dict.fromkeys(engines, float("inf"))
    for i in range(rounds):
        given, found = [len(seeds) * i + seed for seed in seeds], {}
        for which, engine in engines.items():
            took = seconds(lambda e=engine, which=which, given=given, found=found: found.update({which: e.run(given)}))
            fastest[which] = min(fastest[which], 1e3 * took / len(seeds))
        said.append(found)
    return first, fastest, all(found["translated"] == found["hand"] for found in said)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=ROUNDS, help="of which the fastest counts")
    rounds = parser.parse_args().rounds
    check = Checks()
    print("milliseconds of one run, translated and by hand; the first run of an engine in brackets")
    for case in CASES:
        first, fastest, same = measure(case, rounds)
        ratio, at_first = (times["translated"] / times["hand"] for times in (fastest, first))
        shown = ", ".join(f"{which} {fastest[which]:.2f} ({first[which]:.1f})" for which in fastest)
        print(f"  {case.name}: {shown}")
        check(f"{case.name}: {ratio:.2f} times ({at_first:.2f}), at most {MOST}", ratio <= MOST)
        check(f"{case.name}: the same bits", same)
    return 0 if check.all() else 1


if __name__ == "__main__":
    sys.exit(main())
