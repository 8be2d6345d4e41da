"""What a textbook run measures of its value: where its part in the variables points, and how much of it that part is.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 5. The measures are those of `lib.models.group_sparse`.
"""

from lib.portable.primitives import Vector, sqrt


def cosine(v: Vector, d: int) -> float:
    """Cosine of the first d entries, the variables' part of the value, with the first axis; 0 where they are 0."""
    variables = square(v, d)
    return v[0] / sqrt(variables) if variables > 0.0 else 0.0


def norm_ratio(v: Vector, d: int) -> float:
    """Length of the first d entries, by that of all; 0 where all are 0."""
    whole = square(v, len(v))
    return sqrt(square(v, d) / whole) if whole > 0.0 else 0.0


def square(v: Vector, count: int) -> float:
    """The sum of the squares of the first `count` entries."""
    result = 0.0
    for a in range(count):
        result += v[a] * v[a]
    return result
