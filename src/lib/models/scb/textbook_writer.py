"""A trained layer that writes: each token is drawn from what it expects next, appended, and the oldest one dropped.

Chapter `scb`, beyond the paper (arXiv 2410.23438 names the extension in Sections 2.1 and 6). The task has a random
transition in place of the ring.
"""

from lib.models.scb.textbook import Settings, State, descend, gradient, start_on
from lib.models.scb.textbook_ring import Ring, choose_positions, even_weights
from lib.portable.numbers import exp
from lib.portable.primitives import Matrix, Vector, Wholes, whole_zeros, zero_matrix, zeros
from lib.portable.random_numbers import generator, uniform
from lib.portable.tokens import draw, draw_tokens, token_table
from lib.portable.vectors import add, dot, fill, scale, total

SWEEPS = 300  # scalings of rows and columns
SHARPNESS = 6.0  # of the transition


def random_task(T: int, N: int, Q: int, random: Vector) -> Ring:
    """A task with uniform mu and a random transition: a table of exponentials, rows and columns scaled to sums of 1.

    Args:
        T, N, Q: context, vocabulary, positions that matter.
        random: generator (6,), for transition and positions.

    Source: the scaling is R. Sinkhorn's (1964).
    """
    mu, P, w = zeros(N), zero_matrix(N, N), even_weights(Q)
    fill(mu, 1.0 / float(N))
    for j in range(N):
        for i in range(N):
            P[j][i] = exp(SHARPNESS * (uniform(random) - 1.0))
    for _ in range(SWEEPS):
        for i in range(N):
            held = 0.0
            for j in range(N):
                held += P[j][i]
            for j in range(N):
                P[j][i] /= held
        for j in range(N):
            scale(P[j], 1.0 / total(P[j]))
    K_P = 0.0
    for j in range(N):
        for i in range(N):
            K_P += mu[j] * (P[j][i] - mu[i]) * (P[j][i] - mu[i])
    return Ring(mu, P, w, choose_positions(N, T, Q, random), K_P, dot(w, w) - 1.0 / float(T))


def taught(task: Ring, settings: Settings, seed: int) -> State:
    """A layer after `stage1` steps of gradient descent on samples of the task."""
    state = start_on(task, settings, seed)
    while state.step < settings.stage1:
        gradient(state)
        descend(state)
        state.step += 1
    return state


def next_token(V: Matrix, a: Vector, window: Wholes, random: Vector) -> int:
    """A token of the law that V X a is when what is below zero is left out."""
    T = len(a)
    law = zeros(len(V))
    for t in range(T):
        add(law, a[t], V[window[t]])
    for i in range(len(law)):
        law[i] = max(law[i], 0.0)
    scale(law, 1.0 / total(law))
    return draw(random, law)


def write(state: State, count: int, random: Vector) -> tuple[Wholes, Vector]:
    """The text that a layer writes from a context of independent tokens.

    Args:
        state: the layer.
        count: how many tokens.
        random: generator (6,).

    Returns:
        The last T + 1 tokens, and the frequencies (N,) of the tokens that were written.
    """
    T, N = state.settings.T, state.settings.N
    window, seen = whole_zeros(T + 1), zeros(N)
    draw_tokens(token_table(state.task.mu), random, window)
    for _ in range(count):
        token = next_token(state.V, state.A[window[T]], window, random)
        for t in range(T):
            window[t] = window[t + 1]
        window[T] = token
        seen[token] += 1.0 / float(count)
    return window, seen


def start_text(T: int, N: int, steps: int, seed: int) -> State:
    """A layer taught for so many steps, on a random task of the seed, with Q = 2, batches of 16 and lr = 0.05."""
    plain = Settings(T, N, 2, 0.75, 0.0, 0.05, 16, 0.0, steps, 0, 0, 0.0, 0.0)
    return taught(random_task(T, N, 2, generator(seed, 0)), plain, seed)
