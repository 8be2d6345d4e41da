"""`python -m tests.sentences` (`make sentences`): try what every figure says, and record what came out.

Each figure stands at 200 random positions of all its sliders (`positions`) and where its tour goes. Its runs are made
as the page makes them, and every sentence is judged (`trial`); then its conditions and numbers are broken one at a time
(`mutants`).
hal/results/SLUG/sentences.json keeps what came out, with a digest of what it was made of: `make test` refuses a stale
one. Only figures whose record is stale are tried, or those whose names begin with a given text.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")  # before NumPy: one thread for everybody

import argparse
import json
from typing import Any

from joblib import Parallel, delayed

from hal import chapters, results
from hal.explorer import figure_of
from hal.site.sentences import COMMAND, recorded
from tests.rows import speaking
from tests.sentences.mutants import noticed
from tests.sentences.trial import digest, shortened, toured, tried

COUNT, SEED = 200, 1


def found(name: str, count: int, seed: int = SEED) -> dict[str, Any]:
    """What a record keeps of one figure."""
    module, row = speaking()[name]
    of = [*tried(module, row, seed, count), *toured(module, row)]
    figure = figure_of(module)
    asked = noticed(figure, row, [one for one in of if not one.wrong])
    return {
        "digest": digest(module, row),
        "title": figure.title,
        "tried": len(of),
        "wrong": [
            {"settings": shortened(one.point), "seed": one.seed, "runs": len(one.result.runs), "text": one.text,
             "why": one.wrong}
            for one in of if one.wrong
        ],
        "broken": len(asked),
        "unnoticed": sorted(key for key, seen in asked.items() if not seen),
    }  # fmt: skip


def write(entries: dict[str, Any], slug: str) -> None:
    """Record the figures of a chapter, without those that it has no more."""
    own = {name: entries[name] for name in sorted(entries) if name in speaking() and name.startswith(f"{slug}-")}
    content = {"figures": own, "provenance": results.provenance(COMMAND)}
    results.write(results.path_of(slug, "sentences"), json.dumps(content, indent=1))


def main() -> None:
    """Try stale figures, or the named ones, each recorded as soon as it is done."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="figures, or what their names begin with")
    parser.add_argument("--count", type=int, default=COUNT, help="positions of each")
    parser.add_argument("--jobs", type=int, default=1, help="processes")
    parser.add_argument("--show", action="store_true", help="print what is wrong and unnoticed, record nothing")
    asked = parser.parse_args()
    entries = {name: one for row in chapters.written() for name, one in recorded(row.slug).items()}
    stale = [n for n, (m, row) in speaking().items() if entries.get(n, {}).get("digest") != digest(m, row)]
    names = [n for n in speaking() if n.startswith(tuple(asked.names))] if asked.names else stale
    work = Parallel(n_jobs=asked.jobs, return_as="generator")(delayed(found)(name, asked.count) for name in names)
    for name, entry in zip(names, work, strict=True):
        seen = entry["broken"] - len(entry["unnoticed"])
        print(
            f"{name}: wrong at {len(entry['wrong'])} of {entry['tried']}; {seen} of {entry['broken']} noticed",
            flush=True,
        )
        if asked.show:
            for one in entry["wrong"]:
                print(
                    f"  {one['settings']} seed {one['seed']}, {one['runs']} runs\n    {one['text']}\n    {one['why']}"
                )
            print(*(f"  unnoticed: {one}" for one in entry["unnoticed"]), sep="\n")
        else:
            entries[name] = {**{k: v for k, v in entries.get(name, {}).items() if k == "before"}, **entry}
            write(entries, name.partition("-")[0])


if __name__ == "__main__":
    main()
