"""What Theorem 3 conserves, as columns: 1 / score^2 of every distinct token of a class falls by one amount.

Chapter `scan_snap`. The score of a token is P(l | n) e^z. Source: Tian, Wang, Chen, Du (2023), arXiv 2305.16380,
Theorem 3.
"""

from lib.portable.numbers import exp
from lib.portable.primitives import Vector, zeros
from lib.portable.small import expm1
from lib.portable.vectors import scale, total


def column(chance: float) -> float:
    """Height of a distinct token's column at the start, 1 / P(l | n)^2: rare is tall.

    Args:
        chance: P(l | n), positive.

    Source: the paper's Theorem 3.
    """
    return 1.0 / (chance * chance)


def sunk_by(chance: float, z: float) -> float:
    """By how much the column 1 / score^2 is below its start, (1 - e^{-2 z}) / P(l | n)^2; it keeps its digits near 0.

    Args:
        chance: P(l | n), positive.
        z: logit of the token, nats.

    Source: the paper's Theorem 3: in the reference dynamics it is the same for all distinct tokens of a class.
    """
    return -expm1(-2.0 * z) * column(chance)


def shares_of_distinct(chances: Vector, z: Vector) -> Vector:
    """(D,) attention on each distinct token over that on all of them.

    Args:
        chances: (D,) P(l | n).
        z: (D,) logits, nats.

    Source: the paper's Section 3 (attention is P(l | n) e^z, normalised).
    """
    shares = zeros(len(chances))
    for i in range(len(chances)):
        shares[i] = chances[i] * exp(z[i])
    scale(shares, 1.0 / total(shares))
    return shares
