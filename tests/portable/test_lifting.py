"""Portable formulas over arrays: every entry is the formula's, shapes go together, what cannot is refused by name."""

import numpy as np
import pytest

from lib.errors import InputError, require
from lib.portable import lift
from lib.portable.primitives import Matrix, Readings, Vector


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
