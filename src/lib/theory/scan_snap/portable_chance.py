"""How many tokens look distinct by coincidence in a small data set; portable Python.

Chapter `scan_snap`. Source: ours, beyond arXiv 2305.16380, Section 9.
"""

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Vector


def distinct_by_coincidence(law: Vector, sequences: int, length: int) -> float:
    r"""Expected number of tokens that occur with one of two equally likely next tokens only.

    A token of probability p is in a sequence with probability $q = 1 - (1 - p)^L$. That all of the n sequences with it
    have one next token, and there are some, has the probability $2 [(1 - q/2)^n - (1 - q)^n]$.

    Args:
        law: (C,) probabilities of the tokens, each below 1.
        sequences: n, at least 1.
        length: L tokens of a sequence, at least 1.

    Raises:
        InputError: if a number is out of range.

    Source: ours, beyond arXiv 2305.16380, Section 9.

    Example:
        >>> round(distinct_by_coincidence([0.5, 0.5], 1, 1), 6)
        1.0
    """
    require(sequences >= 1, "sequences", "at least 1", sequences)
    require(length >= 1, "length", "at least 1 token", length)
    number = 0.0
    for i in range(len(law)):
        p = law[i]
        require(p >= 0.0 and p < 1.0, "law", "probabilities below 1", p)
        away = exp(float(length) * log(1.0 - p))  # the token is not in a sequence
        number += 2.0 * (exp(float(sequences) * log(0.5 + 0.5 * away)) - exp(float(sequences) * log(away)))
    return number
