"""Figure `one_nn-neighbours`: labelled points on a circle or a sphere, a query to drag, and a layer while it trains.

Chapter `one_nn`. Source: the model of arXiv 2411.10830 on the family W = diag(xi_1 I, 0, -xi_2) along its exact flow.
"""

from collections.abc import Callable

from hal.chapters.one_nn.theory.portable_flow import path
from hal.figure import Sphere
from lib.models.one_nn.textbook import draw_point, softmax
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, floor, zeros
from lib.portable.random_numbers import generator, uniform
from lib.theory.one_nn.portable import law_of

FIRST = 243  # of the prompts: the plain vote is wrong on circle and sphere, and the nearest stands clear of the query
N = 13  # points of a prompt in training
END = 10000.0  # of training
CELLS = 45  # of the tables of xi_1 and xi_2
UP = (0.2079, 0.9781)  # where the page puts the query of a circle


def trained(d: int) -> Vector:
    """xi_1, then xi_2 (92,), at the times END (i / 45)^3 of the flow from the self-penalty 3."""
    times, both = zeros(CELLS + 1), zeros(2 * CELLS + 2)
    for i in range(CELLS + 1):
        share = float(i) / float(CELLS)
        times[i] = END * share * share * share
    xi1, xi2, _ = path(law_of(d, N), 0.0, 3.0, times, 1e-3)
    for i in range(CELLS + 1):
        both[i] = xi1[i]
        both[CELLS + 1 + i] = xi2[i]
    return both


CIRCLE = trained(2)
BALL = trained(3)


def draw(number: int, N: int, d: int, far: bool) -> Readings:
    """N points, uniform on circle or sphere, with fair labels; `far`: those near `UP` at the opposite place."""
    random = generator(FIRST + number, d - 2)
    points, labels, normal, point = zeros(3 * N), zeros(N), zeros(d), zeros(d)
    for j in range(N):
        draw_point(random, normal, point)
        sign = -1.0 if far and point[0] * UP[0] + point[1] * UP[1] > 0.0 else 1.0
        for a in range(d):
            points[3 * j + a] = sign * point[a]
        labels[j] = 1.0 if uniform(random) < 0.5 else -1.0
    return {"points": points, "labels": labels}


def prompt(number: int, N: int, d: int) -> Readings:
    """Prompt `number`, see `draw`."""
    return draw(number, N, d, False)


def far_prompt(number: int, N: int, d: int) -> Readings:
    """The same with all points on the far half of the circle."""
    return draw(number, N, d, True)


def at_time(table: Vector, first: int, t: float) -> float:
    """Of a table what stands from its place `first` on, at time t."""
    place = float(CELLS) * exp(log(t / END) / 3.0) if t > 0.0 else 0.0
    i = first + min(CELLS - 1, floor(place))
    return table[i] + (place - float(i - first)) * (table[i + 1] - table[i])


def answer(points: Vector, labels: Vector, x: float, y: float, z: float, t: float) -> Readings:
    """At time t the attention of a query at (x, y, z) on every point and, last, on itself; the answer f; and xi_1."""
    table, n, f = CIRCLE if points[2] == 0.0 else BALL, len(labels), 0.0
    xi1, attention = at_time(table, 0, t), zeros(n + 1)
    for j in range(n):
        attention[j] = xi1 * (points[3 * j] * x + points[3 * j + 1] * y + points[3 * j + 2] * z)
    attention[n] = xi1 - at_time(table, CELLS + 1, t)
    softmax(attention)
    for j in range(n):
        f += attention[j] * labels[j]
    return {"attention": attention, "answer": [f], "xi1": [xi1]}


def circle(draws: Callable[[int, int, int], Readings], name: str, title: str, ball: bool) -> Sphere:
    """A figure of the layer while it trains."""
    return Sphere(
        draws, answer, name=name, title=title, sharpness="Training time t", largest=END, points=N, start=0.0, ball=ball
    )


def figure() -> Sphere:
    """The figure `one_nn-neighbours`, as the chapter shows it."""
    return circle(prompt, "one_nn-neighbours", "Which point does the query trust?", True)
