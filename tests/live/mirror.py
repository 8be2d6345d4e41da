"""The page's translator and Python's, asked the same, and mutants of portable code to ask them about."""

import io
import json
import random
import tokenize
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import lib
from hal.live import script
from hal.site.scripts import shortened
from lib.portable.engine import Engine
from lib.portable.translation import Module, OutsideSubset, parts
from tests.packages import name_of
from tests.portable.cases_head import HEAD
from tests.portable.cases_numbers import NUMBERS
from tests.portable.cases_structure import STRUCTURE
from tests.portable.test_language import THROWN
from tests.portable.test_refusals import REFUSED

NAME, FILE = "lib.written.here", "lib/written/here.py"
LIBRARY = Path(lib.__file__).parent
NOT_TRANSLATED = {"__init__", "lifting", "primitives", "python", "textbooks"}  # what portable code is made of

#: Every module that is portable by its place: the core itself, the textbooks, the theory of pages.
MODULES = sorted(
    name_of(path)
    for place in ("portable/*.py", "models/*/textbook*.py", "theory/*/portable*.py")
    for path in LIBRARY.glob(place)
    if path.stem not in NOT_TRANSLATED
)

#: JavaScript: `said(name, checked)` is what the page's translator makes of a source, as `by_python` says it.
ASK = """
const sources = {};
const said = (name, checked) => {
  try {
    return { ok: live.translate(name, (wanted) => sources[wanted], { checked }).parts };
  } catch (error) {
    const { name, line, reason = String(error), remedy } = error;
    return name === "NotPython" ? { name, line } : { name, line, reason, remedy };
  }
};
"""


def library_sources() -> dict[str, str]:
    """The text of every module of the library, by its name."""
    texts = {path: path.read_text(encoding="utf-8") for path in LIBRARY.rglob("*.py")}
    return {".".join(path.relative_to(LIBRARY.parent).with_suffix("").parts): text for path, text in texts.items()}


def asking(sources: Mapping[str, str], translator: str | None = None) -> str:
    """A script after which `said(name, checked)` can be asked; `translator` in place of the page's own."""
    given = json.dumps(dict(sources))
    return f"const live = {translator or shortened(script())};\n{ASK}Object.assign(sources, {given});\n"


def engine(translator: str | None = None) -> Engine:
    """V8 with the page's translator, which knows all modules of the library."""
    return Engine(asking(library_sources(), translator))


def by_page(page: Engine, source: str, checked: bool) -> dict[str, Any]:
    """What the page makes of a source: {"ok": parts}, or the refusal."""
    found: dict[str, Any] = page.value(
        f"(sources[{json.dumps(NAME)}] = {json.dumps(source)}, said({json.dumps(NAME)}, {json.dumps(checked)}))"
    )
    return found


def by_python(source: str, checked: bool) -> dict[str, Any]:
    """What Python makes of it; where it is no Python, the words are not compared, since CPython changes them."""
    known: dict[str, Module] = {}
    try:
        known[NAME] = Module(NAME, source, FILE, known, checked)
        return {"ok": parts(known, checked)}
    except OutsideSubset as error:
        return {"name": "OutsideSubset", "line": error.line, "reason": error.reason, "remedy": error.remedy}
    except SyntaxError as error:
        return {"name": "NotPython", "line": error.lineno}


def cases() -> dict[str, str]:
    """Every language case of the portable tests: what runs, what throws, what is refused."""
    found = {f"runs: {name}": HEAD + code for name, (code, _) in (NUMBERS | STRUCTURE).items()}
    found |= {f"throws: {name}": f"{HEAD}def f{case[0]}\n" for name, case in THROWN.items()}
    return found | {f"refused: {name}": f"{HEAD}\n{case[0]}\n" for name, case in REFUSED.items()}


def agree(page: Mapping[str, Any], python: Mapping[str, Any]) -> bool:
    """Whether both say the same. What is no Python both refuse, perhaps in other words: one may see the rest first."""
    if "NotPython" in (python.get("name"), page.get("name")):
        return "ok" not in page and "ok" not in python
    return page == python


SIGNS = r"""
( ) [ ] { } , : ; . = == != < > <= >= + - * / // % ** @ & | ^ ~ << >> += -= *= /= //= -> := and or not in is if
else elif while for def return pass break continue lambda None True False x n i a 0 1 2 0.5 1e5 -1 'a' "loss"
range len float floor min max abs yield await async with try from import class global del ...
"""
WORDS = SIGNS.split()


def mutants(seed: int, count: int) -> Iterator[str]:
    """Sources with one or two tokens changed, most of them to another one of the same sort.

    Args:
        seed: of what is chosen.
        count: how many.
    """
    chance = random.Random(seed)
    written = list(cases().values())
    written += [text for name, text in sorted(library_sources().items()) if name.endswith(".textbook")] * 4
    for _ in range(count):
        yield _mutant(chance.choice(written), chance)


def _mutant(source: str, chance: random.Random) -> str:
    every = [token for token in tokenize.generate_tokens(io.StringIO(source).readline) if token.string.strip()]
    low = HEAD.count("\n") if source.startswith(HEAD) else 0
    tokens = [t for t in every if t.type != tokenize.COMMENT and low < t.start[0] == t.end[0]]
    lines = source.split("\n")
    for _ in range(chance.choice((1, 1, 1, 2))):
        token = chance.choice(tokens)
        row, (start, text) = token.start[0] - 1, (token.start[1], token.string)
        alike = [t.string for t in tokens if t.type == token.type]
        word, again = chance.choice(WORDS), f"{text} {text}"
        new = chance.choice([*[chance.choice(alike)] * 6, word, "", again, f"{text} {word}"])
        lines[row] = f"{lines[row][:start]} {new} {lines[row][start + len(text) :]}"
        if chance.random() < 0.03:
            lines[row] = " " + lines[row]
    return "\n".join(lines)
