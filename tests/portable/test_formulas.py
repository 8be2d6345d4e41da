"""Chances, quadrature, records, formulas over arrays: the numbers of SciPy and NumPy, and the same bits in the page."""

import math

import numpy as np
import pytest
from scipy.stats import binomtest, norm

from hal.chapters.scb.models import textbook_measures
from lib.errors import InputError, require
from lib.portable import chances, lift, optimisers, quadrature, small, vectors
from lib.portable.primitives import Matrix, Readings, Vector, Wholes, recorded
from lib.portable.records import even_steps, log_steps, reached
from tests.portable.engine import bits, page_of

MODULES = (chances, quadrature, small, textbook_measures, vectors)
PAGES = {module: page_of(module, checked=module is vectors) for module in MODULES}


def in_both(module, name, *arguments):
    """What a function gives here, and to the last bit in the page."""
    here = getattr(module, name)(*arguments)
    assert bits(PAGES[module].call(module.__name__, name, *arguments)) == bits(here)
    return here


def test_normal_distribution_function():
    x = np.r_[np.linspace(-12, 12, 4001), 0.0, np.inf, -np.inf, 1e-300]
    np.testing.assert_allclose([chances.normal_cdf(float(v)) for v in x], norm.cdf(x), rtol=0, atol=2e-15)
    assert np.isnan(chances.normal_cdf(np.nan))
    for value in [-8.4, -7.5, 8.4, *np.random.default_rng(1).uniform(-9, 9, 300).tolist()]:
        in_both(chances, "normal_cdf", value)
    assert chances.normal_cdf(-6.0) == pytest.approx(norm.cdf(-6.0), rel=1e-6)


@pytest.mark.parametrize(("name", "theirs"), [("log1p", math.log1p), ("expm1", math.expm1)])
def test_all_digits_where_x_is_small(name, theirs):
    small_ones = [sign * m * 10.0**-k for k in range(0, 325, 3) for m in (1.0, 2.718, 7.07) for sign in (-1, 1)]
    for x in [*(x for x in small_ones if x > -1.0), 0.0, -0.0, 5e-324, 2.0**-53, -(2.0**-53), 3.0, 300.0]:
        assert in_both(small, name, x) == pytest.approx(theirs(x), rel=1e-15, abs=0), x
    for x in (math.nan, math.inf, -math.inf, -1.0, -2.0, 1e308):
        in_both(small, name, x)
    assert (small.log1p(-1.0), small.log1p(math.inf), small.expm1(-math.inf), small.expm1(1e308)) == (
        -math.inf, math.inf, -1.0, math.inf,
    )  # fmt: skip
    assert math.isnan(small.log1p(-2.0))
    assert math.isnan(small.expm1(math.nan))


def test_share_interval_is_wilson_s():
    assert textbook_measures.share_interval(0.0, 0.0) == (0.0, 1.0)
    for trials in (1, 2, 7, 64, 1000):
        for count in {0, 1, trials // 3, trials - 1, trials}:
            wanted = binomtest(count, trials).proportion_ci(method="wilson")
            found = in_both(textbook_measures, "share_interval", float(count), float(trials))
            assert found == pytest.approx((wanted.low, wanted.high), abs=1e-12)


@pytest.mark.parametrize("n", [1, 2, 3, 8, 16, 24, 33, 40])
def test_places_and_weights(n):
    x, w = np.polynomial.legendre.leggauss(n)
    places = in_both(quadrature, "gauss_places", n)
    np.testing.assert_allclose(places, (x + 1) / 2, atol=1e-14)
    np.testing.assert_allclose(in_both(quadrature, "gauss_weights", places), w / 2, atol=1e-13)


def test_arrays_and_their_places():
    values = [1.5, -0.0, 3e300]
    assert in_both(vectors, "numbered", 4) == [1.0, 2.0, 3.0, 4.0]
    assert in_both(vectors, "filled", 3, 0.25) == [0.25] * 3
    assert in_both(vectors, "scaled", values, 2.0) == [3.0, -0.0, 6e300]
    assert values == [1.5, -0.0, 3e300]
    assert vectors.part([1.0, 2.0, 3.0, 4.0], 1, 2) == [2.0, 3.0]
    values = [2.0, 5.0, -1.0, 5.0, math.nan, -1.0]
    assert (vectors.argmax(values), vectors.argmin(values)) == (1, 2)
    assert (vectors.argmax([math.nan, 1.0]), vectors.argmin([math.nan, 1.0])) == (0, 0)


def test_adam_leaves_an_entry_alone_that_never_had_a_gradient():
    x, memory = [1.0, 2.0], optimisers.adam_memory(2)
    optimisers.adam(x, memory, [0.0, 1.0], 0.1, 0.9, 0.999, 0.0)
    assert x[0] == 1.0
    assert x[1] == pytest.approx(1.9)


@pytest.mark.parametrize(("steps", "parts"), [(0, 3), (2, 3), (10, 4), (100, 48), (48, 48), (7, 1)])
def test_even_steps_are_every_so_many_th_part_rounded_up(steps, parts):
    np.testing.assert_array_equal(even_steps(steps, parts), np.ceil(np.arange(parts + 1) * steps / parts))


@pytest.mark.parametrize("parts", [1, 2, 5, 48])
@pytest.mark.parametrize("steps", [0, 1, 2, 3, 20, 47, 48, 49, 60, 1000, 123_457, 10**9])
def test_log_steps_are_different_and_grow_evenly_in_the_logarithm(steps, parts):
    due = np.array(log_steps(steps, parts))
    assert len(due) == min(steps, parts) + 1
    assert (due[0], due[-1]) == (0, steps)
    assert np.all(due == np.floor(due))
    assert np.all(np.diff(due) >= 1)
    even = steps ** (np.arange(1, len(due)) / parts)
    free = np.diff(due) > 1  # others come right after the one before
    np.testing.assert_allclose(due[1:][free], even[free], rtol=0, atol=0.5 + 1e-6)


@pytest.mark.parametrize("spread", [even_steps, log_steps])
def test_what_has_no_parts_is_refused(spread):
    with pytest.raises(InputError, match="parts: expected at least 1, got 0"):
        spread(3, 0)
    with pytest.raises(InputError, match="steps: expected at least 0, got -1"):
        spread(-1, 2)


def test_when_a_level_is_reached():
    assert reached([0.0, 1.0, 2.0, 3.0], [0.0, -0.05, -0.3, 0.0], 0.1) == pytest.approx(1.2)
    assert math.isnan(reached([0.0, 1.0], [0.0, 0.05], 0.1))


@pytest.mark.parametrize(
    ("kind", "key", "message"),
    [(Vector, "a", "numbers, got None"), (Wholes, "b", r"whole numbers, got 1\.5"), (Matrix, "b", "rows of numbers b"),
     (Vector, "c", "numbers, got nan"), (Vector, "d", "a file with numbers d"), (Vector, "b.x", "with numbers b.x")],
)  # fmt: skip
def test_what_was_not_recorded_so_is_refused(tmp_path, kind, key, message):
    file = tmp_path / "a.json"
    file.write_text('{"a": [1, null], "b": [1.5], "c": [NaN], "d": 3}')
    with pytest.raises(InputError, match=message):
        recorded(kind, str(file), key)


def power(x: float, n: int) -> float:
    require(n >= 0, "n", "at least 0", n)
    result = 1.0
    for _ in range(n):
        result *= x
    return result


def both(x: float, y: float) -> tuple[float, float]:
    return x + y, x - y


def scaled(values: Vector, factor: float) -> Vector:
    return [factor * v for v in values]


def rows(table: Matrix, factor: float) -> Readings:
    return {"first": [factor * v for v in table[0]], "sum": [sum(map(sum, table))]}


def test_entries_are_the_formula_s():
    x, n = np.linspace(-2, 2, 5)[:, None], np.arange(4)
    np.testing.assert_array_equal(lift(power)(x, n), x**n)
    single = lift(power)(1.5, 3)
    assert (single, type(single)) == (3.375, np.float64)


def test_arguments_go_by_name_and_may_have_defaults():
    of = lift(both, y=1.0)
    np.testing.assert_array_equal(of([1, 2])[0], [2.0, 3.0])
    assert of(y=2, x=5) == (7.0, 3.0)
    assert lift(power, x=2.0)(n=3) == 8.0


def test_vectors_and_matrices_take_the_last_axes():
    values = np.arange(12.0).reshape(2, 2, 3)
    np.testing.assert_array_equal(lift(scaled)(values, [[1.0], [2.0]]), values * np.array([[1, 1], [2, 2]])[..., None])
    found = lift(rows)(np.ones((3, 2, 4)), [1.0, 2.0, 3.0])
    np.testing.assert_array_equal(found["first"], [[1.0] * 4, [2.0] * 4, [3.0] * 4])
    np.testing.assert_array_equal(found["sum"], [[8.0]] * 3)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: lift(power)("two", 1), "x: expected numbers, got 'two'"),
        (lambda: lift(power)(2.0, 1.5), r"n: expected whole numbers, got 1\.5"),
        (lambda: lift(power)(2.0, [1, -1]), "n: expected at least 0, got -1"),
        (lambda: lift(power)(np.ones(2), np.ones(3)), r"arguments: expected shapes that go together, got x \(2,\)"),
        (lambda: lift(scaled)(1.0, 2.0), r"values: expected an array with at least 1 axes, got shape \(\)"),
        (lambda: lift(power, positive=("x",))([1.0, 0.0], 1), "x: expected finite values > 0"),
        (lambda: lift(power, positive=("x",))(np.inf, 1), "x: expected finite values > 0, got inf"),
        (lambda: lift(power, z=1.0), "defaults, positive: expected arguments among x, n, got z"),
        (lambda: lift(power)(np.ones(0), 1), "arguments: expected arrays that are not empty"),
    ],
)
def test_what_does_not_fit_is_refused_by_name(call, message):
    with pytest.raises(InputError, match=message):
        call()
