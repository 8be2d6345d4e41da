"""Whom Adam selects: what is read of a layer, and the record is whole and goes on."""

import numpy as np
import pytest

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


def test_refusals():
    with pytest.raises(InputError, match=r"who: .*both, decoder, attention, none"):
        adam_rates.selections("query", 0.1, [0])
