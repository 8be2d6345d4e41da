"""The models of `one_nn`: gradients against torch, separated prompts, refusals."""

import numpy as np
import pytest
import torch

from hal.chapters.one_nn.models import Population, draw_contexts, score
from hal.chapters.one_nn.models.separated import separate
from hal.chapters.one_nn.runs import fast_runs
from lib.models import one_nn as model
from lib.models.one_nn.textbook import Settings
from lib.sampling import generators
from tests.refusals import refused


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


def test_large_numbers_do_not_overflow():
    rows = model.ReducedPair(16, 8).sample(200, generators([0]))
    for xi in ((5000.0, 4000.0), (3.0, -900.0), (-2000.0, 10.0), (800.0, np.inf)):
        loss, slope = model.pair_loss_and_gradient(model.Pair(*(np.array([x]) for x in xi)), rows)
        assert np.isfinite([loss[0], slope.xi1[0], slope.xi2[0]]).all()


def test_separated_prompts_are_separated():
    prompts = model.sample_prompts(model.Task(4, 6), 500, generators([0]))
    given = separate(prompts, 0.5)
    x, query, y = (part[0] for part in given)
    distance = np.square(x - query[:, None]).sum(-1)
    near = distance.argmin(axis=1)
    np.testing.assert_array_equal(near, model.nearest(prompts)[0])
    other = y != np.take_along_axis(y, near[:, None], axis=1)
    least = (distance - distance.min(axis=1, keepdims=True))[other].min()
    assert 0.5 - 1e-12 <= least < 0.6  # and no further than asked
    np.testing.assert_array_equal(model.targets(given), model.targets(prompts))
    np.testing.assert_array_equal(separate(prompts, 0.0).y, prompts.y)
    assert np.all(separate(prompts, 4.0).y == model.targets(prompts)[..., None])


PROMPTS = model.sample_prompts(model.Task(3, 4), 2, generators([0]))
CONTEXTS = draw_contexts(3, 4, 5, np.random.default_rng(0))
test_bad_input_is_refused = refused(
    [
        (lambda: model.Task(1, 4), "d: expected a whole number >= 2, got 1"),
        (lambda: model.Task(3, 0), "N: expected a whole number >= 1, got 0"),
        (lambda: model.Task(3, 4, "odd"), "labels: expected one of rademacher, .*, got 'odd'"),
        (lambda: separate(PROMPTS, 4.5), "delta: expected a squared distance between 0 and 4, got 4.5"),
        (lambda: model.FullMatrix(model.Task(3, 4), float("inf")), "sigma: expected finite numbers"),
        (lambda: model.FullMatrix(model.Task(3, 4), [1.0, 2.0]).init(3), "sigma: expected one number, or 3"),
        (lambda: model.ReducedPair(3, 4, float("nan")), "sigma: expected finite numbers"),
        (lambda: Population(3, 4, rows=0), "rows"),
        (lambda: model.as_matrix(model.Pair(np.array([np.inf]), np.array([0.0])), 3), "xi1: expected finite numbers"),
        (lambda: model.draw_labels("odd", PROMPTS.x[0], np.random.default_rng(0)), "law: expected one of"),
        (lambda: draw_contexts(3, 4, 5, np.random.default_rng(0), 5.0), "delta"),
        (lambda: score([np.inf], [1.0], CONTEXTS), "xi1: expected finite num"),
        (lambda: score([1.0], [1.0, 2.0], CONTEXTS), "xi2: expected shape"),
        (lambda: fast_runs(Settings(start=1.0), [0]), "start: expected 0"),
    ]
)
