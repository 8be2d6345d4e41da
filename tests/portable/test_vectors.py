"""Sums and copies over arrays: what they give, and the same in the page."""

import math

from lib.portable import vectors
from tests.portable.engine import bits, page_of


def test_things_are_counted_from_one():
    assert vectors.numbered(4) == [1.0, 2.0, 3.0, 4.0]
    assert vectors.numbered(0) == []
    assert bits(page_of(vectors).call("lib.portable.vectors", "numbered", 4)) == bits(vectors.numbered(4))


def test_arrays_of_their_own():
    page, values = page_of(vectors, checked=True), [1.5, -0.0, 3e300]
    assert vectors.filled(3, 0.25) == [0.25] * 3
    assert vectors.filled(0, 0.25) == []
    assert vectors.scaled(values, 2.0) == [3.0, -0.0, 6e300]
    assert values == [1.5, -0.0, 3e300]
    for name, *arguments in (("filled", 3, 0.25), ("scaled", values, -2.0)):
        assert bits(page.call(vectors.__name__, name, *arguments)) == bits(getattr(vectors, name)(*arguments))


def test_parts_columns_and_places():
    assert bits(vectors.part([1.0, 2.0, 3.0, 4.0], 1, 2)) == bits([2.0, 3.0])
    assert bits(vectors.column_of([[1.0, 2.0], [3.0, 4.0]], 1)) == bits([2.0, 4.0])
    values = [2.0, 5.0, -1.0, 5.0, math.nan, -1.0]
    assert (vectors.argmax(values), vectors.argmin(values)) == (1, 2)
    assert (vectors.argmax([math.nan, 1.0]), vectors.argmin([math.nan, 1.0])) == (0, 0)
