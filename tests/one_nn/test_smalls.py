"""What the small figures of the chapter draw, found another way at random settings: the owner of each curve."""

import numpy as np
import pytest

from hal.chapters.one_nn.figures import gap, mask, ties
from hal.figure import Small
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory


def drawn(module, seed=0, **chosen):
    """What a small figure draws at these settings, by name."""
    found = Small(module).compute(chosen, seed=seed, runs=0).theory
    return {name: np.array(values) for name, values in found.items()}


@pytest.mark.parametrize(("d", "xi1"), [(3, 4.0), (4, 30.0), (11, 2.0)])
def test_gaps_and_costs_of_the_two_nearest_are_those_of_sampled_prompts(d, xi1):
    found = drawn(ties, d=d, xi1=xi1)
    z = np.sort(model.draw_products(d, (8, 200_000), generators([d])[0]), axis=0)
    gaps = z[-1] - z[-2]
    counts, edges = np.histogram(gaps, bins=18, range=(0, 0.9))
    share = np.interp((edges[1:] + edges[:-1]) / 2, found["ties.gap"], found["ties.often"])
    # the curve is drawn beside its highest place
    scale = counts.sum() / share.sum()
    assert np.all(abs(counts - scale * share) < 5 * np.sqrt(scale * share) + 0.01 * counts.max())
    assert found["ties.often"].max() == 1
    assert found["ties.cost"] == pytest.approx(4 / (1 + np.exp(xi1 * found["ties.gap"])) ** 2, rel=1e-9)
    assert found["ties.both"] == pytest.approx(found["ties.often"] * found["ties.cost"], rel=1e-12)
    # of two labels that differ the answer is the difference of two weights
    labels = np.random.default_rng(d).choice([-1.0, 1.0], size=(2, gaps.size))
    near = 1 / (1 + np.exp(-xi1 * gaps))
    loss = 0.5 * (near * labels[0] + (1 - near) * labels[1] - labels[0]) ** 2
    assert found["ties.whole"][0] == pytest.approx(loss.mean(), abs=5 * loss.std() / np.sqrt(gaps.size))


@pytest.mark.parametrize("sigma", [-6.0, 2.0])
def test_attention_of_a_query_on_itself_and_on_examples_is_that_of_the_flow(sigma):
    found = drawn(mask, 5, sigma=sigma)
    z, at = found["flow.z"], [1, 4, 8, -1]
    assert np.all(np.diff(z) <= 0)
    flow = theory.flow(found["flow.t"][at], 4, 8, sigma)
    attention = found["flow.attention"].reshape(6, -1)
    for i, xi1, xi2 in zip(at, flow.xi1, flow.xi2, strict=True):
        weights = np.exp(np.r_[xi1 - xi2, xi1 * z] - xi1)
        assert attention[:, i] == pytest.approx(100 * (weights / weights.sum())[[0, 1, 2, 3, 4, 8]], abs=0.6)


def test_a_zone_has_one_label_and_what_costs_then_is_a_lonely_query():
    """With separation 0.4 other labels get a twentieth at most, on average; of a lonely query most goes to itself."""

    def of(name, **chosen):
        return np.array([drawn(gap, seed, **chosen)[f"prompt.{name}"][0] for seed in range(12)])

    assert of("other", delta=0.4, lonely=1).mean() < 5 < of("itself", delta=0.4, lonely=1).mean()
    assert of("itself", delta=0.4, lonely=1).mean() == pytest.approx(of("itself", delta=0.0, lonely=1).mean())
    pair = theory.flow([1e4], 4, 8)
    assert (pair.xi1[0], pair.xi2[0]) == (pytest.approx(gap.XI1, abs=0.01), pytest.approx(gap.XI2, abs=0.01))
