"""Portable code in JavaScriptCore does what it does in CPython, to the last bit."""

import pytest

from lib.portable import javascript, numbers, random_numbers
from lib.portable.translation import Module, program
from tests.portable.cases_head import HEAD
from tests.portable.engine import bits, literal, python_of
from tests.portable.test_language import CASES
from tests.portable.test_numbers import exponents, positives
from tests.portable.webkit import in_webkit

pytestmark = pytest.mark.browser


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
