"""The recorded runs: a piece of each is remade, and records go on where they were."""

import numpy as np
import pytest

from hal.chapters.linear_block import runs
from hal.chapters.linear_block.runs import gpt, ingredients
from lib.errors import InputError


def test_the_beginning_of_the_gpt_style_record_is_remade():
    for mean, mlp in ((10.0, True), (10.0, False)):
        known = gpt.recorded_errors(mean, mlp)[:2, :2]
        found = gpt.gpt_errors(mean, mlp, [0, 1], stop=500)["error"]
        np.testing.assert_allclose(found[:, 0], known[:, 0], rtol=1e-4)
        np.testing.assert_allclose(found[:, 1], known[:, 1], rtol=0.2)  # single precision, amplified by training
    with pytest.raises(InputError, match=r"mean, block: expected one of .*, got \(0\.0, 1\)"):
        gpt.recorded_errors(0.0, True, 1)


def test_a_piece_of_the_ingredients_is_remade():
    found = ingredients.ingredient_errors("a read-out", False, [0, 1])
    np.testing.assert_allclose(found, runs.recorded_ingredients()["a read-out", False][:2], rtol=0.02)
    with pytest.raises(InputError, match=r"added: expected one of the linear block, a read-out, .*, got 'salt'"):
        ingredients.ingredient_errors("salt", True, [0])
    assert ingredients.ingredient_errors("all of them", True, [0], stop=2).shape == (1,)
