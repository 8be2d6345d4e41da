"""Small tasks for the tests of the theory, built here so that nothing of the models is trusted."""

from __future__ import annotations

import numpy as np


def make_task(N, T, sparsity, seed):
    """A random task (mu, P, Q) with P mu = mu, by Sinkhorn."""
    rng = np.random.default_rng(seed)
    mu = rng.dirichlet(np.full(N, 8.0))
    joint = rng.gamma(0.5, size=(N, N)) + 1e-3
    for _ in range(3000):
        joint *= mu[..., :, None] / joint.sum(-1, keepdims=True)
        joint *= mu[..., None, :] / joint.sum(-2, keepdims=True)
    Q = np.zeros((N, T))
    for row in Q.reshape(-1, T):
        row[rng.choice(T, sparsity, replace=False)] = rng.dirichlet(np.full(sparsity, 5.0))
    return mu, joint / mu[..., None, :], Q


def signals(V, A, mu, P, Q):
    """alpha_V and alpha_A of points by definition, by whole matrices."""
    U, R = V - (V @ mu)[..., None], P - mu[:, None]
    goal = Q - 1 / Q.shape[-1]
    first = (U * R).sum(-2) @ mu / ((R * R).sum(-2) @ mu)
    return first, ((A - 1 / Q.shape[-1]) * goal).sum(-1) @ mu / ((goal * goal).sum(-1) @ mu)


def ring_task(N, T, c, weights, seed=0):
    """The ring: uniform tokens, cyclic shift of strength c, the same weights in every row of Q."""
    rng = np.random.default_rng(seed)
    Q = np.zeros((N, T))
    for row in Q:
        row[rng.choice(T, len(weights), replace=False)] = weights
    return np.full(N, 1 / N), (1 - c) / N + c * np.roll(np.eye(N), 1, axis=0), Q
