"""Numbers in the chapter's text are those of the record or of the theory, computed here."""

from functools import cache

import numpy as np
import pytest

from hal import claims
from hal.chapters.one_nn.figures import rates, ties
from hal.chapters.one_nn.models import Crowded, Population
from hal.chapters.one_nn.runs import learn, learn_pair
from hal.chapters.one_nn.theory.portable_flow import log_times, path, time_of
from hal.chapters.one_nn.theory.portable_times import time_to_loss
from hal.figure import Small
from lib import optim
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory
from lib.theory.one_nn.portable import hazard, law_of
from tests.prose import Prose

PROSE = Prose("one_nn")
measured = PROSE.measured


@cache
def flow(d, N, sigma=3.0, end=1e6, count=49):
    """Times, both scalars and the loss of the page's flow."""
    times = log_times(end, count)
    return np.array([times, *path(law_of(d, N), 0.0, sigma, times, 1e-3)])


def near(value, told, rel=0.03, abs=None):
    return value == pytest.approx(told, rel=None if abs else rel, abs=abs)


def time_to(level, sigma=3.0, d=8, N=16):
    times, _, _, loss = flow(d, N, sigma, count=97)
    return time_of(level, times.tolist(), loss.tolist())


def longer(many, few):
    return time_to_loss(*many, 3.0, 0.1) / time_to_loss(*few, 3.0, 0.1)


def lone_dot():
    """Of the prompts far right of the line at the end: one alone has a loss, half of the answer; a tie has none."""
    found = {name: np.array(values) for name, values in Small(ties).compute({}).theory.items()}
    gap, loss, xi1 = 10 ** found["prompts.gap"], found["prompts.losses"][-300:], found["prompts.xi1"][0]
    (alone,) = np.nonzero((gap > 3 / xi1) & (loss > 0.05))[0]
    named = (
        np.log10(gap[alone]) == pytest.approx(found["prompts.lone_gap"][0]),
        found["prompts.lone"][-2] == loss[alone],
    )
    return near(np.sqrt(2 * loss[alone]), 0.5, rel=0.03), 2 / (1 + np.exp(xi1 * gap[alone])) < 0.05, *named


@cache
def decades():
    return rates.flow(rates.settings(8, 8, 3.0, 0.1))


def late_ratio():
    """At t = 1e8 the ratio, and beta."""
    r = decades()["ratio"][0]
    return r, r / ((8 + r * r) * hazard(law_of(8, 8), 1 - r))


def lonely():
    """At the end one prompt in so many has a lonely query."""
    _, xi1, xi2, _ = flow(8, 16, count=25)
    return round(float(theory.cdf(1 - xi2[-1] / xi1[-1], 8)) ** -16, -2)


def found_where_points_crowd():
    """At kappa = 8 and t = 2000: in how many of ten prompts the nearest example has the largest weight."""
    problem = Crowded(model.Task(4, 8), 8.0)
    W = learn(range(6), d=4, N=8, batch=16, steps=1000, problem=problem).params.W
    prompts = problem.sample(20_000, generators(range(20, 26)))
    largest = model.attention(W, prompts)[..., :-1].argmax(-1) == model.nearest(prompts)
    return near(10 * largest.mean(), 7, abs=0.5)


def steps_of_flow(sigma, per_step):
    first, second = (time_to(level, sigma) / per_step for level in (0.05, 0.025))
    return round(first, -1 if first < 5000 else -2), round(second, -2), second / first


def steps_of_adam():
    at = np.arange(0, 4001, 10)
    population = Population(8, 16, rows=4096)
    loss = learn_pair([0], optimiser=optim.adam(0.05), steps=4000, record_at=at, problem=population)["loss"][0]
    first, second = (at[np.nonzero(loss < level)[0][0]] for level in (0.05, 0.025))
    return first, second, second / first


def ratios():
    """The least and the largest of the ratios xi_2 / xi_1 at t = 1e7."""
    parts = PROSE.record["NN-11"]["check"]["parts"]
    found = [1 / one["measured"] for one in parts if "at t = 1e7" in one["name"]]
    return min(found), max(found)


def wrong_signs():
    """At xi_1 = 32 the share of wrong signs on uniform prompts."""
    return measured("NN-9", "wrong signs at xi_1 = 32, uniform")


# what stands at each {}, then what else must be true
NUMBERS = {
    "and that takes eight times as long (NN-23)": lambda: [
        near(one["measured"], 8, rel=0.05)
        for one in PROSE.record["NN-23"]["check"]["parts"]
        if "over that to 0.02" in one["name"]
    ],
    "reaching a loss of 0.1 takes {} times as long with 128 examples as with 4": lambda: longer((8, 128), (8, 4)),
    "With 8 examples the same loss takes {} times as long in 32 dimensions as in 3": lambda: longer((32, 8), (3, 8)),
    "At $t=10^8$ the amber curve is still at {}, and the loss is {}.": lambda: (
        decades()["slow_last"][0],
        decades()["loss"][-1],
    ),
    "At $t=10^7$ the ratio $r$ lies between {} and {} in five settings (NN-11).": ratios,
    "| $r$ falls below 2, then climbs back to 2 from below |": lambda: [
        one["measured"] > 0.5 for one in PROSE.record["NN-11"]["check"]["parts"] if "largest" in one["name"]
    ],
    "At $t=10^6$ one prompt in {} has a lonely query.": lonely,
    "at $t=2000$ this example has the largest weight in about seven of ten prompts": found_where_points_crowd,
    "Their loss falls only like $t^{{}}$, whatever $\\delta$ is (NN-28)": lambda: measured(
        "NN-28", "power of t in the floor"
    ),
    "can be right only while that power is at most {}.": lambda: -measured("NN-28", "power of t in the floor"),
    "with $d=N=8$, the ratio $r$ is {}. But $\\beta$ is already only {}.": late_ratio,
    "The factor {} becomes 8 at smaller losses (NN-23).": lambda: (
        steps_of_flow(3.0, 2.0)[2],
        *(
            near(one["measured"], 8, rel=0.01)
            for one in PROSE.record["NN-23"]["check"]["parts"]
            if one["name"] == "time to L = 0.01 over that to 0.02, d = 8, N = 16"
        ),
    ),
    "Its query is *lonely*: no example is near, and it looks at itself.": lone_dot,
    "From step 1000 to 4000, $\\xi_1$ grows like the power {} of the number of steps": lambda: measured(
        "NN-20", "power of the steps in xi_1, 1000 to 4000"
    ),
    "| gradient descent, $\\eta=2$ | {} | {} | {} |": lambda: steps_of_flow(3.0, 2.0),
    "| Adam, learning rate 0.05 | {} | {} | {} |": steps_of_adam,
    r"$\mathbb E\,z_*$ is {}.": lambda: float(theory.nearest_mean(8, 16)),
    r"The time is $dN/\mathbb E\,z_*=128/{}={}$.": lambda: (
        float(theory.nearest_mean(8, 16)),
        1 / theory.start_slope(8, 16),
    ),
    "sign of the answer is wrong on only a few of a thousand prompts (NN-9)": lambda: [0.001 < wrong_signs() < 0.01],
    "tests {} statements of this chapter": lambda: len(claims.of("one_nn")),
    "Only the statement on $r$ above fails (NN-11).": lambda: [
        (one["check"]["verdict"] == "fails") == (name == "NN-11") for name, one in PROSE.record.items()
    ],
    r"$e^{0.1\xi_1}=99$ and $\xi_1={}$": lambda: np.log(99) / 0.1,
}


@pytest.mark.parametrize("sentence", NUMBERS)
def test_number_in_text_is_what_is_computed(sentence):
    PROSE.holds(sentence, NUMBERS[sentence]())
