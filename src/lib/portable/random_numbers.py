"""Random numbers, the same in Python and in the page: L'Ecuyer's MRG32k3a, one stream a seed.

The generator is made of whole numbers below 2**53, so doubles hold it exactly. It passes every test of TestU01, and
its streams are 2**127 draws apart: runs with different seeds never share a number. Source: L'Ecuyer, "Good parameters
and implementations for combined multiple recursive random number generators", Operations Research 47 (1999); L'Ecuyer,
Simard, Chen, Kelton, "An object-oriented random-number package with many long streams and substreams" (2002).

A `state` is (6,) of `generator`; what draws moves it on.
"""

from lib.errors import require
from lib.portable.numbers import log
from lib.portable.primitives import Matrix, Vector, floor, floored, sqrt, zero_matrix, zeros

M1 = 4294967087.0
M2 = 4294944443.0
_NORM = 2.328306549295728e-10  # 1 / (M1 + 1)

PURPOSES = 4  # streams a seed has: task, start, training, afterwards


def generator(seed: int, purpose: int) -> Vector:
    """The generator (6,) of a seed, 0 to 2**31 - 1: stream 4 seed + purpose of the package.

    By its purpose, 0 to 3, what a seed draws for one thing has nothing to do with another.
    """
    require(seed >= 0 and seed < 2147483648, "seed", "a whole number from 0 to 2**31 - 1", seed)
    require(purpose >= 0 and purpose < PURPOSES, "purpose", "a whole number from 0 to 3", purpose)
    state = [12345.0, 12345.0, 12345.0, 12345.0, 12345.0, 12345.0]
    # the matrices that move a third-order recurrence on by 2**127 draws
    jump = [
        [2427906178.0, 3580155704.0, 949770784.0], [226153695.0, 1230515664.0, 3580155704.0],
        [1988835001.0, 986791581.0, 1230515664.0], [1464411153.0, 277697599.0, 1610723613.0],
        [32183930.0, 1464411153.0, 1022607788.0], [2824425944.0, 32183930.0, 2093834863.0],
    ]  # fmt: skip
    left = PURPOSES * seed + purpose
    while left > 0:
        if left // 2 * 2 < left:
            state = _moved(jump, state)
        jump = _squared(jump)
        left = left // 2
    return state


def _times(a: float, b: float, c: float, modulus: float) -> float:
    """a * b + c modulo the modulus, for whole values below 2**32: a in two parts, so that no product passes 2**53."""
    high = floored(a / 131072.0)
    value = high * b
    value -= floored(value / modulus) * modulus
    value = value * 131072.0 + (a - high * 131072.0) * b + c
    return value - floored(value / modulus) * modulus


def _moved(jump: Matrix, state: Vector) -> Vector:
    """Both matrices (rows 0 to 2, 3 to 5) times their halves of the state."""
    moved = zeros(6)
    for row in range(6):
        half = row // 3 * 3
        for i in range(3):
            moved[row] = _times(jump[row][i], state[half + i], moved[row], M1 if row < 3 else M2)
    return moved


def _squared(jump: Matrix) -> Matrix:
    squared = zero_matrix(6, 3)
    for row in range(6):
        half = row // 3 * 3
        for column in range(3):
            value = 0.0
            for i in range(3):
                value = _times(jump[row][i], jump[half + i][column], value, M1 if row < 3 else M2)
            squared[row][column] = value
    return squared


def uniform(state: Vector) -> float:
    """The next number between 0 and 1, neither of them among the values; 32 bits."""
    p = 1403580.0 * state[1] - 810728.0 * state[0]
    p -= M1 * floored(p / M1)
    q = 527612.0 * state[5] - 1370589.0 * state[3]
    q -= M2 * floored(q / M2)
    state[0] = state[1]
    state[1] = state[2]
    state[2] = p
    state[3] = state[4]
    state[4] = state[5]
    state[5] = q
    z = p - q
    # plus M1 unless z > 0, without a branch that goes either way half the time
    return (z - M1 * floored((z - 1.0) * _NORM)) * _NORM


def below(state: Vector, count: int) -> int:
    """A whole number from 0 to count - 1, all equally likely (up to count / 2**32)."""
    return floor(uniform(state) * float(count))


def normals(state: Vector, values: Vector) -> None:
    """Fill an array with independent standard normal numbers, by the polar method of Marsaglia and Bray (1964)."""
    count = len(values)
    i = 0
    while i < count:
        a = 2.0 * uniform(state) - 1.0
        b = 2.0 * uniform(state) - 1.0
        s = a * a + b * b
        if s < 1.0 and s > 0.0:
            stretch = sqrt(-2.0 * log(s) / s)
            values[i] = a * stretch
            if i + 1 < count:
                values[i + 1] = b * stretch
            i += 2
