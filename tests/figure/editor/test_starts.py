"""Every way to begin runs, and what its sentence says happens, eight times of eight."""

import importlib
import json
import math
import pkgutil

import pytest

import hal.chapters
from hal.figure.assets import joined_js
from hal.figure.cell import figure_of
from hal.figure.program import add_part
from lib.portable.engine import Engine
from lib.portable.translation import Module, load, program
from tests.portable.engine import literal

SEEDS = range(8)
FOUND = [
    importlib.import_module(f"hal.chapters.{part.name}.changes")
    for part in pkgutil.iter_modules(hal.chapters.__path__)
    if part.ispkg and importlib.util.find_spec(f"hal.chapters.{part.name}.changes")
]
STARTS = [start for module in FOUND for start in module.STARTS]


def ends(figure, at, module="", text=""):
    """The last readings of runs at these settings, one a seed; of a changed module in the checked form."""
    known = {}
    if module:
        known[module] = Module(module, text, f"{module.replace('.', '/')}.py", known, True)
    root, probe = figure.textbook.__name__, figure.spec()["computes"]["probe"]
    load(root, known, bool(module))
    if probe and probe[0] not in known:
        add_part([figure.settings_of, figure.probe, *filter(None, [figure.at_end])], known, bool(module))
    recorder = joined_js('import { recorded } from "./trainer.js";\n')
    page = Engine(f"{recorder}{program(known, bool(module))}")
    page.eval(
        f"const run = recorded(portable, '{root}', {json.dumps(probe)});"
        f"const given = {literal(figure.settings_of(**figure.check(at)))};"
        "const end = (seed) => { const state = run.start(given, seed); while (!run.done(state)) run.step(state);"
        "  const readings = run.read(state); const out = {};"
        "  for (const name in readings) out[name] = readings[name][readings[name].length - 1]; return out; }; 0"
    )
    found = [page.value(f"end({seed})") for seed in SEEDS]
    return [{name: math.nan if value is None else value for name, value in one.items()} for one in found]


@pytest.mark.law
@pytest.mark.parametrize("start", STARTS, ids=lambda start: f"{start.figure}: {start.title}")
def test_what_a_start_says_happens(start):
    slug, name = start.figure.split("-")
    figure = figure_of(importlib.import_module(f"hal.chapters.{slug}.figures.{name}"))
    book, mine = ends(figure, start.at), ends(figure, start.at, start.module, start.text())
    assert all(start.shows(one, other) for one, other in zip(mine, book, strict=True))
    assert not any(start.shows(one, one) for one in book)
