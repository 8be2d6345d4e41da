"""Spurious words of a text: who they are, and that the record is whole, remade and goes on."""

import numpy as np
import pytest

from hal.chapters.scan_snap.runs import adam_text, spurious, spurious_text
from lib.errors import InputError


def test_who_is_spurious():
    """Word by word, in the windows that the run draws."""
    given, size, seed = adam_text.windows("unto"), 24, 5
    counts, label = given.drawn.counts[0], given.drawn.label[0]
    chosen = np.random.default_rng(seed).choice(len(label), size=size, replace=False)
    number, share = 0, np.zeros(size)
    for word in range(counts.shape[1]):
        here = {label[i] for i in chosen if counts[i, word]}
        everywhere = set(label[counts[:, word] > 0])
        if len(here) == 1 < len(everywhere):
            number += 1
            share += counts[chosen, word] / counts[chosen].sum(axis=1)
    found = spurious_text.trained_on_text("unto", "true", size, [seed])
    assert found["number"][0] == number
    assert found["before"][0] == pytest.approx(share.mean())
    assert found["loss"][0] < 0.02  # it has learned the data set by heart


def test_planted_words_tell_what_follows_and_are_not_spurious():
    plain, planted = (spurious_text.trained_on_text("unto", "true", 32, [1], one) for one in (False, True))
    assert planted["loss"][0] < plain["loss"][0]
    assert planted["after"][0] < planted["before"][0]


def test_a_piece_of_the_record_is_remade():
    found = spurious_text.recorded_text()
    again, at = spurious_text.cell("the", "dealt", 32), spurious_text.SIZES.index(32)
    for name, values in again.items():
        np.testing.assert_allclose(values, found["the", "dealt"][name][at], atol=2e-3)


def test_the_number_is_the_expected_one_where_next_words_say_nothing():
    for query in spurious_text.QUERIES:
        counted = spurious_text.recorded_text()[query, "dealt"]["number"].mean(axis=1)
        told = np.array([spurious_text.expected_in_text(query, n) for n in spurious_text.SIZES])
        np.testing.assert_allclose(counted[:5], told[:5], rtol=0.1)
    given = adam_text.windows("the")
    flat = spurious.expected(given.p, 64, 26)[0]
    assert abs(flat / spurious_text.expected_in_text("the", 64) - 1) > 0.1  # six unequal next words are not two


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: spurious_text.trained_on_text("the", "true", 1, [0]), "size: expected 2 to [0-9]+ windows, got 1"),
        (lambda: spurious_text.trained_on_text("the", "both", 8, [0]), "follows: .*true, dealt"),
    ],
)
def test_refusals(make, words):
    with pytest.raises(InputError, match=words):
        make()
