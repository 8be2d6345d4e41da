"""Figure `linear_block-guess`: a prompt with one feature, and the question what label the query has.

Chapter `linear_block`. Source: the task of arXiv 2402.14951, Section 3, with d = 1, H = Psi = 1; all predictors know
the distribution of the prompts. With one feature each of them draws a line through zero.
"""

from hal.chapters.linear_block.theory.search import attention_risk, search_of, searched
from hal.figure import Regression
from hal.palette import IDEAS
from lib.portable.primitives import Readings, Vector, inf, sqrt, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import dot
from lib.theory.linear_block.portable import best_gains

MOST = 12  # examples
FIRST = 6  # draws left out, so that the rules are far apart on the first two prompts


def prompt(number: int, mean: float, sigma: float) -> Readings:
    """Prompt `number` of a prior mean and a noise: 12 examples, and the query with its hidden label.

    Args:
        number: which draw; the same draw moves with mean and noise.
        mean: prior mean of the slope.
        sigma: standard deviation of the label noise.
    """
    drawn, x, y, query = zeros(2 * MOST + 3), zeros(MOST), zeros(MOST), zeros(2)
    normals(generator(number + FIRST, 3), drawn)
    slope = mean + drawn[0]
    for i in range(MOST):
        x[i] = drawn[1 + 2 * i]
        y[i] = slope * x[i] + sigma * drawn[2 + 2 * i]
    query[0] = drawn[2 * MOST + 1]
    query[1] = slope * query[0] + sigma * drawn[2 * MOST + 2]
    return {"x": x, "y": y, "query": query}


def attention_slope(x: Vector, y: Vector, mean: float, sigma: float) -> float:
    """What the best linear attention without the MLP makes of the examples."""
    M, h, centre, omega, best, least = len(x), zeros(1), zeros(1), zeros(1), zeros(1), inf
    h[0] = 1.0
    centre[0] = mean
    search = search_of(h, 1.0, centre, sigma, float(M))
    for k in range(5):
        scale = 0.0 if k == 0 else 1.0 if k == 1 else 2.0 if k == 2 else sqrt(1.0 + sigma * sigma)
        omega[0] = scale * mean if k < 3 else scale if mean > 0.0 else -scale
        if k == 4:
            omega[0] *= 0.3
        risk = searched(search, omega)
        if risk < least:
            least = risk
            best[0] = omega[0]
    attention_risk(search, best, zeros(1))
    step, push, v, slope = search.Theta[0][0], search.Theta[0][1], best[0] - mean, 0.0
    Q = step - push * (best[0] + mean)
    for i in range(M):
        slope += (v * x[i] + y[i]) * (x[i] * Q + y[i] * push) / float(M)
    return slope


def answers(x: Vector, y: Vector, mean: float, sigma: float) -> Readings:
    """The slopes of all predictors, in the order of RULES, after these examples, at least one."""
    M, h = len(x), zeros(1)
    h[0] = 1.0
    xx, xy, gain = dot(x, x), dot(x, y), best_gains(h, 1.0, sigma, float(M))
    step = mean + gain[0] * (xy - mean * xx) / float(M)
    return {"slopes": [step, attention_slope(x, y, mean, sigma), xy / xx if xx > 0.0 else 0.0]}


RULES = {
    "one step from β*": IDEAS["step"],
    "attention alone": IDEAS["attention"],
    "least squares": IDEAS["least squares"],
}


def figure() -> Regression:
    """The figure `linear_block-guess`, as the chapter shows it."""
    return Regression(
        prompt,
        answers,
        rules=RULES,
        name="linear_block-guess",
        title="What label does the query have?",
        question="Each slope is β* plus or minus about 1. How high is the label at the vertical line?",
    )
