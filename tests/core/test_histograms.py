"""The histogram sampler: exact laws, exact totals, one generator a draw."""

import numpy as np
import pytest
from scipy.stats import chi2

from lib.errors import InputError
from lib.sampling import HistogramSampler

P = np.array([[0.5, 0.3, 0.2, 0.0], [0.0, 1 / 3, 1 / 3, 1 / 3]])


def test_rows_sum_to_the_length_and_stay_on_the_support():
    counts = HistogramSampler(P).draw(np.array([0, 1, 1, 0]), 50, np.random.default_rng(0))
    assert counts.shape == (4, 4)
    assert (counts.sum(axis=1) == 50).all()
    assert (counts[[0, 3], 3] == 0).all()
    assert (counts[[1, 2], 0] == 0).all()


def test_frequencies_follow_the_law():
    law = np.repeat([0, 1], 20_000)
    counts = HistogramSampler(P).draw(law, 30, np.random.default_rng(1))
    for n in (0, 1):
        seen, expected = counts[law == n].sum(axis=0), 600_000 * P[n]
        keep = expected > 0
        statistic = ((seen[keep] - expected[keep]) ** 2 / expected[keep]).sum()
        assert statistic < chi2.ppf(1 - 1e-6, keep.sum() - 1)


def test_counts_have_the_covariance_of_a_multinomial():
    counts = HistogramSampler(P).draw(np.zeros(40_000, int), 30, np.random.default_rng(2))
    expected = 30 * (np.diag(P[0]) - np.outer(P[0], P[0]))
    np.testing.assert_allclose(np.cov(counts.T), expected, atol=0.15)


def test_cells_and_what_is_left_over_make_the_law_exactly():
    sampler = HistogramSampler(P)
    for n in (0, 1):
        cells = np.bincount(sampler._table[n], minlength=sampler._size + 1)
        again = np.diff(sampler._again[n], prepend=0.0)
        made = (cells[:-1] + cells[-1] * again) / cells.sum()
        np.testing.assert_allclose(made, P[n, sampler._tokens[n]], atol=1e-15)


def test_a_token_too_rare_for_a_cell_still_occurs():
    rare = 2.0**-18
    counts = HistogramSampler(np.array([[rare, 1 - rare]])).draw(np.zeros(4000, int), 1000, np.random.default_rng(3))
    assert 1 <= counts[:, 0].sum() <= 40  # 15 expected


def test_leftover_draws_follow_what_is_missing_of_their_own_law():
    """120 tokens too rare for a cell; which half of them is the rarer one differs between the two laws."""
    few, many = 0.3 / 65536, 0.9 / 65536
    rare = np.r_[np.full(60, many), np.full(60, few)]
    P = np.array([np.r_[rare, 1 - rare.sum()], np.r_[rare[::-1], 1 - rare.sum()]])
    counts = HistogramSampler(P).draw(np.arange(4000) % 2, 1000, np.random.default_rng(4))
    for law in (0, 1):
        found = counts[law::2].sum(axis=0)
        for half in (slice(0, 60), slice(60, 120)):
            expected = 2_000_000 * P[law, half].sum()  # 1648 or 549
            assert found[half].sum() == pytest.approx(expected, abs=5 * np.sqrt(expected))


def test_bad_laws_are_refused():
    with pytest.raises(InputError, match="sum to 1"):
        HistogramSampler(np.array([[0.5, 0.4]]))
    with pytest.raises(InputError, match="255"):
        HistogramSampler(np.full((1, 300), 1 / 300))
    with pytest.raises(InputError, match=r"length: .*>= 1, got 0"):
        HistogramSampler(np.array([[0.5, 0.5]])).draw(np.array([0]), 0, np.random.default_rng(0))
