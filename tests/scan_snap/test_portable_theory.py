"""The theory that is written once: the numbers of `lib.theory.scan_snap` and of whole tasks, computed another way."""

import numpy as np
import pytest

from hal.chapters.scan_snap.theory.portable_beyond import equal_overlaps
from lib.theory import scan_snap as theory
from lib.theory.scan_snap import portable


def some_settings(count=200, seed=5):
    """(t, K, M, lr_Y, rho) over the ranges of the sliders and beyond."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        K = int(rng.integers(2, 21))
        M = max(4, K) + round(1e6 ** rng.uniform()) - 1
        t, lr_Y = (10 ** rng.uniform([-3, -2], [7, 1.5])).tolist()
        yield t, K, M, lr_Y, float(rng.uniform(0.01, 0.95))


def test_closed_forms_are_what_is_computed_another_way_at_200_settings():
    for t, K, M, lr_Y, rho in some_settings():
        overlaps = np.full((K, K), rho) - rho * np.eye(K)
        ours = {
            "gap": portable.logit_gap(t, K, M, lr_Y),  # by Newton's method
            "snap": portable.snap_start(K, M, lr_Y),
            "diagonal, other": equal_overlaps(K, rho),
        }
        E_prime = theory.modified_overlaps(overlaps)  # by a linear solve
        wanted = {
            "gap": float(theory.logit_gap(t, K, M, lr_Y)),  # by the Wright omega function
            "snap": float(2 * K * theory.line_roots(M)[1] / lr_Y),  # by Lambert's W
            "diagonal, other": (float(E_prime[0, 0]), float(E_prime[0, 1])),
        }
        for name, value in ours.items():
            assert value == pytest.approx(wanted[name], rel=1e-9), name
