"""The textbook of group-sparse classification: the fast model's loss, gradient and run, and what it reads out."""

import numpy as np
import pytest

from hal.chapters.group_sparse.runs.fast import fast_runs
from lib import optim
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook
from lib.models.group_sparse.textbook import Settings
from lib.portable import run
from lib.train import GivenBatches, train
from tests.group_sparse.rows import ends


def fast_of(state):
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
    model, examples = fast_of(state)
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
    model, examples = fast_of(textbook.start(settings, 1))
    record = {
        "cosine": lambda p: gs.cosine(p, model.task),
        "ratio": lambda p: gs.norm_ratio(p, model.task),
        "attention": lambda p: gs.mean_attention(p, model, examples.X),
        "accuracy": lambda p: gs.accuracy(model.output(p, examples.X), examples.y),
    }
    fast = train(GivenBatches(model, [examples]), None, optim.sgd(0.3), 30, record=record, record_at=range(31))
    own = run(textbook, 1, D=4, d=2, n=40, lr=0.3, steps=30)
    at = np.array(own["steps"]).astype(int)
    assert at[-1] == 30
    for name in ("cosine", "ratio", "attention"):
        np.testing.assert_allclose(own[name][1:], fast[name][0][at[1:]], rtol=0, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(own["accuracy"][1:], fast["accuracy"][0][at[1:]], rtol=0, atol=1e-9)


def test_labels_and_flips():
    state = textbook.start(Settings(D=3, d=2, n=2000, flips=0.25), 0)
    deciding = np.array(state.tokens).reshape(2000, 3, -1)[:, textbook.STAR, 0]
    wrong = np.mean(np.sign(deciding) != state.y)
    assert abs(wrong - 0.25) < 5 * np.sqrt(0.1875 / 2000)


def test_the_fast_model_trains_as_the_textbook_does():
    settings, seeds = Settings(D=3, d=2, n=30, lr=0.5, steps=60), range(8)
    fast, own = fast_runs(settings, seeds), ends(settings, seeds)
    for name in ("attention", "cosine", "ratio"):
        theirs = np.array([run[name] for run in own])[:, 5:]
        mine = fast[name][:, 5:]
        assert mine.shape == theirs.shape
        spread = np.sqrt((theirs.var(axis=0, ddof=1) + mine.var(axis=0, ddof=1)) / 8)
        assert (np.abs(theirs.mean(axis=0) - mine.mean(axis=0)) / spread).max() < 5.5, name


def test_the_map_and_the_tests_of_a_run():
    found = run(textbook, D=3, d=2, n=80, lr=0.5, steps=60)
    maps = np.array(found["map"]).reshape(61, 3, 3)
    np.testing.assert_allclose(maps.sum(axis=1), 1, atol=1e-12)  # a query's weights
    np.testing.assert_allclose(maps[:, textbook.STAR].mean(axis=1), found["attention"], atol=1e-12)
    np.testing.assert_allclose(maps[0], 1 / 3)
    assert found["loss"][0] == pytest.approx(np.log(2))
    assert np.isnan(found["test"][0])
    assert found["test"][-1] > 0.9
    flipped = run(textbook, D=3, d=2, n=80, lr=0.5, steps=60, flips=0.2)
    assert flipped["test"][-1] > flipped["accuracy"][-1]  # fresh examples are not turned over


def test_a_record_s_pass_is_the_gradient_of_the_next_step():
    settings = Settings(D=3, d=2, n=6, steps=90)
    state, plain = (textbook.start(settings, 4) for _ in range(2))
    while not textbook.done(state):
        textbook.step(state)
        for x, g in zip(textbook.parameters(plain), textbook.gradient(plain), strict=True):
            x[:] = [a - settings.lr * b for a, b in zip(x, g, strict=True)]
        textbook.count_step(plain)
    np.testing.assert_allclose(state.W, plain.W, rtol=1e-12, atol=1e-15)
    assert textbook.read(state)["steps"] == textbook.read(plain)["steps"]
