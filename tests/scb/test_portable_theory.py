"""The page's theory over the ranges of the sliders and beyond."""

import numpy as np
import pytest

from hal.chapters.scb import theory as beyond
from hal.chapters.scb.theory import portable_closure, portable_transfer
from lib.models import scb
from lib.models.scb.textbook import even_weights, ring_transition, skewed_law
from lib.theory import scb as theory
from lib.theory.scb import portable, portable_constants, portable_samples


def settings(seed=12, count=60):
    """(N, T, Q, c, skew, eta, batch) over the ranges of the sliders and beyond."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        N, T, Q = int(rng.integers(2, 13)), round(4 * 512 ** rng.uniform()), int(rng.integers(1, 4))
        c, skew, eta = rng.uniform(0.05, 1), rng.uniform(0, 2), 10 ** rng.uniform(-2.5, -0.3)
        yield N, T, Q, float(c), float(skew), float(eta), round(256 ** rng.uniform())


def constants(N, T, Q, c, skew):
    mu = skewed_law(N, skew)
    return portable_constants.constants(mu, ring_transition(mu, c), even_weights(Q), T)


def test_the_closure_and_the_samples_are_the_library_s_at_any_setting():
    lost = quiet = 0
    for N, T, Q, c, skew, eta, batch in settings():
        page, task = constants(N, T, Q, c, skew), scb.ring_task(T, N, c, scb.even_weights(Q), skew)
        fast = theory.constants(task.mu, task.P, task.Q)
        assert page.tr_S2 == pytest.approx(float(fast.tr_S2), rel=1e-9)
        curve = portable_closure.closure_run(page, eta, batch, 150, 10)
        path = beyond.closure(fast, eta, batch, 150, record_at=np.array(curve["steps"]).astype(int))
        paths = {"alpha_V": path.alpha_V, "alpha_A": path.alpha_A}
        paths.update(distance_V=path.error_V, distance_A=path.error_A)
        # a run that leaves the picture multiplies every difference, first that of rounding: compared until one does
        inside = np.cumprod(np.nan_to_num([*map(np.abs, paths.values())], nan=9.0).max(axis=0) < 2).astype(bool)
        for name, values in paths.items():
            np.testing.assert_allclose(np.array(curve[name])[inside], values[inside], rtol=1e-6, atol=1e-9)
        lost += not inside.all()
        samples = portable_samples.stage1_samples(page)
        if 0.2 * float(fast.K_Q) * T > 1 + 1e-9:
            loop = theory.noise_loop(1.0, T, N, fast.K_P, fast.K_Q, fast.tr_S2)  # times 2: the G at which r is 1/2
            wanted = [
                theory.stage1_samples(fast.s2, T, fast.K_Q),
                2 * loop * T * theory.escape_time(0.1, 1, fast.K_Q, T),
            ]
            assert samples == pytest.approx(max(map(float, wanted)), rel=1e-9)
        else:
            assert np.isnan(samples)
            quiet += 1
    assert lost > 3
    assert quiet > 3


def test_basin_is_where_a_long_population_run_ends():
    rng, sides = np.random.default_rng(4), set()
    for _ in range(60):
        x, y = rng.uniform(-1.5, 1.5, 2).tolist()
        d = float(10 ** rng.uniform(-3, -0.5))
        end = portable.population_run(d, 0.01, x, y, 2000, 1)
        product = end["alpha_V"][-1] * end["alpha_A"][-1]
        if product > 0.5:  # runs beside the border take longer
            assert portable.basin(x, y, d) == np.sign(end["alpha_A"][-1])
            sides.add(portable.basin(x, y, d))
    assert sides == {-1.0, 1.0}
    assert portable.basin(0.0, 0.0, 0.01) == 1.0


def test_one_step_without_correlation_needs_infinitely_many_samples():
    task = constants(4, 64, 2, 0.75, 0.0)
    assert portable_transfer.support_batch(task, even_weights(2), 0.0) == np.inf
    assert portable_samples.control_number(8, 0.0, 64) == np.inf
    assert portable_samples.sign_probability(np.inf, task.s2) == 1.0
