"""The textbook's runs on the edge and from leaning starts: the library's, and the same bits in the page."""

import numpy as np
import pytest

from lib.errors import InputError
from lib.models import random_walk as rw
from lib.models.random_walk import textbook, textbook_edge, textbook_parity
from lib.models.random_walk.textbook import Settings
from lib.models.random_walk.textbook_edge import Edge
from lib.models.random_walk.textbook_record import LAGS, record_steps
from lib.theory import random_walk as theory
from lib.train import GivenBatches, train
from tests.portable.engine import bits, literal, page_of

EDGE = Edge(K=4, N=9, M=30, lr=10.5, steps=15, sigma=0.01, unit=1)
SHORT = Edge(K=4, N=10, M=30, n=11, mixed=1, bits=32, steps=15)
LEANING = Settings(K=6, N=13, p=0.5, M=30, n=12, lr=10.5, steps=15, sigma=0.01, unit=1)


@pytest.mark.parametrize(
    ("module", "settings"), [(textbook_edge, EDGE), (textbook_edge, SHORT), (textbook_parity, LEANING)]
)
def test_the_same_bits_in_the_page(module, settings):
    here = module.start(settings, 3)
    module.advance(here, module.steps_of(settings))
    page = page_of(module, checked=True)
    page.do(f'const T = portable["{module.__name__}"]; const s = T.start({literal(settings)}, 3); T.advance(s, 16);')
    assert bits(page.run("T.read(s)")) == bits(module.read(here))
    assert bits(module.run(3, **settings._asdict())) == bits(module.read(here))


def test_the_walks_of_the_edge_are_all_there_are():
    state = textbook_edge.start(EDGE, 0)
    np.testing.assert_array_equal(state.inner.walks, rw.Walk(4, 9, 1.0).population().s[0])
    with pytest.raises(InputError, match="bits: expected 32 or 64, got 16"):
        textbook_edge.run(0, bits=16)
    with pytest.raises(InputError, match="n: expected at least 0 walks, got -1"):
        textbook_edge.run(0, n=-1)


@pytest.mark.parametrize("drawn", [{"n": 20}, {"n": 20, "sigma": 0.01, "unit": 1, "lr": 10.0}])
def test_sums_in_one_order_and_double_precision_are_the_textbook_s(drawn):
    plain = textbook.run(3, K=5, N=9, M=30, p=1.0, steps=12, **drawn)
    assert bits(textbook_edge.run(3, K=5, N=9, M=30, steps=12, **drawn)) == bits(plain)


def after(steps, **given):
    """Parameters of a run on the edge after so many steps."""
    state = textbook_edge.start(Edge(K=6, N=97, n=60, steps=steps, **given), 1)
    textbook_edge.advance(state, steps)
    return [np.array(x) for x in (state.inner.V, state.inner.u, state.inner.g)]


def test_mixed_sums_are_the_library_s_rolled_ones():
    state = textbook_edge.start(Edge(K=5, N=12, M=30, n=40, steps=6, mixed=1), 2)
    model = rw.MinimalTransformer(K=5, N=12, M=30, sums="rolled")
    walks = rw.Walks(np.array(state.inner.walks)[None], np.full((1, 40), 1 / 40))
    run = train(GivenBatches(model, [walks]), None, model.optimiser(1.0), 6)
    textbook_edge.advance(state, 6)
    for mine, other in zip((state.inner.V, state.inner.u, state.inner.g), run.params, strict=True):
        np.testing.assert_allclose(mine, other[0], rtol=1e-9)


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
    run = textbook_parity.run(2, **LEANING._asdict())
    plain = textbook.run(2, **LEANING._asdict())
    assert run["divergence"] == plain["divergence"]
    own = np.array(plain["by_lag"]).reshape(-1, LAGS)[:, :12]
    np.testing.assert_allclose(run["odd"], own[:, ::2].sum(axis=1) - own[:, 1::2].sum(axis=1), atol=1e-12)


def test_attention_by_lag_and_values_by_turn_are_recorded():
    settings = {"K": 5, "N": 9, "p": 0.7, "M": 60, "n": 40, "steps": 12}
    state = textbook.start(Settings(**settings), 1)
    textbook.advance(state, 13)
    found = textbook.read(state)
    lags, turns = np.array(found["by_lag"]).reshape(13, LAGS), np.array(found["by_turn"]).reshape(13, 5)
    np.testing.assert_allclose(lags[:, 0], found["parent"])
    np.testing.assert_allclose(lags[-1, :8], state.total[-2::-1])
    assert (lags[:, 8:] == 0).all()
    V = np.array(state.V)
    V *= np.sqrt(5) / np.linalg.norm(V)
    np.testing.assert_allclose(turns[-1], [np.mean([V[(k + d) % 5, k] for k in range(5)]) for d in range(5)])
    assert (turns[0] == 0).all()


@pytest.mark.parametrize("steps", [1, 12, 60, 61, 150, 1000])
def test_records_come_when_they_are_said_to(steps):
    run = textbook.run(0, K=3, N=3, M=3, n=2, steps=steps)
    assert run["steps"] == record_steps(steps)
