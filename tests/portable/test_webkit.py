"""Portable code in JavaScriptCore, Safari's engine (Debian's `jsc`), does what it does in CPython, to the last bit."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from lib.portable import javascript, numbers, random_numbers
from lib.portable.engine import Engine
from lib.portable.translation import Module, program
from tests.portable.cases import CASES, HEAD
from tests.portable.engine import SHOW, bits, literal, numbers_shown, python_of
from tests.portable.test_numbers import exponents, positives
from tests.portable.test_translator import LIBRARY, MODULES, asking, cases

pytestmark = pytest.mark.browser


def jsc_or_skip() -> str:
    """Path of `jsc`; without one the test is skipped, or fails when REQUIRE_BROWSER=1."""
    path = shutil.which("jsc")
    if path is None:
        say = pytest.fail if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip
        say("no JavaScriptCore on this machine; get it with: apt-get install libjavascriptcoregtk-4.0-bin")
    return path


def in_webkit(folder: Path, script: str, value: str) -> object:
    """What a script leaves behind in JavaScriptCore, every bit of it.

    Args:
        folder: for the script's file.
        script: a translated program and what else is to be run.
        value: expression of the result: numbers, arrays, records, `undefined` as None.
    """
    path = folder / "script.js"
    path.write_text(f"{script}{SHOW}print($show({value}) ?? null);\n", encoding="utf-8")
    done = subprocess.run([jsc_or_skip(), str(path)], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return numbers_shown(done.stdout)


def test_every_construct(tmp_path):
    script, calls, expected = "", [], []
    for i, (code, arguments) in enumerate(CASES.values()):
        known: dict[str, Module] = {}
        known["written.here"] = Module("written.here", HEAD + code, "here.py", known)
        script += f"const case{i} = () => {{ {program(known)} return portable; }};\n"
        calls.append(f'case{i}()["written.here"].f({", ".join(map(literal, arguments))}) ?? null')
        fresh = [list(a) if isinstance(a, list) else a for a in arguments]
        expected.append(python_of(HEAD + code).f(*fresh))
    found = in_webkit(tmp_path, script, f"[{', '.join(calls)}]")
    for name, ours, theirs in zip(CASES, found, expected, strict=True):
        assert bits(ours) == bits(theirs), name


@pytest.mark.parametrize(("name", "values"), [("exp", exponents()), ("log", positives())])
def test_exp_and_log(tmp_path, name, values):
    given = ", ".join(map(literal, values))
    call = f'Float64Array.from([{given}], portable["lib.portable.numbers"].{name})'
    assert bits(in_webkit(tmp_path, javascript(numbers), call)) == bits([getattr(numbers, name)(x) for x in values])


def test_random_numbers(tmp_path):
    state = random_numbers.generator(7, 1)
    expected = [0.0] * 20_000
    random_numbers.normals(state, expected)
    script = javascript(random_numbers) + (
        'const R = portable["lib.portable.random_numbers"], state = R.generator(7, 1), drawn = new Float64Array(20000);'
        "R.normals(state, drawn);"
    )
    assert bits(in_webkit(tmp_path, script, "[drawn, state]")) == bits([expected, state])


def test_every_module_and_case_is_translated_to_the_same_text(tmp_path):
    texts = {f"case.{i}": source for i, source in enumerate(cases().values())}
    asked = [[name, checked] for name in [*MODULES, *texts] for checked in (False, True)]
    script = f"{asking(LIBRARY | texts)}const all = JSON.stringify({json.dumps(asked)}.map((one) => said(...one)));\n"
    path = tmp_path / "all.js"
    path.write_text(f"{script}print(all);\n", encoding="utf-8")
    done = subprocess.run([jsc_or_skip(), str(path)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    v8 = Engine(script).value("JSON.parse(all)")
    for one, theirs, ours in zip(asked, json.loads(done.stdout), v8, strict=True):
        assert theirs == ours, one
