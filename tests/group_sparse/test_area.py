"""What the rectangle says is what streams of examples need."""

import numpy as np
import pytest
from scipy.special import ndtr

from hal.chapters.group_sparse.figures import area


def streams(rng, variables, rate, s=1.0, tau=0.0, still=0.0, runs=40):
    """How many examples until 5% are wrong in the mean of many learners, with noise in all they read, and a bias."""
    w, bias = np.zeros((runs, variables)), np.zeros(runs)
    g = (np.arange(300) + 0.5) / 60
    share = np.exp(-(g**2) / 2) / np.exp(-(g**2) / 2).sum()
    for seen in range(1, 3000):
        y, x = rng.choice([-1.0, 1.0], runs), rng.standard_normal((runs, variables))
        x[:, 0] = y * (area.GAMMA + np.abs(x[:, 0]))
        x = s * x + tau * rng.standard_normal(x.shape)
        push = rate * y / (1 + np.exp(y * ((w * x).sum(axis=1) + np.sqrt(still) * bias)))
        w += push[:, None] * x
        bias += push * np.sqrt(still)
        across = (w[:, 1:] ** 2).sum(axis=1) * (s * s + tau * tau) + (tau * w[:, 0]) ** 2
        spread = np.sqrt(across)[:, None] + 1e-12
        along = s * w[:, :1] * (area.GAMMA + g)
        off = (np.sqrt(still) * bias)[:, None]
        wrong = (ndtr(-(along + off) / spread) + ndtr(-(along - off) / spread)) @ share / 2
        if wrong.mean() <= area.LEVEL:
            return seen
    raise AssertionError("more than 3,000 examples")


@pytest.mark.parametrize(("D", "d"), [(4, 4), (8, 4), (4, 8)])
def test_the_law_is_near_what_streams_need(D, d):
    rng = np.random.default_rng(3900)
    linear = streams(rng, d * D, area.RATE / (d * D))
    assert area.by_linear(d * D) == pytest.approx(linear, rel=0.2)
    length, rest = area.length_of(D, d), 1 - area.S
    tau, still = rest / np.sqrt(D - 1), (D + 1) / 2 * (area.S**2 + rest**2 / (D - 1))
    layer = streams(rng, d, area.RATE / length, area.S, tau, still)
    assert area.by_layer(D, d) == pytest.approx(layer, rel=0.2)
