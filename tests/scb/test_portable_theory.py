"""Constants, closure, sign and transfer of the page: the numbers of `lib.theory.scb`, and the same bits in the page."""

import numpy as np
import pytest

from lib.models import scb
from lib.models.scb.textbook_ring import even_weights, ring_transition, skewed_law
from lib.theory import scb as theory
from lib.theory.scb import portable, portable_closure, portable_constants, portable_samples


def settings(seed=12, count=200):
    """(N, T, Q, c, skew, eta, batch, rho, start_V, start_A) over the ranges of the sliders and beyond."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        T, Q = round(4 * 512 ** rng.uniform()), int(rng.integers(1, 4))
        c, skew, eta = rng.uniform(0.05, 1), rng.uniform(0, 2), 10 ** rng.uniform(-2.5, -0.3)
        rho = float(rng.choice([-1, 1]) * rng.uniform(0.01, 1))
        start = rng.uniform(-1.5, 1.5, 2).tolist()
        yield (
            int(rng.integers(2, 13)),
            T,
            Q,
            float(c),
            float(skew),
            float(eta),
            round(256 ** rng.uniform()),
            rho,
            *start,
        )


def task_of(N, T, Q, c, skew):
    mu = skewed_law(N, skew)
    return mu, ring_transition(mu, c), even_weights(Q)


def everything(N, T, Q, c, skew, eta, batch, rho, start_V, start_A):
    task = portable_constants.constants(*task_of(N, T, Q, c, skew), T)
    G = portable_samples.control_number(batch, eta, T)
    d = portable.drift_number(task.K_Q, T)
    return {
        "constants": [task.mu_min, task.q_norm2, task.q_min, task.K_P, task.K_Q, task.c1, task.c2, task.s2, task.tr_S],
        "tr_S2": task.tr_S2,
        "closure": portable_closure.closure_run(task, eta, batch, 150, 10),
        "G": G,
        "sign": portable_samples.sign_probability(G, task.s2),
        "samples": portable_samples.stage1_samples(task),
        "batch": portable_samples.one_step_batch(task, rho),
        "path": portable.population_run(d, eta, start_V, start_A, 60, 10),
        "basin": portable.basin(start_V, start_A, d),
    }


def test_same_numbers_at_200_settings():
    lost = quiet = 0
    for case in settings():
        N, T, Q, c, skew, eta, batch, rho, start_V, start_A = case
        ours = everything(*case)
        task = scb.ring_task(T, N, c, scb.even_weights(Q), skew)
        fast = theory.constants(task.mu, task.P, task.Q)
        wanted = [fast.mu_min, fast.q_norm2[0], task.Q[task.Q > 0].min(), fast.K_P, fast.K_Q, fast.c1, fast.c2, fast.s2]
        assert ours["constants"] == pytest.approx([*map(float, wanted), float(fast.tr_S)], rel=1e-9)
        assert ours["tr_S2"] == pytest.approx(float(fast.tr_S2), rel=1e-9)
        at = np.array(ours["closure"]["steps"]).astype(int)
        path = theory.closure(fast, eta, batch, 150, record_at=at)
        paths = {"alpha_V": path.alpha_V, "alpha_A": path.alpha_A}
        paths.update(distance_V=path.error_V, distance_A=path.error_A)
        # a run that leaves the picture doubles every difference: compared until one of the four does
        inside = np.cumprod(np.nan_to_num([*map(np.abs, paths.values())], nan=9.0).max(axis=0) < 2).astype(bool)
        for name, values in paths.items():
            np.testing.assert_allclose(np.array(ours["closure"][name])[inside], values[inside], rtol=1e-9, atol=1e-12)
        lost += not inside.all()
        assert pytest.approx(float(theory.control_number(batch, eta, T)), rel=1e-12) == ours["G"]
        assert ours["sign"] == pytest.approx(float(theory.sign_probability(batch, eta, fast.s2, T)), rel=1e-9)
        q_min = wanted[2]
        assert ours["batch"] == pytest.approx(
            float(theory.one_step_batch(rho, fast.s2, T, fast.mu_min, q_min)), rel=1e-9
        )
        if 0.2 * float(fast.K_Q) * T > 1 + 1e-9:
            assert ours["samples"] == pytest.approx(float(theory.stage1_samples(fast.s2, T, fast.K_Q)), rel=1e-9)
        else:
            assert np.isnan(ours["samples"])
            quiet += 1
        _same_path(ours["path"], fast, eta, start_V, start_A)
    assert lost > 10
    assert quiet > 10


def _same_path(path, fast, eta, start_V, start_A):
    at = np.array(path["steps"]).astype(int)
    wanted = theory.population_run(1.0, fast.K_Q, fast.T, eta, 60, start=(start_V, start_A), record_at=at)
    for name, values in (("alpha_V", wanted.alpha_V), ("alpha_A", wanted.alpha_A)):
        # beside the border of the basins differences grow like e to the eta t
        inside = np.cumprod(np.abs(np.nan_to_num(values, nan=9.0)) < 3).astype(bool) & (eta * at < 7)
        np.testing.assert_allclose(np.array(path[name])[inside], values[inside], rtol=1e-9, atol=1e-12)


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
    task = portable_constants.constants(*task_of(4, 64, 2, 0.75, 0.0), 64)
    assert portable_samples.one_step_batch(task, 0.0) == np.inf
    assert portable_samples.control_number(8, 0.0, 64) == np.inf
    assert portable_samples.sign_probability(np.inf, task.s2) == 1.0
