"""Kinds of token: where classes are equal up to renaming, one class stands for all and one token for all like it.

Chapter `scan_snap`. The tasks of `lib.models.scan_snap.base_task` and of `models.tasks`, and what figures ask of one
class: decoder input, overlap, attention. Portable. Source: arXiv 2305.16380, Sections 3 and 5 to 8.
"""

from dataclasses import dataclass

from lib.errors import require
from lib.models.scan_snap.textbook import distinct_weight
from lib.portable.numbers import exp
from lib.portable.primitives import Vector, inf, sqrt, zeros
from lib.portable.vectors import dot, scale

#: Kinds, in this order: the common tokens, and then each distinct token of the class, rarest first.
COMMON = 0
DISTINCT = 1


@dataclass
class Kinds:
    """The tokens of one class, S kinds of them."""

    law: Vector  # (S,) P(l | n) of one token of each kind; 0 if there is none
    many: Vector  # (S,) tokens of that kind


def token_kinds(common: int, weight: float, distinct: int, lowest: float) -> Kinds:
    """The kinds of so many common and distinct tokens, refused with an `InputError` where one is out of range.

    Weights are compared with that of the most frequent distinct token, which is 1: `weight` of a common token, `lowest`
    of the rarest distinct one.
    """
    require(common >= 0, "common", "at least 0 tokens", common)
    require(weight > 0.0, "weight", "a positive number", weight)
    require(distinct >= 1, "distinct", "at least 1 token a class", distinct)
    require(lowest > 0.0 and lowest <= 1.0, "lowest", "a weight above 0, at most 1", lowest)
    law, many = zeros(DISTINCT + distinct), zeros(DISTINCT + distinct)
    law[COMMON] = weight if common > 0 else 0.0
    many[COMMON] = float(common)
    for i in range(distinct):
        law[DISTINCT + i] = distinct_weight(i, distinct, lowest)
        many[DISTINCT + i] = 1.0
    scale(law, 1.0 / dot(law, many))
    return Kinds(law, many)


def inputs(kinds: Kinds, y: Vector, place: int, f: Vector) -> None:
    """Into f (S,): the decoder input P e^z / |P e^z| of the class, from the logits z at this place of y."""
    top = -inf
    for i in range(len(f)):
        if kinds.many[i] > 0.0:
            top = max(top, y[place + i])
    square = 0.0
    for i in range(len(f)):
        f[i] = kinds.law[i] * exp(y[place + i] - top) if kinds.many[i] > 0.0 else 0.0
        square += kinds.many[i] * f[i] * f[i]
    length = sqrt(square)
    for i in range(len(f)):
        f[i] = f[i] / length


def overlap(kinds: Kinds, f: Vector) -> float:
    """rho = f_n . f_n' of two classes with decoder inputs f."""
    return kinds.many[COMMON] * f[COMMON] * f[COMMON]
