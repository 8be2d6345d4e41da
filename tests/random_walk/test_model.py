"""The random walk and its transformer: law of the walks, gradients, reductions, symmetries, refusals."""

import numpy as np
import pytest
import torch

from hal.chapters.random_walk.figures.questions import WORDS
from hal.chapters.random_walk.models import measures
from hal.chapters.random_walk.models.circulant import Circulant, CirculantTransformer, turned_accuracy, turns
from hal.chapters.random_walk.models.dense import DenseTransformer
from hal.chapters.random_walk.models.graphs import GraphWalk
from hal.chapters.random_walk.models.tasks import COUNT
from hal.chapters.random_walk.runs.learning import asked
from lib.attention import sine_positions
from lib.errors import InputError
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train
from tests.random_walk.twins import path_steps

CLOSE = {"rtol": 0, "atol": 1e-10}


def random_params(model, runs=2, scale=0.3):
    rng = np.random.default_rng(5)
    V = 0.5 + scale * rng.random((runs, model.K, model.K))
    return rw.Minimal(V, scale * rng.standard_normal((runs, model.K)), scale * rng.standard_normal((runs, model.N)))


def test_steps_have_their_chances():
    s, weight = rw.Walk(K=5, N=9, p=0.3).sample(4000, generators([0, 1]))
    assert s.shape == (2, 4000, 9)
    np.testing.assert_allclose(weight.sum(axis=1), 1)
    step = (s[..., 1:] - s[..., :-1]) % 5
    assert set(np.unique(step)) == {1, 4}
    assert abs((step == 1).mean() - 0.3) < 5 * np.sqrt(0.21 / step.size)
    starts = np.bincount(s[..., 0].ravel()) / 8000
    np.testing.assert_allclose(starts, 0.2, atol=5 * 0.4 / np.sqrt(8000))


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


@pytest.mark.parametrize("loss", rw.LOSSES)
def test_the_slope_is_that_of_the_loss(loss):
    value, slope = rw.loss_of(loss, 0.3)
    f = np.array([-0.2, 0.0, 0.4, 0.999, 3.0, 40.0])
    np.testing.assert_allclose(slope(f), (value(f + 1e-6) - value(f - 1e-6)) / 2e-6, rtol=1e-6, atol=1e-7)


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


@pytest.mark.parametrize("kind", [rw.MinimalTransformer, CirculantTransformer])
def test_many_runs_are_each_as_alone(kind):
    model, walks = kind(K=5, N=9, M=20), rw.Walk(5, 9, 0.6).sample(40, generators([0, 1]))
    batch = walks if kind is rw.MinimalTransformer else turns(walks, 5)
    both = train(GivenBatches(model, [batch]), model.init(2), model.optimiser(np.array([0.5, 2.0])), 8)
    for r, lr in enumerate((0.5, 2.0)):
        own = type(batch)(*(x[r : r + 1] for x in batch))
        alone = train(GivenBatches(model, [own]), None, model.optimiser(lr), 8)
        np.testing.assert_array_equal(both["loss"][r], alone["loss"][0])
        for x, y in zip(both.params, alone.params, strict=True):
            np.testing.assert_array_equal(x[r], y[0])


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


def test_questions_have_their_words_and_answers():
    one, two = asked(1), asked(2)
    assert len(WORDS) == len(set(WORDS)) == COUNT
    assert (one.s.shape, two.s.shape) == ((1, 32, 17), (1, 2, 19))
    for question in one.s[0]:
        counts = np.bincount(question[4:9], minlength=2)
        assert counts[question[-1]] > 2.5
    assert len({tuple(np.bincount(q[:-1], minlength=19)) for q in one.s[0]}) == 6
    assert len({tuple(np.bincount(q[:-1], minlength=19)) for q in two.s[0]}) == 1
    assert " ".join(WORDS[k] for k in two.s[0, 1]) == (
        "Based on the sentence I prefer an orange to an apple which type of fruit do I prefer orange"
    )


def test_walks_on_a_graph_have_its_law():
    steps = path_steps(5)
    s, _ = GraphWalk(steps, 9).sample(6000, generators([0, 1]))
    pairs = np.zeros_like(steps)
    np.add.at(pairs, (s[..., :-1].ravel(), s[..., 1:].ravel()), 1)
    np.testing.assert_allclose(pairs / pairs.sum(axis=1, keepdims=True), steps, atol=0.02)
    np.testing.assert_array_equal(GraphWalk(steps, 9).next_law(s[:1])[0, 0], steps[s[0, 0, -2]])


def test_what_is_looked_at():
    output = np.array([[[1.0, 1.0 + 1e-14, 0.5], [0.0, 0.2, 0.8], [-1.0, -3.0, -2.0]]])
    np.testing.assert_array_equal(rw.predicted(output), [[0, 2, 0]])
    walks = rw.Walks(np.array([[[1, 0], [1, 1], [2, 0]]]), np.array([[0.5, 0.3, 0.2]]))
    np.testing.assert_allclose(rw.accuracy(output, walks), 0.7)
    law = np.array([[[0.5, 0.5, 0.0], [0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]])
    q = np.array([[[1.0, 3.0, 0.0], [0.0, 1.0, 3.0], [2.0, -1.0, 0.0]]])
    expected = 0.5 * (0.5 * np.log(2) + 0.5 * np.log(2 / 3)) - 0.3 * np.log(0.75)
    np.testing.assert_allclose(rw.divergence(q, law, walks.weight), expected, rtol=1e-9)
    V = np.array([np.zeros((2, 2)), 7 * np.eye(2), -np.eye(2)])
    np.testing.assert_allclose(rw.direction_distance(V, 3 * np.eye(2)), [1, 0, 2], atol=1e-15)
    S = np.array([[[0.1, 0.2, 0.6, 0.1], [0.6, 0.3, 0.1, 0.0]], [[0.1, 0.5, 0.2, 0.2], [0.1, 0.6, 0.1, 0.2]]])
    np.testing.assert_array_equal(rw.attended_lag(S), [1 + 2, 2])
    np.testing.assert_array_equal(rw.attended_lag(S[:, 0]), [1, 2])


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
    (lambda: GraphWalk(np.ones((2, 3)), 5), "steps: expected a square matrix"),
    (lambda: GraphWalk(np.eye(3) / 2, 5), "steps: expected rows of chances with sum 1"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_refusals_name_the_argument(call, message):
    with pytest.raises(InputError, match=f"^{message}"):
        call()


def test_circulant_attention_never_overflows():
    model = CirculantTransformer(K=5, N=4, M=9)
    g = np.array([[-900.0, 800.0, 799.0, -5000.0], [1e4, 0.0, 0.0, 1e4]])
    S = model.attention(Circulant(np.zeros((2, 5)), np.array([0.0, 1.0]), g))
    top = 1 / (1 + np.exp(-1))
    np.testing.assert_allclose(S, [[0, top, 1 - top, 0], [top, 0, 0, 1 - top]], atol=1e-15)


def test_accuracy_over_all_turns_is_that_of_the_turned_walks():
    rng = np.random.default_rng(0)
    K = 5
    output = rng.integers(0, 3, size=(2, 40, K)).astype(float)  # many equals
    weight = np.full((1, 40), 1 / 40)
    turned = np.concatenate([np.roll(output, y, axis=-1) for y in range(K)], axis=1)  # node y is the target
    targets = np.repeat(np.arange(K), 40)[None, :, None]
    walks = rw.Walks(np.broadcast_to(targets, (2, 40 * K, 2)), np.full((1, 40 * K), 1 / (40 * K)))
    np.testing.assert_allclose(turned_accuracy(output, weight), rw.accuracy(turned, walks), rtol=1e-12)
    own = [[measures.right_turns(row.tolist()) for row in run] for run in output]
    np.testing.assert_allclose(np.mean(own, axis=1), turned_accuracy(output, weight), rtol=1e-12)
