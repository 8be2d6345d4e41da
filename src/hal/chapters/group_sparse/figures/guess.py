"""Figure `group_sparse-guess`: a handful of labelled examples, and the question which group decides.

Chapter `group_sparse`. Source: the task of arXiv 2504.08638, Section 2, with D = 6 groups of d = 2 variables. The layer
learns from the very examples that the reader sees; an ideal player knows that every group and direction was
equally likely, and keeps the lines that make no mistake. Groups and axes are turned for display, which changes no run:
the textbook's group is always the second, its direction the first axis.
"""

from hal.figure import Groups
from lib.models.group_sparse.textbook import STAR, Settings, done, look, on_group, start, step
from lib.portable.primitives import Readings, Vector, remainder, sqrt, zeros
from lib.portable.random_numbers import below, generator, normals
from lib.portable.vectors import dot, scale, total

D = 6
d = 2
STEPS = 100  # of gradient descent
LR = 0.3
SIZES = 101  # above every number of examples
DIRECTIONS = 1440  # of a line, all round
TURNS = 0.0021816615649929115  # the sine of half the angle between two of them, pi / 1440


def lines_left(points: Vector, y: Vector, k: int) -> float:
    """How many of so many even directions make no mistake on these examples of the group shown as k."""
    u, turn, left = [1.0, 0.0], TURNS, 0
    cos, sin = 1.0 - 2.0 * turn * turn, 2.0 * turn * sqrt(1.0 - turn * turn)
    for _ in range(DIRECTIONS):
        i = 0
        while i < len(y) and y[i] * (points[2 * (i * D + k)] * u[0] + points[2 * (i * D + k) + 1] * u[1]) > 0.0:
            i += 1
        left += 1 if i == len(y) else 0
        x = u[0]
        u[0] = cos * x - sin * u[1]
        u[1] = sin * x + cos * u[1]
    return float(left)


def examples(number: int, n: int) -> Readings:
    """n examples of a task, the group that decides, and what a layer and an ideal player make of them.

    Every number of examples has tasks of its own, so that no answer tells another.

    Args:
        number: which task and examples.
        n: how many examples.
    """
    task = SIZES * number + n
    state = start(Settings(D, d, n, LR, STEPS, 1.0, 0.0), task)
    while not done(state):
        step(state)
    look(state)
    random, turn = generator(task, 3), zeros(2)
    place = remainder(below(random, D) + n // 32, D)  # of the group that decides: no two sizes of the first task agree
    normals(random, turn)
    length = sqrt(dot(turn, turn))
    points, right, attention, best = zeros(2 * n * D), zeros(D), zeros(D), zeros(D)
    right[place] = 1.0
    for k in range(D):
        j = remainder(k + STAR + D - place, D)  # the textbook's number of the group shown as k
        for i in range(n):
            x = state.tokens[i * D + j]
            points[2 * (i * D + k)] = (turn[0] * x[0] - turn[1] * x[1]) / length
            points[2 * (i * D + k) + 1] = (turn[1] * x[0] + turn[0] * x[1]) / length
        attention[k] = on_group(state, j)
        best[k] = lines_left(points, state.y, k)
    scale(turn, 1.0 / length)
    if total(best) > 0.0:
        scale(best, 1.0 / total(best))
    return {"points": points, "labels": state.y, "right": right, "attention": attention, "best": best, "line": turn}


def figure() -> Groups:
    """The figure `group_sparse-guess`, as the chapter shows it."""
    return Groups(
        examples,
        name="group_sparse-guess",
        title="Which group decides?",
        question="Every example is a point in each plot. A line through the middle of one plot decides the label. "
        "Which plot?",
    )
