"""The theory that is written once: the numbers of `lib.theory.scan_snap` and of whole tasks, computed another way."""

import numpy as np
import pytest

from hal.chapters.scan_snap.models import textbook_flow
from hal.chapters.scan_snap.theory.portable_beyond import coupling, equal_overlaps
from hal.chapters.scan_snap.theory.portable_reference import reference_of, reference_path
from hal.chapters.scan_snap.theory.reference import reference_run
from lib.theory import scan_snap as theory
from lib.theory.scan_snap import portable
from tests.scan_snap.rows import some_task


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
        # K classes of overlap rho: rows of a matrix with that Gram matrix
        f = np.linalg.cholesky(np.full((K, K), rho) + (1 - rho) * np.eye(K))
        overlaps = np.full((K, K), rho) - rho * np.eye(K)
        ours = {
            "gap": portable.logit_gap(t, K, M, lr_Y),  # by Newton's method
            "snap": portable.snap_start(K, M, lr_Y),
            "coupling": coupling(K, rho, M),
            "diagonal, other": equal_overlaps(K, rho),
        }
        E_prime = theory.modified_overlaps(overlaps)  # by a linear solve
        wanted = {
            "gap": float(theory.logit_gap(t, K, M, lr_Y)),  # by the Wright omega function
            "snap": float(2 * K * theory.line_roots(M)[1] / lr_Y),  # by Lambert's W
            "coupling": float(theory.drive_coefficients(f, M).beta[0, 1]),
            "diagonal, other": (float(E_prime[0, 0]), float(E_prime[0, 1])),
        }
        for name, value in ours.items():
            assert value == pytest.approx(wanted[name], rel=1e-9), name


def rows_of(task, settings):
    """Where the kinds of token stand in the task, the first of each; -1 where there is none."""
    return [0 if settings.common else -1, *np.flatnonzero(task.distinct[0]).tolist()]


def some_tasks(count, seed):
    rng = np.random.default_rng(seed)
    for _ in range(count):
        yield some_task(rng)


def test_the_reference_dynamics_are_those_of_whole_tasks():
    moved = 0.0
    for task, settings in some_tasks(21, 3):
        times, reference = textbook_flow.steps_of(settings), reference_of(settings)
        found = np.array(reference_path(reference, settings.lr_Y, settings.lr_Z, times, 1e-8))
        path = reference_run(task.P, task.query, task.M, settings.lr_Y, settings.lr_Z, times)
        for i, row in enumerate(rows_of(task, settings)):
            if row >= 0:
                np.testing.assert_allclose(found[:, i], path.z[:, 0, row], atol=1e-6, rtol=1e-6)
        np.testing.assert_allclose(found[:, -1], path.B[:, 0], atol=1e-6, rtol=1e-6)
        moved = max(moved, found[-1, -2])
    assert moved > 1
