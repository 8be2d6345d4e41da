"""What the chapter's figures draw and say is so; what holds of all figures is in `tests/figure/test_figures`."""

import numpy as np
import pytest

from hal.chapters.scan_snap.runs import learn, rates
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.train import train
from tests.scan_snap.computed import endless


def test_what_the_tour_of_attention_says_without_numbers_is_so():
    made, right = {}, {}
    for name, settings in {"default": {}, "decoder": {"lr_Y": 10.0}, "paper": {"optimiser": 1, "lr_Z": 1.0}}.items():
        run = endless(**settings)
        mass, own = run["common_mass"], run["distinct"].reshape(-1, 10)
        assert (np.diff(own[-1] / own[0]) > 0).all()  # the more frequent, the more it gains
        right[name] = np.argmax(run["loss"] < 0.1)
        made[name] = (mass[0] - mass) / (mass[0] - mass[-1])
    at = {step: made["default"][endless()["steps"] == step][0] for step in (4, 17)}
    assert at[4] < 0.05 < 0.3 < at[17] < 0.7  # first the decoder, then attention
    assert endless()["loss"][endless()["steps"] == 4][0] > endless()["loss"][endless()["steps"] == 17][0] > 0.1
    assert right["decoder"] < right["default"]
    assert endless(lr_Y=10.0)["common_mass"][-1] > endless()["common_mass"][-1]
    assert made["paper"][right["paper"]] < 0.5 < made["default"][right["default"]]


@pytest.mark.parametrize("queries", [1, 3])
def test_the_folded_start_ends_where_the_full_random_start_does(queries):
    """Never-next outputs enter through the sum of their exponentials alone; at the start they are nearly alike."""
    task, seeds = ss.base_task(K=2 * queries, queries=queries), [0] * 4
    optimiser = rates(3.0 * np.array([0.5, 1, 2, 10]), 3.0)
    full = learn(task, seeds, optimiser, random=True, shared=True, record_at=[0, 100])
    Y, Z = ss.random_start(task, generators(seeds, purpose=2))
    mean = Y[..., task.K :].mean(axis=-1, keepdims=True)
    folded = ss.Params(np.concatenate([Y[..., : task.K], mean], axis=-1), Z)
    entropy = {"entropy": lambda p: ss.entropy(p, task)}
    run = train(ss.Transformer(task, True), folded, optimiser, 100, 128, generators(seeds), entropy, [0, 100])
    np.testing.assert_allclose(run["entropy"][:, -1], full["entropy"][:, -1], atol=0.004)
    assert not np.array_equal(run["entropy"], full["entropy"])
