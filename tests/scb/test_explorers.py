"""The runs behind the chapter's explorers: many points equal single points, settings are checked, readings read."""

import numpy as np
import pytest

from lib.chapters.scb.explorers import flow, prox, sign, stages, transfer
from lib.chapters.scb.runs import make_task
from lib.chapters.scb.runs.escape import first_reach
from lib.chapters.scb.runs.large_batch import first_step
from lib.errors import InputError
from lib.sampling import generators
from lib.theory import scb as theory

SMALL = {
    stages.stages_run: [{"T": 48, "lr": 0.05, "batch": 8, "Q": q, "lam": lam} for q, lam in ((1, 0.05), (3, 0.2))],
    prox.prox_run: [{"T": 32, "lr": 0.05, "batch": 8, "lam": lam} for lam in (0.02, 0.1)],
    sign.sign_run: [{"T": 32, "lr": 0.05, "batch": 4, "c": c} for c in (0.6, 1.0)],
    transfer.transfer_run: [{"T": 32, "rho": 0.5, "samples": b} for b in (64, 100)],
}
READINGS = {
    stages.stages_run: stages.reading,
    prox.prox_run: prox.reading,
    sign.sign_run: sign.reading,
    transfer.transfer_run: transfer.reading,
}
NAMES = [run.__name__ for run in SMALL]


@pytest.mark.parametrize("run", SMALL, ids=NAMES)
def test_many_points_equal_single_points_bit_for_bit(run):
    points = SMALL[run]
    for point, together in zip(points, run.many(points), strict=True):
        alone = run(**point)
        assert alone.keys() == together.keys()
        for name, value in alone.items():
            # the static page shows the batched points, the live kernel computes single ones
            np.testing.assert_array_equal(together[name], value, err_msg=name)


@pytest.mark.parametrize("run", SMALL, ids=NAMES)
def test_readings_carry_numbers_and_change_with_the_settings(run):
    texts = [READINGS[run](point, data) for point, data in zip(SMALL[run], run.many(SMALL[run]), strict=True)]
    assert all(any(c.isdigit() for c in text) and text.endswith(".") for text in texts)
    assert len(set(texts)) == 2


@pytest.mark.parametrize(
    ("run", "settings", "message"),
    [
        (stages.stages_run, {"T": 4, "Q": 5}, "weights: expected a sparsity Q of at most T = 4, got Q = 5"),
        (stages.stages_run, {"skew": -1.0}, "skew: expected a finite number of at least 0, got -1.0"),
        (stages.stages_run, {"lam": -0.1}, "threshold"),
        (prox.prox_run, {"batch": 0}, "batch"),
        (sign.sign_run, {"c": 1.5}, "c: expected a strength between 0 and 1, got 1.5"),
        (transfer.transfer_run, {"rho": 2.0}, "rho: expected a correlation between -1 and 1, got 2.0"),
        (transfer.transfer_run, {"samples": 0}, "samples: expected at least 1, got 0"),
        (stages.stages_run, {"nonsense": 1}, "nonsense"),
    ],
)
def test_bad_settings_are_named(run, settings, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        run(**settings)


FLOW = [{"T": 64}, {"T": 40, "Q": 4, "lr": 0.1}, {"T": 100, "N": 7, "skew": 1.0, "lr": 0.05}, {"T": 512, "Q": 1}]


@pytest.mark.parametrize("settings", FLOW)
def test_flow_draws_the_theory_of_the_library(settings):
    shown = flow.explorer().compute(settings, runs=0)
    point = {**flow.explorer().default, **settings}
    task = make_task(point)
    steps = np.array(shown.theory["flow.steps"])
    path = theory.population_run(task.K_P, task.K_Q, task.T, point["lr"], int(steps[-1]), record_at=steps.astype(int))
    np.testing.assert_allclose(shown.theory["flow.alpha_V"], path.alpha_V, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(shown.theory["flow.alpha_A"], path.alpha_A, rtol=1e-9, atol=1e-12)
    assert shown.facts["quiet.tau"] == pytest.approx(theory.escape_time(0.1, point["lr"], task.K_Q, task.T), rel=1e-9)
    x, y = np.array(shown.theory["scene.x"]), np.array(shown.theory["scene.y"])
    u, v = theory.velocity(x[None, :], y[:, None], theory.drift_number(task.K_Q, task.T))
    np.testing.assert_allclose(np.reshape(shown.theory["scene.u"], u.shape), u, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(np.reshape(shown.theory["scene.v"], v.shape), v, rtol=1e-9, atol=1e-12)


def test_flow_records_at_the_times_of_its_theory_and_measures_its_runs():
    shown = flow.explorer().compute({"T": 32, "lr": 0.1}, seed=3, runs=2)
    for run in shown.runs:
        assert run["steps"] == shown.theory["flow.steps"]
        expected = first_reach(np.array(run["steps"]), np.array([run["alpha_V"]]), 0.1)
        (reached,) = flow.outcome(run["steps"], run["alpha_V"], run["alpha_A"])["reached"]
        assert reached == pytest.approx(expected[0])
    turned = flow.outcome([0.0, 1.0, 2.0], [0.0, -0.05, -0.3], [0.0, -0.1, -0.2])
    assert turned == {"reached": [pytest.approx(1.2)], "mirrored": [1.0]}
    assert np.isnan(flow.outcome([0.0, 1.0], [0.0, 0.05], [0.0, 0.1])["reached"][0])


def test_flow_s_measured_signal_is_near_its_theory():
    shown = flow.explorer().compute({"T": 64, "lr": 0.02}, runs=1)
    assert shown.facts["reached"] == pytest.approx(shown.facts["quiet.tau"], rel=0.25)


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
