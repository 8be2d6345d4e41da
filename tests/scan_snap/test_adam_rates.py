"""Whom Adam selects: what is read of a layer, and the record is whole and goes on."""

import json

import numpy as np
import pytest

from hal.chapters.scan_snap.records import adam_rates as recorder
from hal.chapters.scan_snap.runs import adam_rates
from lib.errors import InputError
from lib.models import scan_snap as ss


@pytest.fixture(scope="module")
def record():
    return adam_rates.recorded_selections()


def test_what_is_read_of_logits():
    task = ss.base_task()
    Z = np.zeros((2, 2, task.C))
    Z[1, :, 15] = np.log(5)  # the sixth of the first class's ten tokens, with 0.6 of the most frequent one's weight
    lead, winner, entropy, common = adam_rates.read(Z, task)
    np.testing.assert_allclose(lead, [1 / 5.5, 1 / (5.5 + 4 * 0.6)])
    np.testing.assert_array_equal(winner, [9, 5])
    np.testing.assert_allclose(common[0], 10 / 15.5)
    assert entropy[1] < entropy[0] == pytest.approx(2.151, abs=1e-3)


def test_runs_are_long_enough_and_an_unlearned_one_is_no_number(monkeypatch):
    found = adam_rates.selections("both", 0.32, [0, 1])
    assert (found["steps"] + adam_rates.LATER <= adam_rates.steps_of("both", 0.32)).all()
    monkeypatch.setattr(adam_rates, "steps_of", lambda who, rate: 101)
    short = adam_rates.selections("decoder", 0.018, [0])
    assert np.isnan(short["steps"]).all()
    assert np.isnan(short["at"]).all()


def test_the_record_is_whole_and_says_how_it_was_made(record):
    at, steps, plain, lost = record
    assert at.shape == (3, len(adam_rates.RATES), 2, len(adam_rates.READ), len(adam_rates.SEEDS))
    assert steps.shape == at.shape[:2] + at.shape[-1:]
    assert plain.shape == at.shape[2:]
    assert at.shape[-1] >= 16
    assert lost == 0
    assert json.loads(adam_rates.RECORD.read_text())["provenance"]["command"] == adam_rates.COMMAND


def test_the_record_goes_on_where_it_was(tmp_path, monkeypatch):
    path, seen = tmp_path / "adam_rates.json", []

    def interrupted(who, rate):
        seen.append((who, rate))
        if len(seen) == 3:
            raise KeyboardInterrupt
        return {"steps": [3], "at": [[[rate]] * 4] * 2, "lost": 0}

    monkeypatch.setattr(recorder, "cell", interrupted)
    with pytest.raises(KeyboardInterrupt):
        recorder.record(path)
    with pytest.raises(InputError, match=r"path: expected a whole record \(`.*` goes on with it\)"):
        adam_rates.recorded_selections(path)
    assert recorder.record(path) == f"{len(adam_rates.GRID)} settings"
    assert len(seen) == len(adam_rates.GRID) + 1
    np.testing.assert_array_equal(adam_rates.recorded_selections(path)[0][1, :, 0, 0, 0], adam_rates.RATES)


def test_refusals():
    with pytest.raises(InputError, match=r"who: .*both, decoder, attention, none"):
        adam_rates.selections("query", 0.1, [0])
