"""The textbook of the new task: the fast model's steps and errors, the law of its examples."""

import numpy as np
import pytest

from lib import optim
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook, textbook_downstream
from lib.models.group_sparse.textbook_downstream import Settings
from lib.portable import finish, run
from lib.train import GivenBatches, train


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
        at = sorted({0, *map(int, textbook_downstream.steps_of(settings))})
        record = {"error": lambda p: 1 - gs.accuracy(problem.output(p, test[0]), test[1])}
        batches = list(gs.one_by_one(features))
        fast = train(GivenBatches(problem, batches), begin, optim.sgd(rate), 40, record=record, record_at=at)
        return dict(zip(at, fast["error"][0], strict=True))

    frozen = gs.LogisticRegression(7)
    linear = gs.LogisticRegression(12)
    known = {
        "tuned": errors(model, params, given, 0.4 / 16, tests),
        "frozen": errors(
            frozen, frozen.init(1), gs.attended(model, params, given), 0.4 / 16, gs.attended(model, params, tests)
        ),
        "linear": errors(linear, linear.init(1), gs.flattened(given), 0.1, gs.flattened(tests)),
    }
    own = finish(textbook_downstream, settings, seed)
    for name, expected in known.items():
        np.testing.assert_allclose(own[name], [expected[at] for at in own["steps"]], atol=1e-12, err_msg=name)


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
    at = textbook_downstream.steps_of(Settings(n=500))
    assert (at[0], at[-1]) == (5, 500)
    np.testing.assert_allclose(at, np.geomspace(5, 500, textbook_downstream.RECORDS), atol=0.51)


def test_fast_steps_take_the_attention_away_and_slow_ones_do_not():
    slow = run(textbook_downstream, 1, lr=0.1, n=200)["share"]
    fast = run(textbook_downstream, 1, lr=10.0, D=8, n=200)["share"]
    assert abs(slow[-1] - 0.9) < 0.03
    assert fast[-1] < 0.7
