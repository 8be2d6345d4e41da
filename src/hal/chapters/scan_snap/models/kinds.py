"""Kinds of token: where classes are equal up to renaming, one class stands for all and one token for all like it.

Chapter `scan_snap`. The tasks of `lib.models.scan_snap`, `base_task`, `single_common_task`, `partly_common_task`, and
what a textbook flow measures of one class under its query: logits, their speed, what drives them, loss, entropy,
overlap, growth. Source: arXiv 2305.16380, Sections 5 to 7.
"""

from dataclasses import dataclass

from lib.errors import require
from lib.models.scan_snap.textbook_classes import distinct_weight
from lib.portable.chances import entropy
from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector, Wholes, divide, nan, sqrt, whole_zeros, zeros
from lib.portable.small import expm1
from lib.portable.vectors import dot, scale

#: Kinds, in this order: a token that is kappa times as frequent in this class as in the other, its mirror image, the
#: common tokens, and then each distinct token of the class, rarest first.
PARTLY = 0
MIRROR = 1
COMMON = 2
DISTINCT = 3
GROWN = 1.001  # the leads are ratios of two small numbers until the leading token has grown by this factor


@dataclass
class Kinds:
    """The tokens of one class, S kinds of them."""

    law: Vector  # (S,) P(l | n) of one token of each kind; 0 if there is none
    many: Vector  # (S,) tokens of that kind
    twin: Wholes  # (S,) the kind that plays its part in another class; -1 if that class has no such token


@dataclass
class Drive:
    """What moves a class at one place of the flow."""

    f: Vector  # (S,) decoder input
    g: Vector  # (S,) what a little more of a token in f would help, Y delta
    mean: float  # f.g
    loss: float  # nats
    overlap: float  # f_n . f_n' of two classes


def token_kinds(common: int, weight: float, distinct: int, lowest: float, partly: float, kappa: float) -> Kinds:
    """The kinds of these settings. Weights are compared with that of the most frequent distinct token, which is 1.

    Args:
        common: common tokens; 0 for none.
        weight: of a common token.
        distinct: distinct tokens, of weights from `lowest` to 1.
        lowest: weight of the rarest one.
        partly: weight of a partly common token in this class, `partly` / kappa in the other; 0 for no such token.
        kappa: the ratio.

    Raises:
        InputError: if a setting is out of range.
    """
    require(common >= 0, "common", "at least 0 tokens", common)
    require(weight > 0.0, "weight", "a positive number", weight)
    require(distinct >= 1, "distinct", "at least 1 token a class", distinct)
    require(lowest > 0.0 and lowest <= 1.0, "lowest", "a weight above 0, at most 1", lowest)
    require(partly >= 0.0, "partly", "a weight of at least 0", partly)
    require(kappa >= 1.0, "kappa", "a ratio of at least 1", kappa)
    S = DISTINCT + distinct
    law = zeros(S)
    many = zeros(S)
    twin = whole_zeros(S)
    law[PARTLY] = partly
    law[MIRROR] = partly / kappa
    law[COMMON] = weight if common > 0 else 0.0
    twin[PARTLY] = MIRROR
    twin[MIRROR] = PARTLY
    twin[COMMON] = COMMON
    many[PARTLY] = 1.0 if partly > 0.0 else 0.0
    many[MIRROR] = many[PARTLY]
    many[COMMON] = float(common)
    for i in range(distinct):
        law[DISTINCT + i] = distinct_weight(i, distinct, lowest)
        many[DISTINCT + i] = 1.0
        twin[DISTINCT + i] = -1
    scale(law, 1.0 / dot(law, many))
    return Kinds(law, many, twin)


def single_common_weight(rho: float, distinct: int, lowest: float) -> float:
    """Weight of a sole common token that makes any two classes overlap by rho at the start, 0 < rho < 1."""
    square = 0.0
    for i in range(distinct):
        w = distinct_weight(i, distinct, lowest)
        square += w * w
    return sqrt(rho / (1.0 - rho) * square)


def width(distinct: int) -> int:
    """How many numbers `measure` writes, where a class has so many distinct tokens."""
    return 11 + 4 * distinct


def measure(y: Vector, slope: Vector, kinds: Kinds, now: Drive, sharing: int, row: Vector) -> None:
    """Measure the flow at one place.

    Args:
        y: (4 S,) the parameters: the last quarter are the logits z.
        slope: (4 S,) dy/dt.
        kinds: gives the tokens.
        now: what moves the class there.
        sharing: classes of one query.
        row: gets, from place 1 on, loss, entropy, speed, logits of a common, a partly common token and its mirror, the
            second's speed, overlap, ratio, growth; logits of the D distinct tokens, their D - 1 leads, D + 1 pulls; and
            `shares`.
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
    shares(f, kinds.many, row, pull + D + 1)


def shares(f: Vector, many: Vector, out: Vector, at: int) -> None:
    """Attention on one common token and on each distinct one, as fractions of that on all tokens of the class.

    Args:
        f: (S,) decoder input, or anything in proportion to attention.
        many: (S,) tokens of each kind.
        out: gets 1 + D numbers from place `at` on, the first NaN where no token is common.
        at: see there.
    """
    whole = dot(f, many)
    out[at] = f[COMMON] / whole if many[COMMON] > 0.0 else nan
    for j in range(len(f) - DISTINCT):
        out[at + 1 + j] = f[DISTINCT + j] / whole


def own_entropy(f: Vector) -> float:
    """Entropy in nats of the attention on distinct tokens, renormalised; attention is proportional to f."""
    own, shares = 0.0, zeros(len(f) - DISTINCT)
    for j in range(len(shares)):
        own += f[DISTINCT + j]
    for j in range(len(shares)):
        shares[j] = divide(f[DISTINCT + j], own)
    return entropy(shares)
