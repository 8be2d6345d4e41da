"""Normal distribution, interval of a share, entropy of shares: SciPy's numbers, and the same bits in the page."""

import numpy as np
import pytest
from scipy.stats import binomtest, norm
from scipy.stats import entropy as entropy_of

from lib.portable import chances
from tests.portable.engine import bits, page_of


def test_normal_distribution_function():
    x = np.r_[np.linspace(-12, 12, 4001), 0.0, np.inf, -np.inf, 1e-300]
    np.testing.assert_allclose([chances.normal_cdf(float(v)) for v in x], norm.cdf(x), rtol=0, atol=2e-15)
    assert np.isnan(chances.normal_cdf(np.nan))
    page = page_of(chances)
    for value in np.random.default_rng(1).uniform(-9, 9, 300).tolist():
        assert bits(page.call(chances.__name__, "normal_cdf", value)) == bits(chances.normal_cdf(value))


def test_share_interval_is_wilson_s():
    assert chances.share_interval(0.0, 0.0) == (0.0, 1.0)
    page = page_of(chances)
    for trials in (1, 2, 7, 64, 1000):
        for count in {0, 1, trials // 3, trials - 1, trials}:
            wanted = binomtest(count, trials).proportion_ci(method="wilson")
            assert chances.share_interval(count, trials) == pytest.approx((wanted.low, wanted.high), abs=1e-12)
            shown = page.run(f'portable["{chances.__name__}"].share_interval({count}, {trials})')
            assert bits(shown) == bits(chances.share_interval(float(count), float(trials)))


def test_entropy_of_shares():
    page, rng = page_of(chances), np.random.default_rng(2)
    for count in (1, 2, 10, 500):
        shares = (rng.dirichlet(np.ones(count)) * (rng.uniform(size=count) < 0.9)).tolist()
        whole = sum(shares) or 1.0
        shares = [share / whole for share in shares]
        assert chances.entropy(shares) == pytest.approx(entropy_of(shares) if any(shares) else 0.0, rel=1e-12)
        assert bits(page.call(chances.__name__, "entropy", shares)) == bits(chances.entropy(shares))
    assert chances.entropy([0.0, float("nan")]) == 0.0
