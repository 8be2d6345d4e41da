"""What is measured of a run, the mirror, rounding, the Gaussian surrogate and screening."""

import numpy as np
import pytest

from hal.chapters.scb import models
from hal.chapters.scb.claims._measure import all_outcomes, random_point, repeat
from hal.chapters.scb.models.surrogate import Noise
from hal.chapters.scb.runs import signals
from lib.models import scb

TASK = models.random_task(40, 4, 2, skew=0.5, rng=5)


def point(task, runs=3, seed=0, size=0.3):
    """Parameters with unit sums, between the start, the solution and anything else."""
    rng = np.random.default_rng(seed)
    V = task.mu[:, None] + rng.uniform(0, 1, (runs, 1, 1)) * (task.P - task.mu[:, None])
    A = 1 / task.T + rng.uniform(0, 1, (runs, 1, 1)) * (task.Q - 1 / task.T)
    V, A = V + size * rng.normal(size=V.shape), A + size / task.T * rng.normal(size=A.shape)
    return scb.Params(V + (1 - V.sum(-2, keepdims=True)) / task.N, A + (1 - A.sum(-1, keepdims=True)) / task.T)


def test_measures_at_the_start_at_the_solution_and_at_the_mirror():
    start, solution = scb.LinearTransformer(TASK).init(1), scb.Params(TASK.P[None], TASK.Q[None])
    mirror = models.unmirror(solution, TASK, np.array([True]))
    for p, alpha in ((start, 0.0), (solution, 1.0), (mirror, -1.0)):
        got = [measure(p)[0] for measure in signals(TASK).values()]
        gap = abs(1 - alpha)
        wanted = [alpha, alpha, gap * np.sqrt(TASK.K_P), gap * np.sqrt(TASK.K_Q), 0.0]
        np.testing.assert_allclose(got, wanted, atol=1e-12)
        np.testing.assert_allclose(
            [models.similarity_V(p, TASK)[0], models.similarity_A(p, TASK)[0]], [np.sign(alpha)] * 2, atol=1e-9
        )
        assert models.support_recovered(p, TASK)[0] == (alpha != 0)
    assert models.mirrored(mirror)[0]
    assert not models.mirrored(solution)[0]


def test_rounding_keeps_the_large_entries_and_best_V_is_the_minimiser():
    A = np.array([[[0.5, 0.1, 0.3, -0.2, 0.124, 0.176]]])
    np.testing.assert_allclose(models.round_attention(A)[0, 0], np.array([0.5, 0, 0.3, 0, 0, 0.176]) / 0.976)
    assert np.count_nonzero(models.round_attention(A, keep=0.21)) == 4
    assert np.count_nonzero(models.round_attention(A, keep=0.2)) == 5  # an entry at the fraction stays
    p = models.unmirror(point(TASK), TASK)
    clean = models.normalised(p, TASK)
    best = models.population_loss(clean, TASK)
    rng = np.random.default_rng(0)
    for _ in range(20):
        other = clean.V + 0.05 * rng.normal(size=clean.V.shape)
        assert np.all(models.population_loss(scb.Params(other, clean.A), TASK) > best)


@pytest.mark.parametrize(("seed", "keep_mean"), [(0, True), (1, False)])
def test_the_surrogate_has_the_exact_means_and_its_output_layer_the_exact_covariance(seed, keep_mean):
    """Against every outcome of a small task, at a random point. Independent residual and tokens would not do."""
    task = models.random_task(4, 3, 2, skew=0.7, rng=seed)
    outcomes, p, N = all_outcomes(task), random_point(task, seed, keep_mean), task.N
    each = scb.loss_and_gradient(repeat(p, len(outcomes.weight)), outcomes.batch, np.float64)[1]
    g = each.V.reshape(-1, N * N)
    mean, mean_A = outcomes.weight @ g, np.einsum("n,nkt->kt", outcomes.weight, each.A)
    exact = np.einsum("n,ni,nj->ij", outcomes.weight, g, g) - np.outer(mean, mean)
    # The surrogate's noise is linear in its normal numbers: one run for each of them, and one without.
    model, runs = models.GaussianSurrogate(task), repeat(p, N * N + 1)
    noise = Noise(np.eye(N * N + 1, N * N).reshape(-1, N, N), np.zeros((1, N, task.T)), 1)
    gradient = model.loss_and_gradient(runs, noise)[1]
    np.testing.assert_allclose(gradient.A[-1], mean_A - mean_A.mean(axis=-1, keepdims=True), atol=1e-13)
    found = gradient.V.reshape(-1, N * N)
    np.testing.assert_allclose(found[-1], mean, atol=1e-13)
    moved = found[:-1] - found[-1]
    np.testing.assert_allclose(moved.T @ moved, exact, atol=1e-13)
