"""Numbers in the chapter's text are those of the record, of the theory, or of runs."""

from functools import cache

import numpy as np
import pytest

from hal.chapters.linear_block import runs
from hal.chapters.linear_block.figures import training, wait
from hal.chapters.linear_block.runs import ingredients, table1
from hal.chapters.linear_block.theory.attention import best_attention
from hal.figure import figure_of
from lib.models import linear_block as lb
from lib.models.linear_block import textbook
from lib.portable.records import reached
from lib.theory import linear_block as theory
from tests.prose import Prose

PROSE = Prose("linear_block")
measured = PROSE.measured
BASE = lb.power_task(d=8, M=32, sigma=1.0, norm=3.0)
QUIET = [BASE.but(M=M, sigma=0.2) for M in range(1, 129)]
PAPER = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)


def default(module, **changed):
    """A figure's settings, some changed."""
    figure = figure_of(module)
    return figure.settings_of(**figure.check(changed))


def drawn(**changed):
    """What the figure of the wait draws."""
    return wait.waits(default(wait, **changed))


@cache
def table_1():
    """Last errors by mean and whether there is an MLP, one layer."""
    return {key: runs.recorded_errors(*key)[:, -1] for key in ((0.0, True), (0.0, False), (10.0, True), (10.0, False))}


@cache
def large():
    """Steps, and last error by mean and whether there is an MLP, at the paper's own size; and the settings."""
    steps, errors = runs.recorded_table1()
    return steps, {model: float(one[0, -1]) for model, one in errors.items()}, table1.Settings()


def prior_risks():
    """What the prior mean alone has for a risk at the paper's size, for each of its four models."""
    d = large()[2].d
    return [theory.prior_risk(lb.Task(np.eye(d), np.eye(d), np.full(d, mean), 0.0, 1)) for mean, _ in table1.MODELS]


def forgetful():
    """The chapter's own step, in which entries lose 0.3% a step: of two runs, whether the mean alone is learned."""
    near = []
    for seed in range(2):
        state = textbook.start(default(training), seed)
        while not textbook.done(state):
            for row in state.W:
                row[:] = [0.997 * entry for entry in row]
            textbook.gradient(state)
            textbook.step(state)
        found = training.probe(state)
        near.append(found["mean"][0] > 90 and abs(found["examples"][0]) < 1)
    return near


def gives_way():
    """Down the staircase the mean dips; where it is lowest the values subtract little of it from labels. At the end the
    entries are about 0.3.
    """
    found = []
    for seed in range(2):
        state, low, lag, way = textbook.start(default(training), seed), 100.0, 1.0, textbook.direction(3, 0.0)
        while not textbook.done(state):
            textbook.step(state)
            mean = training.probe(state)["mean"][0]
            if state.step > 200 and mean < low:
                low, lag = mean, -np.dot(state.block.v, way) / 3**0.5 / state.block.c / state.settings.norm
        found.append(
            40 < low < 50 and lag < 0.6 and mean > 99 and np.allclose(training.sizes_of(state), 4 * 0.32, 0.05)
        )
    return found


def built():
    """Steps of Adam, and whether they end at the block built by hand, with values and scores scaled to one norm."""

    def cells(alpha, value, score):
        factor = np.sqrt(np.linalg.norm(score) / np.linalg.norm(value)) * np.sign(value[-1])
        return np.concatenate([alpha, factor * value, np.ravel(score) / factor])

    task, state = (
        lb.power_task(3, 20, 0.5, 1.0),
        textbook.start(textbook.Settings(d=3, norm=1.0, lr=0.03, steps=600), 1),
    )
    while not textbook.done(state):
        textbook.step(state)
    found, best = state.block, np.vstack([theory.best_step(task), np.zeros(3)])
    known = cells(task.mean, np.append(-task.mean, 1), best)
    ends = cells(found.alpha, np.append(found.v, found.c), np.vstack([found.Q, found.q]))
    return state.step, np.abs(known - ends).max() < 0.01


def total(scale):
    """After how many steps the examples are half learned in the figure of the wait."""
    return wait.half_learned(default(wait), scale, 0)


@cache
def half_learned(**changed):
    """(2, 16) when the mean, and when the examples are half learned, in 16 runs of the training figure."""
    settings = default(training, **{name: value for name, value in changed.items() if name != "steps"})
    settings = settings._replace(steps=changed.get("steps", settings.steps))
    steps, found = list(textbook.steps_of(settings)), runs.fast_population(settings, range(16))
    return np.array([[reached(steps, list(run), 50.0) for run in found[name]] for name in ("mean", "examples")])


def flipped(**changed):
    """In what share of runs the examples are half learned before the mean."""
    mean, examples = half_learned(**changed)
    return np.mean(examples < mean)


def stairs():
    """The risk of the training figure's run at first, when the mean is learned, and at the end; it stays in between."""
    run = trained().runs[0]
    risk, steps = np.array(run["risk"]), np.array(run["steps"])
    on = risk[(steps > 100) & (steps < 600)]
    return [risk[0], np.median(on) if np.ptp(on) < 0.01 else np.nan, risk[-1]]


def slower():
    """How many times longer the examples wait where the mean is short, in the median of 16 runs."""
    waited = [half_learned(norm=norm, steps=9000)[1] for norm in (0.5, 1.5)]
    return np.divide(*(np.median(np.where(np.isfinite(one), one, np.inf)) for one in waited))


def waits():
    """Median waits for the examples, over prompts and noise."""
    return [
        np.median(half_learned(scale=0.1, **one)[1]) for one in ({"M": 10}, {"M": 64}, {"sigma": 0.1}, {"sigma": 1.0})
    ]


def trained(**changed):
    """What the training figure computes of its two runs."""
    return figure_of(training).compute(changed, 0, 2)


def caught(**changed):
    """How many of two runs of the trap's setting, changed, end at its risk, with unused examples."""
    level = theory.trap_risk(lb.power_task(3, 6, 1.4, 1.0, 2.0))
    shown = trained(**{"scale": 0.1, "M": 6, "norm": 1.0, "sigma": 1.4, "decay": 2.0, "lr": 0.03} | changed)
    return sum(abs(one["risk"][-1] / level - 1) < 0.001 and abs(one["examples"][-1]) < 1 for one in shown.runs)


def first_slopes():
    """From zero the slope of the gain along the mean, and of the start, where H = Psi = I."""
    task = lb.power_task(d=5, M=20, sigma=0.7, norm=4.0)
    beta, Gamma = theory.flow_slopes(task, np.zeros(5), np.zeros((5, 5)))
    u = np.full(5, 5**-0.5)
    return np.isclose([u @ Gamma @ u / 2, np.linalg.norm(beta) / 2], [1 + 4.0**2, 4.0])


def apart(name):
    return runs.recorded_ingredients()[name, True].max() < runs.recorded_ingredients()[name, False].min()


def times(name):
    return np.divide(*(np.median(runs.recorded_ingredients()[name, mlp]) for mlp in (False, True)))


def least_squares_risk(task):
    """Of the estimator of smallest norm, where H = I and there is noise: moments of inverse Wishart matrices."""
    M, d, noise = task.M, len(task.H), task.sigma**2
    if d + 2 <= M:
        return noise * (1 + d / (M - d - 1))
    if d - 1 <= M:
        return np.inf
    return (1 - M / d) * (np.trace(task.Psi) + task.mean @ task.mean) + noise * (1 + M / (d - M - 1))


# what stands at each {}, then what else must be true
NUMBERS = {
    "are $2\\lVert\\beta^*\\rVert$ and $2(1+\\lVert\\beta^*\\rVert^2)$. The second is always larger": first_slopes,
    "{} of 24 random initialisations got stuck (LTB-26)": lambda: (
        measured("LTB-26", "random starts of 24"),
        measured("LTB-26", "largest risk from near identity") < 2.72 < measured("LTB-26", "their median risk"),
    ),
    "trained for {} steps of Adam on {} prompts, at $d={}$, $M={}$": lambda: (
        *(ingredients.STEPS, ingredients.BATCH, ingredients.TASK.d, ingredients.TASK.M),
    ),
    "| the paper | {} | {} | {} | {} |": lambda: [table1.PUBLISHED[model] for model in table1.MODELS],
    "| ours, six layers, {} steps | {} | {} | {} | {} |": lambda: [large()[0], *map(large()[1].get, table1.MODELS)],
    "| answering with the mean alone, $d={}$ | {} | {} | {} | {} |": lambda: [large()[2].d, *prior_risks()],
    "| ours, one layer, $d={}$ | {} | {} | {} | {} |": lambda: [
        3,
        *(np.median(table_1()[model]) for model in table1.MODELS),
    ],
    "the ratio of the losses is {}, not hundreds": lambda: (
        np.median(table_1()[10.0, False]) / np.median(table_1()[10.0, True])
    ),
    "after {} of an assumed {} steps, before either model read its examples (both losses are above {})": lambda: (
        *(large()[0], large()[2].steps, prior_risks()[0]),
        min(large()[1][10.0, mlp] for mlp in (True, False)) > large()[2].d,
    ),
    "We *assume* width {}, $d={}$, $M={}$, no noise": lambda: (large()[2].width, large()[2].d, large()[2].M),
    "{} prompts a batch and the learning rate $10^{-4}$": lambda: (large()[2].batch, large()[2].lr == 1e-4),
    "The rows of one layer are medians of five runs, with $d=3$ instead of {}.": lambda: (
        large()[2].d,
        {len(end) for end in table_1().values()} == {5},
    ),
    "every run with MLPs beats every run without (LTB-37)": lambda: apart("read-out, LayerNorm at both"),
    "| nothing | {}× |": lambda: times("the linear block"),
    "| a read-out | {}× |": lambda: times("a read-out"),
    "| a read-out and LayerNorm, as in GPT-2 | {}× |": lambda: times("read-out, LayerNorm at both"),
    "the ratio is {}, and the runs overlap": lambda: (times("all of them"), not apart("all of them")),
    "A read-out can replace the MLPs.": lambda: np.ptp([1, *map(times, ("a read-out", "read-out, softmax"))]) < 0.05,
    "even least squares beats one step from {} examples on": lambda: (
        1 + max(task.M for task in QUIET if least_squares_risk(task) >= theory.best_risk(task))
    ),
    "$g=\\frac M{M+1+\\tau}$, where $\\tau$ is the number of features plus the variance of the noise": lambda: (
        np.isclose(theory.best_step(BASE)[0, 0], BASE.M / (BASE.M + 1 + 8 + BASE.sigma**2))
    ),
    "from {} to {} as the mean is learned, then after the wait to {}": stairs,
    "At $s=0.05$ that is {} times smaller": lambda: 0.05 / 0.05**5,
    "instead of {} the wait is about four times as long": lambda: (1.5, 3.5 < slower() < 4.5),
    "the mean dips to about half": gives_way,
    "There the mean is learned, but the examples stay at {}%": lambda: (0, caught() == 2),
    "and no run is trapped": lambda: caught(kind=1) == 0,
    "Smaller entries alone do not help": lambda: caught(scale=0.05) > 0,
    "Entries of 0.3 are about as large as training leaves them": gives_way,
    "In {} of {} such runs the examples came first": lambda: (
        *(16 * flipped(scale=0.3), half_learned(scale=0.3).shape[1]),
        flipped(scale=0.4) > 0.7,
    ),
    "The mean is learned first, in all {} runs": lambda: (16, flipped(scale=0.05) == 0),
    "More examples or less noise change it by less than a fifth": lambda: max(waits()) < 1.2 * min(waits()),
    "the order is not fixed: from $s={}$ the examples came first in {} of {} runs": lambda: (
        0.05,
        16 * flipped(adam=1),
        16,
    ),
    "as [in this run]": lambda: [
        reached(one["steps"], one["examples"], 50.0) < reached(one["steps"], one["mean"], 50.0)
        for one in trained(scale=0.3).runs
    ],
    "half learned within {} steps at every size": lambda: (120, max(drawn()["wait"][7:]) <= 120),
    "plus the {} or so steps that training needs even from large matrices": lambda: (300, abs(total(0.32) - 300) < 50),
    "Doubling the learning rate halves it": lambda: np.isclose(
        *(drawn(lr=lr)["wait"][0] * lr for lr in (0.02, 0.04)), 0.02
    ),
    "after {} steps of Adam every entry of $\\alpha$, $v$, $c$, $Q$ and $q$ was within 0.01": built,
    "The mean survives, but the examples are never used": forgetful,
    "{} with the MLP and {} [without]": lambda: (theory.best_risk(PAPER), best_attention(PAPER).risk),
    "the whole time gets {} times as long from $s=0.04$ to $0.02$": lambda: total(0.02) / total(0.04),
    "Among 1000 prompts at least 999 lie within a factor of two of the sum": lambda: [
        measured("LTB-43", f"proportion of 4000 contexts within a factor of two, d = {d}") >= 0.999 for d in (8, 16)
    ],
}


@pytest.mark.parametrize("sentence", NUMBERS)
def test_number_in_text_is_what_is_computed(sentence):
    PROSE.holds(sentence, NUMBERS[sentence]())
