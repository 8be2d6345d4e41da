"""What the chapter's figures draw and say is so; what holds of all figures is in `tests/figure/test_figures`."""

import matplotlib.pyplot as plt
import numpy as np
import pytest

from hal.chapters.scan_snap import figures
from hal.chapters.scan_snap.figures import growth, snap
from hal.chapters.scan_snap.runs import learn, rates
from hal.chapters.scan_snap.theory.one_common import reduced_run
from hal.figure import Computed
from lib.models import scan_snap as ss
from lib.portable import finish
from lib.sampling import generators
from lib.train import train
from tests.scan_snap.computed import computed, endless


def test_what_the_tour_of_snap_says_without_numbers_is_so():
    d, facts = computed(snap)
    bars = d["attention"].reshape(67, 11)
    np.testing.assert_allclose(bars[0, 0], bars[0, -1], rtol=1e-3)  # at first the common token and the leader are equal
    at = np.searchsorted(d["steps"], 10)
    assert d["reference.top"][at] > 2 * d["top"][at] > 0 > 2 * d["common"][at] > d["reference.common"][at]
    assert d["reference.top"][-1] > 2 * d["top"][-1]
    rows = bars[[int(record) for record in snap.ROWS]]
    np.testing.assert_allclose(d["steps"][list(map(int, snap.ROWS))], 10.0 ** np.arange(6))
    np.testing.assert_allclose(rows[0], bars[0], rtol=1e-3)  # as frequent as at first
    changes = abs(rows[1:] / rows[:-1] - 1).max(axis=1)
    assert changes[1] > 0.4  # the scan
    assert (rows[2, 1:] - rows[1, 1:] > -1e-4).all()
    assert abs(rows[-1] / rows[3] - 1).max() < 0.14  # and what the last three rows differ by
    assert bars[-1, -1] - bars[np.searchsorted(d["steps"], facts["times.snap"]), -1] > 0.02  # the bars still move
    large, small = (computed(snap, M=M)[1]["times.scan"] for M in (100_000, 34))
    assert 3 < large / small < 4
    # joint fastest between the two lines, the reference before the first
    assert facts["reference.peak"] < facts["times.scan"] < facts["peak"] < facts["times.snap"]


def test_what_the_tour_of_growth_says_without_numbers_is_so():
    d, facts = computed(growth)
    assert d["reference.growth"][0] == pytest.approx(1, abs=1e-3)
    gained = np.interp(facts["reference.snap"], d["steps"], d["reference.growth"]) - 1
    assert gained > 0.6 * (facts["reference.end"] - 1)
    fast, found = computed(growth, lr_Z=20.0)
    assert found["reference.end"] > 1.8 * facts["reference.end"]
    assert found["growth"] < facts["growth"]
    assert growth.TOUR[-1].settings["lr_Z"] == 200 * Computed(growth).default["lr_Z"]
    words, theirs = (d[name].reshape(67, 6) / d[name].reshape(67, 6)[0] for name in ("attention", "told.reference"))
    assert (abs(words - 1) < 0.1).all()  # the left picture hardly changes
    at = np.searchsorted(d["steps"], 100)
    assert theirs[at, 0] < 0.7 < 1 < theirs[at, -1]
    more, wide = computed(growth, rho=0.5, M=100)
    assert more["common"][-1] < 2 * d["common"][-1] < 0
    assert wide["reference.obeys"] == 0
    # the decoder is done first: its loss has fallen to a tenth before attention has gone half its way
    half = np.argmax(fast["common"] < fast["common"][-1] / 2)
    loss = finish(growth.RUN, growth.settings(**Computed(growth).default | {"lr_Z": 20.0}))["loss"]
    assert loss[half] < 0.1 * loss[0]


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


def test_figure_9():
    axes = figures.fixed_ratio(cases=((3.0, 60),), rates=(0.1, 0.5, 4.0, 9.0), K=4).axes
    curves = [line for line in axes[0].lines if len(line.get_xdata()) > 1]
    for line, rate in zip(curves, (0.1, 0.5, 4.0, 9.0), strict=True):
        t = line.get_xdata()[::20]
        np.testing.assert_allclose(line.get_ydata()[::20], reduced_run(t, 4, 60, 3 * rate, rate, 1.0).B, rtol=1e-6)
    plt.close("all")
