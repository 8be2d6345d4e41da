"""The runs behind the Scan and Snap explorers: many points equal single points, theory where it must hold, readings."""

import numpy as np
import pytest

from lib.chapters.scan_snap.explorers import attention, fate, growth, ratio, snap
from lib.chapters.scan_snap.explorers._shared import sliders
from lib.chapters.scan_snap.explorers.fate import turning_time
from lib.chapters.scan_snap.runs import learn, rates
from lib.chapters.scan_snap.runs.log_time import TIMES, peak_time
from lib.chapters.scan_snap.runs.published import published_figure6
from lib.errors import InputError
from lib.explorer import Explorer
from lib.models import scan_snap as ss

SMALL = {
    attention.attention_run: [
        {"T": 32, "common": 2, "lr_Y": 0.3, "lr_Z": 3.0, "seed": 1},
        {"T": 32, "common": 2, "lr_Y": 10.0, "lr_Z": 1.0},
        {"T": 32, "common": 2, "lr_Y": 1.0, "lr_Z": 3.0, "seed": 1},
    ],
    snap.snap_run: [{"M": 100, "query": "shared"}, {"K": 5, "lr_Z": 0.1}, {"common": 0}],
    ratio.ratio_run: [{"queries": 1, "T": 32, "steps": s, "seed": seed} for s, seed in ((7, 0), (100, 0), (100, 1))],
    growth.growth_run: [{"rho": 0.2, "M": 100}, {"K": 5, "rho": 0.5}],
    fate.fate_run: [{"kappa": 1.5}, {"kappa": 3.0}, {"kappa": 3.0, "query": "own", "common": 3}],
}
SHOWN = {
    attention.attention_run: (attention.panels, attention.reading),
    snap.snap_run: (snap.panels, snap.reading),
    ratio.ratio_run: (ratio.panels, ratio.reading),
    growth.growth_run: (growth.panels, growth.reading),
    fate.fate_run: (fate.panels, fate.reading),
}
NAMES = [run.__name__ for run in SMALL]


@pytest.mark.parametrize("run", SMALL, ids=NAMES)
def test_many_points_equal_single_points_bit_for_bit(run):
    for point, together in zip(SMALL[run], run.many(SMALL[run]), strict=True):
        alone = run(**point)
        assert alone.keys() == together.keys()
        for name, value in alone.items():
            # the static page shows the batched points, the live kernel computes single ones
            np.testing.assert_array_equal(together[name], value, err_msg=name)


@pytest.mark.parametrize("run", SMALL, ids=NAMES)
def test_every_point_can_be_drawn_and_its_reading_tells_it_from_others(run):
    panels, reading = SHOWN[run]
    texts = []
    for point in SMALL[run]:
        whole = run.complete(point)
        shown = [name for name in whole if name != "seed" or run is attention.attention_run]
        e = Explorer(
            run,
            {name: [whole[name]] for name in shown},
            panels(),
            name="a",
            title="t",
            reading=reading,
            sliders=sliders(*shown),
            fixed={} if "seed" in shown else {"seed": whole["seed"]},
        )
        drawn, _ = e.compute({})
        texts.append(drawn.reading)
    assert all(any(c.isdigit() for c in text) and text.endswith(".") and "nan" not in text for text in texts)
    assert len(set(texts)) == len(texts)


@pytest.mark.parametrize(
    ("run", "settings", "message"),
    [
        (attention.attention_run, {"T": 1}, "T: expected at least 2 tokens, the query among them, got 1"),
        (attention.attention_run, {"common": -1}, "common: expected a whole number of tokens, at least 0, got -1"),
        (attention.attention_run, {"optimiser": "newton"}, "optimiser: expected one of"),
        (attention.attention_run, {"lr_Y": -1.0}, "lr_Y: expected finite rates of at least 0"),
        (snap.snap_run, {"M": 1}, "M: expected a whole number of at least K = 2, got 1"),
        (snap.snap_run, {"query": "two"}, 'query: expected "own" or "shared", got two'),
        (snap.snap_run, {"lr_Y": 0.0}, "lr_Y: expected a finite positive rate"),
        (ratio.ratio_run, {"queries": 0}, "queries: expected at least 1 query, got 0"),
        (ratio.ratio_run, {"steps": 101}, "steps: expected 1 to 100, got 101"),
        (ratio.ratio_run, {"T": 1}, "T: expected at least 2 tokens"),
        (growth.growth_run, {"rho": 1.0}, "rho: expected a correlation in"),
        (fate.fate_run, {"kappa": 0.5}, "kappa: expected a finite ratio of at least 1, got 0.5"),
        (fate.fate_run, {"query": 2}, "query: expected"),
        (fate.fate_run, {"common": 0}, "common: expected at least 1 common token, whose logit is drawn, got 0"),
        (fate.fate_run, {"nonsense": 1}, "nonsense"),
    ],
)
def test_bad_settings_are_named(run, settings, message):
    with pytest.raises(InputError, match=message):
        run(**settings)


def test_attention_starts_at_token_frequency_and_leaves_what_is_common():
    d = attention.attention_run(T=128)
    task = ss.base_task(L=127)
    np.testing.assert_allclose(d["attention"][0], task.P, rtol=1e-12)
    np.testing.assert_allclose(d["attention"].sum(axis=-1), 1, rtol=1e-12)
    assert d["common_mass"][-1] < 0.65 * d["common_mass"][0]
    # the released run ends with 0.181 on the most frequent distinct token, 0.006 on the rarest
    np.testing.assert_allclose(d["distinct"][[0, -1], -1], [0.006, 0.181], atol=0.006)
    np.testing.assert_array_equal(d["profile"][-1], d["distinct"][:, -1])
    np.testing.assert_array_equal(d["attention"][-1][0, task.distinct[0]], d["profile"][-1])


def test_seeds_are_other_sequences_and_settings_of_one_seed_share_theirs():
    first, other = (attention.attention_run(seed=seed)["loss"] for seed in (0, 1))
    assert not np.array_equal(first[2:], other[2:])
    shared = attention.attention_run(lr_Z=3.0)["loss"]
    # attention stands still in the first step, so that both losses are of the same sequences
    np.testing.assert_array_equal(first[:3], shared[:3])
    assert first[5] != shared[5]


def test_adam_at_a_small_rate_does_not_pick_the_most_frequent_token():
    rate = {"lr_Y": 0.1, "lr_Z": 0.1}
    adam, momentum = (
        attention.attention_run(optimiser=name, **rate)["distinct"][:, -1] for name in ("adam", "momentum")
    )
    assert np.argmax(adam) <= 4
    assert np.argmax(momentum) == 9


def test_a_run_that_diverged_is_read_as_such():
    found = attention.attention_run(lr_Y=1e308, lr_Z=1e308)
    step = int(found["diverged_at"][0])
    assert step > 0
    assert attention.reading({"common": 10}, found) == f"The run diverged at step {step}."


def test_runs_of_the_ratio_explorer_that_diverged_are_counted():
    found = ratio.ratio_run(queries=1, lr_Z=1e306)
    lost = found["diverged_at"] >= 0
    np.testing.assert_array_equal(lost.reshape(3, 6), np.isnan(found["entropy"]))
    assert lost.any()
    assert (ratio.ratio_run(queries=1)["diverged_at"] == -1).all()


def test_a_huge_rate_that_leaves_nothing_for_distinct_tokens_is_no_divergence():
    """All attention of one class on a common token: its distinct tokens underflow, their entropy is still known."""
    found = attention.attention_run(lr_Z=1e6)
    assert found["diverged_at"][0] == -1
    assert all(np.isfinite(values).all() for values in found.values())
    assert found["attention"][-1][:, found["own"].any(axis=0)].sum(axis=-1).min() == 0
    assert attention.reading({"common": 10}, found).endswith("to 0.00 nats.")


def test_without_common_tokens_both_tracks_stand_still():
    d = snap.snap_run(common=0)
    for name in ("distinct", "ref_top", "speed", "ref_speed"):
        assert not d[name].any(), name
    assert np.ptp(d["entropy"]) == 0
    assert "nothing moves" in snap.reading({}, d)


def test_the_joint_flow_is_fastest_between_the_two_times_and_later_than_the_reference():
    d = snap.snap_run(M=1000)
    assert d["scan"] < d["peak"] < d["snap"]
    assert d["ref_peak"] < d["scan"]
    assert d["distinct"][-1, -1] < 0.5 * d["ref_top"][-1]  # the reference overstates the drive
    np.testing.assert_allclose(d["ref_loss"][0], d["loss"][0], rtol=0.02)


def test_in_the_reference_dynamics_theorem_3_is_exact_and_in_joint_flow_it_is_not():
    for d in growth.growth_run.many([{"rho": rho, "K": K} for rho in (0.2, 0.5) for K in (2, 5)]):
        slack = 1e-9
        assert np.all(d["ref_chi"] >= d["lower"] - slack)
        assert np.all(d["ref_chi"] <= d["upper"] + slack)
        seen = np.isfinite(d["ref_gain"])
        assert seen[:, -1].all()
        np.testing.assert_allclose(d["ref_gain"][seen], 1, atol=1e-5)
        assert np.all(d["ref_common"][-30:] < d["common"][-30:])
    late = growth.growth_run(rho=0.5, M=100)["gain"][:, -1]
    assert np.all(late < 0.97)


def test_the_closed_form_of_theorem_4_starts_at_zero_and_lies_below_the_reference():
    d = growth.growth_run()
    assert abs(d["closed_common"][0]) < 1e-4
    share = d["ref_common"][-1] / d["closed_common"][-1]
    assert 0.8 < share < 0.9  # a constant norm in the place of a falling one
    assert d["allowed"]
    assert not growth.growth_run(K=5)["allowed"]


@pytest.mark.parametrize("query", ["shared", "own"])
def test_in_the_reference_dynamics_a_token_turns_where_the_moving_threshold_crosses_its_ratio(query):
    points = [{"kappa": kappa, "query": query} for kappa in (1.2, 2.0, 3.0, 4.0)]
    turned = 0
    for point, d in zip(points, fate.fate_run.many(points), strict=True):
        above = point["kappa"] > d["threshold"]
        assert np.sign(d["token"][3]) == (1 if above else -1)
        assert np.all(np.sign(d["push"]) == np.sign(d["kappas"] - d["threshold"]))
        np.testing.assert_allclose(d["push"], d["ref_push"], rtol=1e-3, atol=1e-6)
        crossings = np.flatnonzero(np.diff(np.sign(d["ref_kappa_now"] - d["ref_threshold_now"])))
        assert np.isfinite(d["ref_turn"]) == bool(crossings.size)
        if crossings.size:
            assert TIMES[crossings[0]] <= d["ref_turn"] <= TIMES[crossings[0] + 1]
        turned += crossings.size
    assert turned


def test_in_joint_flow_the_decoder_remembers_and_a_token_may_not_turn():
    shared, own = fate.fate_run(kappa=3.0), fate.fate_run(kappa=2.0, query="own")
    assert shared["token"].max() > 0 > shared["token"][-1]
    assert shared["turn"] > shared["ref_turn"]
    # its ratio has fallen below the threshold, and still it gains
    assert own["kappa_now"][-1] < own["threshold_now"][-1]
    assert np.isnan(own["turn"])
    assert np.isfinite(own["ref_turn"])


def test_the_released_entropies_stand_where_the_settings_match_and_only_there():
    mean, std = published_figure6()
    d, early, other = (ratio.ratio_run(queries=1, **s) for s in ({}, {"steps": 99}, {"lr_Z": 1.5}))
    np.testing.assert_array_equal(d["released"], [np.nan, *mean[0, 1], np.nan])
    np.testing.assert_array_equal(d["spread"], [np.nan, *std[0, 1], np.nan])
    assert np.isnan(early["released"]).all()
    assert np.isnan(other["released"]).all()
    # three runs against ten: within three of their standard deviations
    here = np.isfinite(d["released"])
    assert np.all(np.abs(np.median(d["entropy"], axis=0) - d["released"])[here] < 3 * d["spread"][here])


def test_entropy_is_least_at_a_ratio_near_two_for_several_queries():
    d = ratio.ratio_run(queries=3)
    assert d["ratios"][np.argmin(np.median(d["entropy"], axis=0))] == 2
    assert 1 < d["fine"][np.argmin(d["population"])] < 3
    assert d["population"].min() > np.median(d["entropy"], axis=0).min()  # sampling noise sharpens attention


@pytest.mark.parametrize("queries", [1, 3])
def test_the_folded_start_ends_where_the_full_random_start_does(queries):
    task = ss.base_task(K=2 * queries, queries=queries)
    folded = ratio._runs(task, 3.0, 0, np.array([0, 100]))[0, :, -1]
    optimiser = rates(3.0 * ratio.RATIOS, 3.0)
    full = learn(task, [0] * 6, optimiser, random=True, shared=True, record_at=[0, 100])["entropy"][:, -1]
    np.testing.assert_allclose(folded, full, atol=0.004)
    assert not np.array_equal(folded, full)


def test_times_of_peaks_and_turns_are_interpolated():
    times = np.geomspace(1, 100, 21)
    bump = np.exp(-((np.log(times) - np.log(7.3)) ** 2))
    assert peak_time(times, bump) == pytest.approx(7.3, rel=0.01)
    assert np.isnan(peak_time(times, np.zeros(21)))
    assert peak_time(times, times) == 100
    assert turning_time(times, np.log(7.3) - np.log(times)) == pytest.approx(7.3)
    assert np.isnan(turning_time(times, np.ones(21)))
