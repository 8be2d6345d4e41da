"""Arithmetic, conditions and loops: code with a function f, and its arguments."""

NAN = float("nan")

NUMBERS = {
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
    "zeros where their sign is seen and where it is not": (
        """
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
""",
        ([0.0, 0.0, 0.0, 0.0], 0, 0.0),
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
    "chains through a number or a name": (
        """
def f(x: float, n: int) -> Wholes:
    return [1 if x < 2.0 < n else 0, 1 if 1 <= n <= 3 < n + 1 else 0, 1 if n > x >= 1.5 != 0.0 else 0]
""",
        (1.5, 3),
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
}
