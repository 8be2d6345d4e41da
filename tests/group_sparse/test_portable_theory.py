"""The theory of the page: the library's flow by another quadrature, what the laws refuse, the same bits in the page."""

import numpy as np
import pytest

from lib.errors import InputError
from lib.models import group_sparse as gs
from lib.portable import run
from lib.theory import group_sparse as theory
from lib.theory.group_sparse import portable, portable_sizes
from lib.train import flow
from tests.portable.engine import bits, literal, page_of


@pytest.mark.parametrize(("D", "sigma"), [(2, 1.0), (4, 0.5), (8, 2.0), (16, 1.0), (64, 1.0)])
def test_the_path_is_the_library_s_flow(D, sigma):
    pair = gs.PairTransformer(D, sigma)
    times = [0.5, 5.0, 20.0, 300.0, 4e3, 1e6]
    known = flow(pair, None, times, pair.rates)
    alpha, leak, loss = portable.path(portable.law_of(D, sigma), times, 1e-5)
    np.testing.assert_allclose(alpha, known.params.alpha[-6:], rtol=2e-3)
    np.testing.assert_allclose(leak, 1 - pair.attention(known.params)[-6:], rtol=2e-3)
    np.testing.assert_allclose(loss, known.loss[-6:], rtol=2e-3)


@pytest.mark.parametrize(("D", "sigma", "alpha", "b"), [(4, 1.0, 0.7, 1.0), (6, 2.0, 1.0, 3.0), (16, 0.5, 20.0, 6.0)])
def test_speeds_and_loss_are_those_of_the_pair(D, sigma, alpha, b):
    pair, law, out = gs.PairTransformer(D, sigma), portable.law_of(D, sigma), [0.0, 0.0]
    portable.push(0.0, [alpha, b], out, law)
    loss, slope = pair.loss_and_gradient(gs.Pair(np.array([alpha]), np.array([b])))
    assert portable.loss_at([alpha, b], law) == pytest.approx(loss[0], rel=1e-3)
    assert out[0] == pytest.approx(-slope.alpha[0], rel=1e-3, abs=1e-5)
    assert out[1] == pytest.approx(-slope.b[0] * pair.rates["b"], rel=1e-3, abs=1e-5)


@pytest.mark.parametrize(
    ("law", "given", "message"),
    [
        (theory.late_loss, (0.0, 4), r"time: expected finite values > 0, got 0\.0"),
        (theory.late_leak, ([1.0, np.inf], 4), "time: expected finite values > 0"),
        (theory.time_to_loss, (-0.1, 4), r"loss: expected finite values > 0, got -0\.1"),
        (theory.late_loss, (3.0, [4, 1]), "D: expected at least 2 groups, got 1"),
        (theory.leak_constant, (2.5,), r"D: expected whole numbers, got 2\.5"),
        (theory.largest_rate, (0,), "D: expected at least 1 group, got 0"),
        (theory.late_strength, (3.0, 1), "D: expected "),
    ],
)
def test_what_the_laws_refuse(law, given, message):
    with pytest.raises(InputError, match=message):
        law(*given)


def test_losses_over_the_sizes():
    found = run(portable_sizes, lr=0.2, level=0.05)
    for i, D in enumerate((4, 6, 8, 12, 16, 24, 32, 48)):
        assert portable_sizes.size(i) == D
        pair = gs.PairTransformer(D)
        times = [0.2 * D**3, 0.2 * found["reached"][i]]
        loss = [float(flow(pair, None, [time], pair.rates).loss[-1]) for time in times]
        assert found["scaled"][i] == pytest.approx(D**2 * loss[0], rel=0.02)
        assert loss[1] == pytest.approx(0.05, rel=0.03)


def test_numbers_read_off_a_path():
    times, losses = [0.0, 1.0, 100.0], [0.7, 0.4, 0.1]
    assert portable_sizes.value_at(10.0, times, losses) == pytest.approx(0.2)
    assert np.isnan(portable_sizes.value_at(0.5, times, losses))
    assert np.isnan(portable_sizes.value_at(101.0, times, losses))
    assert portable_sizes.time_of(0.2, times, losses) == pytest.approx(10)
    assert np.isnan(portable_sizes.time_of(0.05, times, losses))


def test_the_same_bits_in_the_page():
    page = page_of(portable, portable_sizes, checked=True)
    page.do('const P = portable["lib.theory.group_sparse.portable"];')
    times = [0.0, 1.5, 30.5, 1000.5]
    here = portable.path(portable.law_of(5, 0.75), times, 1e-3)
    assert bits(page.run(f"P.path(P.law_of(5, 0.75), {literal(times)}, 1e-3)")) == bits(list(here))
    here = [portable.late_loss(7.5, 6), portable.late_leak(7.5, 6), portable.time_to_loss(0.25, 6)]
    assert bits(page.run("[P.late_loss(7.5, 6), P.late_leak(7.5, 6), P.time_to_loss(0.25, 6)]")) == bits(here)
    settings = portable_sizes.Settings(D=8, lr=0.35, level=0.045)
    state = portable_sizes.start(settings, 0)
    portable_sizes.step(state)
    portable_sizes.step(state)
    page.do('const Z = portable["lib.theory.group_sparse.portable_sizes"];')
    page.do(f"const z = Z.start({literal(settings)}, 0); Z.step(z); Z.step(z);")
    assert bits(page.run("Z.read(z)")) == bits(portable_sizes.read(state))
