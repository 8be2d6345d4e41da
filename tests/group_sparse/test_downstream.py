"""The textbook of the new task: the fast model's steps and errors, the law of its examples, refusals, the same bits."""

import numpy as np
import pytest

from lib import optim
from lib.errors import InputError
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook, textbook_downstream
from lib.models.group_sparse.textbook_downstream import Settings
from lib.train import GivenBatches, train
from tests.portable.engine import bits, literal, page_of


def stream(settings, seed, count):
    """The first examples of a run's stream, as the fast model takes them."""
    state = textbook_downstream.start(settings, seed)
    X, y = [], []
    for _ in range(count):
        textbook_downstream.draw(settings, state.layer.tokens, state.layer.y, state.random)
        X.append(np.array(state.layer.tokens)[:, : settings.d])
        y.append(state.layer.y[0])
    return gs.Examples(np.array(X)[None], np.array(y)[None])


def test_three_learners_are_the_library_s():
    settings, seed = Settings(D=4, d=3, gamma=0.1, attention=0.8, lr=0.4, n=40), 5
    given = stream(settings, seed, 40)
    start = textbook_downstream.start(settings, seed)
    tests = gs.Examples(
        np.array(start.layer.fresh).reshape(textbook.TESTS, 4, -1)[None, ..., :3], np.array(start.layer.fresh_y)[None]
    )
    model = gs.GroupTransformer(gs.Task(D=4, d=3), np.sqrt(2.5) * np.eye(4))
    params = gs.Params(np.zeros((1, 7)), np.array(start.layer.W)[None])
    np.testing.assert_allclose(model.attention(params, given.X)[0, :, 1], 0.8, rtol=1e-12)

    def errors(problem, begin, features, rate, test):
        at = sorted({0, *(textbook_downstream.examples_at(i, 40) for i in range(textbook_downstream.RECORDS))})
        record = {"error": lambda p: 1 - gs.accuracy(problem.output(p, test[0]), test[1])}
        batches = list(gs.one_by_one(features))
        run = train(GivenBatches(problem, batches), begin, optim.sgd(rate), 40, record=record, record_at=at)
        return dict(zip(at, run["error"][0], strict=True))

    frozen = gs.LogisticRegression(7)
    linear = gs.LogisticRegression(12)
    known = {
        "tuned": errors(model, params, given, 0.4 / 16, tests),
        "frozen": errors(
            frozen, frozen.init(1), gs.attended(model, params, given), 0.4 / 16, gs.attended(model, params, tests)
        ),
        "linear": errors(linear, linear.init(1), gs.flattened(given), 0.1, gs.flattened(tests)),
    }
    own = textbook_downstream.run(seed, **settings._asdict())
    for name, expected in known.items():
        at = [expected[textbook_downstream.examples_at(i, 40)] for i in range(textbook_downstream.RECORDS)]
        np.testing.assert_allclose(own[name], at, atol=1e-12, err_msg=name)


def test_examples_keep_their_margin_and_the_law_of_the_library():
    settings = Settings(D=3, d=2, gamma=0.3)
    own = stream(settings, 0, 3000)
    known = gs.downstream(gs.Task(D=3, d=2), 3000, [np.random.default_rng(0)], gamma=0.3)
    for name, given in (("textbook", own), ("library", known)):
        along = given.y[0] * given.X[0, :, textbook.STAR, -1]
        assert along.min() >= 0.3, name
        assert along.mean() == pytest.approx(0.3 + np.sqrt(2 / np.pi), abs=0.06), name
        assert abs(given.y.mean()) < 0.1, name
        others = np.delete(given.X[0].reshape(3000, 6), 3, axis=1)
        np.testing.assert_allclose(np.cov(others.T), np.eye(5), atol=0.12, err_msg=name)


def test_records_are_even_in_the_logarithm():
    at = [textbook_downstream.examples_at(i, 500) for i in range(textbook_downstream.RECORDS)]
    assert (at[0], at[-1]) == (5, 500)
    np.testing.assert_allclose(at, np.geomspace(5, 500, textbook_downstream.RECORDS), atol=0.51)


def test_fast_steps_take_the_attention_away_and_slow_ones_do_not():
    slow = textbook_downstream.run(1, lr=0.1, n=200)["share"]
    fast = textbook_downstream.run(1, lr=10.0, D=8, n=200)["share"]
    assert abs(slow[-1] - 0.9) < 0.03
    assert fast[-1] < 0.7


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"gamma": -0.1}, "gamma: expected a margin of at least 0, got -0.1"),
        ({"attention": 1.0}, "attention: expected between 0 and 1, got 1.0"),
        ({"n": 4}, "n: expected at least 5 examples, got 4"),
        ({"D": 1}, "D: expected at least 2 groups, got 1"),
        ({"lr": -1.0}, "lr: expected a number of at least 0, got -1.0"),
    ],
)
def test_what_is_refused(given, message):
    with pytest.raises(InputError, match=message):
        textbook_downstream.start(Settings(**given), 0)


def test_the_same_bits_in_the_page():
    settings = Settings(D=3, d=2, gamma=0.25, attention=0.75, lr=0.35, n=12)
    here = textbook_downstream.start(settings, 2)
    textbook_downstream.advance(here, 12)
    page = page_of(textbook_downstream, checked=True)
    page.do("const T = portable['lib.models.group_sparse.textbook_downstream'];")
    page.do(f"const s = T.start({literal(settings)}, 2); T.advance(s, 12);")
    assert bits(page.run("T.read(s)")) == bits(textbook_downstream.read(here))
