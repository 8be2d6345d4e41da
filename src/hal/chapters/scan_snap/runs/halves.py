"""Words of two mirror-symmetric classes with a partly common token and its mirror image; portable Python.

Chapter `scan_snap`, beyond the paper: tokens that one class has more often than the other.
"""

from lib.portable.primitives import Matrix, nan, zero_matrix

#: Of ten words of a class: 0 a common one, 1 the token that the class has more often, 2 its mirror image, 3 to 12 a
#: distinct one, rarest first.
PATTERN = [1, 0, 10, 1, 0, 2, 9, 0, 1, 12]


def two_rows(common: int) -> Matrix:
    """Ten words of class A and then ten of class B, as `PATTERN` has them.

    Args:
        common: common tokens, at least 1; a class shows the first three of them.

    Returns:
        Four rows. Of each word (20,): which it is, 0 to 59 common, 60 to 69 distinct of A, 70 to 79 of B, 80 the token,
        81 its mirror image; its group, 0 common, 1 distinct, 2 the token, 3 its mirror image; its place in the reading
        `ink` of the textbook flow; and its chance, 1, as that reading is over frequency already.

    Source: beyond the paper.
    """
    rows, long = zero_matrix(4, 2 * len(PATTERN)), len(PATTERN)
    for side in range(2):
        seen = 0
        for j in range(long):
            i, kind = side * long + j, PATTERN[j]
            rows[2][i] = float(kind)
            rows[3][i] = 1.0
            if kind == 0:
                rows[0][i] = float(min(seen, common - 1))
                seen += 1
            elif kind >= 3:
                rows[0][i] = float(57 + 10 * side + kind)
                rows[1][i] = 1.0
            else:
                mirror = kind - 1 if side == 0 else 2 - kind
                rows[0][i] = float(80 + mirror)
                rows[1][i] = float(2 + mirror)
    return rows


def arrow_left(x: float, y: float) -> Matrix:
    """An arrow from (x, y) to 0.6 of x, as two rows of coordinates (6,) with a gap between its shaft and its head."""
    end = 0.6 * x
    return [[x, end, nan, end + 0.03, end, end + 0.03], [y, y, nan, y + 0.2, y, y - 0.2]]
