"""Theory that pages draw, against the same found another way: general covariances, SciPy, single searches."""

import numpy as np

from hal.chapters.linear_block.theory.search import attention_by_length, best_attention_risk
from lib.models import linear_block as lb


def vectors(task):
    return np.diag(task.H).tolist(), task.mean.tolist()


def test_curves_of_the_best_attention_are_those_of_single_searches():
    rng = np.random.default_rng(7)
    for _ in range(12):
        d, norm, sigma = int(rng.integers(2, 6)), rng.uniform(0, 16), float(rng.uniform(0.1, 4))
        h, mean = vectors(lb.power_task(d, 2, sigma, norm, rng.choice([0, rng.uniform(0, 2)])))
        at = [2.0, 5.0, 18.0, 77.0, 256.0]
        alone = [best_attention_risk(h, 1.0, mean, sigma, m) for m in at]
        np.testing.assert_allclose(attention_by_length(h, 1.0, mean, sigma, at), alone, rtol=1e-9)
