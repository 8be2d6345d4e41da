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


def in_webkit(folder: Path, script: str, value: str) -> str:
    """What JavaScriptCore prints of an expression after a script; skipped without it, failed with REQUIRE_BROWSER=1."""
    if not (jsc := shutil.which("jsc")):
        say = pytest.fail if os.environ.get("REQUIRE_BROWSER") == "1" else pytest.skip
        say("no JavaScriptCore on this machine; get it with: apt-get install libjavascriptcoregtk-4.0-bin")
    path = folder / "script.js"
    path.write_text(f"{script}print({value});\n", encoding="utf-8")
    done = subprocess.run([jsc, str(path)], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    return done.stdout


def test_every_construct(tmp_path):
    script, calls, expected = SHOW, [], []
    for i, (code, arguments) in enumerate(CASES.values()):
        known: dict[str, Module] = {}
        known["written.here"] = Module("written.here", HEAD + code, "here.py", known)
        script += f"const case{i} = () => {{ {program(known)} return portable; }};\n"
        calls.append(f'case{i}()["written.here"].f({", ".join(map(literal, arguments))}) ?? null')
        fresh = [list(a) if isinstance(a, list) else a for a in arguments]
        expected.append(python_of(HEAD + code).f(*fresh))
    found = numbers_shown(in_webkit(tmp_path, script, f"$show([{', '.join(calls)}])"))
    for name, ours, theirs in zip(CASES, found, expected, strict=True):
        assert bits(ours) == bits(theirs), name


def test_exp_log_and_random_numbers(tmp_path):
    state, drawn = random_numbers.generator(7, 1), [0.0] * 20_000
    random_numbers.normals(state, drawn)
    expected = [list(map(numbers.exp, exponents())), list(map(numbers.log, positives())), drawn, state]
    script = f"""{SHOW}{javascript(numbers, random_numbers)}
const R = portable["lib.portable.random_numbers"], N = portable["lib.portable.numbers"];
const of = (f, values) => Float64Array.from(values, f), state = R.generator(7, 1), drawn = new Float64Array(20000);
R.normals(state, drawn);
"""
    given = [", ".join(map(literal, values)) for values in (exponents(), positives())]
    shown = in_webkit(tmp_path, script, f"$show([of(N.exp, [{given[0]}]), of(N.log, [{given[1]}]), drawn, state])")
    assert bits(numbers_shown(shown)) == bits(expected)


def test_every_module_and_case_is_translated_to_the_same_text(tmp_path):
    texts = {f"case.{i}": source for i, source in enumerate(cases().values())}
    asked = [[name, checked] for name in [*MODULES, *texts] for checked in (False, True)]
    script = f"{asking(LIBRARY | texts)}const all = JSON.stringify({json.dumps(asked)}.map((one) => said(...one)));\n"
    v8 = Engine(script).value("JSON.parse(all)")
    for one, theirs, ours in zip(asked, json.loads(in_webkit(tmp_path, script, "all")), v8, strict=True):
        assert theirs == ours, one
