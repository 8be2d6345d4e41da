"""The recorded runs: a piece of each is remade, records go on where they were, and figures show every run."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hal.chapters.linear_block import figures, runs
from hal.chapters.linear_block.runs import gpt, ingredients, starts
from lib.errors import InputError
from lib.portable.chances import share_interval


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


def test_ends_of_starts_are_those_of_each_start():
    """That a task of the record is trained again is claim LTB-38."""
    setting = starts.Setting(2, 4, 2.0, 0.5)
    both, one, two = (runs.ends_of_starts(setting, seeds, 800) for seeds in ([3, 4], [3], [4]))
    assert list(both) == list(starts.ENDS)
    assert all(np.array_equal(both[end], np.add(one[end], two[end])) for end in starts.ENDS)
    assert min(runs.recorded_starts()[setting]["trap"][:3]) > 4


def test_the_figures_show_every_run():
    for ax, mean in zip(figures.gpt_style().axes, gpt.MEANS, strict=True):
        drawn = [line.get_ydata()[-1] for line in ax.lines if len(line.get_ydata()) > 2]
        assert drawn == [*runs.recorded_errors(mean, False)[:, -1], *runs.recorded_errors(mean, True)[:, -1]]
        ends = [float(np.median(part)) for part in np.split(np.array(drawn), 2)]
        assert f"median {ends[0] / ends[1]:.1f} times lower with an MLP" in ax.get_title()
        assert {f"{end:.2f}" for end in ends} == {text.get_text() for text in ax.texts}
    (ax,) = figures.ingredients().axes
    errors = runs.recorded_ingredients()
    for added in list(ingredients.INGREDIENTS)[5:7]:  # the tinted rows: any run with an MLP beats any without
        assert np.max(errors[added, True]) < np.min(errors[added, False])
    drawn = sorted(x for line in ax.lines[:-2] for x in line.get_xdata())
    assert drawn == sorted(np.concatenate(list(runs.recorded_ingredients().values())).tolist())
    assert [text.get_text() for text in ax.get_yticklabels()] == list(ingredients.INGREDIENTS)
    found = runs.recorded_starts()
    for i, ax in enumerate(figures.which_starts().axes):
        dots = sorted(y for line in ax.lines if line.get_linestyle() == "None" for y in line.get_ydata())
        assert dots == sorted(ends["best"][i] / 24 for ends in found.values())
        bars = sorted(tuple(bar[:, 1]) for bars in ax.collections for bar in bars.get_segments())
        assert bars == sorted(share_interval(float(ends["best"][i]), 24.0) for ends in found.values())
    plt.close("all")
