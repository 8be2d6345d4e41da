"""Changes of a model as students make them: they train to the bits of CPython, or are refused in words."""

import contextlib
import io
import json
from pathlib import Path
from types import ModuleType

import pytest

from lib.portable.engine import Engine
from lib.portable.python import run_bound
from lib.portable.translation import Module, program
from tests.portable.engine import Page, bits, literal
from tests.portable.test_translator import LIBRARY, asking

MODEL, ROWS = (
    Path(__file__).with_name("edits.txt").read_text(encoding="utf-8").split("=== model\n")[1].split("=== edits\n")
)
STEPS, SHARE = 6, 0.7
SEEN = ("loss", "w", "m", "counts", "table")


def edits():
    """Each change by its name: its text, and the words of its refusal, none where it is taken."""
    found = {}
    for row in ROWS.strip().split("\n"):
        kind, place, code, *more = row.replace("\\n", "\n").split(" | ")
        words = more.pop() if kind.startswith("!") else ""
        head, _, rest = MODEL.partition(f"#{place}\n")
        text = f"{head}{code}\n\n" + rest.partition("\n\n")[2]
        if more:
            text = text.replace("#top\n", f"{more[0]}\n#top\n")
        found[row] = (text, words)
    return found


EDITS = edits()


def by_python(text):
    """What a run shows after each step, and what it prints."""
    module, seen, printed = run_bound(text, ModuleType("written_here")), [], io.StringIO()
    with contextlib.redirect_stdout(printed):
        state = module.start(module.Settings(), 3)
        for _ in range(STEPS):
            module.step(state)
            seen.append([json.loads(json.dumps(getattr(state, name))) for name in SEEN])
    return seen, printed.getvalue().splitlines(), module.Settings()


def by_page(text, settings):
    known = {}
    known["written.here"] = Module("written.here", text, "here.py", known, True)
    page = Page(program(known, True))
    page.do(
        f'const run = portable["written.here"], state = run.start({literal(settings)}, 3), seen = [];'
        "const kept = (value) => (typeof value === 'number' ? value : Array.from(value, kept));"
        f"for (let i = 0; i < {STEPS}; i += 1) {{ run.step(state);"
        f" seen.push({json.dumps(SEEN)}.map((name) => kept(state[name]))); }}"
    )
    return page.run("seen"), page.context.value("globalThis.$printed ?? []")


@pytest.mark.parametrize("name", [name for name, (_, words) in EDITS.items() if not words])
def test_edit_trains_to_the_bits_of_cpython(name):
    text, _ = EDITS[name]
    seen, printed, settings = by_python(text)
    assert (bits(seen), printed) == (lambda found: (bits(found[0]), found[1]))(by_page(text, settings))


@pytest.fixture(scope="module")
def translator():
    return Engine(asking(LIBRARY))


def refusal(translator, text):
    """What the editor says of a text: the line, what is wrong, and what to write instead."""
    told = translator.value(
        f"(sources['lib.written'] = {json.dumps(text)}, said('lib.written', true, () => {json.dumps(MODEL)}))"
    )
    return told.get("line", 0), f"{told.get('reason')}. Instead: {told.get('remedy')}"


@pytest.mark.parametrize("name", [name for name, (_, words) in EDITS.items() if words])
def test_edit_is_refused_in_words(translator, name):
    text, words = EDITS[name]
    line, said = refusal(translator, text)
    assert words in said
    assert line >= 1


def test_most_edits_are_taken():
    taken = [name for name, (_, words) in EDITS.items() if not words]
    assert len(EDITS) >= 300
    assert len(taken) / len(EDITS) >= SHARE
