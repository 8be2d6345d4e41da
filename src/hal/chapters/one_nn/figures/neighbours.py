"""Figure `one_nn-neighbours`: labelled points on a circle or a sphere, and a query that the reader drags.

Chapter `one_nn`. Source: the model of arXiv 2411.10830 on the family W = diag(xi_1 I, 0, -xi_2) with a strong
self-penalty: the scores are xi_1 z_j, and the query does not look at itself.
"""

from hal.figure import Sphere
from lib.models.one_nn.textbook import draw_point, softmax
from lib.portable.primitives import Readings, Vector, zeros
from lib.portable.random_numbers import generator, uniform
from lib.portable.vectors import dot

FIRST = 12  # of the prompts: whose plain vote is wrong, on the circle and on the sphere


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


def answer(points: Vector, labels: Vector, x: float, y: float, z: float, xi1: float) -> Readings:
    """The attention of a query at (x, y, z) on every point, and the answer f, their labels' mean under it."""
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
        sharpness="Inverse temperature ξ_1",
        points=13,
        start=0.0,
    )
