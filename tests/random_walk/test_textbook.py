"""The textbooks of random walks: the fast models' loss, gradient and run; what they record."""

import numpy as np
import pytest

from lib.models import random_walk as rw
from lib.models.random_walk import textbook, textbook_turns
from lib.models.random_walk.textbook import Settings
from lib.models.random_walk.textbook_measures import LAGS
from lib.portable import finish
from lib.portable import run as run_textbook
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train


def twin(state):
    """The fast model, the state's walks and its parameters for it."""
    s = state.settings
    model = rw.MinimalTransformer(
        K=s.K, N=s.N, M=s.M, loss=rw.LOSSES[s.loss], epsilon=s.epsilon, unit_length=bool(s.unit), sigma=s.sigma
    )
    walks = rw.Walks(np.array(state.walks)[None], np.full((1, s.n), 1 / s.n))
    return model, walks, rw.Minimal(*(np.array([x], dtype=float) for x in (state.V, state.u, state.g)))


@pytest.mark.parametrize("loss", [0, 1, 2, 3])
@pytest.mark.parametrize("unit", [0, 1])
def test_same_walks_same_gradient(loss, unit):
    settings = Settings(K=5, N=9, M=9, n=20, p=0.7, loss=loss, unit=unit)
    state = textbook.start(settings, 3)
    rng = np.random.default_rng(0)
    state.V, state.u, state.g = rng.random((5, 5)).tolist(), rng.normal(size=5).tolist(), rng.normal(size=9).tolist()
    model, walks, params = twin(state)
    value, gradient = model.loss_and_gradient(params, walks)
    own = sum(textbook.add_walk(state, walk) for walk in state.walks) / 20
    assert own == pytest.approx(value[0], rel=1e-10)
    for mine, other in zip((state.grad_V, state.grad_u, state.grad_g), gradient, strict=True):
        np.testing.assert_allclose(mine, other[0], rtol=0, atol=1e-10)
    np.testing.assert_allclose(state.total, model.attention(params, walks)[0].mean(axis=0), rtol=1e-12)


@pytest.mark.parametrize(
    "given",
    [
        {"K": 5, "N": 13, "M": 60, "p": 0.7, "n": 60},
        {"K": 6, "N": 13, "M": 60, "p": 0.5, "n": 60, "sigma": 0.01, "unit": 1, "lr": 10.0},
        {"K": 4, "N": 9, "M": 30, "p": 1.0, "n": 40, "loss": 1, "lr": 0.1, "sigma": 0.001},
    ],
)
def test_same_run(given):
    state = textbook.start(Settings(steps=20, **given), 1)
    model, walks, start = twin(state)
    p = given["p"]
    law = rw.Walk(given["K"], given["N"], p).next_law(walks.s)
    Pi = theory.step_matrix(given["K"], p).T
    record = {
        "accuracy": lambda x: rw.accuracy(model.output(x, walks), walks),
        "divergence": lambda x: rw.divergence(model.output(x, walks), law, walks.weight),
        "parent": lambda x: model.attention(x, walks).mean(axis=1)[:, -2],
        "to_step": lambda x: rw.direction_distance(x.V, Pi),
        "to_root": lambda x: rw.direction_distance(x.V, np.sqrt(Pi)),
    }
    fixed = GivenBatches(model, [walks])
    lr = given.get("lr", 1.0)
    run = train(fixed, start, model.optimiser(lr), 20, record=record, record_at=range(21))
    own = run_textbook(textbook, 1, steps=20, **given)
    np.testing.assert_array_equal(own["steps"], range(21))
    for name in record:
        np.testing.assert_allclose(own[name], run[name][0], rtol=0, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(own["loss"][:-1], run["loss"][0][1:], rtol=0, atol=1e-9)
    assert own["lag"][-1] == rw.attended_lag(model.attention(run.params, walks))[0]


def test_attention_never_overflows():
    settings = Settings(K=3, N=4, M=4, n=1)
    e = 1 / (1 + np.exp(-1))
    for g, expected in (([-900.0, 800.0, 799.0, -5000.0], [0, e, 1 - e, 0]), ([0.0, 0.0, 0.0, 1e4], [0, 0, 0, 1])):
        state, turned = textbook.start(settings, 0), textbook_turns.start(settings, 0)
        state.g, turned.g = list(g), list(g)
        textbook.attend(state, state.walks[0])
        textbook_turns.attend(turned)
        np.testing.assert_allclose(state.S, expected, atol=1e-15)
        np.testing.assert_allclose(turned.S, expected, atol=1e-15)


@pytest.mark.parametrize("kind", [0, 1, 2, 3])
def test_losses_are_the_library_s(kind):
    value, slope = rw.loss_of(rw.LOSSES[kind], 0.25)
    f = np.array([-40.0, -3.0, -0.2, 0.0, 0.4, 0.999, 1.0, 3.0, 40.0])
    f = f[f > -0.25] if kind == 0 else f
    np.testing.assert_allclose([textbook.loss_value(kind, x, 0.25) for x in f], value(f), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose([textbook.loss_slope(kind, x, 0.25) for x in f], slope(f), rtol=1e-12)


def test_steps_have_their_chances():
    state = textbook.start(Settings(K=7, N=30, M=30, p=0.8, n=300), 0)
    s = np.array(state.walks)
    step = (s[:, 1:] - s[:, :-1]) % 7
    assert set(np.unique(step)) == {1, 6}
    assert abs((step == 1).mean() - 0.8) < 5 * np.sqrt(0.16 / step.size)
    assert np.bincount(s[:, 0], minlength=7).min() > 15


def test_a_random_start_has_its_size():
    settings = Settings(K=20, N=100, M=400, n=1, sigma=0.02)
    _, _, params = twin(textbook.start(settings, 5))
    rho = 200.5
    for x, size in zip(params, (0.02, 0.02 * np.sqrt(rho), 0.02 * rho), strict=True):
        assert x.std() == pytest.approx(size, rel=5 / np.sqrt(2 * x.size))


@pytest.mark.parametrize(("steps", "count"), [(0, 1), (1, 2), (12, 13), (60, 61), (61, 61), (150, 61)])
def test_records_come_at_every_sixtieth_part_or_step(steps, count):
    due = textbook.steps_of(Settings(steps=steps))
    assert (len(due), due[0], due[-1]) == (count, 0, steps)
    assert (np.diff(due) >= 1).all()
    assert np.diff(due).max(initial=1) <= max(1, -(-steps // 60))
    assert finish(textbook, Settings(K=3, N=3, M=3, n=2, steps=steps))["steps"] == due


def test_what_a_pass_finds_is_of_the_parameters_before_the_step():
    """At its start a run knows nothing, and its last record is of what it ends with."""
    settings = Settings(K=5, N=9, p=0.7, M=60, n=40, steps=12)
    state = textbook.start(settings, 1)
    while not textbook.done(state):
        textbook.step(state)
    found = textbook.read(state)
    assert found["loss"][0] == pytest.approx(-np.log(0.1))
    lags, turns = np.array(found["by_lag"]).reshape(13, LAGS), np.array(found["by_turn"]).reshape(13, 5)
    np.testing.assert_allclose(lags[:, 0], found["parent"])
    np.testing.assert_allclose(lags[-1, :8], state.total[-2::-1])
    assert (lags[:, 8:] == 0).all()
    V = np.array(state.V)
    V *= np.sqrt(5) / np.linalg.norm(V)
    np.testing.assert_allclose(turns[-1], [np.mean([V[(k + d) % 5, k] for k in range(5)]) for d in range(5)])
    assert (turns[0] == 0).all()


def test_a_deterministic_walk_teaches_nothing():
    run = run_textbook(textbook, 0, K=4, N=9, M=30, p=1.0, n=60, steps=8)
    counts = np.bincount(np.array(textbook.start(Settings(K=4, N=9, M=30, p=1.0, n=60), 0).walks)[:, -1])
    np.testing.assert_allclose(run["accuracy"][-1], counts.max() / 60, atol=1e-12)


@pytest.mark.parametrize(
    "given",
    [
        {"K": 5, "N": 13, "M": 60, "p": 0.7, "n": 40},
        {"K": 6, "N": 9, "M": 30, "p": 0.5, "n": 30, "loss": 2, "lr": 0.5},
        {"K": 4, "N": 10, "M": 30, "p": 1.0, "n": 10, "unit": 1, "lr": 5.0},
    ],
)
def test_the_population_by_turns_is_the_circulant_model_s(given):
    settings = Settings(steps=15, **given)
    state = textbook_turns.start(settings, 2)
    textbook_turns.draw(state)
    K, N, p = (given[name] for name in ("K", "N", "p"))
    model = rw.CirculantTransformer(
        K=K, N=N, M=given["M"], loss=rw.LOSSES[settings.loss], unit_length=bool(settings.unit)
    )
    batch = rw.Turns(np.array(state.turns)[None], np.full((1, settings.n), 1 / settings.n))
    walks = rw.Walks(-np.append(batch.D, np.zeros((1, settings.n, 1), dtype=int), axis=2) % K, batch.weight)
    law, Pi = rw.Walk(K, N, p).next_law(walks.s), theory.step_matrix(K, p).T
    record = {
        "accuracy": lambda x: rw.turned_accuracy(model.output(x, batch), batch.weight),
        "divergence": lambda x: rw.divergence(model.output(x, batch), law, walks.weight),
        "parent": lambda x: model.attention(x)[:, -2],
        "to_step": lambda x: rw.direction_distance(model.spread_out(x).V, Pi),
        "to_root": lambda x: rw.direction_distance(model.spread_out(x).V, np.sqrt(Pi)),
    }
    fixed = GivenBatches(model, [batch])
    run = train(fixed, None, model.optimiser(settings.lr), 15, record=record, record_at=range(16))
    while not textbook_turns.done(state):
        textbook_turns.step(state)
    own = textbook_turns.read(state)
    for name in record:
        np.testing.assert_allclose(own[name], run[name][0], rtol=0, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(own["loss"][:-1], run["loss"][0][1:], rtol=0, atol=1e-9)
    assert own["lag"][-1] == rw.attended_lag(model.attention(run.params))[0]
    for mine, other in zip((state.nu, state.a, state.g), run.params, strict=True):
        np.testing.assert_allclose(mine, other[0] if other.ndim > 1 else other, rtol=1e-9, atol=1e-9)
