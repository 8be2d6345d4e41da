"""The three runs that try remarks of the paper: data sets, initial logits, a position bias."""

import numpy as np
import pytest

from hal.chapters.scan_snap.runs import dataset, positions, prior
from lib.errors import InputError
from lib.models import scan_snap as ss
from lib.sampling import generators


def test_the_expected_number_of_falsely_distinct_tokens_is_that_of_draws():
    """Counted token by token, without training."""
    law, rng = dataset.language().P, np.random.default_rng(5)
    counts = rng.multinomial(5 * 127, law, size=(400, 2))[..., 10:50]
    alone = ((counts > 0).sum(axis=1) == 1).sum(axis=-1)
    assert alone.mean() == pytest.approx(dataset.expected_number(5), abs=4 * alone.std() / 20)


def test_the_first_sequences_are_part_of_the_larger_data():
    small, large = dataset.falsely_distinct(3, [0, 1]), dataset.falsely_distinct(3, [0, 1], more=50)
    assert (small.number > 5).all()
    assert (large.number == 0).all()
    assert np.isnan(dataset.falsely_distinct(300, [0]).rise).all()


def test_a_level_start_is_a_level_end():
    """At the threshold the two tokens have one and the same score, for ever."""
    task, token, start = prior.favoured(4, np.log(2))
    c = ss.attention(start, task)[0, 0]
    assert c[token] == pytest.approx(c[task.leader[0]])
    assert prior.end_ratio(4, np.log(2), time=50.0) == pytest.approx(1, abs=1e-6)


def test_a_bias_weighs_positions_and_none_counts_tokens():
    plain, biased = positions.Biased(64, 0.0), positions.Biased(64, 2.0)
    counts = plain.sample(400, generators([0])).counts
    np.testing.assert_array_equal(counts, counts.round())
    np.testing.assert_allclose(counts.sum(axis=-1), 64)
    weight = np.exp(2.0 * (np.arange(64) / 63 - 1))
    np.testing.assert_allclose(biased.sample(5, generators([0])).counts.sum(axis=-1), weight.sum())
    batch = biased.sample(4000, generators([1]))
    mean = batch.counts[0][batch.label[0] == 1].mean(axis=0) / weight.sum()
    np.testing.assert_allclose(mean, biased.task.P[1], atol=0.003)


def test_who_is_near_is_drawn_in_the_near_half_alone():
    far, near = positions.halves()
    assert near[0, 10 + positions.FAR] == far[0, 10 + positions.NEAR] == 0
    np.testing.assert_allclose(far[0, 10 + positions.FAR], near[0, 10 + positions.NEAR])


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: dataset.falsely_distinct(0, [0]), "sequences: .*at least 1"),
        (lambda: dataset.falsely_distinct(1, [0], more=0), "more: .*at least 1"),
        (lambda: prior.favoured(9, 0.0), "rank: "),
        (lambda: positions.Biased(7, 0.0), "L: .*even"),
        (lambda: positions.Biased(8, np.nan), "bias: .*finite"),
    ],
)
def test_bad_input_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
