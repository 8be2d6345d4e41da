"""Claims RW-24 and RW-28: where V turns first, and which lag wins on drawn walks.

Chapter `random_walk`. Source: ours; arXiv 2511.23239, theorem on 0 < p < 1, item 3, speaks of the law of a step.
"""

import numpy as np

from hal.chapters.random_walk.models.circulant import turns
from hal.chapters.random_walk.runs import learn_turns
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory

_STEPS = 100
_OFFSETS = ((0.7, 3.0), (0.9, 3.0), (0.8, 1.0))  # p, offset of the loss


@claim(
    "RW-24",
    where="theorem for 0 < p < 1, item 3; the two regimes are beyond the paper",
    says=(
        r"With a large offset of the loss V turns first towards $\Pi^\top$ and later towards its root: after the step "
        r"$t_s$ at which attention settles, both distances follow one formula. With $\epsilon = 3$ the law is nearer "
        r"at step 50; with $\epsilon = 0.1$, the paper's, it is nearer at no step."
    ),
    control={"loss": "square"},
    breaks="the square loss",
)
def _check_24(loss: str = "log", block: int = 0) -> Result:
    (seed,), parts, at = seed_block(block, 1), [], range(_STEPS + 1)
    for p, epsilon in (*_OFFSETS, (0.7, 0.1)):
        walk = rw.Walk(6, 97, p)
        run = learn_turns(walk, [seed], steps=_STEPS, n=12_000, record_at=at, epsilon=epsilon, loss=loss)[1]
        settled = int(np.argmax(run["parent"][0] > 0.5))
        law, root = (run[name][0, settled:] for name in ("to_step", "to_root"))
        name = f"p = {p}, epsilon = {epsilon:g}"
        if epsilon == 0.1:
            parts.append(Part(f"steps at which the law is nearer, {name}", float(np.sum(law < root)), 0, 0.5))
            continue
        said = theory.two_regimes(np.arange(settled, _STEPS + 1), settled, 6, p, 1.0, epsilon)
        late = slice(3 * settled, None)  # of step 4 t_s
        off = max(np.abs(said[0] - law)[late].max(), np.abs(said[1] - root)[late].max())
        parts += [
            Part(f"largest difference of both distances from theory after 4 t_s, {name}", off, 0, 0.02),
            Part(f"least distance from the law, {name}", law.min(), said[0].min(), 0.02),
        ]
        if epsilon == 3:
            nearer = root[50 - settled] - law[50 - settled]
            parts.append(Part(f"how much nearer the law is at step 50, {name}", nearer, 0, 0, "at least", drift=0.01))
    return result(*parts, seeds=[seed])


@claim(
    "RW-28",
    where="beyond the paper",
    says=(
        "Which lag attention settles on is told by the signal of the walks that are drawn, 1000 with all their turns, "
        "in nearly every run at K = 20, N = 101 and p = 0.8 or 0.7; the signal of the population has one answer for "
        "all."
    ),
    control={"own": False},
    breaks="the layer trains on other walks than those whose signal is taken",
)
def _check_28(own: bool = True, block: int = 0) -> Result:
    seeds, parts = seed_block(block, 24), []
    for p in (0.8, 0.7):
        walk = rw.Walk(20, 101, p)
        lag = learn_turns(walk, seeds, steps=10, n=1000, M=1000)[1]["lag"][:, -1]
        drawn = turns(walk.sample(1000, generators(seeds if own else range(seeds[-1] + 1, seeds[-1] + 25))), 20)
        told = 1 + np.argmax(theory.drawn_signal(drawn.D, 20), axis=1)
        agreed = f"runs of 24 on the lag of their own walks, p = {p}"
        parts.append(Part(agreed, float(np.sum(lag == told)), 22, 0, "at least", drift=1))
    return result(*parts, seeds=seeds)
