"""The textbook of group-sparse classification: the fast model's loss, gradient and run, and portable."""

import numpy as np
import pytest

from lib import optim
from lib.errors import InputError
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import Settings
from lib.portable import check
from lib.train import GivenBatches, train


def twin(state):
    """The fast model, and the state's examples for it."""
    settings = state.settings
    task = gs.Task(D=settings.D, d=settings.d, sigma_x=settings.sigma, flips=settings.flips)
    positions = np.sqrt((settings.D + 1) / 2) * np.eye(settings.D)
    X = np.array(state.tokens).reshape(settings.n, settings.D, -1)[None, :, :, : settings.d]
    return gs.GroupTransformer(task, positions), gs.Examples(X, np.array(state.y)[None])


@pytest.mark.parametrize("settings", [Settings(D=3, d=2, n=7), Settings(D=6, d=4, n=20, sigma=1.5, flips=0.2)])
def test_same_examples_same_gradient(settings):
    state = textbook.start(settings, 3)
    rng, m = np.random.default_rng(0), settings.D + settings.d
    v, W = rng.standard_normal(m), 0.3 * rng.standard_normal((m, m))
    state.v, state.W = v.tolist(), W.tolist()
    model, examples = twin(state)
    loss, gradient = model.loss_and_gradient(gs.Params(v[None], W[None]), examples)
    own = 0.0
    for i in range(settings.n):
        H = state.tokens[i * settings.D : (i + 1) * settings.D]
        own += textbook.softplus(-textbook.add_example(state, H, state.y[i])) / settings.n
    assert own == pytest.approx(loss[0], rel=1e-10)
    np.testing.assert_allclose(state.grad_v, gradient.v[0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(state.grad_W, gradient.W[0], rtol=0, atol=1e-10)


def test_same_run():
    settings = Settings(D=4, d=2, n=40, lr=0.3, steps=30)
    model, examples = twin(textbook.start(settings, 1))
    record = {
        "cosine": lambda p: gs.cosine(p, model.task),
        "ratio": lambda p: gs.norm_ratio(p, model.task),
        "attention": lambda p: gs.mean_attention(p, model, examples.X),
        "accuracy": lambda p: gs.accuracy(model.output(p, examples.X), examples.y),
    }
    run = train(GivenBatches(model, [examples]), None, optim.sgd(0.3), 30, record=record, record_at=range(31))
    own = textbook.run(1, D=4, d=2, n=40, lr=0.3, steps=30)
    at = np.array(own["steps"]).astype(int)
    assert at[-1] == 30
    for name in ("cosine", "ratio", "attention"):
        np.testing.assert_allclose(own[name][1:], run[name][0][at[1:]], rtol=0, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(own["accuracy"][1:], run["accuracy"][0][at[1:]], rtol=0, atol=1e-9)


def test_labels_and_flips():
    state = textbook.start(Settings(D=3, d=2, n=2000, flips=0.25), 0)
    deciding = np.array(state.tokens).reshape(2000, 3, -1)[:, textbook.STAR, 0]
    wrong = np.mean(np.sign(deciding) != state.y)
    assert abs(wrong - 0.25) < 5 * np.sqrt(0.1875 / 2000)


def test_it_is_portable():
    check(textbook)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"D": 1}, "D: expected at least 2 groups, got 1"),
        ({"d": 0}, "d: expected at least 1 variable, got 0"),
        ({"n": 0}, "n: expected at least 1 example, got 0"),
        ({"lr": -0.1}, "lr: expected a number of at least 0, got -0.1"),
        ({"sigma": 0.0}, "sigma: expected a number above 0, got 0.0"),
        ({"flips": 0.5}, "flips: expected a share from 0 to below 1/2, got 0.5"),
        ({"steps": -1}, "steps: expected at least 0 steps, got -1"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        textbook.start(Settings(**given), 0)
