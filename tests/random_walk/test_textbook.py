"""The models in plain Python: starts, records, rounding, and the same training as the fast models'."""

import numpy as np
import pytest

from hal.chapters.random_walk.figures import parity
from hal.chapters.random_walk.models import full, rounded
from hal.chapters.random_walk.models.rounded import Edge
from hal.chapters.random_walk.theory.parity import parity_projection
from lib.errors import InputError
from lib.models.random_walk import textbook
from lib.train import GivenBatches, train
from tests.random_walk.twins import ended, twin


def test_attention_never_overflows():
    e = 1 / (1 + np.exp(-1))
    for g, expected in (([-900.0, 800.0, 799.0, -5000.0], [0, e, 1 - e, 0]), ([0.0, 0.0, 0.0, 1e4], [0, 0, 0, 1])):
        state = full.start(full.Settings(K=3, N=4, M=4, n=1), 0)
        turned = textbook.start(textbook.Settings(K=3, N=4, M=4, n=1), 0)
        state.g, turned.g = list(g), list(g)
        full.weigh(state)
        full.attend(state, state.walks[0])
        textbook.attend(turned)
        np.testing.assert_allclose(state.S, expected, atol=1e-15)
        np.testing.assert_allclose(turned.S, expected, atol=1e-15)


@pytest.mark.parametrize(("highest", "unit"), [(3.0, 1), (500.0, 0), (600.0, 1), (1e4, 0), (1e7, 0), (1e7, 1)])
def test_attention_is_exact_where_a_walk_lacks_the_nodes_of_the_largest_scores(highest, unit):
    state = full.start(full.Settings(K=9, N=5, M=8, n=40, sigma=1.0, unit=unit), 3)
    state.u[4] = highest
    model, walks, params = twin(state)
    scores = model.factor * (params.u[0][walks.s[0, :, :-1]] + params.g[0, :-1])
    scores = np.concatenate([scores, np.full((40, 1), model.own_factor * params.g[0, -1])], axis=1)
    wanted = np.exp(scores - scores.max(axis=1, keepdims=True))
    wanted /= wanted.sum(axis=1, keepdims=True)
    full.weigh(state)
    for walk, expected in zip(state.walks, wanted, strict=True):
        full.attend(state, walk)
        np.testing.assert_allclose(state.S, expected, rtol=1e-9 if highest < 1e6 else 1e-6, atol=1e-15)
        by_node = [sum(state.S[j] for j in range(4) if walk[j] == k) for k in range(9)]
        np.testing.assert_allclose(state.mass, by_node, rtol=1e-12, atol=1e-300)


def test_walks_start_anywhere_and_a_random_start_has_its_size():
    s = np.array(full.start(full.Settings(K=7, N=30, M=30, p=0.8, n=300), 0).walks)
    assert np.bincount(s[:, 0], minlength=7).min() > 15
    _, _, params = twin(full.start(full.Settings(K=20, N=100, M=400, n=1, sigma=0.02), 5))
    rho = 200.5
    for x, size in zip(params, (0.02, 0.02 * np.sqrt(rho), 0.02 * rho), strict=True):
        assert x.std() == pytest.approx(size, rel=5 / np.sqrt(2 * x.size))


def test_sums_in_one_order_are_those_of_the_layer():
    sizes = dict(K=5, N=9, M=30, n=20, steps=12)
    plain = ended(full, full.start(full.Settings(p=1.0, **sizes), 3))
    found = ended(rounded, rounded.start(Edge(**sizes), 3)).inner
    assert (found.V, found.u, found.g) == (plain.V, plain.u, plain.g)


def test_mixed_sums_are_the_library_s_rolled_ones():
    state = rounded.start(Edge(K=5, N=12, M=30, n=40, steps=6, mixed=1), 4)
    model, walks, start = twin(state.inner, sums="rolled")
    known = train(GivenBatches(model, [walks]), start, model.optimiser(state.inner.settings.lr), 6).params
    mine = ended(rounded, state).inner
    for one, other in zip((mine.V, mine.u, mine.g), known, strict=True):
        np.testing.assert_allclose(one, other[0], rtol=0, atol=1e-9 * np.abs(other).max())


REFUSED = [
    (full, full.Settings(sigma=-1.0), "sigma: expected a number of at least 0, got -1"),
    (full, full.Settings(K=2), "K: expected at least 3 nodes, got 2"),
    (full, full.Settings(n=0), "n: expected at least 1 walk, got 0"),
    (rounded, Edge(n=-1), "n: expected at least 0 walks, got -1"),
    (rounded, Edge(push=-1.0), "push: expected a number of at least 0, got -1"),
]


@pytest.mark.parametrize(("module", "settings", "message"), REFUSED)
def test_settings_without_meaning_are_refused(module, settings, message):
    with pytest.raises(InputError, match=f"^{message}"):
        module.start(settings, 0)


def test_a_run_whose_loss_is_no_number_says_so_and_ends():
    settings = full.Settings(K=6, N=13, M=50, n=20, unit=1, sigma=5.0, steps=6)
    assert 0 <= ended(full, full.start(settings, 0)).diverged_at < settings.steps


def test_a_start_leans_as_the_library_says():
    leaning = full.Settings(K=6, N=13, p=0.5, M=30, n=12, lr=10.5, steps=15, sigma=0.01, unit=1)
    state = full.start(leaning, 6)
    V, g = (np.array([x], dtype=float) for x in (state.V, state.g))
    known = parity_projection(V, g, leaning.M, leaning.sigma)[0]
    found = parity.at_end(ended(full, state), [0.0, 0.0])
    assert found["leaning"][0] == pytest.approx(float(known), abs=1e-9)
    assert found["place"] == found["leaning"] * 2
    for without in ({"K": 5}, {"sigma": 0.0}):
        assert np.isnan(parity.projection(full.start(leaning._replace(**without), 5)))
