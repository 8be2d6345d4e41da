"""The textbook of the question tasks: the words of the library, its training, the same bits in the page."""

import numpy as np
import pytest

from lib.errors import InputError
from lib.models import random_walk as rw
from lib.models.random_walk import textbook_questions
from lib.models.random_walk.textbook_questions import Asked
from lib.portable import check
from lib.train import GivenBatches, train
from tests.portable.engine import bits, literal, page_of

TASKS = {1: rw.most_frequent(), 2: rw.preferred()}


@pytest.mark.parametrize("task", TASKS)
def test_the_words_are_the_library_s(task):
    assert textbook_questions.questions(task) == TASKS[task].s[0].tolist()
    assert len(rw.WORDS) == textbook_questions.WORDS


@pytest.mark.parametrize(("task", "question", "unit"), [(1, 1, 1), (1, 23, 1), (2, 1, 1), (2, 2, 0)])
def test_the_run_is_the_library_s(task, question, unit):
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
    run = train(fixed, begin, model.optimiser(0.1), 12, record=record, record_at=range(13))
    textbook_questions.advance(state, textbook_questions.steps_of(settings))
    own = textbook_questions.read(state)
    assert own["steps"] == list(range(13))
    for name in ("accuracy", "divergence", "apple", "orange", "attention"):
        np.testing.assert_allclose(own[name], run[name][0].ravel(), rtol=0, atol=1e-9, err_msg=name)
    shown = np.array(own["votes"]).reshape(13, -1, 2)
    np.testing.assert_allclose(shown[:, :-1], run["votes"][0], rtol=0, atol=1e-9)
    assert not shown[:, -1].any()  # the empty token says nothing


def test_the_same_bits_in_the_page():
    check(textbook_questions)
    settings = Asked(task=2, question=2, steps=9)
    here = textbook_questions.start(settings, 5)
    textbook_questions.advance(here, 10)
    page = page_of(textbook_questions, checked=True)
    page.do(f'const T = portable["{textbook_questions.__name__}"];')
    page.do(f"const s = T.start({literal(settings)}, 5); T.advance(s, 4); T.advance(s, 30);")
    assert bits(page.run("T.read(s)")) == bits(textbook_questions.read(here))
    assert bits(textbook_questions.run(5, **settings._asdict())) == bits(textbook_questions.read(here))


def test_a_run_that_leaves_the_logarithm_is_marked():
    assert 0 <= textbook_questions.run(1, sigma=50.0, steps=6)["diverged_at"][0] < 6
    assert np.isnan(textbook_questions.run(1, steps=2)["diverged_at"][0])


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"task": 3}, "task: expected 1 or 2, got 3"),
        ({"task": 2, "question": 3}, "question: expected the number of one, got 3"),
        ({"question": 0}, "question: expected the number of one, got 0"),
        ({"sigma": -1.0}, "sigma: expected a number of at least 0, got -1"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        textbook_questions.run(0, **given)
