"""The textbook's runs on the edge, from leaning starts and on questions: those of the library."""

import numpy as np
import pytest

from lib.models import random_walk as rw
from lib.models.random_walk import textbook, textbook_edge, textbook_parity, textbook_questions
from lib.models.random_walk.textbook import Settings
from lib.models.random_walk.textbook_edge import Edge
from lib.models.random_walk.textbook_measures import LAGS
from lib.models.random_walk.textbook_questions import Asked
from lib.portable import finish, run
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train
from tests.portable.engine import bits

LEANING = Settings(K=6, N=13, p=0.5, M=30, n=12, lr=10.5, steps=15, sigma=0.01, unit=1)
TASKS = {1: rw.most_frequent(), 2: rw.preferred()}


def test_the_walks_of_the_edge_are_all_there_are():
    state = textbook_edge.start(Edge(K=4, N=9, M=30), 0)
    np.testing.assert_array_equal(state.inner.walks, rw.Walk(4, 9, 1.0).population().s[0])


@pytest.mark.parametrize("drawn", [{"n": 20}, {"n": 20, "sigma": 0.01, "unit": 1, "lr": 10.0}])
def test_sums_in_one_order_and_double_precision_are_the_textbook_s(drawn):
    plain = run(textbook, 3, K=5, N=9, M=30, p=1.0, steps=12, **drawn)
    assert bits(run(textbook_edge, 3, K=5, N=9, M=30, steps=12, **drawn)) == bits(plain)


def after(steps, **given):
    """Parameters of a run on the edge after so many steps."""
    state = textbook_edge.start(Edge(K=6, N=97, n=60, steps=steps, **given), 1)
    while not textbook_edge.done(state):
        textbook_edge.step(state)
    return [np.array(x) for x in (state.inner.V, state.inner.u, state.inner.g)]


def test_mixed_sums_begin_at_another_walk_for_each_place_but_the_last():
    state = textbook_edge.start(Edge(K=3, N=4, M=5, n=3, mixed=1), 0)
    state.terms = [[term] * 4 for term in (1e16, 1.0, -1e16)]  # 1 is lost in a sum that begins before it
    textbook_edge.add_up(state)
    assert list(state.inner.grad_g) == [0.0, 0.0, 1.0, 0.0]


def test_sums_are_taken_as_said():
    ordered, mixed, short = (after(2, **given) for given in ({}, {"mixed": 1}, {"bits": 32}))
    assert np.ptp(ordered[2][:-1]) == 0
    assert 0 < np.ptp(mixed[2][:-1]) < 1e-9 * np.abs(ordered[2]).max()
    assert np.ptp(short[2][:-1]) == 0  # equal numbers are rounded alike
    for one, other in zip(ordered, short, strict=True):
        np.testing.assert_array_equal(other, other.astype(np.float32))
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-30)
    assert not np.array_equal(ordered[0], short[0])


def test_the_leaning_is_the_library_s():
    state = textbook_parity.start(LEANING, 5)
    V, g = (np.array([x], dtype=float) for x in (state.inner.V, state.inner.g))
    known = theory.parity_projection(V, g, LEANING.M, LEANING.sigma)[0]
    assert textbook_parity.read(state)["leaning"][0] == pytest.approx(known, rel=1e-9)
    assert np.isnan(textbook_parity.start(LEANING._replace(K=5), 5).leaning)
    assert np.isnan(textbook_parity.start(LEANING._replace(sigma=0.0), 5).leaning)


def test_the_balance_counts_odd_lags_for_and_even_lags_against():
    assert textbook_parity.balance([0.1, 0.2, 0.4, 0.3]) == pytest.approx(0.1 - 0.2 + 0.4)
    watched, plain = (finish(module, LEANING, 2) for module in (textbook_parity, textbook))
    assert watched["divergence"] == plain["divergence"]
    own = np.array(plain["by_lag"]).reshape(-1, LAGS)[:, :12]
    np.testing.assert_allclose(watched["odd"], own[:, ::2].sum(axis=1) - own[:, 1::2].sum(axis=1), atol=1e-12)


@pytest.mark.parametrize("task", TASKS)
def test_the_words_are_the_library_s(task):
    assert textbook_questions.questions(task) == TASKS[task].s[0].tolist()
    assert len(rw.WORDS) == textbook_questions.WORDS


@pytest.mark.parametrize(("task", "question", "unit"), [(1, 1, 1), (1, 23, 1), (2, 1, 1), (2, 2, 0)])
def test_the_questions_are_learned_as_in_the_library(task, question, unit):
    settings = Asked(task=task, question=question, unit=unit, sigma=0.002, lr=0.1, steps=12)
    state, walks = textbook_questions.start(settings, 3), TASKS[task]
    model = rw.MinimalTransformer(K=19, N=walks.s.shape[-1], unit_length=bool(unit))
    begin = rw.Minimal(*(np.array([x]) for x in (state.inner.V, state.inner.u, state.inner.g)))
    right = (walks.s[..., -1:] == np.arange(19)).astype(float)
    chosen = walks.s[0, question - 1, :-1]

    def votes(p):
        S = model.attention(p, walks)[:, question - 1, :-1]
        return np.stack([S * p.V[:, fruit][:, chosen] for fruit in (0, 1)], axis=-1)

    def odds(p):
        q = np.maximum(model.output(p, walks)[:, question - 1], 1e-12)
        return q / q.sum(axis=-1, keepdims=True)

    record = {
        "accuracy": lambda p: rw.accuracy(model.output(p, walks), walks),
        "divergence": lambda p: rw.divergence(model.output(p, walks), right, walks.weight),
        "apple": lambda p: odds(p)[:, 0],
        "orange": lambda p: odds(p)[:, 1],
        "attention": lambda p: model.attention(p, walks)[:, question - 1],
        "votes": votes,
    }
    fixed = GivenBatches(model, [walks])
    trained = train(fixed, begin, model.optimiser(0.1), 12, record=record, record_at=range(13))
    own = finish(textbook_questions, settings, 3)
    assert own["steps"] == list(range(13))
    for name in ("accuracy", "divergence", "apple", "orange", "attention"):
        np.testing.assert_allclose(own[name], trained[name][0].ravel(), rtol=0, atol=1e-9, err_msg=name)
    shown = np.array(own["votes"]).reshape(13, -1, 2)
    np.testing.assert_allclose(shown[:, :-1], trained["votes"][0], rtol=0, atol=1e-9)
    assert not shown[:, -1].any()  # the empty token says nothing
