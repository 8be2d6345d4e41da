"""What an editor copies is a script that runs, whichever files are changed, and gives the numbers of the page."""

import contextlib
import importlib
import io
import json
import math

import pytest

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


def by_page(told, changed, settings):
    """The last readings of the page's run."""
    sources = json.dumps(told["sources"] | changed)
    ask = (
        f"{{ checked: true, known: translator.translate({json.dumps(told['root'])}, read, {{ checked: true }}).known }}"
    )
    looks = told["probe"] or [told["root"]]
    page = Engine(
        f"{RECORDER} const translator = {script()}, sources = {sources};"
        f"const read = (name) => sources[name], made = translator.translate({json.dumps(looks[0])}, read, {ask}).parts;"
        "const portable = {}; for (const name in made) portable[name] = eval(`(${made[name]})`)(portable);"
        f"const run = recorded(portable, {json.dumps(told['root'])}, {json.dumps(told['probe'])});"
        f"const state = run.start({given(settings)}, 3);"
        "while (!run.done(state)) run.step(state); const found = run.read(state);"
    )
    found = page.value("Object.entries(found).map(([name, values]) => [name, values[values.length - 1]])")
    return {name: math.nan if value is None else value for name, value in found}


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
    assert bits(by_script(text)) == bits(by_page(told, changed, settings))
