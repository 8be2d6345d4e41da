"""What the small figures of the chapter draw, found another way at random settings: the owner of each curve."""

import numpy as np
import pytest
from scipy.stats import ks_2samp

from hal.chapters.one_nn.figures import ties
from hal.figure import Small
from lib.models import one_nn as model
from lib.sampling import generators
from lib.theory import one_nn as theory


def drawn(module, seed=0, **chosen):
    """What a small figure draws at these settings, by name."""
    found = Small(module).compute(chosen, seed=seed, runs=0).theory
    return {name: np.array(values) for name, values in found.items()}


def test_prompts_have_the_gaps_and_losses_of_sampled_ones_along_the_flow():
    """Gaps in law, labels that agree in half, and the mean loss of 400 prompts around that of the flow."""
    found = drawn(ties, 3)
    z = np.sort(model.draw_products(4, (8, 100_000), generators([4])[0]), axis=0)
    assert ks_2samp(found["prompts.gap"], z[-1] - z[-2]).pvalue > 0.01
    assert abs(found["prompts.kind"].mean() - 0.5) < 4 * 0.5 / np.sqrt(400)
    losses = found["prompts.losses"].reshape(ties.TIMES, -1)
    error = losses.std(axis=1) / np.sqrt(400)
    assert np.all(abs(losses.mean(axis=1) - found["prompts.loss"]) < 4.5 * error)
    stops = ties.END / 8.0 ** np.arange(3, -1, -1)
    assert stops.tolist() == [1000, 8000, 64000, 512000]
    flow, walls = (
        theory.flow(stops, 4, 8),
        [found[f"prompts.{name}"] for name in ("ghost0", "ghost1", "ghost2", "wall")],
    )
    np.testing.assert_allclose([wall[-1] for wall in walls], 1 / flow.xi1, rtol=0.02)
    assert found["prompts.loss"][-1] == pytest.approx(flow.loss[-1], rel=0.01)
    assert np.r_[flow.xi1[1:] / flow.xi1[:-1], flow.loss[:-1] / flow.loss[1:]] == pytest.approx(2, rel=0.06)  # the text


def test_loss_of_a_prompt_is_the_model_s():
    rng = np.random.default_rng(1)
    x, y = rng.normal(size=(7, 3)), rng.choice([-1.0, 1.0], 6)
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    prompts = model.Prompts(x[None, None, :6], x[None, None, 6], y[None, None])
    z = (x[:6] @ x[6]).tolist()
    W = model.as_matrix(model.Pair(np.array([4.0]), np.array([2.5])), 3).W
    wanted = 0.5 * (model.predict(W, prompts)[0, 0] - y[int(np.argmax(z))]) ** 2
    assert ties.loss_of([0.0] * 7, 4.0, 2.5, z, y.tolist(), int(np.argmax(z))) == pytest.approx(wanted)
