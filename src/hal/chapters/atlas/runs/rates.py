"""One task at five learning rates of the read-out, many seeds, in one call: when attention is half-way, and its clock.

Chapter `atlas`. Source: our own; Theorem 1. What is out of range raises `InputError`.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.runs.algorithm import preconditioned
from lib import optim
from lib.errors import require
from lib.models import scb
from lib.sampling import generators
from lib.train import train

Array = NDArray[np.float64]

#: Times the learning rate of the middle run.
FACTORS = (0.25, 0.5, 1.0, 2.0, 4.0)
LEVEL, RATE = 0.3, 0.02  # attention's signal at half-way; learning rate of both layers


class Fan(NamedTuple):
    """When attention is half-way; NaN where it is not."""

    step: Array  #: (seeds, 5)
    clock: Array  #: (seeds, 5), the sum of alpha_V (1 - alpha_A alpha_V) up to there
    heard: Array  #: (seeds, 5), the sum of alpha_V alone: without the residual


def fan(seeds: Sequence[int], optimiser: str = "gradient descent", steps: int = 700) -> Fan:
    """Train chapter 1's layer at five learning rates of the read-out; runs of one seed see the same samples.

    Args:
        seeds: of the samples.
        optimiser: "gradient descent", "Adam" or "sign descent", of both layers; the latter two take a tenth of the
            read-out's rate and a fiftieth of attention's, as they are.
        steps: of each run.
    """
    names = ("gradient descent", "Adam", "sign descent")
    require(optimiser in names, "optimiser", f"one of {', '.join(names)}", repr(optimiser))
    task, rates = scb.ring_task(T=128, N=3), np.tile(FACTORS, len(seeds)) * RATE
    problem = scb.LinearTransformer(task)
    if optimiser == names[0]:
        rule = preconditioned(task, rates / task.K_Q, RATE / task.K_P)
    else:
        b = (0.9, 0.999, 1e-8) if optimiser == "Adam" else (0.0, 0.0, 0.0)
        rule = optim.per_field(
            V=optim.adam(0.1 * rates, *b), A=optim.chain(optim.project_affine(-1), optim.adam(0.02 * RATE, *b))
        )
    rngs = [rng for seed in seeds for rng in generators([seed] * len(FACTORS))]
    record = {"V": lambda p: scb.alpha_V(p, task), "A": lambda p: scb.alpha_A(p, task)}
    run = train(problem, problem.init(len(rates)), rule, steps, 64, rngs, record, range(steps + 1))
    signal, attention = run["V"], run["A"]
    found = [np.full(len(rates), np.nan) for _ in range(3)]
    for r, (out, seen) in enumerate(zip(signal, attention, strict=True)):
        over = np.flatnonzero(np.abs(seen) >= LEVEL)
        if over.size:
            found[0][r] = end = over[0]
            found[1][r] = (out * (1 - seen * out))[:end].sum()
            found[2][r] = out[:end].sum()
    return Fan(*(x.reshape(len(seeds), len(FACTORS)) for x in found))
