"""Which words Adam attends to: the windows, what is read of logits, and the record."""

import numpy as np
import pytest

from hal.chapters.scan_snap.runs import adam_text, corpora
from lib.errors import InputError


@pytest.fixture(scope="module")
def given():
    return adam_text.windows("unto")


def test_windows_are_what_stands_in_the_text(given):
    text = list(corpora.load("kjv", adam_text.VOCABULARY).train)
    words = corpora.load("kjv", adam_text.VOCABULARY).words
    nexts = [words.index(word) for word in given.nexts]
    places = [i for i in range(31, len(text) - 1) if words[text[i]] == "unto" and text[i + 1] in nexts]
    held = set(np.linspace(0, len(places) - 1, adam_text.HELD).astype(int))
    for batch, wanted in ((given.held, held), (given.drawn, set(range(len(places))) - held)):
        assert batch.counts.shape[1] == len(wanted)
        for row in (0, 17, len(wanted) - 1):
            at = places[sorted(wanted)[row]]
            before = [word for word in text[at - 31 : at] if word]
            assert nexts[batch.label[0, row]] == text[at + 1]
            np.testing.assert_array_equal(batch.counts[0, row], np.bincount(before, minlength=401)[1:])
    assert given.p.sum() == pytest.approx(1)
    assert (np.diff(np.bincount(given.drawn.label[0])) < 40).all()  # the most frequent first, but for those held out


def test_what_a_word_says_is_nothing_where_next_words_are_dealt_out_anew(given, monkeypatch):
    assert np.sort(given.information)[-10:].min() > 0.1
    text = corpora.shuffled(corpora.load("kjv", adam_text.VOCABULARY))
    monkeypatch.setattr(corpora, "load", lambda *sizes: text)
    plain = adam_text.windows.__wrapped__("unto")
    often = plain.p * plain.drawn.counts.sum() > 500
    assert abs(plain.information[often].mean()) < 1e-3
    assert given.information[often].mean() > 0.02


def test_what_is_read_of_logits(given):
    Z = np.zeros((3, len(given.p)))
    Z[1] = np.log(given.p)
    Z[2, 7] = 50.0  # all attention on one word, where there is one
    frequency, information, entropy = adam_text.read(Z, given)
    assert (frequency[0], information[0]) == (0, 0)
    assert frequency[1] > 0.5
    counts = given.held.counts[0]
    known = counts.sum(axis=1)
    assert entropy[0] == pytest.approx(np.log(known).mean())
    there = counts[:, 7] > 0
    mean = (counts / known[:, None]) @ np.log(given.p)
    wanted = np.where(there, np.log(given.p[7]) - mean, 0).mean()
    assert frequency[2] == pytest.approx(wanted, abs=1e-9)
    assert entropy[2] == pytest.approx(np.where(there, np.log(np.maximum(counts[:, 7], 1)), np.log(known)).mean())


def test_runs_are_long_enough_and_one_that_has_not_learned_is_no_number():
    found = adam_text.attended("unto", "both", 0.1, [0, 1])
    assert (found["steps"][0] < adam_text.steps_of("both", 0.1)).all()
    short = adam_text.attended("unto", "both", 0.1, [0], steps=2)
    assert np.isnan(short["steps"]).all()
    assert np.isnan(short["at"]).all()
    assert (found["lost"] == 0).all()


def test_a_piece_of_the_record_is_remade():
    again, kept = adam_text.cell("unto", "both", 0.1), adam_text.recorded_words()["unto", "both", 0.1]
    np.testing.assert_allclose(np.array(again["steps"], float), kept["steps"], atol=3)
    np.testing.assert_allclose(np.array(again["frequency"][0], float), kept["frequency"][0], atol=0.02)


def test_refusals():
    for call, message in (
        (lambda: adam_text.windows("and"), r"query: expected one of the, of, unto, got 'and'"),
        (lambda: adam_text.attended("the", "query", 0.1, [0]), r"who: .*both, decoder, attention, none"),
    ):
        with pytest.raises(InputError, match=message):
            call()
