"""Numbers in the chapter's text are those of the record or of the theory, computed here."""

from functools import cache

import numpy as np
import pytest

from hal import claims
from hal.chapters.one_nn.figures import rates, training
from hal.chapters.one_nn.models import Crowded, Population
from hal.chapters.one_nn.runs import learn, learn_pair
from hal.chapters.one_nn.theory import separated_loss
from hal.chapters.one_nn.theory.portable_flow import log_times, path, time_of
from hal.figure import figure_of
from lib import optim
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory.one_nn.portable import GAP_INTEGRAL, gap_density, hazard, law_of
from tests.prose import Prose

PROSE = Prose("one_nn")
measured = PROSE.measured


def near(value, told, rel=0.03, abs=None):
    return value == pytest.approx(told, rel=None if abs else rel, abs=abs)


@cache
def time_to(level, d=8, N=16):
    """By the page's flow."""
    times = log_times(1e8, 127)
    return time_of(level, times, path(law_of(d, N), 0.0, 3.0, times, 1e-3)[2])


def longer(many, few):
    return time_to(0.02, *many) / time_to(0.02, *few)


def slower_with_many():
    """The ratio of the times; and K, as the density of the gap at 0, grows more slowly than the number of examples."""
    return longer((8, 128), (8, 4)), gap_density(law_of(8, 128)) < 8 * gap_density(law_of(8, 4))


def lonely_share():
    """Of the loss of 16 examples in eight dimensions at t = 1e5, by the page's flow."""
    xi1, xi2, loss = (values[-1] for values in path(law_of(8, 16), 0.0, 3.0, log_times(1e5, 127), 1e-3))
    return separated_loss(xi1, xi2, 8, 16, 1.0)[1] / loss


def late_ratio():
    """At t = 1e8 the ratio, and beta."""
    (r,) = rates.flow(rates.settings(8, 8))["ratio"]
    return r, r / ((8 + r * r) * hazard(law_of(8, 8), 1 - r))


def found_where_points_crowd():
    """At kappa = 8 and t = 2000: in how many of ten prompts the nearest example has the largest weight."""
    problem = Crowded(model.Task(4, 8), 8.0)
    W = learn(range(6), d=4, N=8, batch=16, steps=1000, problem=problem).params.W
    prompts = problem.sample(20_000, generators(range(20, 26)))
    largest = model.attention(W, prompts)[..., :-1].argmax(-1) == model.nearest(prompts)
    return near(10 * largest.mean(), 7, abs=0.5)


def thrown_off():
    found = figure_of(training).compute({"lr": 20.0}, runs=1)
    xi1, xi2 = (found.runs[0][name] for name in ("xi1", "xi2"))
    return [min(xi2) < -4 < 20 < xi2[-1], xi1[-1] > 1.5 * found.theory["flow.xi1"][-1]]


def halvings():
    """Steps to a loss of 0.025 over those to 0.05: of small steps along the flow, and of Adam at the rate 0.05."""
    at = np.arange(0, 4001, 10)
    population = Population(8, 16, rows=4096)
    loss = learn_pair([0], optimiser=optim.adam(0.05), steps=4000, record_at=at, problem=population)["loss"][0]
    first, second = (at[np.nonzero(loss < level)[0][0]] for level in (0.05, 0.025))
    return time_to(0.025) / time_to(0.05), second / first


def eightfold():
    """Times to half the loss, over those to the loss."""
    parts = PROSE.record["NN-23"]["check"]["parts"]
    return [near(one["measured"], 8, rel=0.05) for one in parts if "over that to 0.02" in one["name"]]


# what stands at each {}, then what else must be true
NUMBERS = {
    "noise throws SGD off the dashed line, deep into the region where the query looks at itself. It comes": thrown_off,
    "In three dimensions $K\\approx{}N$, so": lambda: GAP_INTEGRAL / 2,
    "each halving of the loss takes eight times as long as the one before (NN-23)": eightfold,
    "a loss of 0.02 takes {} times as long with [128 examples]": slower_with_many,
    "they make up less than 1% of the loss at $t=100{,}000$": lambda: [lonely_share() < 0.01],
    "the same loss takes {} times as long in [32 dimensions]": lambda: longer((32, 8), (3, 8)),
    "$r$ falls below 2, then climbs back to 2 from below (NN-11)": lambda: [
        one["measured"] > 0.5 for one in PROSE.record["NN-11"]["check"]["parts"] if "largest" in one["name"]
    ],
    "nearest example still has the largest weight in about seven of ten prompts": found_where_points_crowd,
    "such prompts then falls only like $t^{{}}$, whatever": lambda: measured("NN-28", "power of t in the floor"),
    "with $d=N=8$, the ratio $r$ is {}. But $\\beta$ is already only {}.": late_ratio,
    "takes gradient descent {} times as many steps as a loss of 0.05. Adam needs {} times as many (NN-20)": halvings,
    "the sign is wrong on only a few of a thousand prompts (NN-9)": lambda: [
        0.001 < measured("NN-9", "wrong signs at xi_1 = 32, uniform") < 0.01
    ],
    "test {} statements of this chapter": lambda: len(claims.of("one_nn")),
    "One of them fails: $\\xi_2\\ge\\frac{15}7\\xi_1$, quoted": lambda: [
        (one["check"]["verdict"] == "fails") == (name == "NN-11") for name, one in PROSE.record.items()
    ],
    r"$e^{0.1\xi_1}=99$ and $\xi_1={}$": lambda: np.log(99) / 0.1,
}


@pytest.mark.parametrize("sentence", NUMBERS)
def test_number_in_text_is_what_is_computed(sentence):
    PROSE.holds(sentence, NUMBERS[sentence]())
