"""Where Adam makes "the" look: the windows, runs that have not learned, and the record."""

import numpy as np

from hal.chapters.scan_snap.runs import adam_text
from tests.scan_snap.computed import recorded_words


def test_a_run_that_has_not_learned_is_no_number():
    steps, Z, lost = adam_text.attended("both", 0.1, [0], steps=2)
    assert np.isnan(steps).all()
    assert np.isnan(Z).all()
    assert not lost.any()


def test_a_piece_of_the_record_is_remade():
    again, kept = adam_text.cell("both", 0.1), recorded_words()["both", 0.1]
    np.testing.assert_allclose(np.array(again["steps"], float), kept["steps"], atol=3)
    np.testing.assert_allclose(again["logits"], kept["logits"], atol=0.03)
