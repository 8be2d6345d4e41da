"""The time that the reduced flow takes to a chosen loss, over examples and dimension.

Chapter `one_nn`, beyond the paper (Li et al. 2024, arXiv 2411.10830). It has the protocol of a textbook, so that a page
can show each flow as it comes: a step is one flow, and nothing is random.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.one_nn.theory.portable_flow import FIRST_STEP, follow, look
from lib.errors import require
from lib.portable.explicit import Flow, flow_from
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, first, nan, zeros
from lib.portable.vectors import numbered, part
from lib.theory.one_nn.portable import Law, law_of

EXAMPLES = 6  # numbers of examples, 4 to 128 by doubling
DIMENSIONS = 8  # 3, 4, 6, 8, 12, 16, 24, 32
STOP = 1.3  # of log(1 + t) between two looks at the loss
LONGEST = 1e8


class Settings(NamedTuple):
    """What a reader can choose."""

    d: int = 8  # dimension where N varies
    N: int = 8  # examples where d varies
    sigma: float = 3.0  # self-penalty at the start
    level: float = 0.1  # loss to reach


@dataclass
class State:
    """The flows so far, first over N, then over d."""

    settings: Settings
    took: float  # time of the last flow
    step: int  # flows
    diverged_at: int  # -1 throughout


def examples(i: int) -> int:
    """Number i of the examples, 4 to 128."""
    N = 4
    for _ in range(i):
        N *= 2
    return N


def dimension(i: int) -> int:
    """Number i of the dimensions: 3, 4, 6, 8, 12, 16, 24, 32."""
    d = 3 if i // 2 * 2 == i else 4
    for _ in range(i // 2):
        d *= 2
    return d


def time_to_loss(d: int, N: int, sigma: float, level: float) -> float:
    """The time t at which the reduced flow from (0, sigma) has a loss `level`; NaN if not before 1e8, 0 at the start.

    Between two looks at the loss, a fixed distance in log(1 + t) apart, its logarithm is the cubic with the right
    values and slopes.
    """
    law = law_of(d, N)
    y = zeros(2)
    y[1] = sigma
    flow = flow_from(0.0, y)
    flow.h = FIRST_STEP
    look(flow, law)
    if law.slopes[0] <= level:
        return 0.0
    before = log(law.slopes[0] / level)
    rise = growth(flow, law)
    while flow.s < log(LONGEST) and not flow.failed:
        s = flow.s
        follow(exp(s + STOP) - 1.0, flow, law, 1e-3)
        look(flow, law)
        now = log(law.slopes[0] / level)
        rise_now = growth(flow, law)
        if now <= 0.0:
            return exp(s + STOP * root(before, now, STOP * rise, STOP * rise_now)) - 1.0
        before = now
        rise = rise_now
    return nan


def growth(flow: Flow, law: Law) -> float:
    """d log L / ds where a look has just been taken."""
    return (law.slopes[1] * flow.slopes[0][0] + law.slopes[2] * flow.slopes[0][1]) / law.slopes[0]


def root(left: float, right: float, a: float, b: float) -> float:
    """Where in [0, 1] a cubic with these values and slopes at the ends is 0."""
    low = 0.0
    high = 1.0
    for _ in range(40):
        u = 0.5 * (low + high)
        across = right - left
        bend = (a - across) * (1.0 - u) + (across - b) * u
        if left + u * (across + (1.0 - u) * bend) > 0.0:
            low = u
        else:
            high = u
    return 0.5 * (low + high)


def steps_of(settings: Settings) -> Vector:
    """(14,) the numbers of the flows, from 1 on."""
    return numbered(EXAMPLES + DIMENSIONS)


def start(settings: Settings, seed: int) -> State:
    """No flow yet; there is nothing for a seed to decide."""
    require(seed >= 0, "seed", "a whole number of at least 0", seed)
    require(settings.d >= 2, "d", "a dimension of at least 2", settings.d)
    require(settings.N >= 1, "N", "at least 1 example", settings.N)
    require(settings.level > 0.0, "level", "a loss above 0", settings.level)
    return State(settings, nan, 0, -1)


def step(state: State) -> None:
    """One more flow."""
    settings, i = state.settings, state.step
    d = settings.d if i < EXAMPLES else dimension(i - EXAMPLES)
    N = examples(i) if i < EXAMPLES else settings.N
    state.took = time_to_loss(d, N, settings.sigma, settings.level)
    state.step += 1


def done(state: State) -> bool:
    """Whether all flows are there."""
    return state.step >= EXAMPLES + DIMENSIONS


def measure(state: State) -> Readings:
    """The time that the last flow takes."""
    return {"took": [state.took]}


def at_end(state: State, took: Vector) -> Readings:
    """The times so far by what varies, (6,) and (8,) in the end."""
    over_N = min(len(took), EXAMPLES)
    return {"over_N": first(took, over_N), "over_d": part(took, over_N, len(took) - over_N)}
