"""Sentences of the chapter that say what a figure shows: quoted as they stand, and computed."""

import json
import re

import numpy as np
import pytest

from hal import claims
from hal.chapters.one_nn import runs
from hal.chapters.one_nn.figures.curves import SIZES
from lib.theory import one_nn as theory
from lib.theory.one_nn.portable_flow import log_times, path, time_of, value_at
from lib.theory.one_nn.portable_sphere import law_of
from lib.theory.one_nn.portable_times import time_to_loss
from tests.browser import ROOT

CELLS = json.loads((ROOT / "book" / "one_nn.ipynb").read_text())["cells"]
TEXT = "\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "markdown")


def flow(d, N, sigma=3.0, end=1e6, count=49):
    times = log_times(end, count)
    return times, *path(law_of(d, N), 0.0, sigma, times, 1e-3)


@pytest.fixture(scope="module")
def default():
    return flow(4, 8)


def test_the_first_figure_at_its_default(default):
    times, xi1, xi2, loss = default
    assert "it passes 0.1 near $t=1000$" in TEXT
    assert time_of(0.1, times, loss) == pytest.approx(1000, rel=0.03)
    assert "at $t=10^6$ the loss is 0.0096" in TEXT
    assert f"{loss[-1]:.4f}" == "0.0096"
    assert "at $d=4$, $N=8$ it is 0.84 at $t=10^6$ (NN-11)" in TEXT
    assert f"{xi1[-1] / xi2[-1]:.2f}" == "0.84"


def test_a_negative_mask():
    _, xi1, _, loss = flow(4, 8, sigma=-6.0, end=1e4, count=97)
    assert r"$\xi_1$ sinks to −0.10 before it turns at $d=4$, $N=8$" in TEXT
    assert f"{min(xi1):.2f}" == "-0.10"
    assert "the loss stays near one half" in TEXT
    assert loss[0] == pytest.approx(0.5, abs=0.01)


def test_times_to_a_loss():
    def time(d, N):
        return time_to_loss(d, N, 3.0, 0.1)

    assert "the way to 0.1 takes 35 times as long" in TEXT
    assert f"{time(16, 64) / time(4, 8):.0f}" == "35"
    assert "At $d=8$ it takes 15 times as long with 128 examples as with 4" in TEXT
    assert f"{time(8, 128) / time(8, 4):.0f}" == "15"
    assert "at $N=8$ it takes 45 times as long in 32 dimensions as in 3" in TEXT
    assert f"{time(32, 8) / time(3, 8):.0f}" == "45"


def test_the_late_law_and_the_bound_of_the_second_figure():
    times, xi1, _, loss = flow(8, 8, end=1e8, count=67)
    t = np.array(times)
    late = theory.late_loss(theory.late_xi1(t[1:], 8, 8), 8, 8)
    assert "Once the loss is below 0.1 the curves run along it" in TEXT
    low = np.array(loss[1:]) < 0.1
    assert np.all(np.abs(np.array(loss[1:])[low] / late[low] - 1) < 0.25)
    assert "in the last decade the slopes of the loss and of $\\xi_1$ are −⅓ and ⅓ to one per cent" in TEXT
    span = np.log(t[-1] / t[-9])
    assert -3 * np.log(loss[-1] / loss[-9]) / span == pytest.approx(1, abs=0.01)
    assert 3 * np.log(xi1[-1] / xi1[-9]) / span == pytest.approx(1, abs=0.01)
    assert "at $t=10^8$ it still stands at 0.097, where the loss is 0.0028" in TEXT
    at_100 = value_at(100.0, times, loss)
    assert f"{at_100 * np.log(100) / np.log(1e8):.3f}" == "0.097"
    assert f"{loss[-1]:.4f}" == "0.0028"


def test_separated_prompts_cost_a_hundred_times_less():
    assert "At $t=10^6$ it is more than a hundred times smaller than on uniform prompts." in TEXT
    _, xi1, xi2, loss = flow(8, 16, count=25)
    scores = [runs.shift_scores(xi1[-1:], xi2[-1:], 8, 16, 0.1, seed=seed).loss[0] for seed in range(4)]
    assert loss[-1] / np.mean(scores) > 100
    assert "The sign of the answer is right much earlier than the loss is small." in TEXT
    early = runs.shift_scores(xi1[16:17], xi2[16:17], 8, 16, 0.1)
    assert (early.accuracy[0], early.loss[0]) == (pytest.approx(1, abs=0.01), pytest.approx(0.05, abs=0.03))


def test_the_best_rule_without_competition():
    assert "passes the best such rule near $t=900$" in TEXT
    time = time_to_loss(8, 16, 3.0, theory.best_kernel_loss(16))
    assert time == pytest.approx(900, rel=0.03)


def test_curves_of_the_talk_lie_on_their_flows_and_keep_their_order():
    assert "Every curve lies on its flow." in TEXT
    assert "On separated prompts the order is the same and the fall is steeper." in TEXT
    steps, at = 3000, np.unique(np.r_[0, np.geomspace(5, 3000, 30).astype(int)])
    ends, tests, steeper = [], [], []
    for d, N in SIZES:
        run = runs.learn_pair([0], d=d, N=N, lr=2.0, steps=steps, record_at=at)
        flow = runs.reduced_flow(d, N, 2.0 * at[1:], rows=2048)
        assert abs(np.log(run["loss"][0, 1:] / flow.loss)).mean() < 0.1
        test = runs.shift_scores(run["xi1"][0, [-5, -1]], run["xi2"][0, [-5, -1]], d, N, 0.1, prompts=4000).loss
        ends.append(flow.loss[-1])
        tests.append(test[-1])
        steeper.append(test[-1] / test[0] < flow.loss[-1] / flow.loss[-5])
    assert all(steeper)
    assert np.argsort(ends).tolist() == np.argsort(tests).tolist()


def test_numbers_of_the_exercises():
    assert r"$\mathbb E\,z_*$ is 0.600" in TEXT
    assert f"{float(theory.nearest_mean(8, 16)):.3f}" == "0.600"


def test_products_of_three_labels():
    assert "But $y_1y_2y_3=1$, always; so a prompt has one or three labels $+1$, never none" in TEXT
    for b1 in (-1, 1):
        for b2 in (-1, 1):
            y = [b1, b2, b1 * b2]
            assert np.prod(y) == 1
            assert y.count(1) in (1, 3)
    # "settles near 0.05": measured in test_figures, at two seeds
    assert "The entry $W_{23}$, which is 0 in the family, settles near 0.05." in TEXT


def test_every_claim_that_is_named_exists():

    named = set(re.findall(r"NN-\d+", TEXT))
    assert len(named) > 10
    assert named <= {one.id for one in claims.of("one_nn")}
