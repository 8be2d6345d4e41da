"""One learned step trained twice from zero, on all prompts and on drawn ones, with records on a log axis of time.

Chapter `linear_block`. Source: arXiv 2402.14951, Section 6 (gradient flow); descent and its learning rate are ours. The
gradients are those of `lib.models.linear_block.textbook` and of `drawn`; seeds differ in the drawn prompts alone. Time
is the learning rate times the steps.
"""

from dataclasses import dataclass
from typing import NamedTuple

from hal.chapters.linear_block.models.drawn import STEP, restrict
from hal.chapters.linear_block.models.drawn import Settings as DrawnSettings
from hal.chapters.linear_block.models.drawn import State as DrawnRun
from hal.chapters.linear_block.models.drawn import gradient as drawn_gradient
from hal.chapters.linear_block.models.drawn import start as start_drawn
from lib.errors import require
from lib.models.linear_block.textbook import Block, new_block, population_risk
from lib.portable.numbers import exp, log
from lib.portable.optimisers import sgd
from lib.portable.primitives import Vector, floor, nan, zeros
from lib.portable.vectors import scale

RECORDS = 60  # at most, besides the start


class Settings(NamedTuple):
    """What a reader can choose."""

    d: int = 5  # features
    M: int = 20  # labelled examples
    sigma: float = 0.7  # standard deviation of the label noise
    norm: float = 4.0  # length of the prior mean, all entries equal
    decay: float = 0.0  # the features' variances are 1, 2^-decay, 3^-decay, ...
    lr: float = 0.02  # learning rate
    batch: int = 16  # prompts a step of the drawn training
    steps: int = 1000


@dataclass
class State:
    """Both trainings, and the one count of their steps."""

    settings: Settings
    block: Block  # that on all prompts
    gradient: Block
    risk: float  # of that, where the gradient was last computed
    drawn: DrawnRun  # that on drawn prompts; once it has diverged it stays
    step: int
    time: float  # learning rate times the steps
    diverged_at: int  # -1 while that on all prompts has not


def record_steps(steps: int) -> Vector:
    """(K,) steps of the records: rising, evenly on a log axis where that leaves whole steps, the last the end."""
    count = min(steps, RECORDS)
    found = zeros(count + 1)
    for k in range(1, count + 1):
        even = floor(exp(log(float(steps)) * float(k) / float(count)) + 0.5)
        found[k] = max(found[k - 1] + 1.0, float(even))
    return found


def steps_of(settings: Settings) -> Vector:
    """(K,) the times of a whole run's records."""
    times = record_steps(settings.steps)
    scale(times, settings.lr)
    return times


def start(settings: Settings, seed: int) -> State:
    """Both at zero: beta = 0 and no step."""
    s = settings
    require(s.lr >= 0.0, "lr", "a number of at least 0", s.lr)
    require(s.steps >= 1, "steps", "at least 1 step", s.steps)
    drawn = start_drawn(DrawnSettings(STEP, s.d, s.M, s.sigma, s.norm, s.decay, s.batch), seed)
    state = State(settings, new_block(s.d), new_block(s.d), nan, drawn, 0, 0.0, -1)
    state.block.c = 1.0
    gradient(state)
    return state


def gradient(state: State) -> None:
    """The exact risk and its gradient; above 1e9, or no number, it diverged."""
    state.risk = population_risk(state.drawn.law, state.block, state.gradient)
    restrict(state.gradient)
    if not state.risk <= 1e9:
        state.diverged_at = state.step


def step(state: State) -> None:
    """One step of both."""
    block, drawn, lr = state.block, state.drawn, state.settings.lr
    sgd(block.alpha, state.gradient.alpha, lr)
    for i in range(len(block.Q)):
        block.v[i] = -block.alpha[i]
        sgd(block.Q[i], state.gradient.Q[i], lr)
    if drawn.diverged_at < 0:
        slope = drawn_gradient(drawn)
        sgd(drawn.theta[0], slope[0], lr)
    state.step += 1
    state.time = lr * float(state.step)
    gradient(state)


def done(state: State) -> bool:
    """Whether all steps are made, or the training on all prompts has diverged."""
    return state.diverged_at >= 0 or state.step >= state.settings.steps
