"""Claims GS-5, GS-7 to GS-9 and GS-14: first steps, and how loss and attention go on at late times.

Chapter `group_sparse`. Source: arXiv 2504.08638, Theorem 3.1 (time, loss and attention up to constants).
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.group_sparse.models import Pair, PairTransformer
from hal.chapters.group_sparse.runs import learn_six
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import group_sparse as gs
from lib.theory import group_sparse as theory
from lib.train import flow

_LATE, _SIZES = 4000.0, (4, 8, 16)


@claim(
    "GS-5",
    where="beyond the paper",
    says=(
        "The first step gives the value the strength lr / sqrt(2 pi), whatever D; the second opens the logit gap "
        "lr^2 rho^2 / (2 pi D), rho = (D + 1)/2."
    ),
    control={"ahead": 2.0},
    breaks="the value starts at 2, not at zero",
)
def _check_5(ahead: float = 0.0) -> Result:
    parts, lr = [], 0.02
    for D in (4, 8, 16):
        pair = PairTransformer(D)
        start = Pair(np.array([ahead]), np.array([0.0]))
        run = _descend(pair, start, lr, 2)
        gain = run[1].alpha[0] - ahead
        parts += [
            Part(f"strength after one step, D = {D}", gain, float(theory.first_strength(lr)), 1e-3, "relative"),
            Part(f"gap after two steps, D = {D} (nats)", run[2].b[0], float(theory.first_gap(lr, D)), 0.03, "relative"),
        ]
    return result(*parts)


def _descend(pair: PairTransformer, start: Pair, lr: float, steps: int) -> list[Pair]:
    """The parameters after each step of gradient descent, by hand: the check of `optimiser` as well."""
    found = [start]
    for _ in range(steps):
        at = found[-1]
        slope = pair.loss_and_gradient(at)[1]
        found.append(Pair(at.alpha - lr * slope.alpha, at.b - lr * pair.rates["b"] * slope.b))
    return found


@claim(
    "GS-7",
    where="Theorem 3.1, time; the constants are beyond the paper",
    says="Late in training the loss falls as C^(2/3) D^(-2/3) (3 lr t)^(-1/3).",
    control={"frozen": True},
    breaks="attention stays even: the value alone learns",
)
def _check_7(frozen: bool = False) -> Result:
    """`frozen`: with attention as it starts."""
    parts = []
    for D in _SIZES:
        pair = PairTransformer(D)
        run = flow(pair, None, [_LATE], {**pair.rates, "b": 0.0} if frozen else pair.rates)
        expected = float(theory.late_loss(_LATE, D))
        parts.append(Part(f"loss at time 4000, D = {D} (nats)", float(run.loss[-1]), expected, 0.02, "relative"))
    return result(*parts)


@claim(
    "GS-8",
    where="Theorem 3.1, loss at T*",
    says="At T* = D^3 the loss is of the order D^(-2).",
    control={"growth": 1.0},
    breaks="the learning rate grows in proportion to D instead of staying the same",
    verdict="fails",
    regime="It is of the order D^(-5/3): L D^2 grows as D^(1/3), with the constant of the late law (GS-7).",
)
def _check_8(growth: float = 0.0) -> Result:
    lr, sizes = 0.2, np.array([8, 16, 32, 64])
    scaled = np.array([_loss_at(int(D), lr * (D / 8) ** growth * float(D) ** 3) * D**2 for D in sizes])
    slope = np.polyfit(np.log(sizes[1:]), np.log(scaled[1:]), 1)[0]
    return result(Part("growth exponent of L D^2 from D = 16 to 64", float(slope), 0.0, 0.1))


def _loss_at(D: int, time: float) -> float:
    pair = PairTransformer(D)
    return float(flow(pair, None, [time], pair.rates).loss[-1])


@claim(
    "GS-9",
    where="Theorem 3.1, attention; the formula is beyond the paper",
    says="Late in training the attention outside the group falls as A (lr t)^(-2/3), A the root of a quadratic.",
    control={"frozen_value": True},
    breaks="the value is frozen once attention has found the group (time 50)",
)
def _check_9(frozen_value: bool = False) -> Result:
    parts = []
    for D in _SIZES:
        pair = PairTransformer(D)
        if frozen_value:
            first = flow(pair, None, [50.0], pair.rates)
            start = Pair(first.params.alpha[-1:], first.params.b[-1:])
            run = flow(pair, start, [_LATE - 50.0], {**pair.rates, "alpha": 0.0})
        else:
            run = flow(pair, None, [_LATE], pair.rates)
        leak = float(1 - pair.attention(run.params)[-1])
        parts.append(Part(f"1 - s at time 4000, D = {D}", leak, float(theory.late_leak(_LATE, D)), 0.02, "relative"))
    return result(*parts)


@claim(
    "GS-14",
    where="Theorem 3.1, attention",
    says="With content logits too (six scalars, D = 6) the attention outside the group falls with the exponent -2/3.",
    control={"flips": 0.1},
    breaks="a tenth of the labels is turned over: margins stop growing, and attention stops closing",
)
def _check_14(flips: float = 0.0, block: int = 0) -> Result:
    seeds, at = seed_block(block, 3), np.unique(np.round(np.geomspace(60, 400, 8)).astype(int))
    task = gs.Task(D=6, d=4, flips=flips)
    run = learn_six(task, seeds, 1500, 1.0, 400, np.concatenate([[0], at]))
    leak = np.log(1 - run["attention"][:, 1:])
    slopes = slope_of(np.log(at), leak)
    return result(
        Part("mean exponent of 1 - S between steps 60 and 400", float(slopes.mean()), -2 / 3, 0.1, drift=0.01),
        seeds=seeds,
    )


def slope_of(x: NDArray[np.float64], y: NDArray[np.float64]) -> NDArray[np.float64]:
    """Least-squares slopes (R,) of rows y (R, K) over x (K,)."""
    centred = x - x.mean()
    return (y @ centred) / (centred @ centred)
