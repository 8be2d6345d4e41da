"""Theory that pages draw, against the same found another way: general covariances, SciPy, single searches."""

import itertools
import math

import numpy as np
import pytest

from hal.chapters.linear_block.runs import told_apart
from lib.errors import InputError
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory
from lib.theory.linear_block import portable, portable_attention, portable_plane, portable_prompts
from lib.theory.linear_block.portable_curves import attention_by_length


def vectors(task):
    return np.diag(task.H).tolist(), task.mean.tolist()


def test_the_best_step_of_any_task_solves_its_equation(rng):
    """Gamma Omega = Psi H, where covariances do not commute."""
    for _ in range(20):
        task = lb.random_task(rng)
        step, Omega = theory.best_step(task), theory.step_moment(task, task.Psi)
        np.testing.assert_allclose(step @ Omega, task.Psi @ task.H, rtol=1e-9, atol=1e-12)
        np.testing.assert_array_equal(step, step.T)
        known = float(theory.step_risk(task, task.mean, step))
        assert theory.best_risk(task) == pytest.approx(known, rel=1e-10)


def test_least_squares_below_as_many_examples_as_features_is_known_for_equal_variances_alone():
    assert math.isnan(portable.least_squares_risk([1.0, 0.5, 0.25, 0.2], 1.0, [0.0] * 4, 0.5, 2))
    known = theory.least_squares_risk(lb.power_task(d=4, M=2, sigma=0.5, norm=2.0, psi=0.7))
    assert known == pytest.approx(0.25 + 0.5 * (2.8 + 4.0) + 0.25 * 2)


def test_curves_of_the_best_attention_are_those_of_single_searches():
    rng = np.random.default_rng(7)
    for _ in range(12):
        d, norm, sigma = int(rng.integers(2, 6)), rng.uniform(0, 16), float(rng.uniform(0.1, 4))
        h, mean = vectors(lb.power_task(d, 2, sigma, norm, rng.choice([0, rng.uniform(0, 2)])))
        at = [2.0, 5.0, 18.0, 77.0, 256.0]
        alone = [portable_attention.best_attention_risk(h, 1.0, mean, sigma, m) for m in at]
        np.testing.assert_allclose(attention_by_length(h, 1.0, mean, sigma, at), alone, rtol=1e-9)


def random_block(rng, d, lead=()):
    shapes = [(*lead, d), (*lead, d), lead, (*lead, d, d), (*lead, d)]
    return theory.Effective(*(0.7 * rng.standard_normal(shape) for shape in shapes))


def test_leading_axes_are_blocks(rng):
    task, blocks = lb.random_task(rng), random_block(rng, 4, (3,))
    for work in (theory.part_squares, theory.unmasked_cost):
        one = [work(task, theory.Effective(*(x[i] for x in blocks))) for i in range(3)]
        np.testing.assert_allclose(work(task, blocks), one, rtol=1e-12)


def test_parts_are_those_of_the_formula_and_add_up(rng):
    task = lb.random_task(rng)
    prompts = task.sample(7, generators([1, 2]))
    weights = lb.Weights(*(rng.standard_normal((2, 5, 5)) for _ in range(6)))
    found = told_apart(lambda p: lb.literal_output(weights, p, mask=False), prompts)
    np.testing.assert_allclose(found.sum(axis=0), lb.literal_output(weights, prompts, mask=False), rtol=1e-10)
    alpha, v, c, Q, q = (x[:, None] for x in lb.effective_of(weights))
    X, y, x, _ = prompts
    inside = np.einsum("rbmi,rbij,rbj->rbm", X, np.broadcast_to(Q, (2, 7, 4, 4)), x)
    vX, qx = np.einsum("rbmi,rbi->rbm", X, np.broadcast_to(v, (2, 7, 4))), np.sum(q * x, axis=-1)
    known = [
        np.sum(alpha * x, axis=-1),
        np.mean(c[..., None] * y * inside + vX * y * qx[..., None], axis=-1),
        np.mean(vX * inside, axis=-1),
        c * np.mean(y**2, axis=-1) * qx,
        np.sum(v * x, axis=-1) * np.einsum("rbi,rbij,rbj->rb", x, np.broadcast_to(Q, (2, 7, 4, 4)), x) / task.M,
    ]
    np.testing.assert_allclose(found, known, rtol=1e-8, atol=1e-8)


def test_what_is_best_with_what_is_left(rng):
    for _ in range(15):
        d, M, sigma = int(rng.integers(2, 9)), int(rng.integers(2, 65)), float(rng.uniform(0.1, 4))
        norm, psi = float(rng.choice([0, rng.uniform(0, 6)])), float(rng.choice([1, rng.uniform(0.2, 2)]))
        task, risk = lb.power_task(d, M, sigma, norm, psi=psi).but(mean=norm * np.eye(d)[0]), {}
        for alpha, mask in itertools.product((1, 0), (1, 0)):
            cut = theory.best_cut(task, bool(alpha), bool(mask))
            risk[alpha, mask] = cut.risk
            own = theory.block_risk(task, cut.block)
            assert own + (0 if mask else theory.unmasked_cost(task, cut.block)) == pytest.approx(cut.risk, rel=1e-9)
        assert risk[1, 1] == pytest.approx(theory.best_risk(task), rel=1e-12)
        assert risk[0, 1] == pytest.approx(theory.best_attention(task).risk, rel=1e-9)
        assert risk[1, 1] <= risk[1, 0] * (1 + 1e-12)
        if norm == 0:
            np.testing.assert_allclose(list(risk.values()), risk[1, 1], rtol=1e-9)


@pytest.mark.parametrize(
    ("task", "message"),
    [
        (lb.power_task(d=3, decay=1.0), "H: expected the identity"),
        (lb.Task(np.eye(2), np.diag([1.0, 2.0]), np.ones(2)), "Psi: expected a multiple of the identity"),
        (lb.power_task(d=1), "task: expected at least 2 features, got 1"),
    ],
)
def test_only_isotropic_tasks_are_cut(task, message):
    with pytest.raises(InputError, match=message):
        theory.best_cut(task)


def test_three_numbers_have_the_risk_and_the_flow_of_start_and_matrix():
    rng = np.random.default_rng(3)
    for _ in range(20):
        d, M, sigma, norm = int(rng.integers(2, 7)), int(rng.integers(1, 30)), rng.uniform(0, 2), rng.uniform(0, 5)
        task, law = lb.power_task(d, M, sigma, norm), portable_plane.plane_law(d, M, sigma, norm)
        u, y, slope = np.full(d, d**-0.5), rng.uniform(-1, 2, 3).tolist(), [0.0] * 3
        beta, Gamma = y[0] * u, y[2] * np.eye(d) + (y[1] - y[2]) * np.outer(u, u)
        assert portable_plane.plane_risk(y, law) == pytest.approx(float(theory.step_risk(task, beta, Gamma)), rel=1e-10)
        portable_plane.plane_slope(0.0, y, slope, law)
        start, step = theory.flow_slopes(task, beta, Gamma)
        across = (np.trace(step) - u @ step @ u) / (d - 1)
        np.testing.assert_allclose(slope, [u @ start, u @ step @ u, across], rtol=1e-8, atol=1e-8)
        gains = portable_plane.best_gains_from(y[0], law)
        portable_plane.plane_slope(0.0, [y[0], *gains], slope, law)
        np.testing.assert_allclose(slope[1:], 0, atol=1e-9)


def test_flow_and_descent_of_three_numbers_are_those_of_start_and_matrix():
    task, law, u = lb.power_task(5, 20, 0.7, 4.0), portable_plane.plane_law(5, 20, 0.7, 4.0), np.full(5, 5**-0.5)
    path = np.array(portable_plane.plane_flow([0.0] * 3, law, 60.0, 61))
    known = theory.step_flow(task, np.geomspace(0.01, 60, 60))
    np.testing.assert_allclose(path[1:, 0], known.beta @ u, atol=1e-4)
    np.testing.assert_allclose(path[1:, 1], np.einsum("i,tij,j->t", u, known.Gamma, u), atol=1e-4)
    beta, Gamma = np.zeros(5), np.zeros((5, 5))
    steps = np.array(portable_plane.plane_descent([0.0] * 3, law, 0.02, 40))
    for one in steps:
        np.testing.assert_allclose(one[:2], [beta @ u, u @ Gamma @ u], atol=1e-10)
        slopes = theory.flow_slopes(task, beta, Gamma)
        beta, Gamma = beta + 0.02 * slopes[0], Gamma + 0.02 * slopes[1]
    assert np.isnan(portable_plane.plane_descent([0.0] * 3, law, 0.15, 10)[-1]).all()


def test_means_of_traces_are_those_of_random_matrices(rng):
    d, M = 3, 5
    X = rng.standard_normal((200_000, M, d))
    S = np.einsum("bmi,bmj->bij", X, X) / M
    p = [np.full(len(S), float(d)), *(np.trace(np.linalg.matrix_power(S, k), axis1=1, axis2=2) for k in range(1, 5))]
    e = portable_prompts.trace_means(3.0, 5.0)
    np.testing.assert_allclose(e, [*(one.mean() for one in p), (p[2] ** 2).mean()], rtol=0.03)
    for power, k in ((1, 1), (1, 3), (2, 0), (2, 2)):
        unit = np.eye(5)[k].tolist()
        assert portable_prompts.mean_of(e, unit, power, 5.0) == pytest.approx((p[1] ** power * p[k]).mean(), rel=0.03)
    f = [0.3, -1.2, 0.7]
    known = (p[2] * (f[0] * p[0] + f[1] * p[1] + f[2] * p[2])).mean()
    assert portable_prompts.with_square(e, f, 5.0) == pytest.approx(known, rel=0.03)


def slopes_of(task, count, rng):
    """What the answer's slopes in all parameters have in front of the query's entries at the best step and block, and
    the error's: (count, parameters, d) each, (count, d)."""
    d, M, mean, g = task.d, task.M, task.mean, theory.best_step(task)[0, 0]
    X, beta = rng.standard_normal((count, M, d)), mean + rng.standard_normal((count, d))
    y = np.einsum("bmi,bi->bm", X, beta) + task.sigma * rng.standard_normal((count, M))
    S, s, t = np.einsum("bmi,bmj->bij", X, X) / M, np.einsum("bmi,bm->bi", X, y) / M, (y**2).mean(axis=1)
    u, one = s - S @ mean, np.broadcast_to(np.eye(d), (count, d, d))
    matrix = np.einsum("bj,ki->bjki", u, np.eye(d)).reshape(count, d * d, d)
    step = np.concatenate([one - g * S, matrix], axis=1)
    rest = (t - s @ mean)[:, None, None] * one
    block = np.concatenate([one, g * S, g * s[:, None], matrix, rest], axis=1)
    return step, block, mean + g * u - beta


@pytest.mark.parametrize(
    ("d", "M", "sigma", "norm"), [(1, 4, 1.0, 0.7), (2, 8, 0.3, 2.0), (3, 8, 2.0, 0.0), (4, 20, 0.5, 2.0)]
)
def test_what_prompts_cost_is_the_sandwich_of_drawn_ones(d, M, sigma, norm, rng):
    """With the mean over the query and its noise taken exactly, which leaves little to draw."""
    task = lb.power_task(d, M, sigma, norm)
    A, B = [0.0, 0.0], [0.0, 0.0]
    for _ in range(10):
        *slopes, w = slopes_of(task, 40_000, rng)
        for i, a in enumerate(slopes):
            A[i] = A[i] + np.einsum("bpi,bqi->pq", a, a, optimize=True)
            along, weight = np.einsum("bpi,bi->bp", a, w), (w**2).sum(axis=1) + sigma**2
            B[i] = B[i] + np.einsum("bpi,b,bqi->pq", a, weight, a, optimize=True) + 2 * along.T @ along
    drawn = [np.trace(np.linalg.pinv(a, rcond=1e-9) @ b) for a, b in zip(A, B, strict=True)]
    np.testing.assert_allclose(portable_prompts.costs(d, float(M), sigma), drawn, rtol=0.04)


def test_a_parameter_costs_the_noise_where_all_else_is_noise():
    for d in (1, 2, 5):
        known = [d * d + d, d * d + 3 * d]
        np.testing.assert_allclose(portable_prompts.costs(d, 7.0, 1e4), np.array(known) * 1e8, rtol=1e-6)
