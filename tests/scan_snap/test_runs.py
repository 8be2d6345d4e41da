"""The chapter's standard runs: gradient flow against small steps, known trajectories, bad input."""

import sys

import numpy as np
import pytest

from hal.chapters.scan_snap.runs.joint_flow import flow
from hal.chapters.scan_snap.runs.learning import learn, rates
from lib import optim
from lib.errors import DivergedError, InputError
from lib.models import scan_snap as ss


def test_flow_is_the_limit_of_small_steps():
    task = ss.base_task(K=4, queries=2, L=None)
    continuous = flow(task, 0.5, 1.0, [0.0, 10.0, 40.0])
    gaps = []
    for dt in (0.04, 0.02):
        steps = round(40 / dt)
        small = learn(
            task,
            [0],
            rates(0.5 * dt, dt, optim.sgd),
            steps,
            record={"Z": lambda p: p.Z},
            record_at=[0, steps // 4, steps],
        )
        gaps.append(np.abs(small["Z"][0] - continuous.params.Z).max())
    assert gaps[0] < 0.01
    assert gaps[1] == pytest.approx(gaps[0] / 2, rel=0.1)  # first order in the step


def test_speed_of_the_flow_is_the_slope_of_its_path():
    task = ss.base_task(L=None)
    run = flow(task, 1.0, 1.0, [9.999, 10.0, 10.001])
    np.testing.assert_allclose((run.params.Z[2] - run.params.Z[0]) / 0.002, run.speed[1], atol=1e-5)


def test_population_run_of_syn_small_with_momentum():
    """Against a second implementation, notes of the chapter: common and top distinct logit at six steps."""
    run = learn(
        ss.base_task(L=None),
        [0],
        steps=100,
        record={"z": lambda p: p.Z[:, 0, [0, 19]]},
        record_at=[0, 4, 6, 8, 10, 20, 100],
    )
    expected = [
        (-0.006, 0.016),
        (-0.037, 0.096),
        (-0.087, 0.224),
        (-0.138, 0.357),
        (-0.298, 0.775),
        (-0.388, 1.005),
    ]
    np.testing.assert_allclose(run["z"][0, 1:], expected, atol=6e-4)


def test_equal_seeds_see_equal_samples_and_starts():
    runs = learn(ss.base_task(), [3, 3, 4], steps=3, random=True)
    np.testing.assert_array_equal(runs["loss"][0], runs["loss"][1])
    assert runs["loss"][0, 0] != runs["loss"][2, 0]


def test_a_flow_that_would_take_hours_says_why(monkeypatch):
    monkeypatch.setattr(sys.modules[flow.__module__], "_MOST", 50)
    with pytest.raises(DivergedError, match=r"flow: not at time 1000, but at .*: 50 evaluations"):
        flow(ss.base_task(L=None), 1e-3, 1e3, [1000.0])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: learn(ss.base_task(), [0, 1], rates(1.0, [1.0, 2.0, 3.0])), r"lr: .*one value a run \(2\), got 3"),
        (lambda: rates(np.nan), "lr_Y: .*finite"),
        (lambda: rates(1.0, -1.0), "lr_Z: .*at least 0"),
        (lambda: learn(ss.base_task(), []), "seeds"),
        (lambda: flow(ss.base_task(), 0.0, 1.0, [1.0]), "lr_Y: .*positive"),
        (lambda: flow(ss.base_task(), 1.0, 1.0, [2.0, 1.0]), "times: .*increasing"),
    ],
)
def test_bad_input_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
