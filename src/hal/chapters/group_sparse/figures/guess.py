"""Figure `group_sparse-guess`: a handful of labelled examples, and the question which group decides.

Chapter `group_sparse`. Source: the task of arXiv 2504.08638, Section 2, with D = 5 groups of d = 2 variables. The layer
and logistic regression learn from the very examples that the reader sees. Groups and axes are turned for display, which
changes no run: the textbook's group is always the second, its direction the first axis.
"""

from hal.explorer import Groups
from lib.models.group_sparse.textbook import STAR, TESTS, Settings, State, done, start, step, tested
from lib.portable.numbers import exp
from lib.portable.primitives import Matrix, Readings, Vector, remainder, sqrt, zero_matrix, zeros
from lib.portable.random_numbers import below, generator, normals
from lib.portable.vectors import add, dot, scale, total

D = 5
d = 2
STEPS = 100  # of gradient descent, for both
LR = 0.3


def flat_rows(tokens: Matrix, n: int) -> Matrix:
    """The variables of every example, one after the other, (n, d D)."""
    rows = zero_matrix(n, d * D)
    for i in range(n):
        for j in range(D):
            for a in range(d):
                rows[i][j * d + a] = tokens[i * D + j][a]
    return rows


def regression(rows: Matrix, y: Vector) -> Vector:
    """Logistic regression by gradient descent from zero: its weights (d D,)."""
    w = zeros(d * D)
    slope = zeros(len(y))
    for _ in range(STEPS):
        for i in range(len(y)):
            slope[i] = LR * y[i] / (1.0 + exp(y[i] * dot(w, rows[i]))) / float(len(y))
        for i in range(len(y)):
            add(w, slope[i], rows[i])
    return w


def tested_linear(state: State, w: Vector) -> float:
    """The share of the fresh examples that the linear rule gets right."""
    rows, right = flat_rows(state.fresh, TESTS), 0
    for i in range(TESTS):
        if state.fresh_y[i] * dot(w, rows[i]) > 0.0:
            right += 1
    return float(right) / float(TESTS)


def examples(number: int, n: int) -> Readings:
    """n examples of task `number`, the group that decides, and what a layer and a linear rule make of them.

    Args:
        number: which task and examples.
        n: how many examples.
    """
    state = start(Settings(D, d, n, LR, STEPS, 1.0, 0.0), number)
    while not done(state):
        step(state)
    w = regression(flat_rows(state.tokens, n), state.y)
    random, turn = generator(number, 3), zeros(2)
    place = below(random, D)  # where the group that decides is shown
    normals(random, turn)
    length = sqrt(dot(turn, turn))
    points, right, attention, weights = zeros(2 * n * D), zeros(D), zeros(D), zeros(D)
    right[place] = 1.0
    for k in range(D):
        j = remainder(k + STAR + D - place, D)  # the textbook's number of the group shown as k
        for i in range(n):
            x = state.tokens[i * D + j]
            points[2 * (i * D + k)] = (turn[0] * x[0] - turn[1] * x[1]) / length
            points[2 * (i * D + k) + 1] = (turn[1] * x[0] + turn[0] * x[1]) / length
        for query in range(D):
            attention[k] += state.map[j * D + query] / float(D)
        for a in range(d):
            weights[k] += w[j * d + a] * w[j * d + a]
        weights[k] = sqrt(weights[k])
    scale(weights, 1.0 / total(weights))
    return {
        "points": points, "labels": state.y, "right": right, "attention": attention, "weights": weights,
        "fresh": [tested(state), tested_linear(state, w)],
    }  # fmt: skip


def figure() -> Groups:
    """The figure `group_sparse-guess`, as the chapter shows it."""
    return Groups(
        examples,
        name="group_sparse-guess",
        title="Which group decides?",
        question="Every example is one point in each of the five pictures, and has one label. The label is decided by "
        "a straight line through the middle of one picture. Which one?",
        counts=(8, 16, 32, 64),
    )
