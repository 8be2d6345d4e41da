"""The textbooks of random walks: edges, records, words, and the same training as the fast models'."""

from hal.chapters.random_walk.theory.parity import parity_projection
import numpy as np
import pytest

from hal.chapters.random_walk.models import edge as textbook_edge
from hal.chapters.random_walk.models import full as textbook
from hal.chapters.random_walk.models import parity as textbook_parity
from hal.chapters.random_walk.models import questions as textbook_questions
from hal.chapters.random_walk.models.edge import Edge
from hal.chapters.random_walk.models.full import Settings
from hal.chapters.random_walk.models.measures import LAGS
from hal.chapters.random_walk.models.questions import Asked
from hal.chapters.random_walk.runs.fast import twin
from hal.chapters.random_walk.runs.learning import turns_record
from lib.models import random_walk as rw
from lib.models.random_walk import textbook as textbook_turns
from lib.portable import finish, run
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train
from tests.portable.engine import bits

LEANING = Settings(K=6, N=13, p=0.5, M=30, n=12, lr=10.5, steps=15, sigma=0.01, unit=1)


def test_attention_never_overflows():
    settings = Settings(K=3, N=4, M=4, n=1)
    e = 1 / (1 + np.exp(-1))
    for g, expected in (([-900.0, 800.0, 799.0, -5000.0], [0, e, 1 - e, 0]), ([0.0, 0.0, 0.0, 1e4], [0, 0, 0, 1])):
        state, turned = textbook.start(settings, 0), textbook_turns.start(settings, 0)
        state.g, turned.g = list(g), list(g)
        textbook.begin(state)
        textbook.attend(state, state.walks[0])
        textbook_turns.attend(turned)
        np.testing.assert_allclose(state.S, expected, atol=1e-15)
        np.testing.assert_allclose(turned.S, expected, atol=1e-15)


@pytest.mark.parametrize("unit", [0, 1])
@pytest.mark.parametrize("highest", [3.0, 500.0, 600.0, 1e4, 1e7])
def test_attention_is_exact_where_a_walk_lacks_the_nodes_of_the_largest_scores(highest, unit):
    settings = Settings(K=9, N=5, M=8, n=40, sigma=1.0, unit=unit)
    state = textbook.start(settings, 3)
    state.u[4] = highest
    model, walks, params = twin(state)
    scores = model.factor * (params.u[0][walks.s[0, :, :-1]] + params.g[0, :-1])
    scores = np.concatenate([scores, np.full((40, 1), model.own_factor * params.g[0, -1])], axis=1)
    wanted = np.exp(scores - scores.max(axis=1, keepdims=True))
    wanted /= wanted.sum(axis=1, keepdims=True)
    textbook.begin(state)
    for walk, expected in zip(state.walks, wanted, strict=True):
        textbook.attend(state, walk)
        np.testing.assert_allclose(state.S, expected, rtol=1e-9 if highest < 1e6 else 1e-6, atol=1e-15)
        by_node = [sum(state.S[j] for j in range(4) if walk[j] == k) for k in range(9)]
        np.testing.assert_allclose(state.mass, by_node, rtol=1e-12, atol=1e-300)


@pytest.mark.parametrize("kind", [0, 1, 2, 3])
def test_losses_are_the_library_s(kind):
    value, slope = rw.loss_of(rw.LOSSES[kind], 0.25)
    f = np.array([-40.0, -3.0, -0.2, 0.0, 0.4, 0.999, 1.0, 3.0, 40.0])
    f = f[f > -0.25] if kind == 0 else f
    np.testing.assert_allclose([textbook.loss_value(kind, x, 0.25) for x in f], value(f), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose([textbook.loss_slope(kind, x, 0.25) for x in f], slope(f), rtol=1e-12)


def test_walks_start_anywhere():
    s = np.array(textbook.start(Settings(K=7, N=30, M=30, p=0.8, n=300), 0).walks)
    assert np.bincount(s[:, 0], minlength=7).min() > 15


def test_a_random_start_has_its_size():
    _, _, params = twin(textbook.start(Settings(K=20, N=100, M=400, n=1, sigma=0.02), 5))
    rho = 200.5
    for x, size in zip(params, (0.02, 0.02 * np.sqrt(rho), 0.02 * rho), strict=True):
        assert x.std() == pytest.approx(size, rel=5 / np.sqrt(2 * x.size))


@pytest.mark.parametrize(("steps", "count"), [(0, 1), (1, 2), (12, 13), (60, 61), (61, 61), (150, 61)])
def test_records_come_at_every_sixtieth_part_or_step(steps, count):
    due = textbook.steps_of(Settings(steps=steps))
    assert (len(due), due[0], due[-1]) == (count, 0, steps)
    assert (np.diff(due) >= 1).all()
    assert np.diff(due).max(initial=1) <= max(1, -(-steps // 60))


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


@pytest.mark.parametrize(
    "given",
    [
        {"K": 6, "N": 9, "M": 30, "p": 0.5, "n": 30, "loss": 2, "lr": 0.5},
        {"K": 4, "N": 10, "M": 30, "p": 1.0, "n": 10, "unit": 1, "lr": 5.0},
    ],
)
def test_the_population_by_turns_is_the_circulant_model_s(given):
    settings = Settings(steps=15, **given)
    state, walk = textbook_turns.start(settings, 2), rw.Walk(settings.K, settings.N, settings.p)
    textbook_turns.draw(state)
    loss, unit = rw.LOSSES[settings.loss], bool(settings.unit)
    model = rw.CirculantTransformer(K=walk.K, N=walk.N, M=settings.M, loss=loss, unit_length=unit)
    batch = rw.Turns(np.array(state.turns)[None], np.full((1, settings.n), 1 / settings.n))
    walks = rw.Walks(-np.append(batch.D, np.zeros((1, settings.n, 1), dtype=int), axis=2) % walk.K, batch.weight)
    record = turns_record(model, walk, batch)
    del record["lag"]  # of equals another may be the first
    record["divergence"] = lambda x: rw.divergence(model.output(x, batch), walk.next_law(walks.s), walks.weight)
    fixed = GivenBatches(model, [batch])
    known = train(fixed, None, model.optimiser(settings.lr), 15, record=record, record_at=range(16))
    while not textbook_turns.done(state):
        textbook_turns.step(state)
    own = textbook_turns.read(state)
    for name in record:
        np.testing.assert_allclose(own[name], known[name][0], rtol=0, atol=1e-9, err_msg=name)
    np.testing.assert_allclose(own["loss"][:-1], known["loss"][0][1:], rtol=0, atol=1e-9)
    assert own["lag"][-1] == rw.attended_lag(model.attention(known.params))[0]
    for mine, other in zip((state.nu, state.a, state.g), known.params, strict=True):
        np.testing.assert_allclose(mine, other[0] if other.ndim > 1 else other, rtol=1e-9, atol=1e-9)


def test_the_walks_of_the_edge_are_all_there_are():
    state = textbook_edge.start(Edge(K=4, N=9, M=30), 0)
    np.testing.assert_array_equal(state.inner.walks, rw.Walk(4, 9, 1.0).population().s[0])


@pytest.mark.parametrize("drawn", [{"n": 20}, {"n": 20, "sigma": 0.01, "unit": 1, "lr": 10.0}])
def test_sums_in_one_order_and_double_precision_are_the_textbook_s(drawn):
    plain = run(textbook, 3, K=5, N=9, M=30, p=1.0, steps=12, **drawn)
    assert bits(run(textbook_edge, 3, K=5, N=9, M=30, steps=12, **drawn)) == bits(plain)


def test_mixed_sums_begin_at_another_walk_for_each_place_but_the_last():
    state = textbook_edge.start(Edge(K=3, N=4, M=5, n=3, mixed=1), 0)
    state.terms = [[term] * 4 for term in (1e16, 1.0, -1e16)]  # 1 is lost in a sum that begins before it
    textbook_edge.add_up(state)
    assert list(state.inner.grad_g) == [0.0, 0.0, 1.0, 0.0]


def numbers_of(state):
    return [np.array(x) for x in (state.inner.V, state.inner.u, state.inner.g)]


def ended(module, state):
    while not module.done(state):
        module.step(state)
    return state


def test_mixed_sums_are_the_library_s_rolled_ones():
    state = textbook_edge.start(Edge(K=5, N=12, M=30, n=40, steps=6, mixed=1), 4)
    model, walks, start = twin(state.inner, sums="rolled")
    known = train(GivenBatches(model, [walks]), start, model.optimiser(state.inner.settings.lr), 6).params
    for mine, other in zip(numbers_of(ended(textbook_edge, state)), known, strict=True):
        np.testing.assert_allclose(mine, other[0], rtol=0, atol=1e-9 * np.abs(other).max())


def test_single_precision_has_no_more_digits_and_is_near_double():
    random = Edge(K=5, N=12, M=30, n=40, steps=6, sigma=0.01, unit=1, lr=10.0)
    double, single = (
        numbers_of(ended(textbook_edge, textbook_edge.start(random._replace(bits=bits), 4))) for bits in (64, 32)
    )
    for one, other in zip(double, single, strict=True):
        np.testing.assert_array_equal(other, other.astype(np.float32))
        np.testing.assert_allclose(other, one, rtol=0, atol=1e-4 * np.abs(one).max())


def test_a_start_leans_as_the_library_says():
    state = textbook_parity.start(LEANING, 6)
    V, g = (np.array([x], dtype=float) for x in (state.inner.V, state.inner.g))
    known = parity_projection(V, g, LEANING.M, LEANING.sigma)[0]
    assert textbook_parity.read(state)["leaning"][0] == pytest.approx(float(known), abs=1e-9)


@pytest.mark.parametrize("without", [{"K": 5}, {"sigma": 0.0}])
def test_a_start_without_parity_leans_nowhere(without):
    assert np.isnan(textbook_parity.start(LEANING._replace(**without), 5).leaning)


def test_the_balance_counts_odd_lags_for_and_even_lags_against():
    assert textbook_parity.balance([0.1, 0.2, 0.4, 0.3]) == pytest.approx(0.1 - 0.2 + 0.4)
    watched, plain = (finish(module, LEANING, 2) for module in (textbook_parity, textbook))
    assert watched["divergence"] == plain["divergence"]
    own = np.array(plain["by_lag"]).reshape(-1, LAGS)[:, :12]
    np.testing.assert_allclose(watched["odd"], own[:, ::2].sum(axis=1) - own[:, 1::2].sum(axis=1), atol=1e-12)


@pytest.mark.parametrize(("task", "question", "unit"), [(1, 1, 1), (1, 23, 1), (2, 2, 0)])
def test_a_question_is_read_as_in_the_library(task, question, unit):
    """Odds, votes and the divergence of all."""
    settings = Asked(task=task, question=question, unit=unit, sigma=0.002, lr=0.1, steps=12)
    state = textbook_questions.start(settings, 3)
    model, walks, start = twin(state.inner)
    right = (walks.s[..., -1:] == np.arange(19)).astype(float)
    chosen = walks.s[0, question - 1, :-1]

    def votes(p):
        S = model.attention(p, walks)[:, question - 1, :-1]
        return np.stack([S * p.V[:, fruit][:, chosen] for fruit in (0, 1)], axis=-1)

    def odds(p):
        q = np.maximum(model.output(p, walks)[:, question - 1], 1e-12)
        return (q / q.sum(axis=-1, keepdims=True))[:, :2]

    def divergence(p):
        return rw.divergence(model.output(p, walks), right, walks.weight)

    record = {"divergence": divergence, "odds": odds, "votes": votes}
    fixed = GivenBatches(model, [walks])
    known = train(fixed, start, model.optimiser(0.1), 12, record=record, record_at=range(13))
    own = finish(textbook_questions, settings, 3)
    np.testing.assert_allclose(own["divergence"], known["divergence"][0], rtol=0, atol=1e-9)
    np.testing.assert_allclose(np.transpose([own["apple"], own["orange"]]), known["odds"][0], rtol=0, atol=1e-9)
    shown = np.array(own["votes"]).reshape(13, -1, 2)
    np.testing.assert_allclose(shown[:, :-1], known["votes"][0], rtol=0, atol=1e-9)
    assert not shown[:, -1].any()  # the empty token says nothing
