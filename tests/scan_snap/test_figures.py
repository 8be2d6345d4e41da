"""What the chapter's figures draw and say is so; what holds of all figures is in `tests/figure/test_figures`."""

import numpy as np
import pytest

from hal.chapters.scan_snap.runs import learn, rates
from lib.models import scan_snap as ss
from lib.sampling import generators
from lib.train import train
from tests.scan_snap.computed import endless


def test_what_the_tour_and_the_text_say_of_attention_without_numbers_is_so():
    run = endless()
    steps, area = run["steps"], run["knows"] * run["wrong"]
    fall = (run["common_mass"][0] - run["common_mass"]) / (run["common_mass"][0] - run["common_mass"][-1])
    at = {step: int(np.argmax(steps == step)) for step in (0, 4, 10, 100)}
    assert (run["knows"][0], run["wrong"][0] > 0.9, area[0]) == (0, True, 0)
    assert run["wrong"][at[4]] > 0.8
    assert fall[at[4]] < 0.05 < 0.2 < fall[at[10]]  # first the decoder, then attention
    assert area[at[10]] > 0.8 * area.max() > 5 * area[at[100]]
    assert run["wrong"][at[100]] < 0.03
    assert run["speed"][at[100]] < 0.05 * run["speed"][at[10]] == 0.05 * run["speed"].max()
    own = run["distinct"].reshape(-1, 10)
    assert (np.diff(own[-1] / own[0]) > 0).all()  # the more frequent, the more it gains
    fast = endless(lr_Y=100.0)
    assert fast["wrong"][1] < 0.1 < run["wrong"][20]
    assert fast["common_mass"][-1] > 0.99 * run["common_mass"][0]  # "attention hardly moves"


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
