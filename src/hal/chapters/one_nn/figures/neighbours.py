"""Figure `one_nn-neighbours`: labelled points on a circle or a sphere, a query to drag, and a layer while it trains.

Chapter `one_nn`. Source: the model of arXiv 2411.10830 on the family W = diag(xi_1 I, 0, -xi_2) along its exact flow:
the scores are xi_1 z_j. The query's attention on itself, on average below 3%, is left out.
"""

from hal.chapters.one_nn.theory.portable_flow import path
from hal.figure import Sphere
from lib.models.one_nn.textbook import draw_point, softmax
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, floor, zeros
from lib.portable.random_numbers import generator, uniform
from lib.portable.vectors import dot
from lib.theory.one_nn.portable import law_of

FIRST = 12  # of the prompts: whose plain vote is wrong, on the circle and on the sphere
N = 13  # points of a prompt in training
END = 100000.0  # of training
CELLS = 45  # of the tables of xi_1


def trained(d: int) -> Vector:
    """xi_1 (46,) at the times END (i / 45)^3 of the flow from the self-penalty 3."""
    times = zeros(CELLS + 1)
    for i in range(CELLS + 1):
        share = float(i) / float(CELLS)
        times[i] = END * share * share * share
    xi1, _, _loss = path(law_of(d, N), 0.0, 3.0, times, 1e-3)
    return xi1


CIRCLE = trained(2)
BALL = trained(3)


def prompt(number: int, N: int, d: int) -> Readings:
    """N labelled points, uniform on the circle (d = 2) or the sphere (d = 3), with fair labels.

    Args:
        number: which prompt.
        N: points.
        d: 2 or 3.
    """
    random = generator(FIRST + number, d - 2)
    points, labels, normal, point = zeros(3 * N), zeros(N), zeros(d), zeros(d)
    for j in range(N):
        draw_point(random, normal, point)
        for a in range(d):
            points[3 * j + a] = point[a]
        labels[j] = 1.0 if uniform(random) < 0.5 else -1.0
    return {"points": points, "labels": labels}


def answer(points: Vector, labels: Vector, x: float, y: float, z: float, t: float) -> Readings:
    """At time t the attention of a query at (x, y, z) on every point, and the answer f, the labels' mean under it."""
    table = CIRCLE if points[2] == 0.0 else BALL
    place = float(CELLS) * exp(log(t / END) / 3.0) if t > 0.0 else 0.0
    i = min(CELLS - 1, floor(place))
    xi1 = table[i] + (place - float(i)) * (table[i + 1] - table[i])
    attention = zeros(len(labels))
    for j in range(len(labels)):
        attention[j] = xi1 * (points[3 * j] * x + points[3 * j + 1] * y + points[3 * j + 2] * z)
    softmax(attention)
    return {"attention": attention, "answer": [dot(attention, labels)]}


def figure() -> Sphere:
    """The figure `one_nn-neighbours`, as the chapter shows it."""
    return Sphere(
        prompt,
        answer,
        name="one_nn-neighbours",
        title="Whom does the query believe?",
        sharpness="Training time t",
        largest=END,
        points=N,
        start=0.0,
    )
