"""The textbook's runs on the edge and from leaning starts: the library's, and the same bits in the page."""

import numpy as np
import pytest

from lib.errors import InputError
from lib.models import random_walk as rw
from lib.models.random_walk import textbook, textbook_edge, textbook_parity
from lib.models.random_walk.textbook import Settings
from lib.models.random_walk.textbook_record import LAGS, record_steps
from lib.theory import random_walk as theory
from tests.portable.engine import bits, literal, page_of

EDGE = Settings(K=4, N=9, p=1.0, M=30, n=4, lr=10.5, steps=15, sigma=0.01, unit=1)
LEANING = Settings(K=6, N=13, p=0.5, M=30, n=12, lr=10.5, steps=15, sigma=0.01, unit=1)


@pytest.mark.parametrize(("module", "settings"), [(textbook_edge, EDGE), (textbook_parity, LEANING)])
def test_the_same_bits_in_the_page(module, settings):
    here = module.start(settings, 3)
    module.advance(here, module.steps_of(settings))
    page = page_of(module, checked=True)
    page.do(f'const T = portable["{module.__name__}"]; const s = T.start({literal(settings)}, 3); T.advance(s, 16);')
    assert bits(page.run("T.read(s)")) == bits(module.read(here))
    assert bits(module.run(3, **settings._asdict())) == bits(module.read(here))


def test_the_walks_of_the_edge_are_all_there_are():
    state = textbook_edge.start(EDGE, 0)
    np.testing.assert_array_equal(state.walks, rw.Walk(4, 9, 1.0).population().s[0])
    with pytest.raises(InputError, match=r"p: expected 1: a walk that only goes clockwise, got 0\.5"):
        textbook_edge.run(0, p=0.5)
    with pytest.raises(InputError, match="n: expected K, a walk from every node, got 7"):
        textbook_edge.run(0, p=1.0, n=7)


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
