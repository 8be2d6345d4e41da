"""The models in plain Python: a start near identity, refusals, descent that blows up, cells."""

import numpy as np
import pytest

from hal.chapters.linear_block.figures import flow, matrices
from hal.chapters.linear_block.models import descent, drawn
from lib.errors import InputError
from lib.models import linear_block as lb
from lib.models.linear_block import textbook
from lib.models.linear_block.textbook import Settings
from lib.portable import finish


def random_block(d, rng):
    block = textbook.new_block(d)
    drawn.unpack(drawn.BLOCK, rng.standard_normal(3 * d + 1 + d * d).tolist(), block)
    return block


def test_a_start_near_identity_is_the_library_s():
    state = textbook.start(Settings(d=3, near=1, scale=0.0), 0)
    known = lb.LinearBlock(lb.power_task(d=3), start="near identity", scale=1e-12).init(1, [np.random.default_rng(0)])
    np.testing.assert_allclose(np.array(state.W).reshape(6, 1, 4, 4), np.array(known), atol=1e-9)


@pytest.mark.parametrize(("module", "settings", "message"), [
    (drawn, drawn.Settings(kind=2), "kind: expected 0 or 1, got 2"),
    (drawn, drawn.Settings(batch=0), "batch: expected at least 1 prompt, got 0"),
    (descent, descent.Settings(steps=0), "steps: expected at least 1 step, got 0"),
    (descent, descent.Settings(lr=-1.0), "lr: expected a number of at least 0, got -1"),
])  # fmt: skip
def test_settings_without_meaning_are_refused(module, settings, message):
    with pytest.raises(InputError, match=f"^{message}"):
        module.start(settings, 0)


def test_drawn_prompts_that_blow_up_are_not_drawn_on():
    shown = finish(descent, descent.Settings(lr=0.1, batch=2, steps=100), 0, flow.probe, flow.at_end)
    assert shown["drawn_lost"] == [1.0]
    assert np.isnan([shown["diverged_at"][0], shown["drawn_risk"][-1]]).all()
    assert np.isfinite(shown["risk"]).all()
    gone = finish(descent, descent.Settings(lr=0.3, batch=2, steps=100), 0, flow.probe, flow.at_end)
    assert gone["diverged_at"][0] > 0


def test_cells_keep_the_products_that_the_output_sees(rng):
    block = random_block(3, rng)
    found = np.array(matrices.cells(block)).reshape(6, 4)
    np.testing.assert_allclose(found[0, :3], block.alpha)
    value, score = found[1], np.vstack([found[2:5, :3], found[5:, :3]])
    np.testing.assert_allclose(np.outer(value, score[0]), np.outer([*block.v, block.c], block.Q[0]), rtol=1e-9)
    assert np.linalg.norm(value) == pytest.approx(np.linalg.norm(score))
