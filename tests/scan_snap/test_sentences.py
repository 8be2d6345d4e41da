"""What the chapter's figures say at random positions of all their sliders; `rows` knows what must be true of it."""

import numpy as np
import pytest

from hal.chapters.scan_snap.figures import snap
from hal.chapters.scan_snap.runs.dynamics import flow
from hal.explorer import Computed
from hal.explorer.sentences import say
from lib.models import scan_snap as ss
from tests.rows import said
from tests.scan_snap.computed import anywhere


def test_the_earliest_peak_of_the_reference_is_told_as_a_bound():
    corner = Computed(snap).compute({"M": 20, "K": 2, "lr_Y": 20.0, "lr_Z": 20.0, "common": 60}, runs=1)
    assert "The reference is fastest by step 0.32." in say(Computed(snap).reading, corner.facts)
    assert corner.facts["peak"] > 0.32  # the joint flow never is that early: this is its earliest corner


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_attention_is_fastest_when_the_whole_model_s_is(seed):
    """At twelve records a decade and to two digits; the model's at sixty."""
    rng, figure = np.random.default_rng(seed), Computed(snap)
    point = anywhere(figure, rng, K=int(rng.integers(2, 5)), common=int(rng.integers(1, 60)), lr_Z=1.0)
    text = say(figure.reading, figure.compute(point, runs=1).facts)
    task = ss.base_task(point["K"], point["common"], 10, "shared" if point["shared"] else "own", point["M"], None)
    t = np.geomspace(0.3, 1e5, 331)
    speed = np.linalg.norm(flow(task, point["lr_Y"], 1.0, t, tolerance=1e-6).speed[:, 0], axis=-1)
    assert said(text, "The joint flow is fastest near step") == pytest.approx(t[speed.argmax()], rel=0.08)
