"""Raw draws and histograms have exactly the law they claim: frequencies, cuts, independence of runs, refusals."""

import numpy as np
import pytest
from scipy import stats

from lib import sampling
from lib.errors import InputError
from lib.sampling import HistogramSampler, TokenSampler, choose
from tests.refusals import refused

LAWS = {
    "thirds": ([1 / 3] * 3, np.uint8),
    "dyadic": ([0.5, 0.25, 0.25], np.uint8),
    "skewed": ([0.9, 0.0995, 0.0005], np.uint16),
}


def rng(seed):
    return np.random.Generator(np.random.SFC64(seed))


def counts(sampler, size, seed):
    draws = sampler.draw((size,), [rng(seed)])[0]
    above = [size, *(np.count_nonzero(draws >= cut) for cut in sampler.cuts.tolist()), 0]
    return -np.diff(above)


@pytest.mark.parametrize("name", LAWS)
def test_frequencies_are_those_of_mu(name):
    mu, dtype = LAWS[name]
    sampler = TokenSampler(np.array(mu))
    assert sampler.dtype is dtype
    # 4 million draws tell 1/3 from 85/256 and 86/256 with certainty
    assert stats.chisquare(counts(sampler, 4_000_000, 1), 4_000_000 * np.array(mu)).pvalue > 1e-3


def law_by_stages(mu):
    """Exact law of a draw, by following the cells through the overwrites one token after the other."""
    sampler = TokenSampler(mu)
    bits = 8 * np.dtype(sampler.dtype).itemsize
    edges = np.concatenate([[0], sampler.cuts.astype(float), [2**bits]])
    law = np.diff(edges) / 2**bits
    for rate, first in zip(*sampler._overwrites[0], strict=True):
        hit = -np.expm1(-rate)  # a Poisson number of writes, at least one
        law *= 1 - hit
        law[np.searchsorted(sampler.cuts, first, side="right")] += hit
    return law


@pytest.mark.parametrize("N", [2, 3, 5, 16, 40])
def test_cells_and_overwrites_make_mu_exactly(N):
    for seed in range(20):
        mu = np.random.default_rng(seed).dirichlet(np.full(N, 0.7))
        mu = (mu + 2.0**-10) / (1 + N * 2.0**-10)
        np.testing.assert_allclose(law_by_stages(mu), mu, rtol=0, atol=5e-12)


def test_neighbouring_draws_are_independent():
    sampler = TokenSampler(np.full(3, 1 / 3))
    tokens = np.searchsorted(sampler.cuts, sampler.draw((2, 1_000_000), [rng(3)])[0], side="right")
    for other in (np.roll(tokens[0], 1), np.roll(tokens[0], 8), tokens[1]):  # a byte, a word, a row away
        assert stats.chisquare(np.bincount(3 * tokens[0] + other, minlength=9)).pvalue > 1e-3


@pytest.mark.parametrize("shape", [(7,), (3, 5), (4, 64), (1, 9)])
@pytest.mark.parametrize("mu", [[1 / 3] * 3, [0.5, 0.4995, 0.0005]])
def test_a_run_depends_on_its_own_generator_alone(shape, mu):
    sampler = TokenSampler(np.array(mu))
    together = sampler.draw(shape, [rng(0), rng(1), rng(2)])
    assert together.shape == (3, *shape)
    for r in range(3):
        np.testing.assert_array_equal(sampler.draw(shape, [rng(r)])[0], together[r])


def test_each_run_may_have_its_own_law():
    mu = np.array([[0.5, 0.25, 0.25], [1 / 3] * 3, [0.1, 0.2, 0.7]])
    together = TokenSampler(mu)
    draws = together.draw((1000,), [rng(r) for r in range(3)])
    for r in range(3):
        alone = TokenSampler(mu[r])
        np.testing.assert_array_equal(alone.cuts, together.cuts[r])
        np.testing.assert_array_equal(alone.draw((1000,), [rng(r)])[0], draws[r])


@pytest.mark.parametrize("K", [1, 2, 5, 9, 20])
def test_choose_inverts_the_cumulative_law(K):
    p = np.random.default_rng(K).dirichlet(np.ones(K))
    cumulative = np.cumsum(p)
    index = choose(cumulative, np.array([0.0, *(cumulative[:-1]), 1 - 2.0**-53]))
    np.testing.assert_array_equal(index, [*range(K), K - 1])  # a number on an edge belongs to the cell above it
    short = np.append(cumulative[:-1], 1 - 1e-9)  # the last cell ends at 1, whatever its rounding
    assert choose(short, np.array([1 - 2.0**-53]))[0] == K - 1
    u = np.random.default_rng(0).random((3, 50))
    rows = np.broadcast_to(cumulative, (3, 50, K))
    np.testing.assert_array_equal(choose(rows, u), np.searchsorted(cumulative[:-1], u, side="right"))


def test_distributions_are_checked_along_the_axis_asked_for():
    columns = np.array([[0.2, 0.5], [0.8, 0.5]])
    sampling.check_distribution("P", columns, axis=0)
    with pytest.raises(InputError, match=r"^P: expected probabilities that sum to 1, got a sum of (0\.7|1\.3)$"):
        sampling.check_distribution("P", columns)


P = np.array([[0.5, 0.3, 0.2, 0.0], [0.0, 1 / 3, 1 / 3, 1 / 3]])


@pytest.mark.parametrize("law", [0, 1])
def test_counts_have_the_mean_and_the_covariance_of_a_multinomial(law):
    counts = HistogramSampler(P).draw(np.full(40_000, law), 30, np.random.default_rng(2))
    np.testing.assert_allclose(counts.mean(axis=0), 30 * P[law], atol=0.08)  # 5 standard errors
    expected = 30 * (np.diag(P[law]) - np.outer(P[law], P[law]))
    np.testing.assert_allclose(np.cov(counts.T), expected, atol=0.15)


def test_leftover_draws_follow_what_is_missing_of_their_own_law():
    """120 tokens too rare for a cell; half of them are rarer in the first law, and none in the second."""
    few, many = 0.3 / 65536, 0.9 / 65536
    rare = np.r_[np.full(60, many), np.full(60, few)]
    P = np.array([np.r_[rare, 1 - rare.sum()], np.r_[np.full(120, rare.mean()), 1 - rare.sum()]])
    counts = HistogramSampler(P).draw(np.arange(4000) % 2, 1000, np.random.default_rng(4))
    for law in (0, 1):
        found = counts[law::2].sum(axis=0)
        for half in (slice(0, 60), slice(60, 120)):
            expected = 2_000_000 * P[law, half].sum()  # 1648 or 549, and 1099
            assert found[half].sum() == pytest.approx(expected, abs=5 * np.sqrt(expected))


test_bad_laws_and_lengths_are_refused = refused(
    [
        (lambda: TokenSampler(np.array([0.5, 0.6])), "mu: expected probabilities that sum to 1, got a sum of 1.1"),
        (
            lambda: TokenSampler(np.array([1.5, -0.5])),
            "mu: expected probabilities of at least 0, got a smallest of -0.5",
        ),
        (lambda: TokenSampler(np.array([0.5, np.nan])), "mu: expected finite probabilities"),
        (
            lambda: TokenSampler(np.array([1 - 1e-5, 1e-5])),
            r"mu: expected probabilities of at least 2\*\*-15, got a sma",
        ),
        (lambda: HistogramSampler(np.array([[0.5, 0.4]])), r"P \(rows\): expected probabilities that sum to 1"),
        (lambda: HistogramSampler(np.full((1, 300), 1 / 300)), "P: expected at most 255 tokens a law, got 300"),
        (lambda: HistogramSampler(P).draw(np.array([0]), 0, np.random.default_rng(0)), "length: .*>= 1, got 0"),
    ]
)
