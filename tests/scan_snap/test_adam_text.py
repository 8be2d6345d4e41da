"""Where Adam makes "the" look: the windows, runs that have not learned, and the record."""

import numpy as np
import pytest

from hal.chapters.scan_snap.runs import adam_text, corpora
from lib.errors import InputError
from tests.scan_snap.computed import recorded_words


def test_windows_are_what_stands_in_the_text():
    corpus, given = corpora.load("kjv", adam_text.VOCABULARY), adam_text.windows()
    text, words = list(corpus.train), corpus.words
    nexts = [words.index(word) for word in given.nexts]
    places = [i for i in range(31, len(text) - 1) if words[text[i]] == "the" and text[i + 1] in nexts]
    held = set(np.linspace(0, len(places) - 1, adam_text.HELD).astype(int))
    for batch, wanted in ((given.held, held), (given.drawn, set(range(len(places))) - held)):
        assert batch.counts.shape[1] == len(wanted)
        for row in (0, 17, len(wanted) - 1):
            at = places[sorted(wanted)[row]]
            before = [word for word in text[at - 31 : at] if word]
            assert nexts[batch.label[0, row]] == text[at + 1]
            np.testing.assert_array_equal(batch.counts[0, row], np.bincount(before, minlength=401)[1:])
    assert (np.diff(np.bincount(given.drawn.label[0])) < 40).all()  # the most frequent first, but for those held out


def test_a_run_that_has_not_learned_is_no_number():
    steps, Z, lost = adam_text.attended("both", 0.1, [0], steps=2)
    assert np.isnan(steps).all()
    assert np.isnan(Z).all()
    assert not lost.any()


def test_a_piece_of_the_record_is_remade():
    again, kept = adam_text.cell("both", 0.1), recorded_words()["both", 0.1]
    np.testing.assert_allclose(np.array(again["steps"], float), kept["steps"], atol=3)
    np.testing.assert_allclose(again["logits"], kept["logits"], atol=0.03)


def test_an_unknown_layer_is_refused():
    with pytest.raises(InputError, match=r"who: .*both, decoder, attention, none"):
        adam_text.attended("query", 0.1, [0])
