"""Other graphs, several heads, other positions: laws of the walks, gradients against autograd, one case in another."""

import numpy as np
import pytest
import torch

from lib import optim
from lib.models import random_walk as rw
from lib.sampling import generators
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train


def log_loss(V, scores, walks):
    """Mean loss of runs in torch: values (R, H, K, K), scores (R, H, n, N)."""
    X = torch.nn.functional.one_hot(torch.tensor(walks.s[..., :-1]), V.shape[-1]).double()
    S = torch.softmax(scores, dim=-1)[..., :-1]
    f = torch.einsum("rhik,rnjk,rhnj->rni", V, X.expand(len(V), -1, -1, -1), S)
    y = torch.tensor(np.broadcast_to(walks.s[..., -1:], (*f.shape[:2], 1)).copy())
    return -torch.log(f.gather(2, y)[..., 0] + 0.1).mean(dim=1), f


@pytest.mark.parametrize("unit_length", [False, True])
@pytest.mark.parametrize("shared", [False, True])
def test_the_gradient_of_heads_equals_autograd(unit_length, shared):
    rng = np.random.default_rng(1)
    model = rw.HeadedTransformer(3, K=5, N=8, M=9, unit_length=unit_length)
    walks = rw.Walk(5, 8, 0.6).sample(30, generators([0] if shared else [0, 1]))
    params = rw.Heads(0.5 + rng.random((2, 3, 5, 5)), rng.normal(size=(2, 3, 5)), rng.normal(size=(2, 3, 8)))
    found, gradient = model.loss_and_gradient(params, walks)
    V, u, g = (torch.tensor(x, requires_grad=True) for x in params)
    s = torch.tensor(np.broadcast_to(walks.s[..., :-1], (2, 30, 7)).copy())
    by_node = u[:, :, None].expand(-1, -1, 30, -1).gather(3, s[:, None].expand(-1, 3, -1, -1))
    tokens = model.factor * (by_node + g[:, :, None, :-1])
    last = (model.own_factor * g[..., -1])[..., None, None].expand(-1, -1, 30, 1)
    loss, f = log_loss(V, torch.cat([tokens, last], dim=-1), walks)
    loss.sum().backward()
    np.testing.assert_allclose(found, loss.detach(), rtol=1e-12)
    np.testing.assert_allclose(model.output(params, walks), f.detach(), rtol=1e-12)
    np.testing.assert_allclose(model.attention(params, walks).sum(axis=-1), 1, rtol=1e-12)
    for mine, other in zip(gradient, (V, u, g), strict=True):
        np.testing.assert_allclose(mine, other.grad, rtol=1e-10, atol=1e-14)


def test_one_head_is_the_layer_and_two_from_zero_are_one_with_other_rates():
    walks, plain = rw.Walk(5, 13, 0.7).sample(60, generators([0, 1])), rw.MinimalTransformer(K=5, N=13, M=40)

    def trained(model, optimiser):
        return train(GivenBatches(model, [walks]), model.init(2), optimiser, 6).params

    one, two = rw.HeadedTransformer(1, K=5, N=13, M=40), rw.HeadedTransformer(2, K=5, N=13, M=40)
    for mine, other in zip(trained(one, one.optimiser(0.5)), trained(plain, plain.optimiser(0.5)), strict=True):
        np.testing.assert_allclose(mine[:, 0], other, rtol=1e-12, atol=1e-15)
    both = trained(two, two.optimiser(0.5))
    for x in both:
        np.testing.assert_array_equal(x[:, 0], x[:, 1])
    # values at twice the rate, scores at half of it
    rates = {"V": 1.0, "u": 0.25 * plain.rho, "g": 0.25 * plain.rho**2}
    whole = trained(plain, optim.per_field(**{name: optim.sgd(rate) for name, rate in rates.items()}))
    np.testing.assert_allclose(2 * both.V[:, 0], whole.V, rtol=1e-9)
    np.testing.assert_allclose(both.g[:, 0], whole.g, rtol=1e-9)
    np.testing.assert_allclose(two.output(both, walks), plain.output(whole, walks), rtol=1e-9)


def test_random_heads_have_the_size_of_the_layer_s_start():
    model = rw.HeadedTransformer(2, K=20, N=100, M=400, sigma=0.02)
    both, second = model.init(2, generators([3, 4])), model.init(1, generators([4]))
    for x, other, size in zip(both, second, (0.02, 0.02 * np.sqrt(200.5), 0.02 * 200.5), strict=True):
        np.testing.assert_array_equal(x[1], other[0])
        assert x.std() == pytest.approx(size, rel=5 / np.sqrt(2 * x.size))


@pytest.mark.parametrize("shared", [False, True])
def test_the_gradient_of_positions_equals_autograd(shared):
    rng = np.random.default_rng(2)
    model = rw.PlacedTransformer(positions="random", K=5, N=8, M=9)
    walks = rw.Walk(5, 8, 0.6).sample(30, generators([0] if shared else [0, 1]))
    shapes = ((2, 5, 5), (2, 5, 9), (2, 9, 9), (2, 8, 9))
    params = rw.Placed(*(0.3 * rng.normal(size=shape) for shape in shapes))
    params.V[:] += 1.5
    found, gradient = model.loss_and_gradient(params, walks)
    V, W12, W22, P = (torch.tensor(x, requires_grad=True) for x in params)
    s = torch.tensor(np.broadcast_to(walks.s[..., :-1], (2, 30, 7)).copy())
    q = P[:, -1]
    u = torch.einsum("rkm,rm->rk", W12, q)
    g = torch.einsum("rnm,rml,rl->rn", P, W22, q)
    tokens = u[:, None].expand(-1, 30, -1).gather(2, s) + g[:, None, :-1]
    scores = torch.cat([tokens, g[:, None, -1:].expand(-1, 30, 1)], dim=-1)
    loss, f = log_loss(V[:, None], scores[:, None], walks)
    loss.sum().backward()
    np.testing.assert_allclose(found, loss.detach(), rtol=1e-12)
    np.testing.assert_allclose(model.output(params, walks), f.detach(), rtol=1e-12)
    np.testing.assert_allclose(model.attention(params, walks)[..., -1], torch.softmax(scores, -1)[..., -1].detach())
    for mine, other in zip(gradient, (V, W12, W22, P), strict=True):
        np.testing.assert_allclose(mine, other.grad, rtol=1e-10, atol=1e-14)


def test_fixed_sine_positions_are_the_layer_s():
    walks = rw.Walk(5, 9, 0.7).sample(60, generators([0, 1]))
    plain = rw.MinimalTransformer(K=5, N=9, M=20)
    placed = rw.PlacedTransformer(positions="sine", learned=False, K=5, N=9, M=20)
    one, other = (train(GivenBatches(m, [walks]), m.init(2), m.optimiser(0.7), 6).params for m in (plain, placed))
    for mine, theirs in zip(placed.scores(other), one, strict=True):
        np.testing.assert_allclose(mine, theirs, rtol=1e-9, atol=1e-12)
    np.testing.assert_array_equal(other.P, placed.init(2).P)


def test_random_positions_have_the_length_of_the_given_ones():
    P = rw.PlacedTransformer(positions="random", K=3, N=50, M=400).init(2, generators([0, 1])).P
    squares = (P**2).sum(axis=-1)
    assert squares.mean() == pytest.approx(200, rel=0.01)


def test_overlaps_are_what_the_first_step_of_W_adds_to_the_scores():
    walks = rw.Walk(5, 21, 1.0).population()  # every walk visits every node four times
    model = rw.PlacedTransformer(positions="random", learned=False, K=5, N=21, M=30)
    start = model.init(2, generators([0, 1]))
    after = train(GivenBatches(model, [walks]), start, model.optimiser(1.0), 2).params
    scores = model.scores(after).g[:, :-1]
    told = theory.overlaps(start.P)
    factor = (scores * told).sum(axis=1) / (told**2).sum(axis=1)
    assert (factor > 0).all()
    np.testing.assert_allclose(scores, factor[:, None] * told, rtol=1e-9, atol=1e-9 * np.abs(scores).max())


@pytest.mark.parametrize("steps", [rw.path_steps(5), rw.regular_steps(8, 3, 1)])
def test_walks_on_a_graph_have_its_law(steps):
    walk = rw.GraphWalk(steps, 9)
    s, weight = walk.sample(6000, generators([0, 1]))
    np.testing.assert_allclose(weight.sum(axis=1), 1)
    pairs = np.zeros_like(steps)
    np.add.at(pairs, (s[..., :-1].ravel(), s[..., 1:].ravel()), 1)
    assert (pairs[steps == 0] == 0).all()
    np.testing.assert_allclose(pairs / pairs.sum(axis=1, keepdims=True), steps, atol=0.02)
    parents = np.bincount(s[..., -2].ravel(), minlength=len(steps)) / 12000
    np.testing.assert_allclose(parents, theory.parent_law(steps, 9), atol=0.02)
    np.testing.assert_array_equal(walk.next_law(s[:1])[0, 0], steps[s[0, 0, -2]])
    np.testing.assert_array_equal(walk.sample(5, generators([1])).s[0], walk.sample(5, generators([0, 1])).s[1])


def test_the_graphs_are_what_they_are_called():
    edges = rw.regular_steps(12, 3, 4) * 3
    np.testing.assert_array_equal(edges, edges.T)
    np.testing.assert_array_equal(edges.sum(axis=0), 3)
    assert np.trace(edges) == 0
    assert (np.linalg.matrix_power(edges + np.eye(12), 12) > 0).all()
    assert not np.array_equal(edges, rw.regular_steps(12, 3, 5) * 3)
    np.testing.assert_array_equal(rw.path_steps(3), [[0, 1, 0], [0.5, 0, 0.5], [0, 1, 0]])


def test_what_theory_says_of_a_graph():
    steps = rw.path_steps(4)
    s = [[a, b, c] for a in range(4) for b in range(4) for c in range(4) if steps[a, b] * steps[b, c] > 0]
    chance = {tuple(x): steps[x[0], x[1]] * steps[x[1], x[2]] / 4 for x in s}
    joint = np.zeros((4, 4))
    for (_, parent, target), p in chance.items():
        joint[target, parent] += p
    np.testing.assert_allclose(theory.joint_root(steps, 3) ** 2, joint, atol=1e-15)
    assert theory.graph_accuracy(steps, 3) == pytest.approx(joint.max(axis=0).sum())
    ring = theory.step_matrix(6, 0.7)
    np.testing.assert_allclose(theory.joint_root(ring, 20) * np.sqrt(6), theory.root_target(6, 0.7), atol=1e-12)
