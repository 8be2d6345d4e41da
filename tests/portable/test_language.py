"""Every construct that portable code may use does the same in CPython and in the page, to the last bit."""

import pytest

from lib.portable.translation import Module, program
from tests.portable.cases import CASES, HEAD
from tests.portable.engine import Page, bits, page_from, python_of


@pytest.mark.parametrize("checked", [False, True], ids=["as shipped", "checked"])
@pytest.mark.parametrize("name", CASES)
def test_construct(name, checked):
    code, arguments = CASES[name]
    fresh = [list(a) if isinstance(a, list) else a for a in arguments]
    assert bits(page_from(HEAD + code, checked).call("written.here", "f", *arguments)) == bits(
        python_of(HEAD + code).f(*fresh)
    )


# What the kinds cannot tell, the checked form of the translation throws at: there Python raises, or would differ.
THROWN = {
    "index outside": ("(a: Vector, i: int) -> float:\n    return a[i]", ([1.0], 1), "index 1 of 1"),
    "negative index": ("(a: Vector, i: int) -> float:\n    return a[i - 1]", ([1.0], -1), "index -2 of 1"),
    "store outside": ("(a: Vector, i: int) -> None:\n    a[i] = 1.0", ([1.0], 2), "index 2 of 1"),
    "division by zero": ("(x: float) -> float:\n    return 1.0 / x", (0.0,), "division by zero"),
    "whole division by zero": ("(n: int) -> int:\n    return 1 // n", (0,), "division by zero"),
    "an index that divides by zero": ("(a: Vector) -> float:\n    return a[7 // 0]", ([1.0],), "division by zero"),
    "division by zero in place": ("(x: float) -> float:\n    x /= 0.0\n    return x", (1.0,), "division by zero"),
    "too large for a whole number": ("(n: int) -> int:\n    return n * n", (2**40,), "no whole number below"),
    "floor of infinity": ("(x: float) -> int:\n    return floor(x)", (float("inf"),), "no whole number below"),
    "floor of infinity as a float": ("(x: float) -> float:\n    return floored(x)", (float("inf"),), "no whole number"),
    "more than 32 bits": ("(a: Wholes, n: int) -> None:\n    a[0] = n", ([1], 2**31), "in a whole table"),
    "remainder of a negative": ("(n: int) -> int:\n    return remainder(n, 3)", (-1,), r"remainder\(-1, 3\)"),
    "remainder by zero": ("(n: int) -> int:\n    return remainder(3, n)", (0,), r"remainder\(3, 0\)"),
    "in their order": ("(n: int) -> Point:\n    return Point(n=1 // n, x=[1.0][n + 1])", (0,), "division by zero"),
    "just too large for a whole number": ("(n: int) -> int:\n    return n * 2", (2**52,), "9007199254740992 is no"),
    "less than no places": ("(n: int) -> Vector:\n    return zeros(n)", (-1,), "a list of -1 places"),
    "less than no whole places": ("(n: int) -> Wholes:\n    return whole_zeros(n)", (-2,), "a list of -2 places"),
    "less than no rows": ("(n: int) -> Matrix:\n    return zero_matrix(n, 1)", (-1,), "a list of -1 places"),
    "less than no columns": ("(n: int) -> Table:\n    return whole_table(1, n)", (-1,), "a list of -1 places"),
}


@pytest.mark.parametrize("name", THROWN)
def test_the_checked_form_throws(name):
    code, arguments, message = THROWN[name]
    source = f"{HEAD}def f{code}\n"
    line = next(i for i, text in enumerate(source.split("\n"), 1) if text == code.split("\n")[1])
    with pytest.raises(Exception, match=rf"{message}.*, line {line} of here\.py"):
        page_from(source, checked=True).call("written.here", "f", *arguments)


def test_what_just_fits_is_let_through():
    code = "def f(n: int, a: Wholes) -> int:\n    a[len(a) - 1] = 2147483647\n    return n * 2 + 1 + remainder(n, 1)\n"
    assert page_from(HEAD + code, checked=True).call("written.here", "f", 2**52 - 1, [0, 0]) == 2**53 - 1
    assert page_from(HEAD + "def f() -> int:\n    return 9007199254740991\n").call("written.here", "f") == 2**53 - 1


OWN = """from lib.portable.vectors import add
from lib.portable.primitives import Vector

def spoil(a: Vector) -> None:
    add(
        a,
        1.0, a)
    add(a, 1.0, [1.0])

def own(a: Vector) -> None:
    add(a, 1.0, a)
    a[len(a)] = 1.0
"""


@pytest.mark.parametrize(
    ("name", "said"),
    [("spoil", r"index 1 of 1, line \d+ of lib/portable/vectors\.py, called from line 8 of your run"),
     ("own", "index 2 of 2, line 12 of your run$")],
)  # fmt: skip
def test_a_reader_is_told_the_line_of_her_own(name, said):
    known = {}
    known["own_run"] = Module("own_run", OWN, "your run", known, True, {"step": name})
    with pytest.raises(Exception, match=f"(?m){said}"):
        Page(program(known, True)).call("own_run", "step", [1.0, 2.0])


def test_a_refused_setting_is_said_alike_in_the_page():
    code = HEAD + 'def f(Q: int) -> int:\n    require(Q <= 4, "Q", "at most 4 positions", Q)\n    return Q\n'
    page = page_from(code)
    assert page.call("written.here", "f", 4) == 4
    with pytest.raises(Exception, match="InputError: Q: expected at most 4 positions, got 5"):
        page.call("written.here", "f", 5)


def test_recorded_numbers_stand_in_the_page_as_if_they_were_typed(tmp_path):
    file = tmp_path / "a.json"
    file.write_text('{"a": [1, 2.5, -0.5, -0.0, 1e-7], "b": {"t": [[1, -2], [3]], "w": [7, 0], "m": [[1, 2.0]]}}')
    code = """
def f() -> Vector:
    return [A[0] / 3.0, A[1], A[2], 1.0 / A[4], float(T[0][1] - W[0]), M[0][0] / 3.0, float(len(T[1])), -A[3]]
"""
    kinds = {"A": ("Vector", "a"), "T": ("Table", "b.t"), "W": ("Wholes", "b.w"), "M": ("Matrix", "b.m")}
    lines = [f"{name} = recorded({kind}, {str(file)!r}, {key!r})" for name, (kind, key) in kinds.items()]
    taken = "\n".join([HEAD, "from lib.portable.primitives import recorded", *lines]) + code
    typed = "A = [1.0, 2.5, -0.5, -0.0, 1e-7]\nT = [[1, -2], [3]]\nW = [7, 0]\nM = [[1.0, 2.0]]\n"
    modules = [Module("written.here", text, "here.py", {}) for text in (taken, HEAD + typed + code)]
    assert modules[0].javascript == modules[1].javascript
    assert bits(page_from(taken).call("written.here", "f")) == bits(python_of(taken).f())
    file.write_text(file.read_text().replace("2.5", "3.5"))
    assert page_from(taken).call("written.here", "f")[1] == 3.5
