"""How each of the six tasks ends: what is left to learn over time, integrated, beside the law of its chapter.

Chapter `atlas`. Source: our own; the laws are those of the six chapters.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.one_nn.theory import separated_loss
from hal.chapters.scan_snap.theory.lemmas import late_gap
from lib.models import linear_block as lb
from lib.models import random_walk as rw
from lib.models import scb
from lib.theory import group_sparse as groups
from lib.theory import linear_block as prompts
from lib.theory import one_nn as neighbours
from lib.theory import random_walk as walks
from lib.theory import scan_snap as sentences
from lib.theory import scb as places

__all__ = ["ENDS", "End"]

Array = NDArray[np.float64]


class End(NamedTuple):
    """The end of one task."""

    what: str  #: is left, with its unit
    time: Array  #: (T,) learning rate times steps
    left: Array  #: (T,) of what, along the flow
    law: Array  #: (T,) of what, by the law of the chapter
    power: float  #: of time in the law; NaN where the end is exponential
    rate: float  #: of an exponential end, a unit of time; NaN where it is a power


def _exponential(what: str, time: Array, left: Array, rate: float, level: float) -> End:
    """The law has a rate and no size: it is laid through the point at which the level is passed."""
    at = int(np.flatnonzero(left < level)[0])
    return End(what, time, left, left[at] * np.exp(-rate * (time - time[at])), np.nan, rate)


def _places() -> End:
    """Chapter 1: the product of both signals, at a context of 256 tokens of 3 kinds."""
    task, eta = scb.ring_task(T=256, N=3), 0.01
    path = places.population_run(task.K_P, task.K_Q, task.T, eta, 1200)
    fast, _ = places.solution_rates(1 / (task.K_Q * task.T))
    left = np.abs(1 - path.alpha_V * path.alpha_A)
    return _exponential("product, distance from 1 (1)", eta * path.steps.astype(float), left, float(fast), 1e-2)


def _sentences() -> End:
    """Chapter 2: the decoder's odds of the wrong class, two classes among 100 tokens."""
    time = np.logspace(0, 6, 61)
    gap, law = sentences.logit_gap(time, 2, 100, 1.0), late_gap(time, 2, 100, 1.0)
    return End("odds of the wrong answer (1)", time, np.exp(-gap), np.exp(-law), -1.0, np.nan)


def neighbours_end(apart: float = 0.0) -> End:
    """Chapter 3: eight examples in four dimensions; with `apart`, of prompts in which no gap is below it."""
    time = np.logspace(0, 8, 25)
    path = neighbours.flow(time, 4, 8)
    left = separated_loss(path.xi1, path.xi2, 4, 8, apart)[0] if apart else path.loss
    ratio = path.xi2 / path.xi1
    law = neighbours.late_loss(neighbours.late_xi1(time, 4, 8, ratio), 4, 8, ratio)
    return End("loss (1)", time, left, law, -1 / 3, np.nan)


def _groups() -> End:
    """Chapter 4: six groups."""
    time = np.logspace(0, 7, 43)
    _, _, loss = groups.portable.path(groups.portable.law_of(6, 1.0), list(time), 1e-6)
    law = [groups.portable.late_loss(t, 6) for t in time]
    return End("loss (nats)", time, np.array(loss), np.array(law), -1 / 3, np.nan)


def _walks(K: int = 6, p: float = 0.7, epsilon: float = 0.1) -> End:
    r"""Chapter 5: direction of V less that of the root, attention on the parent.

    A row is $a\sqrt{\Pi} - \epsilon$ on two nodes, $a = \sqrt{2t/K}$: it is turned from the root by
    $\epsilon\lvert\sqrt p - \sqrt{1-p}\rvert/a$.
    """
    time = np.round(np.logspace(0, 5, 41)).astype(int)
    time, root = np.unique(time), walks.root_target(K, p)
    V, left = walks.first_values(K, p, 97, 1.0, epsilon), []
    for count in np.diff(time, prepend=0):
        V = walks.saturated(V, K, p, 1.0, int(count), epsilon)
        left.append(float(rw.direction_distance(np.where(root > 0, V, 0.0)[None], root)[0]))
    law = epsilon * abs(np.sqrt(p) - np.sqrt(1 - p)) * np.sqrt(K / (2 * time))
    return End("turn of V from the root (1)", time.astype(float), np.array(left), law, -0.5, np.nan)


def _prompts() -> End:
    """Chapter 6: the start's squared distance from the prior mean, five features and contexts of 20."""
    task = lb.Task(np.eye(5), np.eye(5), np.ones(5), sigma=1.0, M=20)
    time = np.linspace(0, 40, 401)
    path = prompts.step_flow(task, time)
    left = np.square(path.beta - task.mean).sum(axis=1) / np.square(task.mean).sum()
    rate = 4 * float(np.linalg.eigvalsh(prompts.curvature(task, prompts.best_step(task)))[0])
    return _exponential("start, squared distance (1)", time, left, rate, 1e-4)


#: The tasks in the order of their chapters.
ENDS = {
    "Places": _places, "Sentences": _sentences, "Neighbours": neighbours_end, "Groups": _groups, "Walks": _walks,
    "Prompts": _prompts,
}  # fmt: skip
