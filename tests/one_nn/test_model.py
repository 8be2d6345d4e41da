"""The models of `one_nn`: gradients against torch, the fast form against the dense one, runs in company, refusals."""

import numpy as np
import pytest
import torch

from hal.chapters.one_nn import runs
from hal.chapters.one_nn.models import Population, draw_contexts, weighted_rows
from hal.chapters.one_nn.models.separated import rows_of, separate
from lib import optim
from lib.errors import InputError
from lib.models import one_nn as model
from lib.sampling import generators
from lib.train import train


def some(d=3, N=5, batch=6, runs=2, labels="rademacher"):
    """A task, prompts, and matrices in general position."""
    task = model.Task(d, N, labels)
    prompts = model.sample_prompts(task, batch, generators(range(runs)))
    return task, prompts, np.random.default_rng(7).normal(size=(runs, d + 2, d + 2))


def by_torch(W, prompts):
    """Loss and gradient by automatic differentiation through the whole attention of all tokens."""
    x, query, y = (torch.from_numpy(np.ascontiguousarray(part)) for part in prompts)
    runs, batch, N, d = x.shape
    examples = torch.cat([x, y[..., None], torch.zeros(runs, batch, N, 1)], -1)
    own = torch.cat([query, torch.zeros(runs, batch, 1), torch.ones(runs, batch, 1)], -1)
    H = torch.cat([examples, own[:, :, None]], 2).transpose(-1, -2)  # (R, B, d + 2, N + 1)
    W = torch.from_numpy(W).requires_grad_()
    scores = H.transpose(-1, -2) @ W[:, None] @ H
    f = (H @ torch.softmax(scores, dim=-2))[:, :, d, N]
    near = (x - query[:, :, None]).square().sum(-1).argmin(-1)
    right = torch.gather(y, 2, near[..., None])[..., 0]
    loss = 0.5 * (f - right).square().mean(-1)
    return loss.detach().numpy(), torch.autograd.grad(loss.sum(), W)[0].numpy()


@pytest.mark.parametrize("shape", [(2, 1, 4), (3, 5, 6), (8, 16, 3)])
@pytest.mark.parametrize("labels", model.LABELS)
def test_the_gradient_is_that_of_torch_through_the_whole_attention(shape, labels):
    _, prompts, W = some(*shape, labels=labels)
    loss, gradient = model.loss_and_gradient(model.Full(W), prompts)
    expected, slope = by_torch(W, prompts)
    np.testing.assert_allclose(loss, expected, rtol=0, atol=1e-13)
    np.testing.assert_allclose(gradient.W, slope, rtol=0, atol=1e-13)


def test_the_two_numbers_are_the_dense_model_averaged_over_all_labels():
    d, N = 3, 4
    base = model.sample_prompts(model.Task(d, N), 5, generators([0]))
    signs = np.array(np.meshgrid(*[[1.0, -1.0]] * N)).reshape(N, -1).T  # all labels
    many = model.Prompts(*(np.repeat(part, len(signs), axis=1) for part in base))
    many = many._replace(y=np.tile(signs, (5, 1))[None])
    for xi in ((3.0, 2.0), (-2.0, -4.0), (0.0, 0.0)):
        pair = model.Pair(*(np.array([x]) for x in xi))
        loss, slope = model.pair_loss_and_gradient(pair, rows_of(base))
        dense, gradient = model.loss_and_gradient(model.as_matrix(pair, d), many)
        assert loss[0] == pytest.approx(dense[0], abs=1e-14)
        assert slope.xi1[0] == pytest.approx(np.trace(gradient.W[0, :d, :d]), abs=1e-14)
        assert slope.xi2[0] == pytest.approx(-gradient.W[0, -1, -1], abs=1e-14)


def test_large_numbers_do_not_overflow():
    rows = model.ReducedPair(16, 8).sample(200, generators([0]))
    for xi in ((5000.0, 4000.0), (3.0, -900.0), (-2000.0, 10.0), (800.0, np.inf)):
        loss, slope = model.pair_loss_and_gradient(model.Pair(*(np.array([x]) for x in xi)), rows)
        assert np.isfinite([loss[0], slope.xi1[0], slope.xi2[0]]).all()


@pytest.mark.parametrize(
    "problem", [model.ReducedPair(8, 5), model.ReducedPair(2, 3), model.FullMatrix(model.Task(4, 3))]
)
def test_a_run_in_company_equals_the_run_alone_bit_for_bit(problem):
    optimiser, seeds = optim.sgd(0.5), range(3)
    together = train(problem, None, optimiser, 5, 16, generators(seeds))
    for seed in seeds:
        alone = train(problem, None, optimiser, 5, 16, generators([seed]))
        np.testing.assert_array_equal(together["loss"][seed], alone["loss"][0])
        for a, b in zip(together.params, alone.params, strict=True):
            np.testing.assert_array_equal(a[seed], b[0])


def test_starts_and_the_family():
    full = model.FullMatrix(model.Task(3, 4), np.array([1.0, -2.0])).init(2)
    np.testing.assert_array_equal(model.as_pair(full).xi2, [1.0, -2.0])
    np.testing.assert_array_equal(model.off_family(full), [0.0, 0.0])
    assert model.off_family(model.Full(np.zeros((1, 5, 5))))[0] == 0
    moved = model.as_matrix(model.Pair(np.array([2.0]), np.array([1.0])), 3).W
    moved[0, 0, 1] = 3.0
    assert model.off_family(model.Full(moved))[0] == pytest.approx(3 / np.sqrt(3 * 4 + 1 + 9))


def test_inner_products_are_those_of_points():
    (rng,) = generators([0])
    for d in (2, 3, 4, 8, 11):
        z = model.draw_products(d, (4, 50_000), rng)
        assert np.abs(z).max() <= 1
        # the moments of a coordinate of a uniform point, 1 / d and 3 / (d (d + 2)); four standard errors and more
        assert np.mean(z**2) == pytest.approx(1 / d, abs=0.004)
        assert np.mean(z**4) == pytest.approx(3 / (d * (d + 2)), abs=0.004)
        assert abs(np.corrcoef(z[0], z[1])[0, 1]) < 0.02


def test_weighted_rows_are_the_population():
    rng = np.random.default_rng(0)
    for d, N in ((2, 3), (3, 1), (4, 4), (8, 16)):
        z, nearest, weight = weighted_rows(d, N, 4096, rng)
        assert weight.sum() == pytest.approx(1)
        np.testing.assert_array_equal(nearest, z.max(axis=1))
        plain = model.ReducedPair(d, N).sample(40_000, [rng])
        for power in (1, 2):
            expected = np.mean(plain.nearest**power)
            assert np.sum(weight * nearest**power) == pytest.approx(expected, abs=0.015)
        assert np.sum(weight * z.mean(axis=1)) == pytest.approx(0, abs=0.015)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda p: model.Task(1, 4), "d: expected a whole number >= 2, got 1"),
        (lambda p: model.Task(3, 0), "N: expected a whole number >= 1, got 0"),
        (lambda p: model.Task(3, 4, "odd"), "labels: expected one of rademacher, .*, got 'odd'"),
        (lambda p: separate(p, 4.5), "delta: expected a squared distance between 0 and 4, got 4.5"),
        (lambda p: separate(p, -0.1), "delta: expected"),
        (lambda p: separate(p, float("nan")), "delta: expected"),
        (lambda p: model.sample_prompts(model.Task(3, 4), 0, generators([0])), "batch: expected"),
        (lambda p: model.FullMatrix(model.Task(3, 4), float("inf")), "sigma: expected finite numbers"),
        (lambda p: model.FullMatrix(model.Task(3, 4), [1.0, 2.0]).init(3), "sigma: expected one number, or 3"),
        (lambda p: model.ReducedPair(1, 4), "d: expected"),
        (lambda p: model.ReducedPair(3, 4, float("nan")), "sigma: expected finite numbers"),
        (lambda p: model.ReducedPair(3, 4, [1.0, 2.0]).init(1), "sigma: expected one number, or 1"),
        (lambda p: model.ReducedPair(3, 4).sample(0, generators([0])), "batch: expected"),
        (lambda p: Population(3, 4, rows=0), "rows: expected"),
        (lambda p: model.as_matrix(model.Pair(np.array([np.inf]), np.array([0.0])), 3), "xi1: expected finite numbers"),
        (lambda p: model.draw_labels("odd", p.x[0], np.random.default_rng(0)), "law: expected one of"),
        (lambda p: draw_contexts(3, 4, 5, np.random.default_rng(0), 5.0), "delta: expected"),
        (lambda p: runs.learn_pair([0], lr=-1.0), "lr"),
    ],
)
def test_errors_name_the_argument_what_was_expected_and_what_came(call, message):
    with pytest.raises(InputError, match=f"^{message}"):
        call(model.sample_prompts(model.Task(3, 4), 2, generators([0])))
