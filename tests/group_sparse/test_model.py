"""The group-sparse task and its transformer: law, gradients, reductions; symmetries and first steps are claims."""

import numpy as np
import pytest
import torch
from scipy.integrate import quad
from scipy.optimize import brentq
from scipy.stats import norm

from hal.chapters.atlas.models.linear_groups import LinearAttention
from hal.chapters.group_sparse.models import (
    LogisticRegression,
    Pair,
    PairTransformer,
    SymmetricTransformer,
    Weights,
    attended,
    flattened,
    one_by_one,
)
from hal.chapters.group_sparse.models.downstream import downstream
from lib import optim
from lib.errors import InputError
from lib.models import group_sparse as gs
from lib.theory import group_sparse as theory


def rngs(runs, seed=0):
    return [np.random.default_rng([seed, run]) for run in range(runs)]


def random_params(model, runs=2, scale=0.3):
    rng, m = np.random.default_rng(5), model.task.d + model.task.D
    return gs.Params(rng.standard_normal((runs, m)), scale * rng.standard_normal((runs, m, m)))


def test_labels_are_the_sign_in_the_group_that_decides():
    v = np.array([0.6, 0.0, -0.8])
    X, y = gs.Task(D=5, d=3, j_star=4, v_star=v, sigma_x=2.0).sample(400, rngs(2))
    assert X.shape == (2, 400, 5, 3)
    np.testing.assert_array_equal(y, np.sign(X[:, :, 3] @ v))
    assert abs(X.std() - 2) < 5 * 2 / np.sqrt(2 * X.size)


def test_flipped_labels_have_their_share():
    X, y = gs.Task(flips=0.2).sample(20000, rngs(1))
    share = np.mean(y != np.sign(X[:, :, 1, 0]))
    assert abs(share - 0.2) < 5 * np.sqrt(0.16 / 20000)


@pytest.mark.parametrize("kind", [gs.GroupTransformer, LinearAttention])
def test_gradient_equals_autograd(kind):
    task = gs.Task(D=5, d=3, flips=0.1)
    model = kind(task)
    params, batch = random_params(model), task.sample(20, rngs(2))
    loss, gradient = model.loss_and_gradient(params, batch)
    v, W = (torch.tensor(x, requires_grad=True) for x in params)
    H = torch.tensor(model.tokens(batch.X))
    S = torch.einsum("rnia,rab,rnjb->rnij", H, W, H)
    S = torch.softmax(S, dim=2) if kind is gs.GroupTransformer else S
    f = torch.einsum("ra,rnia,rnij->rn", v, H, S)
    losses = torch.nn.functional.softplus(-torch.tensor(batch.y) * f, threshold=60).mean(dim=1)
    losses.sum().backward()
    np.testing.assert_allclose(loss, losses.detach().numpy(), rtol=1e-12)
    np.testing.assert_allclose(gradient.v, v.grad.numpy(), rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(gradient.W, W.grad.numpy(), rtol=1e-10, atol=1e-13)
    np.testing.assert_allclose(model.output(params, batch.X), f.detach().numpy(), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(model.attention(params, batch.X), S.detach().numpy(), rtol=1e-10, atol=1e-12)


def test_linear_attention_starts_even_and_cannot_start_at_zero():
    model = LinearAttention(gs.Task(D=5, d=2))
    batch = model.task.sample(9, rngs(1))
    np.testing.assert_allclose(model.attention(model.init(), batch.X), 0.2, rtol=1e-12)
    zero = gs.Params(*(np.zeros_like(x) for x in model.init()))
    assert not any(slope.any() for slope in model.loss_and_gradient(zero, batch)[1])


def population_loss(alpha, s, D):
    """Loss in nats at attention s: adaptive integration over |g|, a fine trapezoid rule over the noise."""
    tau, xi = (1 - s) / np.sqrt(D - 1), np.linspace(-9, 9, 721)
    weight = norm.pdf(xi) * (xi[1] - xi[0])

    def given(g):
        return 2 * norm.pdf(g) * (weight @ np.logaddexp(0, -alpha * D * (s * g + tau * xi)))

    return quad(given, 0, 9, epsabs=1e-11, epsrel=1e-10, limit=200, points=[0.1, 1.0])[0]


@pytest.mark.parametrize(("D", "alpha", "b"), [(4, 0.7, 1.0), (8, 20.0, 3.0), (3, -0.5, -1.0), (16, 320.0, 10.0)])
def test_quadrature_equals_adaptive_integration(D, alpha, b):
    pair = PairTransformer(D)
    params = Pair(np.array([alpha]), np.array([b]))
    expected = population_loss(alpha, float(pair.attention(params)[0]), D)
    assert pair.loss_and_gradient(params)[0][0] == pytest.approx(expected, rel=1e-8)


@pytest.mark.parametrize("at", [(0.8, 1.2), (-0.8, 1.2), (5.0, -2.0)])
def test_the_pair_s_gradient_is_that_of_its_loss(at):
    pair, step = PairTransformer(6, sigma_x=1.5), 1e-5
    at = np.array(at)[:, None]
    _, gradient = pair.loss_and_gradient(Pair(*at))
    for k, slope in enumerate(gradient):
        shift = step * np.eye(2)[k][:, None]
        up, down = (pair.loss_and_gradient(Pair(*(at + sign * shift)))[0] for sign in (1, -1))
        np.testing.assert_allclose(slope, (up - down) / (2 * step), rtol=1e-6)


def test_the_pair_is_the_six_numbers_without_content():
    """With many fresh examples and content frozen, one step of the six numbers is one of the pair."""
    task, lr = gs.Task(D=5, d=2), 0.5
    six, pair = SymmetricTransformer(task), PairTransformer(5)
    batch = six.sample(60_000, rngs(1))
    small, small_state = six.init(), six.optimiser(lr).init(six.init())
    two, two_state = pair.init(), pair.optimiser(lr).init(pair.init())
    for _ in range(4):
        gradient = six.loss_and_gradient(small, batch)[1]._replace(w_par=np.zeros(1), w_perp=np.zeros(1))
        updates, small_state = six.optimiser(lr).update(gradient, small_state, small)
        small = optim.apply_updates(small, updates)
        updates, two_state = pair.optimiser(lr).update(pair.loss_and_gradient(two)[1], two_state, two)
        two = optim.apply_updates(two, updates)
    B = small.B[0]
    assert small.alpha[0] == pytest.approx(two.alpha[0], rel=0.03)
    assert B[0] - B[1] == pytest.approx(two.b[0], rel=0.05)  # query j*: key j* above another
    assert B[2] - B[4] == pytest.approx(two.b[0], rel=0.05)  # query k: key j* above a third


def test_the_edge_is_the_root_of_its_equation_and_lies_above_eight():
    z, dz = np.linspace(-9, 9, 3601, retstep=True)
    for D in (2, 3, 5, 9, 33, 200):
        at = np.sqrt(2 * np.pi * D)
        root = brentq(lambda x, at=at: norm.pdf(z) @ np.log(np.cosh(x * z / 2)) * dz - x / at, 4 / at, 16)
        assert theory.first_edge(D) == pytest.approx(at * root, rel=1e-7)
        assert theory.first_edge(D) > 8
    for D in (100, 400):
        assert theory.first_edge(D) == pytest.approx(8 * (1 + 4 / (np.pi * D)), rel=4 / D**2)


def test_downstream_examples_keep_their_margin():
    task, v = gs.Task(D=4, d=3), np.array([0.6, 0.8, 0.0])
    X, y = downstream(task, 500, rngs(2), v, gamma=0.3)
    assert (y * (X[:, :, task.star] @ v)).min() >= 0.3 - 1e-12
    across = X[:, :, task.star] - (X[:, :, task.star] @ v)[..., None] * v
    assert abs(across.var() - 2 / 3) < 0.1


def test_frozen_attention_is_logistic_regression_on_what_was_attended():
    task = gs.Task(D=4, d=3)
    model = gs.GroupTransformer(task)
    params, examples = random_params(model), downstream(task, 30, rngs(2))
    features = attended(model, params, examples)
    regression = LogisticRegression(7)
    loss, gradient = model.loss_and_gradient(params, examples)
    same, small = regression.loss_and_gradient(Weights(params.v), features)
    np.testing.assert_allclose(same, loss, rtol=1e-12)
    np.testing.assert_allclose(small.w, gradient.v, rtol=1e-10, atol=1e-14)
    np.testing.assert_allclose(regression.output(Weights(params.v), features.x), model.output(params, examples.X))


def test_online_examples_come_one_by_one():
    examples = gs.Task(D=3, d=2).sample(5, rngs(2))
    stream = one_by_one(examples)
    assert len(stream) == 5
    np.testing.assert_array_equal(np.concatenate([one.X for one in stream], axis=1), examples.X)
    flat = one_by_one(flattened(examples))
    assert flat[2].x.shape == (2, 1, 6)
    np.testing.assert_array_equal(flat[2].x[1, 0], examples.X[1, 2].ravel())


def test_what_is_looked_at():
    task = gs.Task(D=3, d=2, v_star=np.array([0.0, 1.0]))
    model = gs.GroupTransformer(task)
    start = model.init(2)
    np.testing.assert_array_equal(gs.cosine(start, task), 0)
    np.testing.assert_array_equal(gs.norm_ratio(start, task), 0)
    start.v[:] = [3.0, 4.0, 0.0, 12.0, 0.0]
    np.testing.assert_allclose(gs.cosine(start, task), 0.8)
    np.testing.assert_allclose(gs.norm_ratio(start, task), 5 / 13)
    np.testing.assert_allclose(gs.mean_attention(start, model, task.sample(4, rngs(1)).X), 1 / 3)
    np.testing.assert_array_equal(gs.accuracy(np.array([[1.0, -2.0, 0.0, 3.0]]), np.array([[1.0, 1.0, 1.0, 1.0]])), 0.5)


def test_the_logistic_loss_never_overflows():
    margin = np.array([-800.0, 0.0, 800.0])
    np.testing.assert_allclose(gs.logistic(margin), [800.0, np.log(2), 0.0])
    np.testing.assert_allclose(gs.logistic_slope(margin), [-1.0, -0.5, 0.0], atol=1e-300)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"D": 0}, "D: expected a whole number >= 1, got 0"),
        ({"d": 0}, "d: expected a whole number >= 1, got 0"),
        ({"D": 3, "j_star": 4}, "j_star: expected one of the groups 1 to 3, got 4"),
        ({"v_star": [1.0, 1.0, 0.0, 0.0]}, "v_star: expected a direction of length 1, got length 1.41421"),
        ({"v_star": [1.0]}, r"v_star: expected shape \(4,\), got \(1,\)"),
        ({"sigma_x": 0.0}, "sigma_x: expected a finite number above 0, got 0.0"),
        ({"flips": 0.5}, r"flips: expected a share in \[0, 0.5\), got 0.5"),
    ],
)
def test_a_task_refuses(given, message):
    with pytest.raises(InputError, match=message):
        gs.Task(**given)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: gs.Task().sample(0, rngs(1)), "n: expected a whole number >= 1, got 0"),
        (lambda: downstream(gs.Task(), 5, rngs(1), gamma=-1.0), "gamma: expected a finite margin >= 0, got -1"),
        (lambda: gs.GroupTransformer(gs.Task(), np.eye(5)), r"positions: expected shape \(6, 6\), got \(5, 5\)"),
        (lambda: SymmetricTransformer(gs.Task(d=1)), "task: expected d >= 2"),
        (lambda: PairTransformer(1), "D: expected a whole number >= 2, got 1"),
        (lambda: LogisticRegression(3).sample(), "problem: expected given batches"),
    ],
)
def test_other_refusals(call, message):
    with pytest.raises(InputError, match=message):
        call()
