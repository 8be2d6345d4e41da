"""Every construct that portable code may use does the same in CPython and in the page, to the last bit."""

import pytest

from tests.portable.engine import bits, page_from, python_of

HEAD = """
from __future__ import annotations
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from lib.errors import require
from lib.portable.primitives import Matrix, Readings, Table, Vector, Wholes, copy, divide, first, floor, inf, nan
from lib.portable.primitives import remainder, sqrt, whole_table, whole_zeros, zero_matrix, zeros
from lib.portable.python import python_only

P = TypeVar("P")
Rule = Callable[[float, P], float]
HALF = 0.5
BELOW = -2
TABLE = [1.0, 2.0, 4.0]


class Point(NamedTuple):
    x: float = 1.0
    n: int = 2


@dataclass
class Walk:
    at: Point
    steps: Vector
    count: int
    done: bool


def twice(x: float) -> float:
    return 2.0 * x


def bump(walk: Walk) -> int:
    walk.count += 1
    return walk.count

"""

NAN, INF = float("nan"), float("inf")
# what it is about: code with a function f, arguments
CASES = {
    "arithmetic": (
        """
def f(x: float, y: float) -> Vector:
    return [x + y, x - y, x * y, x / y, -x, x * 0.1 + y]
""",
        (0.3, -7.1),
    ),
    "signs of zero": (
        """
def f(x: float, n: int) -> Vector:
    a = [-x, 0.0 * -x, float(-n), float(n * -3), float(n // -2), float(floor(-x)), float(remainder(n, 3))]
    return [a[0], a[1], a[2], a[3], a[4], a[5], a[6], 1.0 * float(-n) * 2.0, -0.0, n * -1.5, (n * -1) * 0.5]
""",
        (0.0, 0),
    ),
    "whole numbers": (
        """
def f(n: int, m: int) -> Wholes:
    return [n + m, n - m, n * m, n // m, -n // m, n // -m, -n, abs(-n), min(n, m), max(n, m)]
""",
        (17, 5),
    ),
    "mixed numbers": (
        """
def f(n: int, x: float) -> Vector:
    return [n + x, n * x, n / 3, x / n, float(n), n - x, float(x)]
""",
        (7, 0.1),
    ),
    "precedence": (
        """
def f(a: float, b: float, c: float) -> Vector:
    return [a - (b - c), a / (b / c), a - b - c, a / b / c, -(a + b) * c, a * (b + c), -a - -b]
""",
        (1.1, 2.3, 3.7),
    ),
    "whole numbers in place": (
        """
def f(x: int, a: int) -> int:
    x //= a + 1
    x *= a - 4
    x -= a - 1
    x += -a
    return x
""",
        (100, 3),
    ),
    "in place": (
        """
def f(x: float, y: float) -> float:
    x += y * 2.0
    x -= y - 1.0
    x *= y + 3.0
    x /= y - 9.0
    return x
""",
        (0.7, 0.2),
    ),
    "comparisons": (
        """
def f(x: float, n: int) -> Wholes:
    a = [1 if x < n else 0, 1 if x <= n else 0, 1 if x > n else 0]
    return [a[0], a[1], a[2], 1 if x >= n else 0, 1 if x == n else 0, 1 if x != n else 0]
""",
        (3.0, 3),
    ),
    "nan compares with nothing": (
        """
def f(x: float) -> Wholes:
    return [1 if x < 1.0 else 0, 1 if x == x else 0, 1 if x != x else 0, 1 if not x > 1.0 else 0]
""",
        (NAN,),
    ),
    "min and max of nan and of zeros": (
        """
def f(x: float, y: float) -> Vector:
    return [min(x, y), min(y, x), max(x, y), max(y, x), min(0.0, -0.0), max(-0.0, 0.0), abs(-0.0)]
""",
        (NAN, 1.0),
    ),
    "chains": (
        """
def f(x: float) -> int:
    return 1 if 0.0 < x <= 2.0 and 1.0 != x != 3.0 else 0
""",
        (1.5,),
    ),
    "conditions": (
        """
def f(a: bool, b: bool) -> bool:
    c = a and not b or b and not a
    return (c or a) and True
""",
        (True, False),
    ),
    "short circuits": (
        """
def f(n: int, a: Vector) -> int:
    return 1 if n < len(a) and a[n] > 0.0 else 2
""",
        (5, [1.0]),
    ),
    "if, elif, else": (
        """
def f(n: int) -> int:
    if n < 0:
        r = 1
    elif n == 0:
        r = 2
    else:
        r = 3
    return r
""",
        (4,),
    ),
    "while, break, continue": (
        """
def f(n: int) -> int:
    total = 0
    i = 0
    while True:
        i += 1
        if i > n:
            break
        if remainder(i, 3) == 0:
            continue
        total += i
    return total
""",
        (20,),
    ),
    "for over ranges": (
        """
def f(n: int) -> Wholes:
    out = whole_zeros(5)
    for i in range(n):
        out[0] += i
    for i in range(2, n):
        out[1] += i
    for i in range(1, n, 3):
        out[2] += i
    for i in range(n - 1, -1, -1):
        out[3] = out[3] * 2 + i
    for i in range(n, 0):
        out[4] += i
    return out
""",
        (7,),
    ),
    "bounds are taken once": (
        """
def f(n: int) -> int:
    count = 0
    for i in range(n):
        n = n + 1
        for j in range(i, n if n < 9 else 9):
            count += j
    return count * 100 + n
""",
        (4,),
    ),
    "loops in loops": (
        """
def f(n: int) -> int:
    c = 0
    for i in range(n):
        for j in range(n):
            if j > i:
                break
            if i - j == 1:
                continue
            c += i * j
    return c
""",
        (6,),
    ),
    "arrays": (
        """
def f(n: int) -> Vector:
    a = zeros(n)
    for i in range(n):
        a[i] = float(i) / 7.0
    b = copy(a)
    b[0] -= 1.5
    b[n - 1] *= 3.0
    a[1] = b[0] + float(len(b))
    return [a[0], a[1], b[0], b[n - 1]]
""",
        (5,),
    ),
    "rows": (
        """
def f(n: int) -> Vector:
    m = zero_matrix(n, 2)
    for i in range(n):
        row = m[i]
        row[1] = float(i)
    swap = m[0]
    m[0] = m[1]
    m[1] = swap
    t = whole_table(2, 2)
    t[1][0] = 3
    t[1][0] -= 1
    return [m[0][1], m[1][1], m[t[1][0]][1]]
""",
        (4,),
    ),
    "arrays are shared": (
        """
def f(a: Vector) -> Vector:
    b = a
    b[0] = 9.0
    return [a[0], b[0]]
""",
        ([1.0, 2.0],),
    ),
    "tuples": (
        """
def g(x: float) -> tuple[float, int]:
    return x * 2.0, floor(x)

def f(x: float) -> Vector:
    a, n = g(x)
    b, c = a, x
    b, c = c, b
    return [a, float(n), b, c]
""",
        (3.7,),
    ),
    "records": (
        """
def f(x: float) -> Vector:
    w = Walk(Point(x, 4), zeros(3), count=0, done=False)
    w.steps[w.at.n - 2] = w.at.x
    w.count += 5
    w.done = w.count > 4
    p = Point(n=3, x=w.steps[2])
    w.at = p
    return [w.at.x, float(w.at.n + w.count), 1.0 if w.done else 0.0]
""",
        (0.25,),
    ),
    "the value before the place": (
        """
def f() -> Vector:
    w = Walk(Point(0.0, 0), zeros(4), 0, False)
    w.steps[w.count] = float(bump(w))
    w.steps[bump(w)] = 3.0
    w.steps[bump(w)] = float(w.count) * 10.0
    return copy(w.steps)
""",
        (),
    ),
    "the old value before the new": (
        """
def f() -> int:
    w = Walk(Point(0.0, 0), zeros(4), 1, False)
    w.count += bump(w) * 10
    n = w.count
    n -= bump(w) - n
    return n
""",
        (),
    ),
    "functions, handed over and used before they are defined": (
        """
def apply(rule: Rule[P], x: float, p: P) -> float:
    return rule(x, p)

def scaled(x: float, p: Point) -> float:
    return x * p.x

def shifted(x: float, a: Vector) -> float:
    return x + a[0]

def f(x: float) -> Vector:
    return [apply(scaled, x, Point(3.0, 1)), apply(shifted, x, TABLE), twice(later(x))]

def later(x: float) -> float:
    return x + HALF
""",
        (0.1,),
    ),
    "functions with names that Python knows": (
        """
def pow(x: float, n: int) -> float:
    return x if n == 0 else x * pow(x, n - 1)

def sum(a: Vector) -> float:
    return a[0] - a[1]

def min(a: float, b: float) -> float:
    return a + b

def f(x: float) -> Vector:
    time = pow(x, 3)
    return [time, sum([x, time]), min(x, 2.0)]
""",
        (1.1,),
    ),
    "recursion": (
        """
def f(n: int) -> int:
    if n < 2:
        return n
    return f(n - 1) + f(n - 2)
""",
        (12,),
    ),
    "return of nothing": (
        """
def g(a: Vector, n: int) -> None:
    if n > 1:
        return
    a[0] = 5.0

def f(a: Vector) -> Vector:
    g(a, 2)
    twice(1.0)
    pass
    return a
""",
        ([1.0],),
    ),
    "constants": (
        """
def f() -> Vector:
    a = [HALF, float(BELOW), TABLE[2], inf, nan, -inf]
    return [a[0], a[1], a[2], a[3], a[4], a[5], 1e-05, 1e22, 123456789012345680.0, 5e-324, float(9007199254740991)]
""",
        (),
    ),
    "readings": (
        '''
def f(a: Vector) -> Readings:
    """What it shows."""
    return {"loss": a, "x": [a[0], HALF]}
''',
        ([1.0, 2.0],),
    ),
    "annotated variables, parameters set anew": (
        """
def f(x: float) -> float:
    y: float = 2.0
    x = x + y
    return x
""",
        (1.0,),
    ),
    "letters of other alphabets": (
        """
def f(η: float) -> float:
    Δ = η * 2.0
    return Δ
""",
        (1.5,),
    ),
    "overflow": (
        """
def f(x: float) -> Vector:
    for _ in range(5):
        x = x * x
    return [x, x - x, divide(1.0, x), divide(x, 0.0), divide(0.0, 0.0), divide(-1.0, -0.0), sqrt(-x)]
""",
        (1e200,),
    ),
    "a result on every way": (
        """
def f(n: int) -> int:
    while True:
        n += 1
        if n > 10:
            return n
""",
        (3,),
    ),
}


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
    "negative index": ("(a: Vector, i: int) -> float:\n    return a[i - 1]", ([1.0], 0), "index -1 of 1"),
    "store outside": ("(a: Vector, i: int) -> None:\n    a[i] = 1.0", ([1.0], 2), "index 2 of 1"),
    "division by zero": ("(x: float) -> float:\n    return 1.0 / x", (0.0,), "division by zero"),
    "whole division by zero": ("(n: int) -> int:\n    return 1 // n", (0,), "division by zero"),
    "division by zero in place": ("(x: float) -> float:\n    x /= 0.0\n    return x", (1.0,), "division by zero"),
    "too large for a whole number": ("(n: int) -> int:\n    return n * n", (2**40,), "no whole number below"),
    "floor of infinity": ("(x: float) -> int:\n    return floor(x)", (INF,), "no whole number below"),
    "more than 32 bits": ("(a: Wholes, n: int) -> None:\n    a[0] = n", ([1], 2**31), "in a whole table"),
    "remainder of a negative": ("(n: int) -> int:\n    return remainder(n, 3)", (-1,), "remainder"),
}


@pytest.mark.parametrize("name", THROWN)
def test_the_checked_form_throws(name):
    code, arguments, message = THROWN[name]
    with pytest.raises(Exception, match=message):
        page_from(f"{HEAD}def f{code}\n", checked=True).call("written.here", "f", *arguments)


def test_a_refused_setting_is_said_alike_in_the_page():
    code = HEAD + 'def f(Q: int) -> int:\n    require(Q <= 4, "Q", "at most 4 positions", Q)\n    return Q\n'
    page = page_from(code)
    assert page.call("written.here", "f", 4) == 4
    with pytest.raises(Exception, match="InputError: Q: expected at most 4 positions, got 5"):
        page.call("written.here", "f", 5)


def test_what_is_for_python_alone_stays_there():
    code = HEAD + "@python_only\ndef report(x: float = 1.0, **more: str) -> str:\n    return f'{x:.3g}'\n"
    names = page_from(code).context.eval('Object.keys(portable["written.here"]).join()')
    assert names.split(",") == ["twice", "bump", "HALF", "BELOW", "TABLE"]
