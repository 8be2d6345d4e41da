"""The runs behind the chapter's explorers: many points equal single points, settings are checked, readings read."""

import numpy as np
import pytest

from lib.chapters.scb.explorers import flow, prox, sign, stages, transfer
from lib.chapters.scb.runs import make_task
from lib.chapters.scb.runs.large_batch import first_step
from lib.errors import InputError
from lib.sampling import generators

SMALL = {
    flow.flow_run: [
        {"T": 32, "N": 2, "lr": 0.05, "batch": 8},
        {"T": 32, "N": 2, "lr": 0.05, "batch": 8, "Q": 1, "skew": 0.5},
    ],
    stages.stages_run: [{"T": 48, "lr": 0.05, "batch": 8, "Q": q, "lam": lam} for q, lam in ((1, 0.05), (3, 0.2))],
    prox.prox_run: [{"T": 32, "lr": 0.05, "batch": 8, "lam": lam} for lam in (0.02, 0.1)],
    sign.sign_run: [{"T": 32, "lr": 0.05, "batch": 4, "c": c} for c in (0.6, 1.0)],
    transfer.transfer_run: [{"T": 32, "rho": 0.5, "samples": b} for b in (64, 100)],
}
READINGS = {
    flow.flow_run: flow.reading,
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
        (flow.flow_run, {"T": 4, "Q": 5}, "weights: expected a sparsity Q of at most T = 4, got Q = 5"),
        (flow.flow_run, {"N": 1}, "N: expected at least 2 tokens, got 1"),
        (flow.flow_run, {"skew": -1.0}, "skew: expected a finite number of at least 0, got -1.0"),
        (stages.stages_run, {"lam": -0.1}, "threshold"),
        (prox.prox_run, {"batch": 0}, "batch"),
        (sign.sign_run, {"c": 1.5}, "c: expected a strength between 0 and 1, got 1.5"),
        (transfer.transfer_run, {"rho": 2.0}, "rho: expected a correlation between -1 and 1, got 2.0"),
        (transfer.transfer_run, {"samples": 0}, "samples: expected at least 1, got 0"),
        (flow.flow_run, {"nonsense": 1}, "nonsense"),
    ],
)
def test_bad_settings_are_named(run, settings, message):
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        run(**settings)


def test_flow_is_closer_to_theory_with_a_larger_batch():
    small, large = (flow.flow_run(T=64, batch=b, lr=0.05) for b in (4, 256))
    gap = [np.abs(np.median(d["alpha_V"], axis=0) - d["flow_V"]).max() for d in (small, large)]
    assert gap[1] < 0.5 * gap[0]


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
