"""Three ways to train one layer on the same examples: gradient descent, in large steps, and Adam.

Chapter `group_sparse`. Source: the layer is arXiv 2504.08638's, Section 2; the ways are beyond the paper.
"""

from lib.models.group_sparse.textbook import Settings, State, gradient, start
from lib.portable.optimisers import adam, adam_memory, sgd
from lib.portable.primitives import Matrix, Vector, zeros

PI = 3.141592653589793


def flat(v: Vector, W: Matrix) -> Vector:
    """(m + m m,) v, then the rows of W."""
    m = len(v)
    found = zeros(m + m * m)
    for a in range(m):
        found[a] = v[a]
        for b in range(m):
            found[m + a * m + b] = W[a][b]
    return found


def sine(x: float) -> float:
    """The sine of an angle from 0 to about 1.6, by its series."""
    found, term = 0.0, x
    for k in range(1, 12):
        found += term
        term *= -x * x / float((2 * k) * (2 * k + 1))
    return found


def spread_out(state: State) -> None:
    """Sines in place of unit vectors as positional encodings: [p_j]_k = sin(j k pi / (D + 1)), j and k from 1."""
    D, d = state.settings.D, state.settings.d
    angle = PI / float(D + 1)
    for j in range(D):
        values, before, now = zeros(D), 0.0, sine(float(min(j + 1, D - j)) * angle)
        turn = 2.0 * sine(PI / 2.0 - float(min(j + 1, D - j)) * angle) * (1.0 if 2 * j < D else -1.0)
        for k in range(D):
            values[k] = now
            now, before = turn * now - before, now
        put(values, state.tokens, j, d)
        put(values, state.fresh, j, d)


def put(values: Vector, tokens: Matrix, j: int, d: int) -> None:
    """Give every token j this positional encoding."""
    D = len(values)
    for i in range(len(tokens) // D):
        for k in range(D):
            tokens[i * D + j][d + k] = values[k]


def trained(settings: Settings, seed: int, by_adam: bool, sines: bool) -> State:
    """The layer after all steps, its loss, accuracy and map measured.

    Args:
        settings: of the run; `lr` is the learning rate of every entry.
        seed: of its examples.
        by_adam: Adam in place of gradient descent.
        sines: positional encodings that are sines, not unit vectors; plain gradient descent does not feel it.
    """
    state = start(settings, seed)
    if sines:
        spread_out(state)
    m = len(state.v)
    whole, memory = zeros(m + m * m), adam_memory(m + m * m)
    for _ in range(settings.steps):
        gradient(state)
        slope = flat(state.grad_v, state.grad_W)
        if by_adam:
            adam(whole, memory, slope, settings.lr, 0.9, 0.999, 1e-8)
        else:
            sgd(whole, slope, settings.lr)
        for a in range(m):
            state.v[a] = whole[a]
            for b in range(m):
                state.W[a][b] = whole[m + a * m + b]
    gradient(state)
    return state
