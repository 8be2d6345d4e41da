"""What the chapter's figures draw and say is so; what holds of all figures is in `tests/explorer/test_figures`."""

import itertools

import numpy as np
import pytest

from hal.chapters.scan_snap.figures import attention, fate, growth, ratio, snap
from hal.chapters.scan_snap.runs import learn, rates
from hal.chapters.scan_snap.runs.learning import fast_runs
from hal.chapters.scan_snap.runs.published import LR_Z, QUERIES, published_figure6
from hal.chapters.scan_snap.runs.published_entropy import FIGURE_6_MEAN, FIGURE_6_STD, released_row
from hal.explorer import Computed
from lib import optim
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook, textbook_ratios
from lib.models.scan_snap.textbook_ratios import Sweep
from lib.portable import finish
from lib.sampling import generators
from lib.theory import scan_snap as theory
from lib.theory.scan_snap.portable_curves import clock_curves, peak_time
from lib.train import train
from tests.scan_snap.computed import computed, endless


@pytest.mark.parametrize("module", [attention, snap, growth, fate, ratio], ids=lambda module: module.TITLE)
def test_every_step_of_a_tour_says_its_best_sentence(module, monkeypatch):
    """With small batches; the released numbers of `ratio` are at the length and the steps of the authors."""
    monkeypatch.setattr(module, "BATCH", 4, raising=False)
    figure = Computed(module)
    for step in figure.tour:
        facts = figure.compute(step.settings, seed=step.seed).facts
        assert step.say[0].applies(facts)
        assert "{" not in step.say[0].filled(facts)


def test_what_the_tour_of_snap_says_without_numbers_is_so():
    d, facts = computed(snap)
    bars, dashes = (d[name].reshape(67, 11) for name in ("attention", "shares.reference"))
    np.testing.assert_allclose(bars[0, 0], bars[0, -1], rtol=1e-3)  # at first the common token and the leader are equal
    at = np.searchsorted(d["steps"], 37)
    assert dashes[at, 0] < 0.9 * bars[at, 0]
    assert dashes[at, -1] > 1.5 * bars[at, -1]
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
    assert fast["loss"][half] < 0.1 * fast["loss"][0]


def test_what_the_tour_of_fate_says_without_numbers_is_so():
    d, facts = computed(fate)
    assert d["partly_speed"][0] > 0
    assert np.all(np.diff(d["overlap"]) < 1e-9)
    assert facts["turn"] > facts["reference.turn"]
    assert fate.TOUR[0].say[0].text.startswith(f"Half is {d['kappa'][0]:g} times as frequent")
    ink = d["ink"].reshape(67, 13)[-1]
    assert ink[0] < ink[1] == pytest.approx(ink[2], rel=1e-6)
    assert ink[1] < ink[[9, 10, 12]].min()
    other, found = computed(fate, shared=0)
    assert np.isnan(found["turn"])
    assert np.all(other["partly_speed"] > 0)
    assert computed(fate, shared=0)[1]["reference.needed"] < facts["reference.needed"]
    alone, found = computed(fate, common=1)
    assert found["reference.start"] < 0.25
    assert np.all(alone["partly"] < 0)


def test_what_the_tour_of_ratio_says_without_numbers_is_so():
    ratios = [1.0, 2.0, 5.0, 10.0]
    task = ss.base_task(K=6, queries=3)
    for seed in (0, 1):
        course = learn(task, [seed] * 4, rates(ratios, 1.0), random=True, shared=True, record_at=[0, 10, 100])
        entropy = course["entropy"]
        assert np.ptp(entropy[:, 0]) == 0
        assert np.argmin(entropy[:, 1]) == 2
        assert (np.argmin(entropy[:, 2]), np.argmax(entropy[:, 2])) == (1, 3)
    best = [ratio.endless(Sweep(128, queries, 1.0, 100, 128))["best"][0] for queries in (1, 3)]
    assert best[0] < best[1]
    valley = [np.ptp(ratio.endless(Sweep(128, 3, lr_Z, 100, 128))["entropy"]) for lr_Z in (1.0, 0.1)]
    assert valley[1] < 0.5 * valley[0]


# attention


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


def test_dashed_is_the_training_on_infinitely_long_sequences():
    settings = dict(common=5, lr_Z=2.0, optimiser=2)
    run, dashed = endless(**settings), attention.endless(attention.settings(T=128, lr_Y=1.0, **settings))
    assert all(run[name].tolist() == values for name, values in dashed.items())
    task = ss.base_task(common=5, L=None)
    fast = learn(task, [0], rates(1.0, 2.0, optim.adam), record_at=range(101))
    np.testing.assert_allclose(dashed["entropy"], fast["entropy"][0, run["steps"].astype(int)], atol=1e-9)


def test_the_outcome_of_a_run_is_read_off_its_curves():
    steps, loss, mass = [0.0, 1.0, 2.0, 3.0], [1.0, 0.5, 0.05, 0.003], [0.6, 0.5, 0.4, 0.3]
    distinct = [0.01 * i for i in range(10)] + [0.0] * 20 + [0.5] + [0.1] * 9
    found = attention.outcome(steps, loss, mass, distinct)
    assert found["winner"] == [1.0]
    assert found["frequent"] == [0.0]
    assert found["common_last"] == [30.0]
    assert found["right"] == [1.0]  # the loss on record at step 2 is that of step 1
    assert found["share"] == pytest.approx([100 / 3])  # and by step 1 a third of the fall was made
    assert (found["told"], found["never"]) == ([1.0], [0.0])
    never = attention.outcome(steps, [1.0] * 4, mass, distinct)
    assert (never["never"], never["told"]) == ([1.0], [0.0])
    assert attention.outcome(steps, loss, [0.5] * 4, distinct)["told"] == [0.0]


def test_the_fast_model_runs_what_the_textbook_runs():
    """On infinitely long sequences to rounding; on sampled ones in law: six runs each, the middle within the bands."""
    chosen = attention.settings(T=24, common=4, lr_Y=2.0, lr_Z=1.0, optimiser=1)._replace(batch=8, steps=40)
    for optimiser in (0, 1, 2):
        endless_ = chosen._replace(T=0, optimiser=optimiser)
        own, fast = finish(textbook, endless_), fast_runs(endless_, [0])
        for name, values in fast.items():
            np.testing.assert_allclose(values[0], own[name], atol=1e-9)
    fast = fast_runs(chosen, range(40))
    own = [finish(textbook, chosen, seed) for seed in range(12)]
    for name, values in fast.items():
        sampled = np.array([run[name] for run in own])
        error = np.hypot(values.std(axis=0) / 40**0.5, sampled.std(axis=0) / 12**0.5)
        assert np.all(np.abs(values.mean(axis=0) - sampled.mean(axis=0)) <= 5 * error + 1e-12), name
    assert attention.FAST is fast_runs


# snap


def test_without_common_tokens_both_tracks_stand_still():
    d, _ = computed(snap, common=0)
    for name in ("distinct", "reference.top", "speed", "reference.speed"):
        assert not d[name].any(), name
    assert np.ptp(d["entropy"]) < 1e-12


def test_the_reference_overstates_the_drive_and_its_clock_peaks_where_theory_says():
    d, _ = computed(snap, M=1000)
    assert d["top"][-1] < 0.5 * d["reference.top"][-1]
    np.testing.assert_allclose(d["reference.loss"][0], d["loss"][0], rtol=0.02)
    gamma = clock_curves(2, 1000, 1.0, d["steps"].tolist())["gamma"]
    peak = theory.speed_peak(2, 1000, 1.0)
    assert peak_time(d["steps"].tolist(), gamma) == pytest.approx(peak.time, rel=0.01)


def test_a_token_above_the_mean_gains():
    d, _ = computed(snap, shared=0)
    pull = d["pull"].reshape(67, 11)
    z = np.column_stack([d["common"], d["distinct"].reshape(67, 10)])
    moved = np.sign(np.gradient(z, axis=0))
    agree = np.abs(pull - 1) > 0.02
    assert np.all(np.sign(pull - 1)[1:-1][agree[1:-1]] == moved[1:-1][agree[1:-1]])


# growth


def test_in_the_reference_dynamics_theorem_3_holds_and_in_joint_flow_it_does_not():
    for rho, K in itertools.product((0.2, 0.5), (2, 5)):
        d, _ = computed(growth, rho=rho, K=K)
        slack = 1e-4  # of the integrator
        assert np.all(d["reference.growth"] >= d["reference.lower"] * (1 - slack))
        assert np.all(d["reference.growth"] <= d["reference.upper"] * (1 + slack))
        assert np.all(d["reference.common"][-30:] < d["common"][-30:])
    late, _ = computed(growth, rho=0.5, M=100)
    assert np.all(late["lead"].reshape(67, 4)[-1] < 0.97)


def test_the_closed_form_of_theorem_4_starts_at_zero_and_lies_below_the_reference():
    d, facts = computed(growth)
    assert abs(d["reference.closed_common"][0]) < 1e-4
    share = d["reference.common"][-1] / d["reference.closed_common"][-1]
    assert 0.8 < share < 0.9
    t = d["steps"]
    others = theory.reduced_B(t, 2, 1000, 0.1, 0.1, C0=1 / 0.3**2)  # the other class alone is counted
    assert d["reference.common"][-1] == pytest.approx(-others[-1], rel=0.015)
    B = theory.reduced_B(t, 2, 1000, 0.1, 0.1, C0=1 / (2 * 0.3**2))
    np.testing.assert_allclose(d["reference.closed"], np.exp(B), rtol=1e-9)
    assert facts["reference.obeys"] == 1


# fate


@pytest.mark.parametrize("shared", [0, 1])
def test_in_the_reference_dynamics_a_token_turns_where_the_moving_threshold_crosses_its_ratio(shared):
    turned = 0
    for kappa in (1.2, 2.0, 3.0, 4.0):
        d, facts = computed(fate, kappa=kappa, shared=shared)
        assert facts["gains"] == float(kappa > facts["reference.needed"])
        assert facts["reference.needed"] == pytest.approx(theory.kappa_star(facts["reference.start"], shared == 1))
        threshold = theory.kappa_star(d["reference.overlap"], shared == 1)
        crossed = np.flatnonzero(np.diff(np.sign(d["reference.kappa"] - threshold)))
        assert np.isfinite(facts["reference.turn"]) == bool(crossed.size)
        if crossed.size:
            t, turn = d["steps"], facts["reference.turn"]
            assert t[crossed[0]] <= turn <= t[crossed[0] + 1]
            z = d["reference.partly"]
            place = np.searchsorted(t, turn)
            assert np.argmax(np.abs(z[: place + 2] - z[0]) * np.sign(z[place] - z[0])) in (place - 1, place)
        turned += crossed.size
    assert turned


def test_in_joint_flow_the_decoder_remembers_and_a_token_may_not_turn():
    (d, shared), (own, facts) = computed(fate, kappa=3.0), computed(fate, kappa=2.0, shared=0)
    assert d["partly"].max() > 0 > d["partly"][-1]
    assert shared["turn"] > shared["reference.turn"]
    # its ratio has fallen below the threshold, and still it gains
    assert own["kappa"][-1] < 1 / own["overlap"][-1]
    assert np.isnan(facts["turn"])
    assert np.isfinite(facts["reference.turn"])
    np.testing.assert_allclose(d["partly"], d["mirror"], atol=1e-12)


# ratio


def test_the_released_entropies_stand_where_the_settings_match_and_only_there():
    mean, std = published_figure6()
    for (i, queries), (j, lr_Z) in itertools.product(enumerate(QUERIES), enumerate(LR_Z)):
        np.testing.assert_array_equal(released_row(FIGURE_6_MEAN, queries, lr_Z), mean[i, j])
        np.testing.assert_array_equal(released_row(FIGURE_6_STD, queries, lr_Z), std[i, j])
    shown = ratio.released(Sweep(128, 1, 1.0, 100, 128))
    assert shown["mean"] == mean[0, 1].tolist()
    assert shown["best"] == [1.0]
    assert (shown["least"], shown["around"]) == ([mean[0, 1, 0]], [std[0, 1, 0]])
    for other in (Sweep(128, 1, 1.0, 99, 128), Sweep(128, 1, 1.5, 100, 128), Sweep(64, 1, 1.0, 100, 128)):
        assert np.isnan(ratio.released(other)["mean"]).all()
        assert np.isnan(ratio.released(other)["least"][0])


@pytest.mark.parametrize("queries", [1, 3])
def test_the_curve_of_infinitely_long_sequences_is_the_fast_models(queries):
    found = ratio.endless(Sweep(128, queries, 1.0, 100, 128))
    task = ss.base_task(K=2 * queries, queries=queries, L=None)
    ratios = np.array(found["ratios"])
    fast = learn(task, [0] * len(ratios), rates(ratios, 1.0), steps=100)["entropy"][:, -1]
    np.testing.assert_allclose(found["entropy"], fast, atol=1e-9)
    assert found["least"] == [min(found["entropy"])]
    if queries == 3:
        assert 1 < found["best"][0] < 3


def test_the_course_at_a_ratio_is_that_of_a_textbook_run_of_its_own():
    """SNAP-41 has what each comes to, and the best of them."""
    sweep = Sweep(T=10, queries=2, lr_Z=0.7, steps=9, batch=3)
    shown = finish(textbook_ratios, sweep, 4)
    strips = np.reshape(shown["strips"], (7, 10))
    np.testing.assert_allclose(strips.sum(axis=1), 1)
    for times_as_fast in (1, 2, 5, 10):
        alone = finish(textbook, textbook_ratios.run_settings(sweep, float(times_as_fast)), 4)
        assert shown[f"course_{times_as_fast}"] == alone["entropy"]
        own = np.reshape(alone["attention"], (-1, 4, 50))[-1, :, 10:].reshape(4, 4, 10)[range(4), range(4)]
        mean = (own / own.sum(axis=1, keepdims=True)).mean(axis=0)
        np.testing.assert_allclose(strips[textbook_ratios.RATIOS.index(times_as_fast)], mean)


def test_ratios_come_one_after_the_other():
    sweep = Sweep(T=10, queries=1, steps=5, batch=2)
    state = textbook_ratios.start(sweep, 0)
    for _ in range(12):
        textbook_ratios.step(state)
    shown = textbook_ratios.read(state)
    assert np.isfinite(shown["entropy"]).tolist() == [True, True, *[False] * 5]
    assert np.isfinite(shown["strips"]).reshape(7, 10).all(axis=1).tolist() == [True, True, *[False] * 5]
    assert np.isfinite(shown["course_2"]).tolist() == [True, True, True, False, False, False]
    assert np.isnan(shown["best"][0])
    steps = 12
    while not textbook_ratios.done(state):
        textbook_ratios.step(state)
        steps += 1
    assert steps == 35


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
