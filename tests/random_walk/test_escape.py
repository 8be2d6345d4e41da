"""The recorded escapes: a piece is remade, the record goes on bit for bit, and law, fit and figure hold."""

import numpy as np
import pytest

from hal.chapters.random_walk.figures import edge
from hal.chapters.random_walk.runs import escape
from hal.chapters.random_walk.theory.escape import escape_clock, escape_depth, escape_step
from lib.errors import InputError
from lib.theory import random_walk as theory


@pytest.fixture(scope="module")
def record():
    return escape.recorded_escapes()


@pytest.mark.parametrize("setting", [escape.Setting(8, 33, 1e-2, "in order"), escape.Setting(4, 33, 1e-6, "in order")])
def test_a_piece_is_remade(record, setting):
    again, kept = escape.escapes(setting), record[setting]
    assert (again["steps"], again["lost"]) == (kept["steps"], kept["lost"])
    for name in ("moved", "right"):
        found, known = (np.array(one[name], float) for one in (again, kept))
        np.testing.assert_allclose(found, known, atol=2)


def test_the_clock_adds_up_the_growth_and_forgets_the_circle_in_the_end():
    f = theory.even_output(6, 50, 10.0)
    added = np.log([theory.growth(6, 97, 1000, 10.0, x, unit_length=True) for x in f[:-1]]).sum()
    assert escape_clock(6, 97, 1000, 10.0, 50, 0.1)[-1] == pytest.approx(added)
    for K in (4, 8):
        late = escape_clock(K, 33, 1000, 10.0, 20_000, 0.1)[-1]
        assert late == pytest.approx(np.sqrt(2 * 10.0 * 20_000 / 32), rel=0.05)
    assert escape_depth(6, 97, 1e-4) == pytest.approx(np.log(np.sqrt(32 / 5) * 1e4))
    assert np.isnan(escape_step(6, 97, 1000, 10.0, 1e-9, 100, 0.1))
    step, depth = escape_step(6, 97, 1000, 10.0, 0.5, 50, 0.1), escape_depth(6, 97, 0.5)
    grown = np.log([theory.growth(6, 97, 1000, 10.0, x, unit_length=True) for x in f[:50]])
    assert grown[: int(step)].sum() + step % 1 * grown[int(step)] == pytest.approx(depth)
    assert escape_step(6, 7, 1000, 10.0, 2.0, 10, 0.1) == 0.0
    for call, message in (
        (lambda: escape_depth(6, 98, 0.1), "N: expected a multiple of K, plus 1, got 98"),
        (lambda: escape_depth(6, 97, 0.0), "sigma: expected a number above 0, got 0"),
    ):
        with pytest.raises(InputError, match=message):
            call()


def test_the_figure_shows_every_recorded_setting(record):
    points = edge.panels()[-1].recorded
    known = [one for one in escape.SWEPT if any(step is not None for step in record[one]["moved"])]
    assert len(points) == len(known)
    for point, one in zip(points, known, strict=True):
        assert (edge.settings(1, 1e-9, **point.settings, lr=1.0).K, point.x) == (one.K, escape.told(one))
        assert point.y == pytest.approx(np.mean([step for step in record[one]["moved"] if step is not None]))
