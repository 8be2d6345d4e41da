"""exp, log and the primitives: against the C library, and the same bits in the page."""

import math

import numpy as np
import pytest

from lib.errors import InputError
from lib.portable import numbers, primitives
from lib.portable.numbers import exp, log
from tests.portable.engine import bits, page_from, page_of, python_of

SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.5, 1e-300, 5e-324, 2.2250738585072014e-308, 1.7976931348623157e308]
SPECIAL += [math.inf, -math.inf, math.nan, 709.782712893384, 709.79, -708.5, -745.13, -745.14, -744.9, 1e-20]
SPECIAL += [math.sqrt(2), math.sqrt(0.5), 1 - 2**-53, 1 + 2**-52]


def exponents():
    rng = np.random.default_rng(1)
    return [*SPECIAL, *rng.uniform(-746, 710, 4000).tolist(), *rng.normal(size=2000).tolist()]


def positives():
    rng = np.random.default_rng(2)
    return [*map(abs, SPECIAL), *np.exp(rng.uniform(-744, 709, 4000)).tolist(), *rng.uniform(0, 3, 2000).tolist()]


@pytest.mark.parametrize(("ours", "theirs", "values"), [(exp, math.exp, exponents()), (log, math.log, positives())])
def test_within_one_unit_of_the_c_library(ours, theirs, values):
    for x in values:
        try:
            wanted = theirs(x)
        except OverflowError:
            wanted = math.inf
        except ValueError:
            wanted = -math.inf
        if math.isfinite(wanted):
            assert abs(ours(x) - wanted) <= math.ulp(wanted), x
        else:
            assert bits(ours(x)) == bits(wanted), x


def test_exact_where_the_answer_is():
    assert (exp(0.0), exp(-0.0), log(1.0), exp(-math.inf)) == (1.0, 1.0, 0.0, 0.0)
    assert math.isnan(log(-1.0))
    assert [0.0, *(2.0**k for k in range(-1074, 1024))] == numbers.POWERS_OF_TWO


def test_same_bits_in_the_page():
    page = page_of(numbers)
    for name, values in (("exp", exponents()), ("log", positives())):
        page.do(f'values = x => Float64Array.from(x, portable["lib.portable.numbers"].{name})')
        text = ", ".join("NaN" if x != x else repr(x).replace("inf", "Infinity") for x in values)
        assert bits(page.run(f"values([{text}])")) == bits([getattr(numbers, name)(x) for x in values])


CALLS = """
from lib.portable.primitives import Vector, Wholes, copy, divide, first, floor, floored, inf, nan
from lib.portable.primitives import remainder, single, sqrt, whole_zeros, zeros

def divided(a: Vector, b: Vector) -> Vector:
    out = zeros(len(a) * len(b))
    for i in range(len(a)):
        for j in range(len(b)):
            out[i * len(b) + j] = divide(a[i], b[j])
    return out

def shortened(a: Vector) -> tuple[Vector, Vector]:
    out, roots = copy(a), copy(a)
    for i in range(len(a)):
        out[i] = single(a[i])
        roots[i] = sqrt(a[i])
    return out, roots

def floats(a: Vector) -> tuple[Vector, Vector]:
    out, whole = copy(a), copy(a)
    for i in range(len(a)):
        out[i] = floored(a[i])
        whole[i] = float(floor(a[i]))
    return out, whole

def left(a: Wholes, b: Wholes) -> Wholes:
    out = whole_zeros(len(a))
    for i in range(len(a)):
        out[i] = remainder(a[i], b[i])
    return out

def ends(a: Vector) -> tuple[Vector, Vector]:
    return first(a, 2), [inf, -inf, nan]
"""


def singles():
    """Random numbers of all sizes, halfway between two single numbers and next to that, and the ends of the range."""
    rng = np.random.default_rng(3)
    some = np.exp(rng.uniform(-110, 88, 2000)) * rng.choice([-1, 1], 2000)
    near = some[:500].astype(np.float32)
    half = (near.astype(float) + np.nextafter(near, np.float32(np.inf)).astype(float)) / 2
    most = float(np.finfo(np.float32).max)
    ends = [most, most + 2.0**102, most + 2.0**103, np.nextafter(most + 2.0**103, 0), 2.0**-150, 1.5 * 2.0**-150]
    both = [*half, *np.nextafter(half, np.inf), *np.nextafter(half, -np.inf)]
    return [*SPECIAL, *map(float, [*some, *both, *ends]), *(-float(x) for x in ends)]


def fractions():
    """Random numbers of all sizes below 2**53, whole ones and what is next to them, and special ones."""
    rng = np.random.default_rng(4)
    whole = rng.integers(-1000, 1000, 300).astype(float)
    some = np.exp(rng.uniform(-700, 36, 1000)) * rng.choice([-1, 1], 1000)
    both = [*SPECIAL, *map(float, [*some, *whole, *np.nextafter(whole, np.inf), *np.nextafter(whole, -np.inf)])]
    return [x for x in both if abs(x) < 2**53]


def test_floored_and_single_are_numpy_s_floor_and_float32():
    with np.errstate(over="ignore"):
        wanted = [float(np.float32(x)) for x in singles()]
    assert bits([primitives.single(x) for x in singles()]) == bits(wanted)
    assert bits([primitives.floored(x) for x in fractions()]) == bits(np.floor(fractions()).tolist())


def test_primitives_do_the_same_in_both_languages():
    written = python_of(CALLS)
    for checked in (False, True):
        page = page_from(CALLS, checked)
        for name, arguments in {
            "divided": (SPECIAL, SPECIAL),
            "shortened": (singles(),),
            "floats": (fractions(),),
            "left": ([0, 7, 8, 2**31 - 1], [3, 4, 4, 1000]),
            "ends": ([1.0, 2.0, 3.0],),
        }.items():
            assert bits(page.call("written.here", name, *arguments)) == bits(getattr(written, name)(*arguments)), name


def test_remainder_refuses_what_differs():
    with pytest.raises(InputError, match="a: expected a whole number of at least 0"):
        primitives.remainder(-1, 3)
    with pytest.raises(InputError, match="b: expected a whole number of at least 1"):
        primitives.remainder(1, 0)
