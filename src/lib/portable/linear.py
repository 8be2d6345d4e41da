"""Linear equations: LU with pivoting, for the small systems of the stiff integrator."""

from lib.portable.primitives import Matrix, Vector, Wholes, divide


def factorise(a: Matrix, pivots: Wholes) -> None:
    """Overwrite a square matrix by its factors L and U, and `pivots` by the row that each column swapped with.

    A singular matrix gives values that are not finite.
    """
    n = len(a)
    for c in range(n):
        best = c
        for i in range(c + 1, n):
            if abs(a[i][c]) > abs(a[best][c]):
                best = i
        pivots[c] = best
        upper = a[best]
        a[best] = a[c]
        a[c] = upper
        for i in range(c + 1, n):
            row = a[i]
            factor = divide(row[c], upper[c])
            row[c] = factor
            if factor != 0.0:
                for j in range(c + 1, n):
                    row[j] -= factor * upper[j]


def solve(a: Matrix, pivots: Wholes, b: Vector) -> None:
    """Overwrite the right-hand side b (n,) by the solution; a and pivots are from `factorise`."""
    n = len(b)
    for c in range(n):
        swapped = b[pivots[c]]
        b[pivots[c]] = b[c]
        b[c] = swapped
    for i in range(n):
        row = a[i]
        for j in range(i):
            b[i] -= row[j] * b[j]
    for i in range(n - 1, -1, -1):
        row = a[i]
        for j in range(i + 1, n):
            b[i] -= row[j] * b[j]
        b[i] = divide(b[i], row[i])
