"""The Bayes risk at many lengths, by the trace formula over contexts that grow row by row, in portable Python.

Chapter `linear_block`. The formula of `best.bayes_risks`, for H = diag(h) and Psi = psi I with psi and the noise above
0; contexts come in slices, so that a page can draw what it has.
"""

from __future__ import annotations

from dataclasses import dataclass

from lib.portable.primitives import Matrix, Vector, Wholes, sqrt, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals


@dataclass
class Contexts:
    """Sums over the contexts so far."""

    root: Vector  # (d,) standard deviations of the signal's parts, sqrt(psi h)
    noise: float  # sigma^2
    lengths: Wholes  # (L,) rising
    total: Vector  # (L,) of the risk given the context
    squares: Vector  # (L,) of its square
    count: int
    A: Matrix  # (d, d) sigma^2 I + the context's moments
    L: Matrix  # (d, d) its Cholesky factor, the diagonal inverted
    row: Vector  # (d,)
    random: Vector


def contexts_of(h: Vector, psi: float, sigma: float, lengths: Wholes, seed: int) -> Contexts:
    """No context yet; `lengths` (L,) are rising and at least 0."""
    d, count = len(h), len(lengths)
    root = zeros(d)
    for i in range(d):
        root[i] = sqrt(psi * h[i])
    return Contexts(
        root, sigma * sigma, lengths, zeros(count), zeros(count), 0, zero_matrix(d, d), zero_matrix(d, d), zeros(d),
        generator(seed, 3),
    )  # fmt: skip


def risk_given(state: Contexts) -> float:
    """sigma^2 + sigma^2 tr(diag(root^2) A^-1), by A = L L'."""
    A, L, d, risk = state.A, state.L, len(state.root), state.noise
    for i in range(d):
        for j in range(i + 1):
            left = A[i][j]
            for k in range(j):
                left -= L[i][k] * L[j][k]
            L[i][j] = 1.0 / sqrt(left) if i == j else left * L[j][j]
    for a in range(d):  # column a of L^-1
        state.row[a] = L[a][a]
        length = L[a][a] * L[a][a]
        for i in range(a + 1, d):
            left = 0.0
            for k in range(a, i):
                left -= L[i][k] * state.row[k]
            state.row[i] = left * L[i][i]
            length += state.row[i] * state.row[i]
        risk += state.noise * length * state.root[a] * state.root[a]
    return risk


def add_contexts(state: Contexts, count: int) -> None:
    """Draw so many more contexts."""
    A, d = state.A, len(state.root)
    for _ in range(count):
        for i in range(d):
            for j in range(d):
                A[i][j] = state.noise if i == j else 0.0
        m = 0
        for place in range(len(state.lengths)):
            while m < state.lengths[place]:
                normals(state.random, state.row)
                for i in range(d):
                    state.row[i] *= state.root[i]
                for i in range(d):
                    for j in range(i + 1):
                        A[i][j] += state.row[i] * state.row[j]
                m += 1
            risk = risk_given(state)
            state.total[place] += risk
            state.squares[place] += risk * risk
        state.count += 1


def bayes_means(state: Contexts) -> Vector:
    """(L,) the Bayes risk at each length, over at least one context."""
    means = zeros(len(state.total))
    for i in range(len(means)):
        means[i] = state.total[i] / float(state.count)
    return means


def bayes_errors(state: Contexts) -> Vector:
    """(L,) standard errors of the means, over at least two contexts."""
    errors, count = zeros(len(state.total)), float(state.count)
    for i in range(len(errors)):
        mean = state.total[i] / count
        errors[i] = sqrt(max(0.0, state.squares[i] / count - mean * mean) / (count - 1.0))
    return errors
