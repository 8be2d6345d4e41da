"""What a page's editor is told of a figure, what it copies, and that every way to begin does what its sentence says."""

import contextlib
import importlib
import io
import json
import math
import pkgutil

import pytest

import hal.chapters
from hal.figure import figure_of
from hal.figure.assets import joined_js
from hal.figure.editor import model
from lib.portable.engine import Engine
from lib.portable.translation import script
from tests.figure.engine import engine
from tests.portable.engine import bits, literal
from tests.rows import figures

#: What makes a run short, where it has such a setting.
SHORT = {"steps": 5, "stage1": 3, "stage2": 2, "stage3": 2, "batch": 3, "n": 12, "samples": 1024, "length": 0.02}
#: A change of a file that many runs use: what stands there, and what comes.
WIDE = (
    "lib.portable.numbers",
    "return value * POWERS_OF_TWO[_ZERO + k]",
    "return 1.01 * value * POWERS_OF_TWO[_ZERO + k]",
)
RECORDER = joined_js('import { recorded } from "./trainer.js";\n')
EDITORS = {name: figure_of(row[0]) for name, row in figures().items()}
EDITORS = {name: figure for name, figure in EDITORS.items() if figure.spec()["computes"].get("textbook")}


def settings_of(figure):
    """A short run's settings, by name."""
    given = dict(figure.settings_of(**figure.check({}))._asdict())
    return given | {name: min(given[name], most) for name, most in SHORT.items() if name in given}


def given(settings):
    return "{" + ", ".join(f"{name}: {literal(value)}" for name, value in settings.items()) + "}"


def by_page(told, changed, settings, seeds=(3,)):
    """The last readings of the page's runs."""
    sources = json.dumps(told["sources"] | changed)
    root = json.dumps(told["root"])
    ask = f"{{ checked: true, known: translator.translate({root}, read, {{ checked: true }}).known }}"
    looks = told["probe"] or [told["root"]]
    page = Engine(
        f"{RECORDER} const translator = {script()}, sources = {sources};"
        f"const read = (name) => sources[name], made = translator.translate({json.dumps(looks[0])}, read, {ask}).parts;"
        "const portable = {}; for (const name in made) portable[name] = eval(`(${made[name]})`)(portable);"
        f"const run = recorded(portable, {json.dumps(told['root'])}, {json.dumps(told['probe'])});"
        f"const end = (seed) => {{ const state = run.start({given(settings)}, seed);"
        "while (!run.done(state)) run.step(state); return Object.entries(run.read(state)); };"
    )
    ask = "end({}).map(([name, values]) => [name, values[values.length - 1]])"
    found = [page.value(ask.format(seed)) for seed in seeds]
    return [{name: math.nan if value is None else value for name, value in one} for one in found]


def by_script(text):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(text, "copied.py", "exec"), {"__name__": "copied"})
    return eval(printed.getvalue(), {"nan": math.nan, "inf": math.inf})


@pytest.fixture(scope="module")
def copies():
    return engine("change")


@pytest.mark.parametrize("name", EDITORS)
def test_copied_python_of_every_editor_gives_the_numbers_of_the_page(copies, name):
    told, settings = json.loads(model(EDITORS[name].spec(), ())), settings_of(EDITORS[name])
    module, old, new = WIDE
    book = importlib.import_module("inspect").getsource(importlib.import_module(told["root"]))
    changed = {
        told["root"]: f"{book}\n# a comment that ends with \"quotes\" \\ and '''more'''\n",
        module: told["sources"][module].replace(old, new),
    }
    asked = ", ".join(json.dumps(one) for one in (told, changed))
    text = copies.value(f"versionPython({asked}, {given(settings)}, 3)")
    assert [bits(by_script(text))] == bits(by_page(told, changed, settings))


FOUND = [
    importlib.import_module(f"hal.chapters.{part.name}.changes")
    for part in pkgutil.iter_modules(hal.chapters.__path__)
    if part.ispkg and importlib.util.find_spec(f"hal.chapters.{part.name}.changes")
]
STARTS = [start for module in FOUND for start in module.STARTS]


@pytest.mark.law
@pytest.mark.parametrize("start", STARTS, ids=lambda start: f"{start.figure}: {start.title}")
def test_what_a_start_says_happens(start):
    slug, name = start.figure.split("-")
    figure = figure_of(importlib.import_module(f"hal.chapters.{slug}.figures.{name}"))
    told, at = json.loads(model(figure.spec(), ())), figure.settings_of(**figure.check(start.at))._asdict()
    book, mine = (by_page(told, changed, at, range(8)) for changed in ({}, {start.module: start.text()}))
    assert all(start.shows(one, other) for one, other in zip(mine, book, strict=True))
    assert not any(start.shows(one, one) for one in book)
