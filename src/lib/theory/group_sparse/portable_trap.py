r"""The population's two scalars in steps, plain Python: three steps that throw attention away, and the way back.

Chapter `group_sparse`. Source: ours, see `lib.theory.group_sparse.trap`, which has the same over a finer rule. Large
steps make the loss steep in the noise, so its places are four times as dense here as in `law_of`;
the way is too short for what happens at the smallest |g|.
"""

from lib.portable.numbers import exp
from lib.portable.primitives import Vector
from lib.theory.group_sparse.portable import FINE, LEAST, SIGNALS, Law, push, ruled

PLACES = 33  # of the noise, from -4 to 4
HALVINGS = 50


def dense_law(D: int) -> Law:
    """`law_of` at standard deviation 1 with a denser noise, without |g| below 4e-4. Source: beyond the paper."""
    return ruled(D, 1.0, LEAST + 18.0 * FINE, FINE, SIGNALS - 18, 0.25, PLACES)


def descend(place: Vector, lr: float, law: Law, out: Vector) -> None:
    """One step of gradient descent of (alpha, b), (2,), in place; `out` (2,) is room. Source: beyond the paper."""
    push(0.0, place, out, law)
    place[0] += lr * out[0]
    place[1] += lr * out[1]


def swing(rate: float, law: Law) -> float:
    r"""k of the cycle of period two: the root of $2k = r\,\psi(k)$, $r = \eta D^2/(D-1)$; 0 up to r = 8.

    Source: beyond the paper; `lib.theory.group_sparse.cycle_strength`.
    """
    low, high = 0.0, rate
    for _ in range(HALVINGS):
        k = 0.5 * (low + high)
        psi = 0.0
        for i in range(PLACES):
            small = exp(-abs(k * law.xi[i]))
            psi += 0.5 * law.share[i] * abs(law.xi[i]) * (1.0 - small) / (1.0 + small)
        if 2.0 * k < rate * psi:
            low = k
        else:
            high = k
    return low


def way_back(lr: float, gap: float, law: Law) -> float:
    r"""Steps from a gap b far below 0 back to the group, $2D^2(D-1)e^{-b}/((D+1)k)^2$; the rate above the cycle's.

    Source: beyond the paper; `lib.theory.group_sparse.return_time`.
    """
    D = law.D
    k = swing(lr * D * D / (D - 1.0), law)
    return 2.0 * D * D * (D - 1.0) / ((D + 1.0) * (D + 1.0) * k * k) * exp(-gap)
