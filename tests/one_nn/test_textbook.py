"""The textbook model: the fast model's loss, gradient and labels, its statistics; laws of all are in tests/portable."""

import numpy as np
import pytest

from hal.chapters.one_nn.runs.fast import fast_runs
from lib.errors import InputError
from lib.models import one_nn as model
from lib.models.one_nn import textbook, textbook_labels, textbook_shift
from lib.models.one_nn.textbook import Settings
from lib.portable import finish, run
from lib.portable.random_numbers import generator
from lib.theory.one_nn.portable_flow import path
from lib.theory.one_nn.portable_sphere import law_of


def prompt_in(state, x, y, query):
    """Put a prompt of the fast model into the textbook's tokens."""
    d = len(query)
    for token, point, label in zip(state.tokens, x, y, strict=False):
        token[:d], token[d] = point.tolist(), float(label)
    state.tokens[-1][:d] = query.tolist()


@pytest.mark.parametrize(("N", "d", "batch"), [(1, 2, 1), (5, 3, 4), (16, 8, 6), (40, 4, 3)])
def test_same_batch_same_loss_and_gradient(N, d, batch, rng):
    prompts = model.sample_prompts(model.Task(d, N), batch, [rng])
    W = rng.normal(size=(1, d + 2, d + 2))
    loss, gradient = model.FullMatrix(model.Task(d, N)).loss_and_gradient(model.Full(W), prompts)
    state = textbook.start(Settings(N=N, d=d, batch=batch), 0)
    state.W = W[0].tolist()
    own = 0.0
    for b in range(batch):
        prompt_in(state, prompts.x[0, b], prompts.y[0, b], prompts.query[0, b])
        own += textbook.add_prompt(state) / batch
    assert own == pytest.approx(loss[0], rel=1e-10)
    np.testing.assert_allclose(state.gradient, gradient.W[0], rtol=0, atol=1e-10)


def test_the_gradient_is_that_of_the_loss():
    def loss_at(W):
        state = textbook.start(Settings(N=6, d=3, batch=1), 4)
        textbook.draw_prompt(state)
        state.W = W.tolist()
        return textbook.add_prompt(state), np.array(state.gradient)

    W = np.random.default_rng(1).normal(size=(5, 5))
    _, gradient = loss_at(W)
    for i in range(5):
        for k in range(5):
            step = np.zeros((5, 5))
            step[i, k] = 1e-6
            slope = (loss_at(W + step)[0] - loss_at(W - step)[0]) / 2e-6
            assert slope == pytest.approx(gradient[i, k], abs=1e-8)


def drawn(settings, prompts, seed=0):
    """Tokens of many prompts, (prompts, N + 1, d + 2)."""
    state = textbook.start(settings, seed)
    found = []
    for _ in range(prompts):
        textbook.draw_prompt(state)
        found.append([list(token) for token in state.tokens])
    return np.array(found)


def test_points_lie_on_the_sphere_evenly_and_the_query_has_no_label():
    tokens = drawn(Settings(N=3, d=3), 2000)
    points = tokens[..., :3]
    np.testing.assert_allclose(np.linalg.norm(points, axis=-1), 1, atol=1e-12)
    # in three dimensions a coordinate is uniform on [-1, 1]: mean 0, mean square 1/3, mean fourth power 1/5
    one = points.reshape(-1, 3)
    errors = 5 / np.sqrt(len(one))
    assert np.abs(one.mean(axis=0)).max() < errors * np.sqrt(1 / 3)
    assert np.abs((one**2).mean(axis=0) - 1 / 3).max() < errors * np.sqrt(4 / 45)
    assert np.abs((one**4).mean(axis=0) - 1 / 5).max() < errors * np.sqrt(16 / 225)
    np.testing.assert_array_equal(tokens[:, -1, 3:], np.broadcast_to([0.0, 1.0], (2000, 2)))
    np.testing.assert_array_equal(np.abs(tokens[:, :-1, 3]), 1)
    np.testing.assert_array_equal(tokens[:, :-1, 4], 0)


@pytest.mark.parametrize("law", [0, 1, 2])
def test_labels_are_uncorrelated_in_pairs(law):
    y = drawn(Settings(N=3, d=4, labels=law), 3000)[:, :3, 4]
    products = (y.T @ y) / len(y)
    assert np.abs(products - np.eye(3)).max() < 5 / np.sqrt(len(y))
    assert np.abs(y.mean(axis=0)).max() < 5 / np.sqrt(len(y))
    assert np.all(y.prod(axis=1) == 1) == (law == textbook_labels.WALSH)


def test_products_are_those_of_the_binary_digits():
    y = drawn(Settings(N=7, d=2, labels=textbook_labels.WALSH), 50)[:, :7, 2]
    for j in range(1, 8):
        digits = [place for place in (1, 2, 4) if j & place]
        np.testing.assert_array_equal(y[:, j - 1], np.prod([y[:, place - 1] for place in digits], axis=0))


def test_a_linear_rule_separates_and_near_points_agree():
    tokens = drawn(Settings(N=2, d=2, labels=textbook_labels.LINEAR), 3000)
    x, y = tokens[:, :2, :2], tokens[:, :2, 2]
    angle = np.arccos(np.clip((x[:, 0] * x[:, 1]).sum(axis=-1), -1, 1))
    agree = y[:, 0] == y[:, 1]
    # the chance that a random line separates two points is their angle over pi
    for low, high in ((0, 1), (1, 2), (2, 3.2)):
        part = (angle >= low) & (angle < high)
        assert abs(agree[part].mean() - (1 - angle[part] / np.pi).mean()) < 5 * 0.5 / np.sqrt(part.sum())


def test_a_fast_wave_is_the_sign_of_a_cosine():
    direction, tokens = [0.0] * 3, [[0.6, 0.8, 0.0, 0, 0], [0.0, 0.0, 1.0, 0, 0], [0] * 5]
    for seed in range(50):
        random = generator(seed, 2)
        textbook_labels.draw_labels(textbook_labels.HIGHFREQ, random, direction, tokens)
        again = generator(seed, 2)
        fresh = [0.0] * 3
        textbook_labels.normals(again, fresh)
        phase = 2 * np.pi * textbook_labels.uniform(again)
        wave = np.cos(10 * np.array(tokens)[:2, :3] @ fresh + phase)
        np.testing.assert_array_equal(np.sign(wave), [token[3] for token in tokens[:2]])


def test_training_follows_the_flow():
    found = run(textbook, N=4, d=3, lr=1.0, batch=32, steps=200)
    xi1, xi2, loss = path(law_of(3, 4), 0.0, 3.0, [0.0, 60.0, 120.0, 200.0], 1e-5)
    assert found["t"][-1] == 200
    assert found["xi1"][-1] == pytest.approx(xi1[-1], rel=0.12)
    assert found["xi2"][-1] == pytest.approx(xi2[-1], rel=0.12)
    assert loss[-1] < 0.7 * loss[0]


def test_what_is_recorded_is_what_the_matrix_says():
    found = run(textbook, N=3, d=2, lr=3.0, batch=4, steps=30, start=1.0, sigma=-1.0)
    W = np.array(found["W"]).reshape(-1, 4, 4)
    assert len(W) == len(found["t"])
    np.testing.assert_array_equal(W[0], np.diag([1, 1, 0, 1.0]))
    pair = model.as_pair(model.Full(W))
    np.testing.assert_allclose([found["xi1"], found["xi2"]], pair, rtol=1e-14)
    np.testing.assert_allclose(found["off"], model.off_family(model.Full(W)), atol=1e-12)
    np.testing.assert_array_equal(W[0], textbook.family(found["xi1"][0], found["xi2"][0], 2))
    np.testing.assert_array_equal(W[:, :, 2], 0)  # it multiplies the query's empty label slot


def test_records_hold_means_since_the_one_before():
    settings = Settings(N=3, d=2, lr=1.0, batch=2, labels=textbook_labels.WALSH, steps=200)
    state = textbook.start(settings, 5)
    losses, pulls, step = [], [], 0
    while not textbook.done(state):
        textbook.step(state)
        losses.append(state.loss)
        pulls.append(state.W[2][3])
    found = textbook.read(state)
    assert (np.isnan(found["loss"][0]), found["label_pull"][0]) == (True, 0.0)
    for i, t in enumerate(found["t"][1:], 1):
        since = slice(step, round(t))
        assert found["loss"][i] == pytest.approx(np.mean(losses[since]), rel=1e-12)
        assert found["label_pull"][i] == pytest.approx(np.mean(pulls[since]), rel=1e-12)
        step = round(t)
    assert step == 200


def test_separated_prompts_are_separated():
    state = textbook_shift.start(textbook_shift.Settings([1.0], [1.0], [1.0], 9, 3, 0.5, 10), 1)
    changed = 0
    for _ in range(200):
        nearest = textbook_shift.draw_prompt(state)
        z, near = np.array(state.z), np.array(state.near)
        assert nearest == z.argmax()
        other = near != near[nearest]
        # in squared distance 2 - 2 z
        assert np.all(2 - 2 * z[other] >= 2 - 2 * z[nearest] + 0.5)
        changed += np.any(near != np.array(state.y))
    assert changed > 50


def test_a_test_is_the_fast_model_s():
    pairs = {"xi1": [0.0, 4.0, 30.0], "xi2": [3.0, 5.0, 28.0]}
    found = run(textbook_shift, N=8, d=4, delta=0.2, prompts=1500, **pairs)
    for delta, loss, right in ((0.2, "shifted_loss", "shifted_right"), (0.0, "loss", "right")):
        contexts = model.draw_contexts(4, 8, 20_000, np.random.default_rng(0), delta)
        fast = model.score(np.array(pairs["xi1"]), np.array(pairs["xi2"]), contexts)
        # the loss of a prompt is at most 2, a share has standard deviation 1/2 at the most
        np.testing.assert_allclose(found[loss], fast.loss, atol=4 * 0.5 / np.sqrt(1500))
        np.testing.assert_allclose(found[right], fast.accuracy, atol=4 * 0.5 / np.sqrt(1500))


def test_the_fast_twin_trains_as_the_textbook_does():
    settings = Settings(N=3, d=2, lr=2.0, batch=8, steps=200)
    fast = fast_runs(settings, range(12))
    own = [finish(textbook, settings, seed) for seed in range(12)]
    for name in ("xi1", "xi2", "off"):
        theirs = np.array([one[name] for one in own])
        assert fast[name].shape == theirs.shape
        spread = np.sqrt((theirs[:, 1:].var(axis=0, ddof=1) + fast[name][:, 1:].var(axis=0, ddof=1)) / 12)
        scores = np.abs(theirs[:, 1:].mean(axis=0) - fast[name][:, 1:].mean(axis=0)) / spread
        assert scores.max() < 5.5


def test_the_fast_twin_starts_where_the_paper_does():
    with pytest.raises(InputError, match="start: expected 0"):
        fast_runs(Settings(start=1.0), [0])


def test_a_step_takes_the_mean_over_its_batch():
    settings = Settings(N=4, d=3, batch=5, lr=0.7)
    state, same = textbook.start(settings, 3), textbook.start(settings, 3)
    before = np.array(state.W)
    textbook.step(state)
    losses = []
    for _ in range(5):
        textbook.draw_prompt(same)
        losses.append(textbook.add_prompt(same))
    assert state.loss == pytest.approx(np.mean(losses), rel=1e-12)
    np.testing.assert_allclose(np.array(state.W), before - 0.7 * np.array(same.gradient), rtol=0, atol=1e-14)
