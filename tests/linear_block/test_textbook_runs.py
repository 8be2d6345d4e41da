"""The textbook of a single figure: one step trained twice."""

import itertools

import numpy as np
import pytest

from hal.chapters.linear_block.models import descent as textbook_descent
from lib.models import linear_block as lb
from lib.portable import finish, run
from lib.theory import linear_block as theory


@pytest.mark.parametrize("steps", [1, 5, 60, 61, 200, 4000])
def test_records_rise_to_the_end(steps):
    due = textbook_descent.record_steps(steps)
    assert (due[0], due[-1]) == (0, steps)
    assert all(a < b and b == int(b) for a, b in itertools.pairwise(due))
    assert len(due) <= textbook_descent.RECORDS + 1


def test_descent_is_gradient_descent_of_the_exact_risk():
    settings = textbook_descent.Settings(d=3, M=9, sigma=0.6, norm=2.0, decay=0.5, lr=0.05, batch=2, steps=60)
    own, task, u = finish(textbook_descent, settings, 0), lb.power_task(3, 9, 0.6, 2.0, 0.5), np.full(3, 3**-0.5)
    beta, Gamma, at = np.zeros(3), np.zeros((3, 3)), textbook_descent.record_steps(60)
    for step in range(61):
        if step in at:
            k = at.index(step)
            known = (float(theory.step_risk(task, beta, Gamma)), beta @ u, u @ Gamma @ u)
            np.testing.assert_allclose([own[name][k] for name in ("risk", "beta", "along")], known, atol=1e-12)
            np.testing.assert_allclose(own["across"][k], (np.trace(Gamma) - known[2]) / 2, atol=1e-12)
            np.testing.assert_allclose(own["cells"][12 * k : 12 * k + 12], [*beta, *Gamma.ravel()], atol=1e-12)
        slopes = theory.flow_slopes(task, beta, Gamma)
        beta, Gamma = beta + 0.05 * slopes[0], Gamma + 0.05 * slopes[1]


def test_drawn_prompts_that_blow_up_are_not_drawn_on():
    shown = run(textbook_descent, 0, lr=0.1, batch=2, steps=100)
    assert shown["drawn_lost"] == [1.0]
    assert np.isnan([shown["diverged_at"][0], shown["drawn_risk"][-1]]).all()
    assert np.isfinite(shown["risk"]).all()
    gone = run(textbook_descent, 0, lr=0.3, batch=2, steps=100)
    assert gone["diverged_at"][0] > 0
