"""Portable code for the tests: what every piece begins with, and every construct, to be called as it says.

A case is a line `## what it is | the arguments of f`, then the code with a function f.
"""

import re

HEAD = """
from __future__ import annotations
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from lib.errors import require
from lib.portable.primitives import Matrix, Readings, Table, Vector, Wholes, copy, divide, first, floor
from lib.portable.primitives import floored, inf, nan, remainder, sqrt, whole_table, whole_zeros, zero_matrix, zeros

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

CONSTRUCTS = """
## signs of zero | (0.0, 0)
def f(x: float, n: int) -> Vector:
    a = [-x, 0.0 * -x, float(-n), float(n * -3), float(n // -2), float(floor(-x)), float(remainder(n, 3))]
    return [a[0], a[1], a[2], a[3], a[4], a[5], a[6], 1.0 * float(-n) * 2.0, -0.0, n * -1.5, (n * -1) * 0.5]

## zeros where their sign is seen and where it is not | ([0.0, 0.0, 0.0, 0.0], 0, 0.0)
def told(a: Vector, n: int) -> int:
    a[3] = float(n)
    return n

def f(a: Vector, n: int, x: float) -> Vector:
    a[n * -3] += 1.0
    a[n // -2 + n * 7] += 2.0
    seen = a[floor(-x)] + a[told(a, n * -1) * -1]
    same = 1.0 if n * -2 >= n // -2 and floor(-x) == n else 0.0
    least = 1.0 / divide(1.0, float(n // 2)) + 1.0 / divide(1.0, float(2 * n * 3))
    found = [float(floor(-x + 0.5)), float(floor(0.5 - x)), float(floor(-x - 0.0)), floored(-x)]
    return [a[0], a[3], seen, same, least, found[0], found[1], found[2], found[3]]

## whole numbers | (17, 5)
def f(n: int, m: int) -> Wholes:
    return [n + m, n - m, n * m, n // m, -n // m, n // -m, -n, abs(-n), min(n, m), max(n, m)]

## mixed numbers | (7, 0.1)
def f(n: int, x: float) -> Vector:
    return [n + x, n * x, n / 3, x / n, float(n), n - x, float(x)]

## precedence | (1.1, 2.3, 3.7)
def f(a: float, b: float, c: float) -> Vector:
    return [a - (b - c), a / (b / c), a - b - c, a / b / c, -(a + b) * c, a * (b + c), -a - -b]

## whole numbers in place | (100, 3)
def f(x: int, a: int) -> int:
    x //= a + 1
    x *= a - 4
    x -= a - 1
    x += -a
    return x

## nan compares with nothing | (NAN,)
def f(x: float) -> Wholes:
    return [1 if x < 1.0 else 0, 1 if x == x else 0, 1 if x != x else 0, 1 if not x > 1.0 else 0]

## min and max of nan and of zeros | (NAN, 1.0)
def f(x: float, y: float) -> Vector:
    return [min(x, y), min(y, x), max(x, y), max(y, x), min(0.0, -0.0), max(-0.0, 0.0), abs(-0.0)]

## chains through a number or a name | (1.5, 3)
def f(x: float, n: int) -> Wholes:
    return [1 if x < 2.0 < n else 0, 1 if 1 <= n <= 3 < n + 1 else 0, 1 if n > x >= 1.5 != 0.0 else 0]

## conditions | (True, False)
def f(a: bool, b: bool) -> bool:
    c = a and not b or b and not a
    return (c or a) and True

## while, break, continue | (20,)
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

## for over ranges | (7,)
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

## bounds are taken once | (4,)
def f(n: int) -> int:
    count = 0
    for i in range(n):
        n = n + 1
        for j in range(i, n if n < 9 else 9):
            count += j
    return count * 100 + n

## rows written out | ([1.5, 2.5], [3, 4])
def f(a: Vector, t: Wholes) -> Vector:
    m, k = [a, zeros(2), a], [t, copy(t)]
    m[0][1] += 0.5
    k[1][0] = 7
    return [m[2][1], a[1], m[1][0], float(len(m)), float(k[0][0]), float(t[0]), float(k[1][0])]

## rows | (4,)
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

## tuples | (3.7,)
def g(x: float) -> tuple[float, int]:
    return x * 2.0, floor(x)

def f(x: float) -> Vector:
    a, n = g(x)
    b, c = a, x
    b, c = c, b
    return [a, float(n), b, c]

## parts of a tuple, one by one and at once | (3.7, [1.5, 2.5])
def f(x: float, a: Vector) -> Vector:
    b, c, n = a, a[0], len(a)
    b[0] = 0.5
    c, d = x, c + 1.0
    e, h = (d, c) if x > 1.0 else (c, d)
    return [a[0], b[1], c, d, e, h, float(n)]

## places that change | ([1.5, 2.5], [1, 8])
def f(a: Vector, t: Wholes) -> Vector:
    w, m = Walk(Point(x=1.0, n=2), a, 3, False), [a, copy(a)]
    w.steps[t[0]] += float(bump(w))
    w.count -= 7
    w.count *= w.count
    m[1][t[0]] *= 3.0
    m[0][0] /= 7.0
    a[1] -= a[0]
    t[1] *= -2
    t[1] //= 3
    t[0] += t[1]
    return [a[0], a[1], m[1][1], float(w.count), float(t[0]), float(t[1])]

## records | (0.25,)
def f(x: float) -> Vector:
    w = Walk(Point(x, 4), zeros(3), count=0, done=False)
    w.steps[w.at.n - 2] = w.at.x
    w.count += 5
    w.done = w.count > 4
    p = Point(n=3, x=w.steps[2])
    w.at = p
    return [w.at.x, float(w.at.n + w.count), 1.0 if w.done else 0.0]

## the value before the place | ()
def f() -> Vector:
    w = Walk(Point(0.0, 0), zeros(4), 0, False)
    w.steps[w.count] = float(bump(w))
    w.steps[bump(w)] = 3.0
    w.steps[bump(w)] = float(w.count) * 10.0
    return copy(w.steps)

## the old value before the new | ()
def f() -> int:
    w = Walk(Point(0.0, 0), zeros(4), 1, False)
    w.count += bump(w) * 10
    n = w.count
    n -= bump(w) - n
    return n

## functions, handed over and used before they are defined | (0.1,)
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

## functions with names that Python knows | (1.1,)
def pow(x: float, n: int) -> float:
    return x if n == 0 else x * pow(x, n - 1)

def sum(a: Vector) -> float:
    return a[0] - a[1]

def min(a: float, b: float) -> float:
    return a + b

def f(x: float) -> Vector:
    time = pow(x, 3)
    return [time, sum([x, time]), min(x, 2.0)]

## return of nothing | ([1.0],)
def g(a: Vector, n: int) -> None:
    if n > 1:
        return
    a[0] = 5.0

def f(a: Vector) -> Vector:
    g(a, 2)
    twice(1.0)
    pass
    return a

## constants made by the functions above them | ()
def below(n: int, LAST: Wholes) -> int:
    late = LAST[0]
    return late if n < 1 else below(n - 1, LAST)

FIRST = below(2, [5])
LAST = [FIRST, floor(twice(HALF))]

def late() -> int:
    return LAST[1]

def f() -> Wholes:
    return [FIRST, LAST[0], late()]

## places counted up from before the first | ([0.5, 1.5],)
def f(a: Vector) -> Vector:
    last = -1
    for _ in range(2):
        last += 1
    BELOW = 0
    ahead = -1
    if len(a) > 1:
        ahead = 1
    return [a[last], a[BELOW], a[ahead], a[7 // 3 - 2]]

## arguments by their names | (1.5,)
def mix(a: float, b: float, c: float) -> float:
    return a + 10.0 * b + 100.0 * c

def f(x: float) -> Vector:
    return [mix(x, c=2.0, b=3.0), mix(c=x, a=floored(x), b=-x), mix(a=x, b=0.5, c=-0.0), twice(x=x)]

## arguments are computed as they are written | (0,)
def two(place: int, size: int) -> int:
    return 10 * place + size

def f(n: int) -> Wholes:
    walk = Walk(count=n, at=Point(), steps=zeros(1), done=False)
    both = two(size=bump(walk), place=bump(walk))
    seen = two(size=bump(walk), place=walk.count)
    within = two(size=two(size=bump(walk), place=bump(walk)), place=bump(walk)) if walk.count < 9 else 0
    p = Point(n=bump(walk), x=float(walk.count))
    q = Point(n=bump(walk))
    return [both, seen, within, p.n, floor(p.x), q.n, floor(q.x)]

## fields that are left out | (3,)
class Sizes(NamedTuple):
    T: int
    lr: float = HALF
    low: int = BELOW
    top: float = inf
    small: float = -1e-05
    on: bool = True

def f(n: int) -> Vector:
    a, b, c = Sizes(n), Sizes(top=2.0, T=n), Sizes(n, 0.25, on=False)
    on = 1.0 if a.on and not c.on else 0.0
    return [a.lr, float(a.low), a.top, a.small, on, b.lr, b.top, c.lr, Point().x, Point(2.0).x, float(Point(n=n).n)]

## fields of another module's record | (0.25,)
from lib.models.group_sparse.textbook import Settings

def f(lr: float) -> Vector:
    one, other = Settings(lr=lr), Settings()
    return [one.lr, other.lr, float(one.n), float(other.n)]

## letters of other alphabets | (1.5,)
def f(η: float) -> float:
    Δ = η * 2.0
    return Δ

## overflow | (1e+200,)
def f(x: float) -> Vector:
    for _ in range(5):
        x = x * x
    return [x, x - x, divide(1.0, x), divide(x, 0.0), divide(0.0, 0.0), divide(-1.0, -0.0), sqrt(-x)]

"""

_READ = re.compile(r"^## (.+) \| (.+)\n((?:(?!## ).*\n)+)", re.M)
CASES = {
    title: (f"\n{code.strip()}\n", eval(given, {"NAN": float("nan"), "INF": float("inf")}))
    for title, given, code in _READ.findall(CONSTRUCTS)
}
