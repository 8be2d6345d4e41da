"""What a textbook flow measures of itself: logits, their speed, what drives them, loss, entropy, overlap, growth.

Chapter `scan_snap`. All is of one class, under its query. Source: arXiv 2305.16380, Sections 5 to 7.
"""

from lib.models.scan_snap.textbook_kinds import COMMON, DISTINCT, MIRROR, PARTLY, Drive, Kinds
from lib.portable.chances import entropy
from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, divide, nan, sqrt, zeros
from lib.portable.small import expm1

# The leads are ratios of two small numbers until the leading token has grown by this factor.
GROWN = 1.001


def width(distinct: int) -> int:
    """How many numbers `measure` writes, where a class has so many distinct tokens."""
    return 10 + 3 * distinct


def measure(y: Vector, slope: Vector, kinds: Kinds, now: Drive, sharing: int, row: Vector) -> None:
    """Measure the flow at one place.

    Args:
        y: (4 S,) the parameters: the last quarter are the logits z.
        slope: (4 S,) dy/dt.
        kinds: gives the tokens.
        now: what moves the class there.
        sharing: classes of one query.
        row: gets, from place 1 on, loss, entropy, speed, logits of a common, a partly common token and its mirror, the
            second's speed, overlap, ratio, growth; logits of the D distinct tokens, their D - 1 leads, D + 1 pulls.
    """
    f, g = now.f, now.g
    S = len(f)
    D, at, top = S - DISTINCT, 3 * S, S - 1
    square = 0.0
    for j in range(S):
        tokens = kinds.many[j] if kinds.twin[j] >= 0 else float(sharing)  # under the query
        square += tokens * slope[at + j] * slope[at + j]
    chi = exp(2.0 * y[at + top])
    row[1] = now.loss
    row[2] = own_entropy(f)
    row[3] = sqrt(square)
    row[4] = y[at + COMMON] if kinds.many[COMMON] > 0.0 else nan
    row[5] = y[at + PARTLY]
    row[6] = y[at + MIRROR]
    row[7] = slope[at + PARTLY]
    row[8] = now.overlap
    row[9] = divide(f[PARTLY], f[MIRROR])
    row[10] = chi
    lead, pull = 11 + D, 10 + 2 * D
    row[pull] = divide(g[COMMON], f[COMMON] * now.mean)
    for j in range(D):
        token = DISTINCT + j
        row[11 + j] = y[at + token]
        row[pull + 1 + j] = divide(g[token], f[token] * now.mean)
        if j < D - 1:
            ratio = kinds.law[top] / kinds.law[token]
            start = ratio * ratio - 1.0  # r = score_top^2 / score^2 - 1
            ahead = expm1(2.0 * (log(ratio) + y[at + top] - y[at + token]))
            row[lead + j] = divide(ahead, start * chi) if chi >= GROWN else nan


def own_entropy(f: Vector) -> float:
    """Entropy in nats of the attention on distinct tokens, renormalised; attention is proportional to f."""
    own, shares = 0.0, zeros(len(f) - DISTINCT)
    for j in range(len(shares)):
        own += f[DISTINCT + j]
    for j in range(len(shares)):
        shares[j] = divide(f[DISTINCT + j], own)
    return entropy(shares)
