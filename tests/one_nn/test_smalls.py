"""What the small figures of the chapter draw, found another way at random settings: the owner of each curve."""

import numpy as np
import pytest

from hal.chapters.one_nn.figures import corridor, line, ties
from hal.explorer import Small
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


def test_the_two_nearest_are_all_of_the_late_loss():
    """At a large pull, without the query's own share, the reduced loss is what the two nearest cost, nearly."""
    for d in (3, 4, 8):
        at = 150.0
        whole = float(theory.reduced_loss(at, 4 * at, d, 8))
        assert drawn(ties, d=d, xi1=at)["ties.whole"][0] == pytest.approx(whole, rel=0.05)


@pytest.mark.parametrize(("d", "xi1"), [(3, 0.0), (8, 5.0), (20, 40.0)])
def test_the_row_of_numbers_has_the_law_of_inner_products(d, xi1):
    z = np.concatenate([drawn(line, seed, d=d, xi1=xi1)["row.z"] for seed in range(60)])
    assert z.mean() == pytest.approx(0, abs=5 / np.sqrt(d * z.size))
    assert (z * z).mean() == pytest.approx(1 / d, rel=0.35)
    found = drawn(line, 7, d=d, xi1=xi1)
    weights = np.exp(xi1 * found["row.z"])
    np.testing.assert_allclose(found["row.attention"], weights / weights.sum(), rtol=1e-9)
    place = found["law.place"]
    expected = (1 - place**2) ** ((d - 3) / 2)
    np.testing.assert_allclose(found["law.often"], expected, atol=1e-6)


@pytest.mark.parametrize(("d", "N", "reached"), [(3, 2, 4.0), (3, 64, 0.1), (4, 8, None)])
def test_the_mask_costs_as_many_dimensions_as_it_has_moved(d, N, reached):
    """Curves against the library's flow, and what the text says of them: 4 with two examples, near 0 with 64."""
    found, exact = drawn(corridor, d=d, N=N), theory.flow([0.0, 1e6, 1e8], d, N)
    K = float(theory.gap_density(d, N)) * (np.log(2) - 0.5)
    for t, xi1, xi2 in zip(exact.times[1:], exact.xi1[1:], exact.xi2[1:], strict=True):
        at = [np.interp(np.log(t), np.log(found["flow.t"][1:]), found[f"flow.{one}"][1:]) for one in ("more", "mask")]
        assert at == pytest.approx([3 * K * t / xi1**3 - d, (xi2 / xi1) ** 2], abs=0.05)
    assert np.isnan(found["flow.more"][found["flow.t"] < 1e4]).all()
    if reached is not None:
        assert [found["flow.more"][-1], found["flow.mask"][-1]] == pytest.approx([reached, reached], abs=0.05)
    assert (found["flow.limit"] == 4).all()
