"""Kinds of token: where classes are equal up to renaming, one class stands for all and one token for all like it.

Chapter `scan_snap`. The tasks of `lib.models.scan_snap`: `base_task`, `single_common_task`, `partly_common_task`.
"""

from dataclasses import dataclass

from lib.errors import require
from lib.models.scan_snap.textbook_classes import distinct_weight
from lib.portable.primitives import Vector, Wholes, sqrt, whole_zeros, zeros
from lib.portable.vectors import dot, scale

#: Kinds, in this order: a token that is kappa times as frequent in this class as in the other, its mirror image, the
#: common tokens, and then each distinct token of the class, rarest first.
PARTLY = 0
MIRROR = 1
COMMON = 2
DISTINCT = 3


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
