"""Integrals of smooth functions: Gauss and Legendre's places and weights, found once when a module is loaded."""

from lib.portable.primitives import Vector, zeros


def legendre(n: int, x: float) -> float:
    """The Legendre polynomial of degree n >= 1 at x, by its three-term recurrence."""
    before = 1.0
    value = x
    for k in range(2, n + 1):
        after = (float(2 * k - 1) * x * value - float(k - 1) * before) / float(k)
        before = value
        value = after
    return value


def gauss_places(n: int) -> Vector:
    """The n >= 1 places of Gauss and Legendre's rule on [0, 1], growing: the zeros of the polynomial of degree n.

    A change of sign is looked for in 20 n cells, finest near the ends, where the zeros lie closest, and halved until it
    is found; to the last few digits for n up to 40.
    """
    places = zeros(n)
    cells = 20 * n
    found = 0
    high = 1.0
    above = legendre(n, high)
    for i in range(cells - 1, -1, -1):
        left = 1.0 - float(i) / float(cells)
        low = 1.0 - left * left
        below = legendre(n, low)
        if low == 0.0 and below == 0.0:
            places[found] = 0.5
            found += 1
        elif above * below < 0.0:
            a = low
            b = high
            for _ in range(60):
                middle = 0.5 * (a + b)
                if legendre(n, middle) * below > 0.0:
                    a = middle
                else:
                    b = middle
            x = 0.5 * (a + b)
            places[found] = 0.5 * (1.0 - x)
            places[n - 1 - found] = 0.5 * (1.0 + x)
            found += 1
        high = low
        above = below
    return places


def gauss_weights(places: Vector) -> Vector:
    """The weights of the rule at its places on [0, 1]; they sum to 1."""
    n = len(places)
    weights = zeros(n)
    for i in range(n):
        x = 2.0 * places[i] - 1.0
        before = legendre(n - 1, x) if n > 1 else 1.0
        weights[i] = (1.0 - x * x) / (float(n * n) * before * before)
    return weights
