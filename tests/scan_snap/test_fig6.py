"""Figure 6 of Scan and Snap, beside claim SNAP-21: cells agree, the record is current, streams end, bad input."""

import json

import numpy as np
import pytest

from hal.chapters.scan_snap import runs
from hal.chapters.scan_snap.records import figure6 as record
from hal.chapters.scan_snap.runs.figure6 import recall
from hal.results import path_of
from lib.errors import InputError
from lib.models import scan_snap as ss
from lib.train import train
from tests.refusals import refused

RECORD = path_of("scan_snap", "figure6")


@pytest.fixture(scope="module")
def recorded():
    return json.loads(RECORD.read_text())


def test_the_record_has_the_whole_table_and_says_where_it_comes_from(recorded):
    mean, std = runs.published_figure6()
    assert mean.shape == std.shape == (4, 4, 4)
    np.testing.assert_array_equal(recorded["published"]["mean"], mean)
    np.testing.assert_array_equal(np.round(recorded["replay"]["mean"], 3), mean)
    np.testing.assert_array_equal(np.round(recorded["replay"]["std"], 3), std)
    assert recorded["provenance"]["command"] == record.COMMAND
    assert RECORD.stat().st_size < 40_000


def test_a_cell_of_ours_is_as_recorded_whatever_its_company(recorded):
    alone = runs.own_figure6([3], [3.0], [2], points=2)
    both = runs.own_figure6([3], [0.5, 3.0], [2], seeds=[1, 2], points=2)
    np.testing.assert_array_equal(both.entropy[0, 1, 0], alone.entropy[0, 0, 0, :2])
    assert recorded["own"]["mean"][1][3][1] == pytest.approx(alone.mean[0, 0, 0], abs=2e-5)
    assert recorded["own"]["std"][1][3][1] == pytest.approx(alone.std[0, 0, 0], abs=2e-5)


def test_a_run_that_diverges_is_not_a_number():
    figure = runs.own_figure6([1], [0.5, 1e200], [1], seeds=[1], points=2)
    assert np.isfinite(figure.entropy[0, 0]).all()
    assert np.isnan(figure.entropy[0, 1]).all()
    assert np.isnan(figure.recall[0, 1]).all()


test_bad_input_is_refused = refused(
    [
        (lambda: runs.medium_task(0), "queries: .*at least 1, got 0"),
        (lambda: runs.own_figure6(queries=[2]), "queries: .*1, 3, 5, 10.*got 2"),
        (lambda: runs.own_figure6(seeds=[]), "seeds: .*at least one"),
        (lambda: runs.replayed_figure6(points=1), "points: .*at least 2"),
        (lambda: runs.replayed_figure6([1], seeds=[-1]), "seed: .*>= 0, got -1"),
        (lambda: runs.draw_stream(ss.base_task(L=None), 1), "task: .*finite length"),
        (lambda: runs.draw_stream(ss.base_task(), 1, steps=0), "steps: .*>= 1"),
        (lambda: runs.replayed_losses("figure5"), "figure: .*figure4"),
        (lambda: recall(ss.zero_start(ss.base_task()), ss.base_task(), np.ones(1), np.zeros((1, 2, 3))), "others: "),
    ]
)


def test_a_stream_ends():
    task = runs.medium_task(1)
    replay = runs.Replay(task, runs.draw_stream(task, 2, steps=2, batch=4))
    for step in (1, 0, 1):  # a step has its samples, whatever was asked before
        np.testing.assert_array_equal(replay.sample(step=step).label, replay._stream.label[[step]])
    with pytest.raises(InputError, match=r"steps: .*at most the 2 steps"):
        replay.sample(step=2)
    with pytest.raises(InputError, match=r"batch: .*draws nothing"):
        train(replay, None, runs.rates(), 2, batch=5)
