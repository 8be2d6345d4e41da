"""The chapter's explorers: what they draw is the library's, what they say is true at both ends of every slider."""

import re

import numpy as np
import pytest
from scipy.stats import binomtest

from lib.chapters.scb.explorers import flow, prox, sign, stages, transfer
from lib.chapters.scb.runs.escape import first_reach
from lib.chapters.scb.runs.large_batch import first_step
from lib.chapters.scb.runs.sign_share import recorded_shares, sign_share, some_settings
from lib.errors import InputError
from lib.explorer.sentences import say
from lib.explorer.weights import WeightsControl
from lib.models import scb
from lib.sampling import generators
from lib.theory import scb as theory
from tests.browser import ROOT

SHARES = ROOT / "results" / "scb" / "sign_share.json"
# Settings at which a run takes a fraction of a second in Python.
CHEAP = {
    "flow": {"T": 16, "lr": 0.2},
    "stages": {"T": 24, "lr": 0.2, "batch": 4},
    "prox": {"T": 24, "lr": 0.2, "batch": 4},
    "sign": {"T": 24, "lr": 0.1, "batch": 4},
    "transfer": {"T": 8},
}
MADE = {"flow": flow, "stages": stages, "prox": prox, "transfer": transfer}


@pytest.fixture(autouse=True)
def fewer_samples(monkeypatch):
    monkeypatch.setattr(transfer, "LARGEST", 2048)


def made(name):
    return sign.explorer(SHARES) if name == "sign" else MADE[name].explorer()


def make_task(point):
    T, N, c, weights = point["T"], point.get("N", 4), point.get("c", 0.75), scb.even_weights(point.get("Q", 2))
    if "mu" not in point:
        return scb.ring_task(T, N, c, weights, point.get("skew", 0.0))
    mu = np.array(point["mu"])
    return scb.Task(mu, scb.ring_transition(mu, c), scb.sparse_targets(T, weights, N, np.random.default_rng(0)))


def constants(point):
    task = make_task(point)
    return theory.constants(task.mu, task.P, task.Q)


def whole_runs(shown):
    return [run for run in shown.runs if not run["diverged_at"][0] >= 0]


def middle(shown, name):
    return np.median([run[name][-1] for run in whole_runs(shown)])


def numbers(text):
    return [float(found.replace(",", "")) for found in re.findall(r"(?<![\w.])\d[\d,]*(?:\.\d+)?", text)]


def check_flow(text, shown, point):
    runs = whole_runs(shown)
    turned = sum(run["alpha_A"][-1] < 0 for run in runs)
    several = f"All {turned} runs" if turned == len(runs) else f"{turned} of {len(runs)}"
    said = "No run is mirrored" if not turned else "One of" if turned == 1 else several
    assert ("Negative signals" in text) == (turned > 0)
    assert said in text
    level = np.concatenate([first_reach(np.array(r["steps"]), np.array([r["alpha_V"]]), 0.1) for r in runs])
    if "The signal reaches 0.1 at step" in text:
        assert numbers(text)[1] == pytest.approx(np.nanmedian(level), abs=0.51)
    d = float(theory.drift_number(constants(point).K_Q, point["T"]))
    if point["start_V"] or point["start_A"]:
        assert "From this start" in text
    elif d > 0.2:
        assert "no quiet phase" in text
    else:
        tau = np.log(0.2 / d) / point["lr"]
        assert f"step {tau:,.0f}" in text or f"says {tau:,.0f}" in text
        assert ("too small" in text) == (tau > shown.theory["flow.steps"][-1])


def check_stages(text, shown, point):
    chosen = stages.settings(**point)
    assert f"Stage 2 begins at step {chosen.stage1:,};" in text
    for name, letter in (("distance_V", "‖V − P‖"), ("distance_A", "‖A − Q‖")):
        said = re.search(re.escape(letter) + r" = ([\d.,]+\d)", text)
        assert float(said[1].replace(",", "")) == pytest.approx(middle(shown, name), abs=0.0051)
    before = [np.searchsorted(run["steps"], chosen.stage1 + chosen.stage2) - 1 for run in whole_runs(shown)]
    signal = np.median([abs(run["alpha_A"][i]) for run, i in zip(whole_runs(shown), before, strict=True)])
    if "hardly nearer" not in text:
        assert signal > 0.1
    assert ("threshold is 0" in text) == (point["lam"] == 0)


def check_prox(text, shown, point):
    sgd, other = middle(shown, "sgd_A"), middle(shown, "prox_A")
    winner = "the threshold wins" if other < sgd else "SGD wins"
    if point["lam"] == 0:
        assert "both are plain SGD" in text
        assert sgd == other
    else:
        assert winner in text
    assert numbers(text)[0 if point["lam"] else 1] == pytest.approx(sgd, abs=0.00051)
    if "wiped out" in text:
        assert other > 0.9 * np.sqrt(float(constants(point).K_Q))


def check_sign(text, shown, point):
    upright = [run["alpha_V"][-1] > 0 for run in whole_runs(shown)]
    task = constants(point)
    law = float(theory.sign_probability(point["batch"], point["lr"], task.s2, point["T"]))
    assert f"the law says {100 * law:.0f} %" in text
    assert text.startswith(f"{sum(upright)} of {len(upright)} runs take the true sign")
    interval = binomtest(sum(upright), len(upright)).proportion_ci(method="wilson")
    assert f"({100 * interval.low:.0f} to {100 * interval.high:.0f} %" in text
    assert ("less than the law" in text) == (interval.high < law)
    assert ("more than the law" in text) == (interval.low > law)
    lost = len(shown.runs) - len(upright)
    assert ("diverged and" in text) == (lost > 0)


def check_transfer(text, shown, point):
    found = [run["found"][-1] == 1 for run in shown.runs]
    said = {0: "None of", 1: "One of", len(found): f"All {len(found)}"}.get(sum(found), f"{sum(found)} of")
    assert text.startswith(said)
    task = constants(point)
    if point["rho"] == 0:
        assert "Without correlation" in text
    else:
        q_min = make_task(point).Q
        law = theory.one_step_batch(point["rho"], task.s2, point["T"], task.mu_min, q_min[q_min > 0].min())
        assert f"asks for {float(law):,.0f}" in text
        if 0.2 * float(task.K_Q) * point["T"] > 1:
            dearer = float(theory.stage1_samples(task.s2, point["T"], task.K_Q)) <= float(law)
            assert ("for only" in text) == dearer
    assert ("negative" in text) == (point["rho"] < 0)


CHECKS = {
    "flow": check_flow,
    "stages": check_stages,
    "prox": check_prox,
    "sign": check_sign,
    "transfer": check_transfer,
}


def ends(name):
    """Every slider of an explorer at both its ends, the others where a run is cheap; bars as far as they go."""
    figure = made(name)
    yield {}
    for key, control in figure.controls_by_name.items():
        if isinstance(control, WeightsControl):
            yield {key: [0.97, 0.01, 0.01, 0.01]}
            continue
        for value in (control.low, control.high):
            end = int(value) if control.integer else float(value)
            yield {key: end, "mu": [1 / end] * end} if (name, key) == ("transfer", "N") else {key: end}


@pytest.mark.parametrize("name", CHECKS)
def test_sentences_are_true_at_both_ends_of_every_slider(name):
    figure, said, lost = made(name), set(), 0
    for moved in ends(name):
        point = {**figure.default, **CHEAP[name], **moved}
        shown = figure.compute(point, seed=5, runs=3)
        text = figure.draw(shown).reading
        assert text.endswith(".")
        assert not re.search(r"nan|inf|[{}]", text), (moved, text)
        said.add(text)
        if whole_runs(shown):
            CHECKS[name](text, shown, point)
        else:
            assert "diverged" in text, (moved, text)
            lost += 1
    assert len(said) > 4
    assert lost or name == "transfer"  # a learning rate from far too small to divergence


@pytest.mark.parametrize("name", CHECKS)
def test_before_the_first_run_the_sentence_is_about_theory(name):
    figure = made(name)
    shown = figure.compute(CHEAP[name], runs=0)
    text = say(figure.reading, shown.facts)
    assert "o run has finished yet" in text or "no pair has finished yet" in text
    assert "{" not in text


FLOW = [
    {"T": 64},
    {"T": 40, "Q": 4, "lr": 0.1},
    {"T": 100, "N": 7, "skew": 1.0, "lr": 0.05, "start_V": -0.5, "start_A": 1.2},
    {"T": 512, "Q": 1},
]


@pytest.mark.parametrize("settings", FLOW)
def test_flow_draws_the_theory_of_the_library(settings):
    shown = flow.explorer().compute(settings, runs=0)
    point = {**flow.explorer().default, **settings}
    task = make_task(point)
    steps = np.array(shown.theory["flow.steps"])
    start = point["start_V"], point["start_A"]
    path = theory.population_run(
        task.K_P, task.K_Q, task.T, point["lr"], int(steps[-1]), start=start, record_at=steps.astype(int)
    )
    np.testing.assert_allclose(shown.theory["flow.alpha_V"], path.alpha_V, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(shown.theory["flow.alpha_A"], path.alpha_A, rtol=1e-9, atol=1e-12)
    if start == (0.0, 0.0):
        tau = theory.escape_time(0.1, point["lr"], task.K_Q, task.T)
        assert shown.facts["quiet.tau"] == pytest.approx(tau, rel=1e-9)
    x, y = np.array(shown.theory["scene.x"]), np.array(shown.theory["scene.y"])
    u, v = theory.velocity(x[None, :], y[:, None], theory.drift_number(task.K_Q, task.T))
    np.testing.assert_allclose(np.reshape(shown.theory["scene.u"], u.shape), u, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.reshape(shown.theory["scene.v"], v.shape), v, rtol=1e-9, atol=1e-12)


def test_flow_records_at_the_times_of_its_theory_and_measures_its_runs():
    shown = flow.explorer().compute({"T": 32, "lr": 0.1, "start_V": 0.3, "start_A": -0.2}, seed=3, runs=2)
    for run in shown.runs:
        assert run["steps"] == shown.theory["flow.steps"]
        assert run["alpha_V"][0] == pytest.approx(0.3)
        assert run["alpha_A"][0] == pytest.approx(-0.2)
    turned = flow.outcome([0.0, 1.0, 2.0], [0.0, -0.05, -0.3], [0.0, -0.1, -0.2])
    assert turned == {"reached": [pytest.approx(1.2)], "mirrored": [1.0]}
    assert np.isnan(flow.outcome([0.0, 1.0], [0.0, 0.05], [0.0, 0.1])["reached"][0])


def test_flow_s_measured_signal_is_near_its_theory():
    shown = flow.explorer().compute({"T": 64, "lr": 0.02}, runs=1)
    assert shown.facts["reached"] == pytest.approx(shown.facts["quiet.tau"], rel=0.25)


@pytest.mark.parametrize("settings", [{}, {"T": 64, "N": 6, "Q": 3, "skew": 1.0, "lr": 0.05, "batch": 8}])
def test_prox_draws_the_closure_of_the_library(settings):
    shown = prox.explorer().compute(settings, runs=0)
    point = {**prox.explorer().default, **settings}
    steps = np.array(shown.theory["closure.steps"]).astype(int)
    path = theory.closure(constants(point), point["lr"], point["batch"], int(steps[-1]), record_at=steps)
    np.testing.assert_allclose(shown.theory["closure.distance_V"], path.error_V, rtol=1e-9)
    np.testing.assert_allclose(shown.theory["closure.distance_A"], path.error_A, rtol=1e-9)


def test_records_are_at_the_times_of_the_figures():
    for name, key in (("stages", "stages.steps"), ("prox", "closure.steps"), ("sign", "clock.steps")):
        shown = made(name).compute({**CHEAP[name], "lr": 0.05}, runs=1)
        assert shown.runs[0]["steps"] == shown.theory[key]
    shown = made("transfer").compute(CHEAP["transfer"], runs=1)
    assert shown.runs[0]["steps"] == shown.theory["batches.steps"]


def test_the_law_that_sign_draws_is_the_library_s():
    shown = made("sign").compute(runs=0)
    wanted = theory.sign_probability(shown.theory["law.ratios"], 1.0, 1.0, 1.0)
    np.testing.assert_allclose(shown.theory["law.curve"], wanted, rtol=1e-9)
    assert shown.theory["law.ratios"][-1] == pytest.approx(100.0)


def test_the_law_lies_over_the_cloud():
    figure = made("sign")
    shown = figure.compute(CHEAP["sign"], runs=3)
    items = figure.draw(shown).items
    np.testing.assert_array_equal(items["1.cx"].array, shown.theory["law.ratios"])
    np.testing.assert_array_equal(items["1.cy"].array, shown.theory["law.curve"])
    assert items["1.y"].array[0] == shown.facts["share.share"]
    (cloud,) = [panel for panel in figure.panels if panel.kind == "cloud"]
    assert cloud.spec()["curve"] == "the sign law"
    data = {**shown.facts, "law.ratios": [1.0, 2.0], "law.curve": [1.0]}
    with pytest.raises(InputError, match=r"'law.curve' with axis 0 as long as 'law.ratios' \(2\)"):
        cloud.items(data, None)


def test_a_share_counts_no_run_that_diverged():
    assert np.isnan(sign.share(float("nan"), 0.0)["share"][0])
    half = sign.share(3.0, 6.0)
    assert half["percent"] == [50.0]
    figure = made("sign")
    shown = figure.compute({"T": 24, "c": 0.5, "lr": 0.3, "batch": 2}, runs=12)
    kept = [run["alpha_V"][-1] > 0 for run in whole_runs(shown)]
    assert 0 < len(kept) < 12
    assert shown.facts["share.share"] == pytest.approx(np.mean(kept))
    assert f"{12 - len(kept)} more runs have diverged and are not counted." in figure.draw(shown).reading


def test_recorded_shares_are_what_their_settings_give():
    points = recorded_shares(SHARES)
    assert [point["settings"] for point in points] == some_settings(len(points))
    figure = made("sign")
    cheapest = sorted(points, key=lambda p: p["settings"]["T"] * p["settings"]["batch"] / p["settings"]["lr"])
    for point in cheapest[:3]:
        figure.check(point["settings"])
        again = sign_share(**point["settings"])
        assert again["upright"] == pytest.approx(point["upright"], abs=2)
        assert again["law"] == pytest.approx(point["law"], rel=1e-9)


def test_first_step_tends_to_its_expectation():
    task = make_task({"T": 16})
    scores = first_step(task, task.P, [100, 20_000], [0, 1])
    expected = float(task.K_P) * (task.Q - 1 / task.T)
    few, many = np.abs(scores - expected).max(axis=(1, 2, 3))
    assert many < 0.15 * float(task.K_P) < few
    np.testing.assert_allclose(scores.sum(axis=-1), 0, atol=1e-9)
    with pytest.raises(InputError, match="batches: expected increasing batch sizes"):
        first_step(task, task.P, [8, 8], [0])


def test_generators_of_different_purpose_differ():
    first, second = (generators([3], purpose)[0].random(4) for purpose in (0, 1))
    assert not np.any(first == second)
    with pytest.raises(InputError, match="seed: expected a whole number >= 0, got -1"):
        generators([-1])
