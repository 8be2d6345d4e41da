"""One common token: the solution of the reference dynamics for any overlap, number of classes and vocabulary."""

from __future__ import annotations

import numpy as np
import pytest

from lib.errors import InputError
from lib.theory import scan_snap as ss
from tests.scan_snap.laws import single_common_law

CASES = [(2, 0.3, 1000), (5, 0.1, 40), (10, 0.6, 10), (3, 0.9, 200)]


def _path(K, rho, M, times=(0.0, 1.0, 10.0, 100.0, 1000.0)):
    P, query = single_common_law(K, rho)
    return P, ss.reference_run(P, query, M, 0.1, 0.05, times)


@pytest.mark.parametrize(("K", "rho", "M"), CASES)
def test_solution_equals_the_integrated_reference_dynamics(K, rho, M):
    P, path = _path(K, rho, M)
    found = ss.single_common(path.S[:, 0], P[0, 0], P[0, 1:6], K, M)
    np.testing.assert_allclose(found.common, path.z[:, 0, 0], atol=1e-8)
    np.testing.assert_allclose(found.distinct, path.z[:, 0, 1:6], atol=1e-8)
    np.testing.assert_allclose(found.Gamma, path.Gamma, rtol=1e-7)
    np.testing.assert_allclose(found.rho, path.inputs[:, 0, 0] ** 2, atol=1e-8)


@pytest.mark.parametrize(("K", "rho", "M"), CASES)
def test_speed_is_that_of_lemma_4(K, rho, M):
    P, query = single_common_law(K, rho)
    f = ss.decoder_inputs(P, np.zeros((1, P.shape[1])), query)
    np.testing.assert_allclose(ss.logit_velocity(f, query, M)[0, 0], ss.common_speed(K, rho, M), rtol=1e-12)


def test_weak_overlap_counts_the_other_classes():
    K = np.array([2, 3, 10])
    np.testing.assert_allclose(ss.common_speed(K, 1e-4, 10**9), -(K - 1) * 1e-8, rtol=2e-3)


@pytest.mark.parametrize(
    ("argument", "call"),
    [
        ("S", lambda: ss.single_common([0.1, 0.2], 0.5, [0.2, 0.3], 2, 10)),
        ("S", lambda: ss.single_common([0.0, 12.0], 0.5, [0.2, 0.3], 2, 10)),
        ("S", lambda: ss.single_common([], 0.5, [0.2, 0.3], 2, 10)),
        ("distinct", lambda: ss.single_common([0.0], 0.5, [0.0, 0.3], 2, 10)),
        ("common", lambda: ss.single_common([0.0], 0.0, [0.2, 0.3], 2, 10)),
        ("K", lambda: ss.single_common([0.0], 0.5, [0.5], 1, 10)),
        ("M", lambda: ss.single_common([0.0], 0.5, [0.5], 3, 2)),
        ("rho", lambda: ss.common_speed(2, 1.0, 10)),
    ],
)
def test_arguments_out_of_range_are_refused(argument, call):
    with pytest.raises(InputError, match=f"^{argument}:"):
        call()
