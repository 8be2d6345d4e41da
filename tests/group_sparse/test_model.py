"""The group-sparse transformer: its gradient, the loss at its ends, refusals; law and reductions are claims."""

import numpy as np
import torch

from hal.chapters.group_sparse.models import (
    LogisticRegression,
    PairTransformer,
    SymmetricTransformer,
)
from hal.chapters.group_sparse.models.downstream import downstream
from lib.models import group_sparse as gs
from lib.theory import group_sparse as theory
from tests.refusals import refused


def rngs(runs, seed=0):
    return [np.random.default_rng([seed, run]) for run in range(runs)]


def random_params(model, runs=2, scale=0.3):
    rng, m = np.random.default_rng(5), model.task.d + model.task.D
    return gs.Params(rng.standard_normal((runs, m)), scale * rng.standard_normal((runs, m, m)))


def test_gradient_equals_autograd():
    task = gs.Task(D=5, d=3, flips=0.1)
    model = gs.GroupTransformer(task)
    params, batch = random_params(model), task.sample(20, rngs(2))
    loss, gradient = model.loss_and_gradient(params, batch)
    v, W = (torch.tensor(x, requires_grad=True) for x in params)
    H = torch.tensor(model.tokens(batch.X))
    S = torch.softmax(torch.einsum("rnia,rab,rnjb->rnij", H, W, H), dim=2)
    f = torch.einsum("ra,rnia,rnij->rn", v, H, S)
    losses = torch.nn.functional.softplus(-torch.tensor(batch.y) * f, threshold=60).mean(dim=1)
    losses.sum().backward()
    np.testing.assert_allclose(loss, losses.detach().numpy(), rtol=1e-12)
    np.testing.assert_allclose(gradient.v, v.grad.numpy(), rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(gradient.W, W.grad.numpy(), rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(model.output(params, batch.X), f.detach().numpy(), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.attention(params, batch.X), S.detach().numpy(), rtol=1e-10, atol=1e-12)


def test_the_logistic_loss_never_overflows():
    margin = np.array([-800.0, 0.0, 800.0])
    np.testing.assert_allclose(gs.logistic(margin), [800.0, np.log(2), 0.0])
    np.testing.assert_allclose(gs.logistic_slope(margin), [-1.0, -0.5, 0.0], atol=1e-300)


test_refusals = refused(
    [
        (lambda: gs.Task(D=0), "D: expected a whole number >= 1, got 0"),
        (lambda: gs.Task(D=3, j_star=4), "j_star: expected one of the groups 1 to 3, got 4"),
        (lambda: gs.Task(v_star=[1.0, 1.0, 0.0, 0.0]), "v_star: expected a direction of length 1, got length 1.41421"),
        (lambda: gs.Task(v_star=[1.0]), r"v_star: expected shape \(4,\), got \(1,\)"),
        (lambda: downstream(gs.Task(), 5, rngs(1), gamma=-1.0), "gamma: expected a finite margin >= 0, got -1"),
        (lambda: gs.GroupTransformer(gs.Task(), np.eye(5)), r"positions: expected shape \(6, 6\), got \(5, 5\)"),
        (lambda: SymmetricTransformer(gs.Task(d=1)), "task: expected d >= 2"),
        (lambda: PairTransformer(1), "D: expected a whole number >= 2, got 1"),
        (lambda: LogisticRegression(3).sample(), "problem: expected given batches"),
        (lambda: theory.late_loss(0.0, 4), r"time: expected finite values > 0, got 0\.0"),
        (lambda: theory.late_loss(3.0, [4, 1]), "D: expected at least 2 groups, got 1"),
        (lambda: theory.late_leak(3.0, 2.5), r"D: expected whole numbers, got 2\.5"),
        (lambda: theory.largest_rate(0), "D: expected at least 1 group, got 0"),
    ]
)
