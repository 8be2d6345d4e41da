"""When a run is looked at, what is read off its records, and numbers of a file."""

import math

import numpy as np
import pytest

from lib.errors import InputError
from lib.portable.primitives import Matrix, Vector, Wholes, recorded
from lib.portable.records import even_steps, log_steps, reached


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
