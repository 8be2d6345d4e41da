"""The theory: the frozen values, exact gradients, agreements between forms, singular covariances, refusals."""

import math

import numpy as np
import pytest

from lib.errors import InputError
from lib.models import linear_block as lb
from lib.theory import linear_block as theory

FROZEN = lb.Task(np.diag([1.0, 0.5]), np.eye(2), [1.0, -1.0], math.sqrt(0.5), 10)


def test_frozen_values():
    np.testing.assert_allclose(theory.best_step(FROZEN), np.diag([10 / 13, 4 / 3]), atol=1e-12)
    assert theory.label_variance(FROZEN) == theory.prior_risk(FROZEN) == pytest.approx(2.0)
    assert theory.best_risk(FROZEN) == pytest.approx(0.8974359, abs=1e-7)
    assert theory.zero_start_risk(FROZEN) == pytest.approx(1.2202910, abs=1e-7)
    assert theory.attention_at(FROZEN, FROZEN.mean).risk == pytest.approx(1.2034872, abs=1e-7)
    best = theory.best_attention(FROZEN)
    assert best.risk == pytest.approx(1.2004758, abs=1e-7)
    np.testing.assert_allclose(best.omega, [0.8944, -1.0125], atol=1e-4)
    np.testing.assert_allclose(best.p, [0.0512, -0.0693], atol=1e-4)
    zero, one = np.zeros((2, 2)), np.eye(2)
    for beta, Gamma, risk in ((np.zeros(2), zero, 3.5), (np.zeros(2), one, 1.4125), (FROZEN.mean, one, 0.9875)):
        assert theory.step_risk(FROZEN, beta, Gamma) == pytest.approx(risk, abs=1e-12)
    Q = np.array([[0.6, 0.1], [-0.2, 0.5]])
    vectors = (np.array(x) for x in ([0.5, 0.2], [-0.3, 0.4], 0.8))
    block = theory.Effective(*vectors, Q, np.array([0.05, -0.1]))
    assert theory.block_risk(FROZEN, block) == pytest.approx(1.58935875, abs=1e-8)
    curved = np.linalg.eigvalsh(theory.curvature(FROZEN, theory.best_step(FROZEN)))
    np.testing.assert_allclose(curved, [0.1295858, 0.2160421], atol=1e-7)
    assert theory.trap_risk(FROZEN) == pytest.approx(1.2307692, abs=1e-7)
    assert theory.trap_criterion(FROZEN) == pytest.approx(0.8520710, abs=1e-7)


def test_frozen_flow():
    path = theory.step_flow(FROZEN, [0.1, 1, 5])
    np.testing.assert_allclose(path.beta, [[0.12744, -0.08525], [0.35854, -0.45139], [0.84950, -0.85783]], atol=1e-5)
    known = [
        [0.29291, -0.06812, -0.07667, 0.09051],
        [0.75277, -0.10690, -0.17020, 0.55380],
        [0.77009, -0.01491, -0.01264, 1.17541],
    ]
    np.testing.assert_allclose(path.Gamma.reshape(3, 4), known, atol=1e-5)
    np.testing.assert_allclose(path.risk, [2.17572, 1.15982, 0.90984], atol=1e-5)
    again = theory.step_flow(FROZEN, [4.0], path.beta[1], path.Gamma[1])  # from t = 1 to 5
    np.testing.assert_allclose(again.Gamma[0], path.Gamma[2], atol=1e-6)


def test_the_risk_s_gradient_is_exact(rng):
    task, d = lb.random_task(rng), 4
    shapes = [(3, d), (3, d), (3,), (3, d, d), (3, d)]
    block = theory.Effective(*(rng.standard_normal(shape) for shape in shapes))
    _, gradient = theory.block_risk_and_gradient(task, block)
    for name in block._fields:
        x = getattr(block, name)
        way = rng.standard_normal(x.shape)
        up, down = (theory.block_risk(task, block._replace(**{name: x + s * way})) for s in (1e-5, -1e-5))
        slope = (getattr(gradient, name) * way).reshape(3, -1).sum(axis=1)
        np.testing.assert_allclose((up - down) / 2e-5, slope, rtol=1e-6, err_msg=name)


def test_a_step_is_a_block_and_its_flow_goes_down_its_risk(rng):
    task = lb.random_task(rng)
    beta, Gamma = rng.standard_normal(4), rng.standard_normal((4, 4))
    block = theory.Effective(beta, -beta, np.array(1.0), Gamma.T, np.zeros(4))
    risk = theory.step_risk(task, beta, Gamma)
    assert theory.block_risk(task, block) == pytest.approx(risk, rel=1e-12)
    slopes = theory.flow_slopes(task, beta, Gamma)
    ways = rng.standard_normal(4), rng.standard_normal((4, 4))
    h = 1e-6
    ends = [theory.step_risk(task, beta + s * h * ways[0], Gamma + s * h * ways[1]) for s in (1, -1)]
    known = -np.sum(slopes[0] * ways[0]) - np.sum(slopes[1] * ways[1])
    assert (ends[0] - ends[1]) / (2 * h) == pytest.approx(known, rel=1e-6)


def test_attention_s_search_uses_exact_slopes(rng):
    from lib.theory.linear_block.attention_only import _solved

    task, omega, way = lb.random_task(rng), rng.standard_normal(4), rng.standard_normal(4)
    found, slope = _solved(task, omega)
    up, down = (_solved(task, omega + s * way)[0].risk for s in (1e-5, -1e-5))
    assert (up - down) / 2e-5 == pytest.approx(slope @ way, rel=1e-6)
    assert theory.block_risk(task, theory.as_block(task, found)) == pytest.approx(found.risk, rel=1e-10)


def test_context_lengths_of_the_notes():
    base = lb.power_task()
    table = {2: (7.667, 12.458, 13.167, 14.150), 16: (4.077, 5.735, 6.289, 2.143), 128: (1.580, 2.035, 2.119, 1.067)}
    for M, values in table.items():
        task = base.but(M=M)
        found = (
            theory.best_risk(task),
            theory.best_attention(task).risk,
            theory.zero_start_risk(task),
            theory.least_squares_risk(task),
        )
        np.testing.assert_allclose(found, values, atol=6e-4)
    assert theory.least_squares_risk(base.but(M=8)) == math.inf
    step = theory.best_step(base)
    risks = [float(theory.step_risk(base.but(M=M), base.mean, step)) for M in (4, 32, 128)]
    np.testing.assert_allclose(risks, [13.06, 2.91, 1.82], atol=6e-3)
    assert theory.long_risk(base, base.mean, step) == pytest.approx(1.454, abs=1e-3)
    very = theory.step_risk(base.but(M=10**9), base.mean, step)
    assert theory.long_risk(base, base.mean, step) == pytest.approx(float(very), rel=1e-6)
    Z = np.random.default_rng(0).standard_normal((4000, 32, 8))
    assert theory.bayes_risk(base, Z) == pytest.approx(1.33, abs=0.01)


def test_bounds_are_in_order(rng):
    for _ in range(20):
        task = lb.random_task(rng, M=int(rng.integers(1, 40)), sigma=float(rng.uniform(0.1, 2)))
        Z = rng.standard_normal((200, task.M, 4))
        bayes, best = theory.bayes_risk(task, Z), theory.best_risk(task)
        assert theory.bayes_floor(task) <= bayes
        assert bayes <= best + 0.02 * (best - task.sigma**2)
        assert best <= theory.zero_start_risk(task)
        assert best <= theory.prior_risk(task)
        terms, below, above = theory.rate_bounds(task)
        assert task.sigma**2 + terms.sum() == pytest.approx(best)
        assert np.all(below <= terms)
        assert np.all(terms <= above)
        attention = theory.best_attention(task).risk
        assert best + theory.gap_bound(task) <= attention <= theory.zero_start_risk(task) + 1e-9


def test_limits_of_the_gap():
    far = lb.power_task(d=3, M=12, norm=3000.0)
    gap = theory.best_attention(far).risk - theory.best_risk(far)
    assert gap == pytest.approx(theory.large_mean_gap(far), rel=1e-3)
    near = lb.power_task(d=3, M=12, sigma=0.8, norm=0.01, psi=0.4)
    gap = theory.best_attention(near).risk - theory.best_risk(near)
    assert gap / 1e-4 == pytest.approx(theory.small_mean_gap(near), rel=1e-3)
    with pytest.raises(InputError, match="H: expected the identity"):
        theory.small_mean_gap(lb.power_task(decay=1.0))


def test_nothing_singular_is_inverted():
    task = lb.Task(np.diag([1.0, 0.5, 0.0]), np.diag([1.0, 0.0, 2.0]), [1.0, -1.0, 3.0], 0.4, 6)
    step, best = theory.best_step(task), theory.best_risk(task)
    assert theory.step_risk(task, task.mean, step) == pytest.approx(best, rel=1e-12)
    attention = theory.best_attention(task)
    assert theory.block_risk(task, theory.as_block(task, attention)) == pytest.approx(attention.risk, rel=1e-9)
    assert best < attention.risk <= theory.zero_start_risk(task) + 1e-12
    assert theory.trap_risk(task) == pytest.approx(float(theory.block_risk(task, theory.trap_block(task))))
    assert theory.trap_criterion(task) == math.inf  # one direction only: the trap is the optimum
    assert theory.trap_risk(task) == pytest.approx(best)
    path = theory.step_flow(task, [1.0, 400.0])
    np.testing.assert_allclose(path.beta[:, 2], 0.0, atol=1e-12)  # a direction that no feature has
    assert path.risk[-1] == pytest.approx(best, abs=1e-6)
    Z = np.random.default_rng(1).standard_normal((500, 6, 3))
    assert theory.bayes_floor(task) <= theory.bayes_risk(task, Z) <= best
    dead = lb.Task(np.diag([1.0, 0.0]), np.diag([0.0, 1.0]), [1.0, 1.0], 0.0, 3)  # labels have no variance
    assert theory.best_risk(dead) == theory.bayes_floor(dead) == 0.0
    assert not theory.best_step(dead).any()


def test_bayes_without_noise_is_the_limit():
    task = lb.power_task(d=6, M=3, sigma=0.0)
    Z = np.random.default_rng(0).standard_normal((300, 3, 6))
    small = theory.bayes_risk(task.but(sigma=1e-4), Z)
    assert theory.bayes_risk(task, Z) == pytest.approx(small, rel=1e-4)
    assert theory.least_squares_risk(task.but(M=6)) == 0.0
    assert theory.least_squares_risk(task.but(M=5)) > theory.least_squares_risk(task.but(M=7))


def test_the_flow_s_bounds_and_rates():
    task = lb.power_task(d=3, M=15, sigma=0.6, norm=2.0, decay=0.5)
    times = np.array([0.5, 2.0, 10.0, 40.0, 60.0])
    path = theory.step_flow(task, times)
    left = np.sum((path.beta - task.mean) ** 2, axis=1) / 4.0
    assert np.all(left <= theory.start_bound(task, times))
    # its rate is the theorem's, of the smallest variance
    np.testing.assert_allclose(theory.start_bound(task, times), np.exp(-8 * np.diag(task.H).min() * times / 17))
    assert np.diag(task.H).min() < 0.7
    curved = theory.curvature(task, np.diag([0.3, -1.0, 5.0]))
    assert np.linalg.eigvalsh(curved - 2 / 17 * task.H)[0] >= -1e-12
    assert theory.stable_rate(task.but(mean=[8.0, 0, 0])) < theory.stable_rate(task)


@pytest.mark.parametrize(
    ("work", "message"),
    [
        (lambda: theory.bayes_risk(FROZEN, np.zeros((5, 9, 2))), r"normals: expected \(n, 10, 2\), got \(5, 9, 2\)"),
        (lambda: theory.step_flow(FROZEN, [1.0], beta=[0.0]), r"beta: expected shape \(2,\), got \(1,\)"),
        (lambda: theory.step_flow(FROZEN, [1.0], Gamma=[0.0]), r"Gamma: expected shape \(2, 2\), got \(1,\)"),
        (lambda: theory.least_squares_risk(lb.power_task(M=4, decay=1.0)), "H: expected the identity for M = 4"),
        (
            lambda: theory.least_squares_risk(lb.Task(np.diag([1.0, 0.0]), np.eye(2), [0.0, 0.0], 1.0, 9)),
            "H: expected an invertible covariance",
        ),
    ],
)
def test_bad_arguments_are_refused(work, message):
    with pytest.raises(InputError, match=message):
        work()
