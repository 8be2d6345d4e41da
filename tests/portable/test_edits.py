"""Changes of a model as students make them: they train to the bits of CPython, or are refused in words."""

import ast
import contextlib
import io
import json
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from lib.portable.engine import Engine
from lib.portable.python import run_bound
from tests.portable.engine import bits, literal, page_from
from tests.portable.test_translator import LIBRARY, MODULES, asking

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
    page = page_from(text, True)
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


@pytest.mark.parametrize(("code", "words"), [("({})", "too many brackets"), ("[{}]", "brackets"), ("-{}", "too deep")])
def test_text_3000_deep_is_refused_in_words(translator, code, words):
    head, tail = (part * 3000 for part in code.split("{}"))
    line, said = refusal(translator, MODEL.replace("scale = 1.0", f"scale = {head}1.0{tail}"))
    assert words in said
    assert line == MODEL[: MODEL.index("scale = 1.0")].count("\n") + 1


def test_most_edits_are_taken():
    students = [words for row, (_, words) in EDITS.items() if "odd" not in row.split(" | ")[0]]
    assert len(students) >= 300
    assert students.count("") / len(students) >= SHARE


NUMBERS = """
def f(a: list[float], b: list[float]) -> list[list[float]]:
    return [
        [x % y for x, y in zip(a, b)], [x // y for x, y in zip(a, b)], [x**3 for x in a], [abs(x) ** 0.3 for x in a],
        [round(x) for x in a], [round(x, 2) for x in a], [int(x) for x in a], [max(x, 0) for x in a],
        [int(x * 9) % (7 if y > 0 else -3) + int(x) // -3 for x, y in zip(a, b)], [float(x > y) for x, y in zip(a, b)],
    ]

def g(a: list[float]) -> None:
    for x in a:
        print(x, f"{x:.2f} {x:.3g} {x:.1e} {x:g} {x}")
"""


def test_numbers_round_divide_and_print_as_in_cpython():
    rng = np.random.default_rng(1)
    some = [*rng.normal(size=300), *(rng.integers(-40, 40, 300) / 8), *(rng.integers(-900, 900, 300) / 200), 0.0, -0.0]
    spread = [*some, *(rng.normal(size=100) * 10.0 ** rng.integers(-8, 18, 100))]
    a, b = [list(map(float, values)) for values in (some, rng.permutation(some))]
    b = [y if abs(y) > 1e-9 else 0.3 for y in b]
    page, python = page_from(NUMBERS, True), run_bound(NUMBERS, ModuleType("written_here"))
    assert bits(page.call("written.here", "f", a, b)) == bits(python.f(a, b))
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        python.g([float(x) for x in spread])
    for start in range(0, len(spread), 100):  # a run prints a hundred lines
        page.do("globalThis.$printed = []")
        page.call("written.here", "g", [float(x) for x in spread[start : start + 100]])
        assert page.context.value("globalThis.$printed") == said.getvalue().splitlines()[start : start + 100]


@pytest.mark.parametrize("name", MODULES)
def test_library_itself_is_plain_python_without_what_is_bound_for_readers(name):
    """Powers, sums, `math` and `numpy` are other functions in a reader's Python than in CPython."""
    for part in ast.walk(ast.parse(LIBRARY[name])):
        assert not isinstance(part, (ast.Pow, ast.Import))
        called = ast.unparse(part.func) if isinstance(part, ast.Call) else ""
        assert called not in {"pow", "sum"} or name.endswith(".ordinary")
