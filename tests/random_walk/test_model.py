"""The random walk and its transformer: law of the walks, gradients, extremes, refusals."""

import numpy as np
import pytest
import torch

from hal.chapters.random_walk.models.circulant import Circulant, CirculantTransformer
from hal.chapters.random_walk.models.dense import DenseTransformer
from lib.attention import sine_positions
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train
from tests.refusals import refused


def random_params(model, runs=2, scale=0.3):
    rng = np.random.default_rng(5)
    V = 0.5 + scale * rng.random((runs, model.K, model.K))
    return rw.Minimal(V, scale * rng.standard_normal((runs, model.K)), scale * rng.standard_normal((runs, model.N)))


@pytest.mark.parametrize(("K", "N", "p"), [(3, 2, 0.5), (4, 6, 0.3), (5, 9, 0.0), (7, 8, 1.0)])
def test_the_population_is_every_walk_with_its_chance(K, N, p):
    walk = rw.Walk(K, N, p)
    s, weight = walk.population()
    assert weight.sum() == pytest.approx(1, abs=1e-14)
    assert s.shape == (1, K if p in (0, 1) else K * 2 ** (N - 1), N)
    assert len(np.unique(s[0], axis=0)) == s.shape[1]
    Pi = theory.step_matrix(K, p)
    chances = np.prod([Pi[s[0, :, j], s[0, :, j + 1]] for j in range(N - 1)], axis=0) / K
    np.testing.assert_allclose(weight[0], chances, rtol=1e-12)
    np.testing.assert_allclose(walk.next_law(s)[0], Pi[s[0, :, -2]], atol=1e-15)


@pytest.mark.parametrize("unit_length", [False, True])
@pytest.mark.parametrize("loss", rw.LOSSES)
def test_the_minimal_gradient_equals_autograd(loss, unit_length):
    model = rw.MinimalTransformer(K=5, N=8, M=9, loss=loss, unit_length=unit_length)
    params, batch = random_params(model), rw.Walk(5, 8, 0.6).sample(30, generators([0, 1]))
    found, gradient = model.loss_and_gradient(params, batch)
    V, u, g = (torch.tensor(x, requires_grad=True) for x in params)
    X = torch.zeros((2, 30, 8, 5), dtype=torch.float64)
    X[:, :, :7] = torch.nn.functional.one_hot(torch.tensor(batch.s[..., :-1]), 5)
    factor = torch.tensor([model.factor] * 7 + [model.own_factor], dtype=torch.float64)
    S = torch.softmax(factor * (torch.einsum("rnjk,rk->rnj", X, u) + g[:, None]), dim=-1)
    f = torch.einsum("rik,rnjk,rnj->rni", V, X, S)
    at = f.gather(2, torch.tensor(batch.s[..., -1:]))[..., 0]
    losses = {
        "log": -torch.log(at + 0.1),
        "square": (1 - at) ** 2 / 2,
        "logistic": torch.nn.functional.softplus(-at),
        "hinge": torch.relu(1 - at),
    }[loss].mean(dim=1)
    losses.sum().backward()
    np.testing.assert_allclose(found, losses.detach().numpy(), rtol=1e-12)
    for mine, other in zip(gradient, (V, u, g), strict=True):
        np.testing.assert_allclose(mine, other.grad.numpy(), rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(model.output(params, batch), f.detach().numpy(), rtol=1e-12)
    np.testing.assert_allclose(model.attention(params, batch), S.detach().numpy(), rtol=1e-12)


@pytest.mark.parametrize("size", [1.0, 100.0, 700.0, 5000.0])
@pytest.mark.parametrize("own", [-1e5, 0.0, 1e5])
def test_attention_never_overflows(size, own):
    model = rw.MinimalTransformer(K=5, N=8, M=9)
    params, walks = random_params(model, scale=size), rw.Walk(5, 8, 0.6).sample(50, generators([0, 1]))
    params.g[:, -1] = own
    scores = np.stack([u[s] for u, s in zip(params.u, walks.s[..., :-1], strict=True)]) + params.g[:, None, :-1]
    scores = np.concatenate([scores, np.full((2, 50, 1), own)], axis=-1)
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    np.testing.assert_allclose(model.attention(params, walks), e / e.sum(-1, keepdims=True), rtol=1e-9, atol=1e-200)


def test_runs_are_alone_where_one_of_them_is_extreme():
    model, walks = rw.MinimalTransformer(K=5, N=8, M=9), rw.Walk(5, 8, 0.6).sample(40, generators([0, 1, 2]))
    params = random_params(model, runs=3)
    params.u[1] *= 5000
    both = model.loss_and_gradient(params, walks)
    for r in range(3):
        own = rw.Walks(walks.s[r : r + 1], walks.weight[r : r + 1])
        alone = model.loss_and_gradient(rw.Minimal(*(x[r : r + 1] for x in params)), own)
        np.testing.assert_array_equal(both[0][r], alone[0][0])
        for x, y in zip(both[1], alone[1], strict=True):
            np.testing.assert_array_equal(x[r], y[0])


def test_a_start_too_large_for_the_logarithm_is_a_marked_run():
    walks = rw.Walk(6, 13, 1.0).population()
    model = rw.MinimalTransformer(N=13, M=50, unit_length=True, sigma=3.0)
    run = train(GivenBatches(model, [walks]), model.init(3, generators([0, 1, 2])), model.optimiser(1.0), 5)
    assert (run.diverged_at >= 0).all()
    assert np.isnan(run["loss"][:, -1]).all()


def on_walks(walk):
    model = rw.MinimalTransformer(K=6, N=9, M=9)
    return model.loss_and_gradient(model.init(), walk.population())


REFUSED = [
    (lambda: rw.Walk(K=2), "K: expected a whole number >= 3, got 2"),
    (lambda: rw.Walk(N=1), "N: expected a whole number >= 2, got 1"),
    (lambda: rw.Walk(p=1.2), r"p: expected a probability in \[0, 1\], got 1.2"),
    (lambda: rw.Walk(p=float("nan")), "p: expected a probability"),
    (lambda: rw.Walk().sample(0, generators([0])), "n: expected a whole number >= 1, got 0"),
    (lambda: rw.Walk().sample(3, []), "rngs: expected at least one generator"),
    (lambda: rw.Walk(N=30).population(), r"N: expected K 2\^\(N-1\) of at most 1048576"),
    (lambda: rw.MinimalTransformer(K=2), "K: expected a whole number >= 3, got 2"),
    (lambda: rw.MinimalTransformer(N=97, M=96), "M: expected at least N = 97, so that positions are orthogonal"),
    (lambda: rw.MinimalTransformer(loss="linear"), "loss: expected one of log, square, logistic, hinge, got 'linear'"),
    (lambda: rw.MinimalTransformer(epsilon=0.0), "epsilon: expected a finite number above 0, got 0.0"),
    (lambda: rw.MinimalTransformer(sigma=-1.0), "sigma: expected a finite number of at least 0, got -1.0"),
    (lambda: rw.MinimalTransformer(sums="any"), "sums: expected one of in order, rolled, got 'any'"),
    (lambda: rw.MinimalTransformer(sigma=0.1).init(2), "rngs: expected 2 generators for a random start, got 0"),
    (lambda: DenseTransformer(sigma=0.1).init(2), "rngs: expected 2 generators for a random start, got 0"),
    (lambda: CirculantTransformer(sigma=0.1), "sigma: expected 0: a random start has no symmetry, got 0.1"),
    (lambda: rw.MinimalTransformer().sample(), "problem: expected given batches"),
    (lambda: sine_positions(5, 4), "M: expected at least N = 5"),
    (lambda: DenseTransformer(N=9).tokens(rw.Walk(N=8, p=1.0).population()), "walks: expected N = 9 nodes each"),
    (lambda: on_walks(rw.Walk(K=6, N=8, p=1.0)), "walks: expected N = 9 nodes each, got 8"),
    (lambda: on_walks(rw.Walk(K=7, N=9, p=1.0)), "walks: expected nodes 0 to 5"),
]


test_refusals_name_the_argument = refused(REFUSED)


def test_circulant_attention_never_overflows():
    model = CirculantTransformer(K=5, N=4, M=9)
    g = np.array([[-900.0, 800.0, 799.0, -5000.0], [1e4, 0.0, 0.0, 1e4]])
    S = model.attention(Circulant(np.zeros((2, 5)), np.array([0.0, 1.0]), g))
    top = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(S, [[0, top, 1 - top, 0], [top, 0, 0, 1 - top]], atol=1e-15)
