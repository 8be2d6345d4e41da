"""The theory of the page: speeds by another quadrature, what the laws refuse, the same bits in the page.

That its flow, its late laws and its losses over the sizes are the library's is claim GS-21.
"""

import numpy as np
import pytest

from lib.errors import InputError
from lib.models import group_sparse as gs
from lib.theory import group_sparse as theory
from lib.theory.group_sparse import portable, portable_sizes
from tests.portable.engine import bits, literal, page_of


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


def test_numbers_read_off_a_path():
    times, losses = [0.0, 1.0, 100.0], [0.7, 0.4, 0.1]
    assert portable_sizes.value_at(10.0, times, losses) == pytest.approx(0.2)
    assert np.isnan(portable_sizes.value_at(0.5, times, losses))
    assert np.isnan(portable_sizes.value_at(101.0, times, losses))
    assert portable_sizes.time_of(0.2, times, losses) == pytest.approx(10)
    assert np.isnan(portable_sizes.time_of(0.05, times, losses))
    assert [portable_sizes.size(i) for i in range(8)] == [4, 6, 8, 12, 16, 24, 32, 48]


def test_no_index_and_no_divisor_is_out_of_range_and_the_page_has_the_same_bits():
    page, settings = page_of(portable, portable_sizes, checked=True), portable_sizes.Settings(D=8, lr=0.35, level=0.045)
    page.do('const P = portable["lib.theory.group_sparse.portable"];')
    times = [0.0, 1.5, 30.5, 1000.5]
    here = [*portable.path(portable.law_of(5, 0.75), times, 1e-3), portable.largest_rate(6)]
    assert bits(page.run(f"[...P.path(P.law_of(5, 0.75), {literal(times)}, 1e-3), P.largest_rate(6)]")) == bits(here)
    state = portable_sizes.start(settings, 0)
    portable_sizes.step(state)
    page.do('const Z = portable["lib.theory.group_sparse.portable_sizes"];')
    page.do(f"const settings = {literal(settings)}, z = Z.start(settings, 0); Z.step(z);")
    here = [portable_sizes.read(state), portable_sizes.over_time(settings), portable_sizes.over_sizes(settings)]
    assert bits(page.run("[Z.read(z), Z.over_time(settings), Z.over_sizes(settings)]")) == bits(here)
