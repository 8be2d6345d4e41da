"""Two layers that learn from the same examples, one at a small and one at a large learning rate.

Chapter `group_sparse`. Source: the layer of arXiv 2504.08638; the comparison is ours. Each layer is the textbook; where
`positions` is 0 neither reads its positional encodings: that part of its value vector stays zero.
"""

from dataclasses import dataclass
from typing import NamedTuple

from lib.models.group_sparse.textbook import Settings, State
from lib.models.group_sparse.textbook import start as start_one
from lib.models.group_sparse.textbook import step as step_one
from lib.models.group_sparse.textbook import steps_of as steps_of_one
from lib.portable.primitives import Vector


class Two(NamedTuple):
    """What a reader can choose."""

    D: int = 6  # groups
    d: int = 2  # variables in a group
    n: int = 200  # labelled examples
    small: float = 0.3  # learning rate of the one layer
    large: float = 1.0  # of the other
    positions: int = 1  # 0: the value vectors do not read positional encodings
    steps: int = 100


@dataclass
class Both:
    """Two runs side by side."""

    small: State
    large: State
    positions: int
    step: int
    diverged_at: int  # of the first that did; -1 while none has


def one(settings: Two, lr: float) -> Settings:
    """The settings of one layer."""
    return Settings(settings.D, settings.d, settings.n, lr, settings.steps, 1.0, 0.0)


def steps_of(settings: Two) -> Vector:
    """(61,) the steps of the records."""
    return steps_of_one(one(settings, settings.small))


def start(settings: Two, seed: int) -> Both:
    """Both layers before their first step, with the same examples."""
    small = start_one(one(settings, settings.small), seed)
    large = start_one(one(settings, settings.large), seed)
    return Both(small, large, settings.positions, 0, -1)


def advance(layer: State, positions: int) -> None:
    """A step of one layer."""
    step_one(layer)
    if positions == 0:
        for a in range(layer.settings.d, len(layer.v)):
            layer.v[a] = 0.0


def step(state: Both) -> None:
    """A step of both."""
    advance(state.small, state.positions)
    advance(state.large, state.positions)
    state.diverged_at = max(state.small.diverged_at, state.large.diverged_at)
    if state.diverged_at < 0:
        state.step += 1


def done(state: Both) -> bool:
    """Whether all steps are made, or one of the two has diverged."""
    return state.diverged_at >= 0 or state.step >= state.small.settings.steps
