"""The paper's theory: constants, sign law, found another way; refusals, those beyond the paper among them."""

import numpy as np
import pytest

from hal.chapters.scb import theory as beyond
from hal.chapters.scb.models import random_task
from lib.models.scb import ring_task
from lib.theory import scb
from lib.theory.scb import portable
from tests.refusals import refused

RING = scb.ring_constants(4, 1024, 0.75, (0.6, 0.4))


@pytest.mark.parametrize(
    ("N", "T", "c", "w"), [(2, 5, 1.0, (1.0,)), (4, 64, 0.75, (0.6, 0.4)), (7, 30, 0.4, (0.5, 0.3, 0.2))]
)
def test_constants_of_the_ring_have_closed_forms(N, T, c, w):
    ring, square = scb.ring_constants(N, T, c, w), sum(one**2 for one in w)
    wanted = {
        "K_P": c**2 * (N - 1) / N, "K_Q": square - 1 / T, "c1": c**2 * (N - 1) / N**2, "c2": c**4 * (N - 1) / N**2,
        "s2": 1 / (c**2 * (N - 1)), "tr_S": 1 - 1 / N, "tr_S2": (N - 1) / N**2, "q_norm2": square,
    }  # fmt: skip
    task = ring_task(T, N, c, w)
    generic = scb.constants(task.mu, task.P, task.Q)
    for name, value in wanted.items():
        assert getattr(ring, name) == pytest.approx(value, rel=1e-12), name
        assert getattr(generic, name) == pytest.approx(value, rel=1e-12), name


def test_constants_are_traces_of_whole_matrices():
    task = random_task(9, 4, 2, skew=0.5, rng=1)
    mu, P, Q = task.mu, task.P, task.Q
    found, R, S = scb.constants(mu, P, Q), P - mu[:, None], np.diag(mu) - np.outer(mu, mu)
    moved = R @ np.diag(mu) @ R.T
    wanted = {
        "K_P": np.trace(moved), "K_Q": mu @ (Q**2).sum(1) - 1 / 9, "c1": np.trace(moved @ S),
        "c2": np.trace(moved @ moved), "s2": np.trace(moved @ S) / np.trace(moved) ** 2, "tr_S": np.trace(S),
        "tr_S2": np.trace(S @ S), "mu_min": mu.min(), "q_min": Q[Q > 0].min(),
    }  # fmt: skip
    for name, value in wanted.items():
        assert getattr(found, name) == pytest.approx(value, rel=1e-12), name


def test_sign_law_numbers_and_their_inverse():
    np.testing.assert_allclose(scb.sign_probability(8, 0.02, RING.s2, [512, 1024]), [0.948, 0.875], atol=6e-4)
    B = scb.batch_for_sign(0.02, RING.s2, 1024, 0.9)
    assert pytest.approx(0.82, abs=0.005) == B / (0.02 * RING.s2 * 1024)
    assert scb.sign_probability(B, 0.02, RING.s2, 1024) == pytest.approx(0.9)
    assert portable.control_number(8, 0.0, 64) == np.inf
    assert portable.sign_probability(np.inf, RING.s2) == 1.0


MU, SHIFT, LOOK = np.full(3, 1 / 3), np.roll(np.eye(3), 1, axis=0), np.eye(3, 5)


test_bad_arguments_are_refused_by_name = refused(
    [
        (lambda: scb.constants([0.5, 0.5, 0.0], SHIFT, LOOK), "mu"),
        (lambda: scb.constants(1.0, SHIFT, LOOK), "mu"),
        (lambda: scb.constants([0.5, 0.3, 0.2], SHIFT, LOOK), "P"),
        (lambda: scb.constants(MU, np.full((3, 3), 1 / 3), LOOK), "P"),
        (lambda: scb.constants(MU, SHIFT * 1.1, LOOK), "P"),
        (lambda: scb.constants(MU, SHIFT[:2], LOOK), "P"),
        (lambda: scb.constants(MU, SHIFT, np.full((3, 5), 0.2)), "Q"),
        (lambda: scb.constants(MU, SHIFT, LOOK.T), "Q"),
        (lambda: scb.constants(MU, SHIFT, 2 * LOOK), "Q"),
        (lambda: scb.ring_constants(4, 9, 0.0, (0.6, 0.4)), "c"),
        (lambda: scb.ring_constants(4, 2, 0.5, (0.6, 0.4)), "T"),
        (lambda: scb.ring_constants(1, 9, 0.5, (1.0,)), "N"),
        (lambda: scb.ring_constants(4, 9, 0.5, (0.6, 0.6)), "weights"),
        (lambda: scb.population_loss(SHIFT, LOOK * 2, MU, SHIFT, LOOK), "A"),
        (lambda: scb.expected_gradient_V(SHIFT * 2, LOOK, MU, SHIFT, LOOK), "V"),
        (lambda: scb.centred(LOOK, MU), "V"),
        (lambda: scb.mirror_excess_loss(0.4, 0), "T"),
        (lambda: scb.population_run(0.4, 0.5, 0, 0.1, 5), "T"),
        (lambda: scb.population_run(0.4, 0.5, 9, -0.1, 5), "eta"),
        (lambda: scb.population_run(0.4, 0.5, 9, 0.1, 2.5), "steps"),
        (lambda: scb.population_run(0.4, 0.5, 9, 0.1, 5, record_at=[3, 3]), "record_at"),
        (lambda: scb.escape_time(1e-4, 0.1, 0.5, 100), "level"),
        (lambda: scb.valley([1.0, 0.0]), "alpha_V"),
        (lambda: scb.batch_for_sign(0.1, 0.5, 9, 0.5), "probability"),
        (lambda: scb.sign_z(0, 0.1, 0.5, 9), "batch"),
        (lambda: beyond.one_step_batch(1.5, 0.5, 9, 0.25, 0.4), "rho"),
    ]
)
