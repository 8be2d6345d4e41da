"""Data laws for the tests of scan and snap, written out plainly: P (K, C) and the query of each class (K,)."""

from __future__ import annotations

import numpy as np


def base_law(K, common=10, distinct=10, own=True, lightest=0.1):
    """Common tokens of weight 1 first, then a block of distinct tokens per class, weights `lightest` to 1."""
    P = np.zeros((K, common + K * distinct))
    P[:, :common] = 1.0
    for n in range(K):
        P[n, common + n * distinct : common + (n + 1) * distinct] = np.linspace(lightest, 1.0, distinct)
    return P / P.sum(1, keepdims=True), np.arange(K) if own else np.zeros(K, dtype=int)


def single_common_law(K, rho, distinct=5):
    """One common token as heavy as the overlap asks, distinct weights 1/distinct to 1, one query."""
    P, query = base_law(K, 0, distinct, own=False, lightest=1 / distinct)
    weights = np.linspace(1 / distinct, 1.0, distinct)
    heavy = np.full((K, 1), np.sqrt(rho / (1 - rho) * np.sum(weights**2)) / weights.sum())
    P = np.hstack([heavy, P])
    return P / P.sum(1, keepdims=True), query


def random_inputs(K, C, seed, runs=()):
    """Non-negative rows of length one."""
    f = np.random.default_rng(seed).random((*runs, K, C))
    return f / np.linalg.norm(f, axis=-1, keepdims=True)
