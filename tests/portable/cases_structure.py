"""Arrays, tuples, records, functions and order of evaluation: code with a function f, and its arguments."""

STRUCTURE = {
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
    "rows written out": (
        """
def f(a: Vector, t: Wholes) -> Vector:
    m, k = [a, zeros(2), a], [t, copy(t)]
    m[0][1] += 0.5
    k[1][0] = 7
    return [m[2][1], a[1], m[1][0], float(len(m)), float(k[0][0]), float(t[0]), float(k[1][0])]
""",
        ([1.5, 2.5], [3, 4]),
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
    "parts of a tuple, one by one and at once": (
        """
def f(x: float, a: Vector) -> Vector:
    b, c, n = a, a[0], len(a)
    b[0] = 0.5
    c, d = x, c + 1.0
    e, h = (d, c) if x > 1.0 else (c, d)
    return [a[0], b[1], c, d, e, h, float(n)]
""",
        (3.7, [1.5, 2.5]),
    ),
    "places that change": (
        """
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
""",
        ([1.5, 2.5], [1, 8]),
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
    "constants made by the functions above them": (
        """
def below(n: int, LAST: Wholes) -> int:
    late = LAST[0]
    return late if n < 1 else below(n - 1, LAST)

FIRST = below(2, [5])
LAST = [FIRST, floor(twice(HALF))]

def late() -> int:
    return LAST[1]

def f() -> Wholes:
    return [FIRST, LAST[0], late()]
""",
        (),
    ),
    "places counted up from before the first": (
        """
def f(a: Vector) -> Vector:
    last = -1
    for _ in range(2):
        last += 1
    BELOW = 0
    ahead = -1
    if len(a) > 1:
        ahead = 1
    return [a[last], a[BELOW], a[ahead], a[7 // 3 - 2]]
""",
        ([0.5, 1.5],),
    ),
    "readings": (
        '''
def f(a: Vector) -> Readings:
    """What it shows."""
    return {"loss": a, "x": [a[0], HALF]}
''',
        ([1.0, 2.0],),
    ),
    "arguments by their names": (
        """
def mix(a: float, b: float, c: float) -> float:
    return a + 10.0 * b + 100.0 * c

def f(x: float) -> Vector:
    return [mix(x, c=2.0, b=3.0), mix(c=x, a=floored(x), b=-x), mix(a=x, b=0.5, c=-0.0), twice(x=x)]
""",
        (1.5,),
    ),
    "arguments are computed as they are written": (
        """
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
""",
        (0,),
    ),
    "fields that are left out": (
        """
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
""",
        (3,),
    ),
    "fields of another module's record": (
        """
from lib.models.scb.textbook import Settings

def f(lr: float) -> Vector:
    one, other = Settings(lr=lr), Settings()
    return [one.lr, other.lr, float(one.T), float(other.T)]
""",
        (0.25,),
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
