"""The one-layer models of SCB: gradients against torch, runs together and alone, rounding, the surrogate, errors."""

import numpy as np
import pytest
import torch

from hal.chapters.scb import models
from hal.chapters.scb.claims._measure import all_outcomes, random_point, repeat
from hal.chapters.scb.models.softmax import SoftmaxParams, SoftmaxTransformer
from hal.chapters.scb.models.surrogate import Noise
from hal.chapters.scb.runs import learn, stack
from lib.errors import InputError
from lib.models import scb
from lib.models.scb import fast
from lib.sampling import generators

SHAPES = [(2, 5, 3), (3, 64, 16), (4, 33, 7), (5, 40, 9), (9, 20, 12)]  # N, T, batch


def some(N, T, batch, runs=1, seed=0, skew=0.4):
    """A task, R random points in parameter space, and R batches."""
    rng = np.random.default_rng(seed)
    task = models.random_task(T, N, 2, skew=skew, rng=rng)
    params = scb.Params(rng.normal(size=(runs, N, N)), rng.normal(size=(runs, N, T)) / np.sqrt(T))
    return task, params, scb.sample(task, batch, generators(range(seed, seed + runs)))


def by_torch(V, attention, batch, softmax):
    """Loss and gradients by automatic differentiation; `attention` holds weights or, for softmax, logits."""
    V, raw = (torch.from_numpy(x).requires_grad_() for x in (V, attention))
    A = torch.softmax(raw, -1) if softmax else raw
    hot = torch.nn.functional.one_hot
    X = hot(torch.from_numpy(batch.tokens()), V.shape[-1]).double()  # (R, B, T, N)
    rows = torch.stack([A[r][torch.from_numpy(k)] for r, k in enumerate(batch.last)])
    output = torch.einsum("rij,rbtj,rbt->rbi", V, X, rows)
    residual = output - hot(torch.from_numpy(batch.label), V.shape[-1])
    loss = 0.5 * residual.square().sum(-1).mean(-1)
    return (loss.detach().numpy(), *(g.numpy() for g in torch.autograd.grad(loss.sum(), (V, raw))))


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize(("kind", "dtype", "rtol"), [
    (scb.LinearTransformer, np.float64, 1e-10), (SoftmaxTransformer, np.float64, 1e-10),
    (scb.LinearTransformer, np.float32, 2e-6),
])  # fmt: skip
def test_gradient_equals_torch(shape, kind, dtype, rtol):
    task, params, batch = some(*shape, runs=3)
    softmax = kind is SoftmaxTransformer
    params = SoftmaxParams(params.V, 3 * params.A) if softmax else params
    loss, gradient = kind(task, dtype).loss_and_gradient(params, batch)
    for value, wanted in zip((loss, *gradient), by_torch(*params, batch, softmax), strict=True):
        np.testing.assert_allclose(value, wanted, rtol=rtol, atol=rtol * np.abs(wanted).max())


@pytest.mark.parametrize("chunk", [10, 4_000, 2_000_000])
@pytest.mark.parametrize("product", [500, 1_000_000])
@pytest.mark.parametrize("tasks", ["one task", "a task each"])
@pytest.mark.parametrize("kind", [scb.LinearTransformer, SoftmaxTransformer])
def test_a_run_in_company_equals_the_run_alone_bit_for_bit(monkeypatch, chunk, product, tasks, kind):
    # `_CHUNK` decides how many runs go together; `_PRODUCT` cuts the positions
    monkeypatch.setattr(fast, "_CHUNK", chunk)
    monkeypatch.setattr(fast, "_PRODUCT", product)
    fast._parts.cache_clear()
    try:
        for N, T, batch in SHAPES:
            runs = 4
            rng = np.random.default_rng(N)
            each = [models.random_task(T, N, 2, skew=0.1 * s, rng=s) for s in range(runs)]
            each = each if tasks == "a task each" else each[:1] * runs
            together = kind(stack(each))
            params = together.init(runs)
            params = type(params)(*(x + rng.normal(size=x.shape) for x in params))
            sampled = together.sample(batch, generators(range(runs)))
            loss, grad = together.loss_and_gradient(params, sampled)
            for r, task in enumerate(each):
                alone = kind(task)
                own = alone.sample(batch, generators([r]))
                for name in ("draws", "cuts", "last", "label"):
                    np.testing.assert_array_equal(getattr(own, name)[0], getattr(sampled, name)[r])
                own_loss, own_grad = alone.loss_and_gradient(type(params)(*(x[r : r + 1] for x in params)), own)
                assert own_loss[0] == loss[r]
                for x, y in zip(own_grad, grad, strict=True):
                    np.testing.assert_array_equal(x[0], y[r])
    finally:
        fast._parts.cache_clear()


def test_rounding_keeps_the_large_entries():
    A = np.array([[[0.5, 0.1, 0.3, -0.2, 0.124, 0.176]]])
    np.testing.assert_allclose(models.round_attention(A)[0, 0], np.array([0.5, 0, 0.3, 0, 0, 0.176]) / 0.976)
    assert np.count_nonzero(models.round_attention(A, keep=0.21)) == 4
    assert np.count_nonzero(models.round_attention(A, keep=0.2)) == 5  # an entry at the fraction stays


def test_best_V_has_the_best_share_of_the_signal_for_attention_far_from_Q():
    """Along R the loss is a parabola: its vertex, from three points, is at 0."""
    task = models.random_task(40, 4, 2, skew=0.5, rng=5)
    A = 0.7 / task.T + 0.3 * task.Q[None]
    best, R = models.best_V(A, task), task.P - task.mu[:, None]
    low, middle, high = (models.population_loss(scb.Params(best + h * R, A), task)[0] for h in (-0.1, 0.0, 0.1))
    assert 0.1 * (low - high) / (2 * (low - 2 * middle + high)) == pytest.approx(0, abs=1e-12)


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


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: scb.sample(t, 0, generators([0])), "batch: expected at least 1 sample, got 0"),
        (lambda t: models.GaussianSurrogate(t).sample(0, generators([0])), "batch: expected at least 1 sample, got 0"),
        (lambda t: scb.sample(stack([t, scb.ring_task(T=8, rng=5)]), 2, generators([0])), "rngs: expected 2"),
        (lambda t: models.GaussianSurrogate(stack([t, scb.ring_task(T=8, rng=5)])), "task: expected a single task"),
        (lambda t: models.round_attention(np.full((1, 4, 8), -1.0)), "A: expected rows with a positive entry"),
        (lambda t: models.round_attention(t.Q, keep=1.0), "keep: expected a fraction between 0 and 1, got 1.0"),
        (lambda t: stack([]), "tasks: expected at least one task, got none"),
        (
            lambda t: stack([t, scb.ring_task(T=9)]),
            r"tasks: expected tasks of one shape \(N, T\), got \[\(4, 8\), \(4, 9\)\]",
        ),
        (lambda t: learn(t, [0], lr=np.nan, batch=4, steps=3), "lr: expected a finite number >= 0, got nan"),
        (lambda t: learn(t, [0], lr=np.ones(2), batch=4, steps=3), r"lr: expected one value a run \(1\), got 2"),
        (lambda t: learn(t, [0], lr=0.1, batch=4, steps=3, lr_after=-1.0), "lr_after: expected a finite number >= 0"),
        (lambda t: learn(t, [0], lr=0.1, batch=4, steps=3, threshold=-1e-3), "threshold: expected a finite number >="),
    ],
)
def test_errors_name_the_argument_what_was_expected_and_what_came(call, message):
    with pytest.raises(InputError, match=f"^{message}"):
        call(scb.ring_task(T=8))
