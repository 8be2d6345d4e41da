"""The four laws of labels, given the points of a prompt, in plain Python.

Chapter `one_nn`. Two are as the paper asks, E[y_i y_j | x] = 0 for different i and j and a law that x -> -x leaves as
it is; `walsh` meets these words and breaks the conclusion; `linear` breaks the words.
"""

from lib.portable.primitives import Matrix, Vector, floor
from lib.portable.random_numbers import normals, uniform

RADEMACHER = 0  # independent fair signs
HIGHFREQ = 1  # the sign of a fast wave of random direction and phase
WALSH = 2  # label j is the product of the random bits in the binary digits of j: any two independent, not any three
LINEAR = 3  # the side of a random plane
FREQUENCY = 10.0  # standard deviation of the wave's direction, radians in each coordinate
TURN = 6.283185307179586


def draw_labels(law: int, random: Vector, direction: Vector, tokens: Matrix) -> None:
    """Write labels of +1 and -1 behind the points x_1 .. x_N; the query, the last token, has none.

    Args:
        law: 0 to 3.
        random: the generator; it moves on.
        direction: (d,) room for a random direction.
        tokens: (N + 1, d + 2) rows with the points in their first d entries.
    """
    d = len(direction)
    N = len(tokens) - 1
    if law == RADEMACHER:
        for j in range(N):
            tokens[j][d] = 1.0 if uniform(random) < 0.5 else -1.0
    elif law == WALSH:
        for j in range(N):
            tokens[j][d] = 1.0
        place = 1
        while place <= N:
            bit = 1.0 if uniform(random) < 0.5 else -1.0
            for j in range(N):
                digit = (j + 1) // place
                if digit // 2 * 2 < digit:
                    tokens[j][d] *= bit
            place *= 2
    else:
        normals(random, direction)
        phase = uniform(random)
        for j in range(N):
            along = 0.0
            for a in range(d):
                along += direction[a] * tokens[j][a]
            if law == LINEAR:
                tokens[j][d] = 1.0 if along >= 0.0 else -1.0
            else:  # the sign of cos(FREQUENCY along + TURN phase): positive in the first and the last quarter of a turn
                turns = FREQUENCY * along / TURN + phase + 0.25
                tokens[j][d] = 1.0 if turns - float(floor(turns)) < 0.5 else -1.0
