"""Claims GS-22 and GS-23: steps too large for the population, and the way back.

Chapter `group_sparse`. Source: beyond arXiv 2504.08638, whose Theorem 3.1 asks for a learning rate of order one.
"""

import numpy as np

from hal.chapters.group_sparse.runs import learn_pair
from hal.claims import Part, Result, claim, result
from lib.models import group_sparse as gs
from lib.theory import group_sparse as theory

_STEPS = 600


@claim(
    "GS-22",
    where="beyond the paper",
    says=(
        "In 600 steps of the population attention finds the group at lr D = 20, for D from 4 to 256; the largest "
        "learning rate with which it does so is where the third step throws it so far off that the way back (GS-23) "
        "takes the other 597."
    ),
    control={"length": 0.8},
    breaks="positions shorter by a fifth: the third step throws attention less far",
)
def _check_22(length: float = 1.0) -> Result:
    smallest = min(_attention(D, 20 / D, length) for D in (4, 6, 8, 12, 16, 24, 32, 48, 64, 128, 256))
    parts = [Part("smallest attention at lr D = 20, D from 4 to 256", smallest, 0.9, 0, "at least", drift=1e-3)]
    for D in (12, 16, 24, 32):
        good, bad = 20 / D, 30 / D
        while bad - good > 1e-3 * good:
            middle = (good + bad) / 2
            good, bad = (middle, bad) if _attention(D, middle, length) > 0.5 else (good, middle)
        expected = theory.largest_population_rate(D, _STEPS) * D
        parts.append(Part(f"lr D of the largest such rate, D = {D}", good * D, expected, 5e-3, "relative", drift=0.02))
    return result(*parts)


def _attention(D: int, lr: float, length: float) -> float:
    """Attention on the group in the end."""
    return float(learn_pair(D, lr, _STEPS, length=length)["attention"][0, -1])


@claim(
    "GS-23",
    where="beyond the paper",
    says=(
        "Attention thrown off the group comes back: from a logit gap b far below 0 it takes "
        "$2D^2(D-1)e^{-b}/((D+1)k)^2$ steps, k being the strength of the cycle in which the value turns its sign "
        "over at every step."
    ),
    control={"length": 0.8},
    breaks="positions shorter by a fifth: logits move more slowly",
)
def _check_23(length: float = 1.0) -> Result:
    parts = []
    for D, by_D in ((8, 20), (16, 20), (16, 24), (32, 28)):
        lr, b = by_D / D, -8.0
        alpha = theory.cycle_strength(lr, D) * np.sqrt(D - 1) / D
        expected, start = theory.return_time(lr, D, b), gs.Pair(np.array([alpha]), np.array([b]))
        at = np.arange(int(3 * expected))
        found = learn_pair(D, lr, int(at[-1]), at, start=start, length=length)["attention"][0]
        back = float(np.argmax(found > 0.5))
        parts.append(Part(f"steps until half, D = {D}, lr D = {by_D}", back, expected, 0.02, "relative", drift=1.0))
    return result(*parts)
