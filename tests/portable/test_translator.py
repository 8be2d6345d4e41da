"""The translator as an editor has it: lines are known, CPython says what is Python, shortened it says the same."""

import io
import json
import random
import subprocess
import sys
import tokenize
import warnings
from pathlib import Path

import pytest

import lib
from hal.site.scripts import shortened
from lib.portable.engine import Engine
from lib.portable.translation import load, parts, script
from tests.packages import SOURCE, name_of
from tests.portable.cases import CASES, HEAD
from tests.portable.test_language import THROWN
from tests.portable.test_refusals import REFUSED

NAME = "lib.written.here"
LIBRARY = {name_of(path): path.read_text(encoding="utf-8") for path in sorted(Path(lib.__file__).parent.rglob("*.py"))}
NOT_TRANSLATED = {"__init__", "engine", "lifting", "primitives", "python", "textbooks", "translation"}

#: Every module that is portable by its place: the core itself, the textbooks, the theory of pages.
MODULES = sorted(
    name_of(path)
    for place in ("portable/*.py", "models/*/textbook*.py", "theory/*/portable*.py")
    for path in (SOURCE / "lib").glob(place)
    if path.stem not in NOT_TRANSLATED
)

#: JavaScript: `said(name, checked)` is what the translator makes of a source, {ok: parts} or the refusal.
ASK = """
const said = (name, checked, book) => {
  try {
    return { ok: translator.translate(name, (wanted) => sources[wanted], { checked, book }).parts };
  } catch ({ name, line, reason, remedy, message }) {
    return { name, line, reason: reason ?? message, remedy };
  }
};
"""


def asking(sources: dict[str, str]) -> str:
    """A script after which `said(name, checked)` can be asked."""
    return f"const translator = {shortened(script())}, sources = {json.dumps(sources)};\n{ASK}"


def cases() -> dict[str, str]:
    """Every language case of the portable tests: what runs, what throws, what is refused."""
    found = {f"runs: {name}": HEAD + code for name, (code, _) in CASES.items()}
    found |= {f"throws: {name}": f"{HEAD}def f{case[0]}\n" for name, case in THROWN.items()}
    return found | {f"refused: {name}": f"{HEAD}\n{case[0]}\n" for name, case in REFUSED.items()}


def by_build(name, checked):
    known = {}
    load(name, known, checked)
    return parts(known, checked)


@pytest.fixture(scope="module")
def page():
    return Engine(asking(LIBRARY))


@pytest.mark.law
@pytest.mark.parametrize("name", MODULES)
def test_a_shortened_translator_says_the_same_and_knows_where_every_line_was_written(page, name):
    for checked in (False, True):
        assert page.value(f"said({json.dumps(name)}, {json.dumps(checked)})") == {"ok": by_build(name, checked)}
    quoted = json.dumps(name)
    page.eval(f"var made = translator.translate({quoted}, (m) => sources[m]).known.get({quoted}); 0")
    lines, origins = page.value("made.javascript.split('\\n')"), page.value("made.origins")
    assert len(origins) == len(lines)
    written = LIBRARY[name].split("\n")
    returns = [line for text, line in zip(lines, origins, strict=True) if text.strip().startswith("return ") and line]
    assert all(written[line - 1].strip().startswith(("return", "if", "elif", "else")) for line in returns)
    assert len(returns) > 3 or not name.endswith(".textbook")


def test_a_forked_process_translates_with_an_engine_of_its_own():
    code = """
import os
from lib.portable import check, numbers, vectors
check(numbers)
child = os.fork()
if not child:
    check(vectors)
    os._exit(7)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)


SIGNS = """
( ) [ ] { } , : ; . = == != < > <= >= + - * / // % ** @ & | ^ ~ << >> += -= *= /= //= -> := and or not in is if
else elif while for def return pass break continue lambda None True False x n i a 0 1 2 0.5 1e5 -1 'a' "loss"
range len float floor min max abs yield await async with try from import class global del ...
"""
WORDS = SIGNS.split()


def mutant(source: str, chance: random.Random) -> str:
    """A source with one or two tokens changed, most of them to another one of the same sort."""
    every = [token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.string.strip()]
    low = HEAD.count("\n") if source.startswith(HEAD) else 0
    tokens = [t for t in every if t.type != tokenize.COMMENT and low < t.start[0] == t.end[0]]
    lines = source.split("\n")
    for _ in range(chance.choice((1, 1, 1, 2))):
        token = chance.choice(tokens)
        row, (start, text) = token.start[0] - 1, (token.start[1], token.string)
        alike = [t.string for t in tokens if t.type == token.type]
        word = chance.choice(WORDS)
        new = chance.choice([*[chance.choice(alike)] * 6, word, "", f"{text} {text}", f"{text} {word}"])
        lines[row] = f"{lines[row][:start]} {new} {lines[row][start + len(text) :]}"
        if chance.random() < 0.03:
            lines[row] = " " + lines[row]
    return "\n".join(lines)


def is_python(source: str) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            compile(source, "here.py", "exec", dont_inherit=True)
        except SyntaxError:
            return False
    return True


@pytest.mark.parametrize("block", range(4))
def test_what_cpython_does_not_read_is_refused_and_what_is_no_python_it_does_not_read(page, block):
    chance = random.Random(block)
    written = [*cases().values(), *[text for name, text in LIBRARY.items() if name.endswith(".textbook")] * 4]
    found = set()
    for _ in range(100):
        source = mutant(chance.choice(written), chance)
        ask = f"(sources[{json.dumps(NAME)}] = {json.dumps(source)}, said({json.dumps(NAME)}, {json.dumps(block > 1)}))"
        told = page.value(ask)
        name = "ok" if "ok" in told else told["name"]
        assert name != ("NotPython" if is_python(source) else "ok"), (source, told)
        assert name == "ok" or told["line"] >= 1, (source, told)
        found.add(name)
    assert found == {"ok", "NotPython", "OutsideSubset"}
