"""The models in plain Python: a start near identity, refusals, cells."""

import numpy as np
import pytest

from hal.chapters.linear_block.figures import matrices
from hal.chapters.linear_block.models import drawn
from lib.errors import InputError
from lib.models import linear_block as lb
from lib.models.linear_block import textbook
from lib.models.linear_block.textbook import Settings


def random_block(d, rng):
    block = textbook.new_block(d)
    drawn.unpack(rng.standard_normal(3 * d + 1 + d * d).tolist(), block)
    return block


def test_a_start_near_identity_is_the_library_s():
    state = textbook.start(Settings(d=3, near=1, scale=0.0), 0)
    known = lb.LinearBlock(lb.power_task(d=3), start="near identity", scale=1e-12).init(1, [np.random.default_rng(0)])
    np.testing.assert_allclose(np.array(state.W).reshape(6, 1, 4, 4), np.array(known), atol=1e-9)


@pytest.mark.parametrize(("module", "settings", "message"), [
    (drawn, drawn.Settings(batch=0), "batch: expected at least 1 prompt, got 0"),
])  # fmt: skip
def test_settings_without_meaning_are_refused(module, settings, message):
    with pytest.raises(InputError, match=f"^{message}"):
        module.start(settings, 0)


def test_cells_keep_the_products_that_the_output_sees(rng):
    block = random_block(3, rng)
    found = np.array(matrices.cells(block)).reshape(6, 4)
    np.testing.assert_allclose(found[0, :3], block.alpha)
    value, score = found[1], np.vstack([found[2:5, :3], found[5:, :3]])
    np.testing.assert_allclose(np.outer(value, score[0]), np.outer([*block.v, block.c], block.Q[0]), rtol=1e-9)
    assert np.linalg.norm(value) == pytest.approx(np.linalg.norm(score))
