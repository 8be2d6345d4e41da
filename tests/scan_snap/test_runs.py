"""The chapter's standard runs: those that diverge or would take hours, and bad input."""

import sys

import numpy as np
import pytest

from hal.chapters.scan_snap import runs
from lib.errors import DivergedError
from lib.models import scan_snap as ss
from tests.refusals import refused

ALIKE = np.full((2, 3), 1 / 3)  # laws of two classes
WILD = runs.rates(1e308, 1e308)


@pytest.mark.parametrize("run", [lambda: runs.syn_small([0, 1], WILD), lambda: runs.memory(WILD)])
def test_a_run_that_diverged_has_no_numbers(run):
    with pytest.raises(DivergedError, match="run 0 at step"):
        run()


def test_a_flow_that_would_take_hours_says_why(monkeypatch):
    monkeypatch.setattr(sys.modules[runs.flow.__module__], "_MOST", 50)
    with pytest.raises(DivergedError, match=r"flow: not at time 1000, but at .*: 50 evaluations"):
        runs.flow(ss.base_task(L=None), 1e-3, 1e3, [1000.0])


test_bad_input_is_refused = refused(
    [
        (lambda: runs.learn(ss.base_task(), [0, 1], runs.rates(1.0, [1.0, 2.0, 3.0])), r"lr: .*a run \(2\), got 3"),
        (lambda: runs.rates(np.nan), "lr_Y: .*finite"),
        (lambda: runs.rates(1.0, -1.0), "lr_Z: .*at least 0"),
        (lambda: runs.learn(ss.base_task(), []), "seeds"),
        (lambda: runs.flow(ss.base_task(), 0.0, 1.0, [1.0]), "lr_Y: .*positive"),
        (lambda: runs.flow(ss.base_task(), 1.0, 1.0, [2.0, 1.0]), "times: .*increasing"),
        (lambda: runs.learn_replaced(ss.base_task(), []), "seeds: .*at least one"),
        (lambda: runs.learn_replaced(ss.Task(ALIKE, np.zeros(2, dtype=int), 4), steps=1), "task: .*indep"),
        (lambda: runs.common_logits(1.0, 1.0), r"rho: .*\(0, 1\)"),
        (lambda: runs.syn_small([0], task=ss.base_task(K=3)), "task: .*2 queries"),
        (lambda: runs.memory(decay=-1.0), "decay: .*>= 0"),
    ]
)
