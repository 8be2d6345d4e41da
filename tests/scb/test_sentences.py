"""What the figures of chapter 1 say, at random settings and in each branch; at both ends of sliders: tests/explorer."""

import numpy as np
import pytest

from hal.chapters.scb.figures import sign, stages, transfer
from hal.explorer import Computed
from hal.explorer.sentences import say


def told(module, facts, **chosen):
    """What is said at these settings, with the given facts of runs."""
    figure = Computed(module)
    known = {**figure.compute(chosen, runs=0).facts, "runs": 8.0, "lost": 0.0, **facts}
    if module is stages:
        known["summary.gain"] = known["sgd"] - known["prox"]
    return say(figure.reading, known)


@pytest.mark.parametrize(
    ("sgd", "threshold", "words", "wiped"),
    [
        (0.3, 0.2, "the threshold wins", False),
        (0.3, 0.4, "SGD wins", False),
        (0.3, 0.305, "too close to tell", False),
        (0.3, 0.71, "SGD wins", True),
        (0.3, 1.2, "SGD wins", False),
        (0.9, 0.72, "the threshold wins", False),
    ],
)
def test_who_wins_is_told_where_it_can_be_told(sgd, threshold, words, wiped):
    text = told(stages, {"sgd": sgd, "prox": threshold, "sgd_A": 0.02, "prox_A": 0.03, "sum.mirrored": 0.0})
    assert words in text
    assert ("wiped out" in text) == wiped


def test_the_pair_says_where_no_curve_is_predicted():
    facts = {"sgd": 0.3, "prox": 0.2, "sgd_A": 0.02, "prox_A": 0.03, "sum.mirrored": 0.0}
    assert "No dashed curve" not in told(stages, facts)
    assert "No dashed curve" in told(stages, facts, batch=1, T=512)


def test_the_sign_figure_says_where_noise_feeds_itself():
    facts = {"sum.upright": 1.0, "lost": 2.0, "runs": 1.0}
    text = told(sign, facts, N=4, c=0.7, T=512, batch=4)
    assert text.startswith("Of the runs that did not diverge 1 of 1 takes the true sign; theory says 78% do.")
    assert "Noise feeds itself here (r = 0.84)" in text
    assert "Noise feeds itself" not in told(sign, facts, N=2, c=0.7, T=512, batch=4)


@pytest.mark.parametrize(
    ("chosen", "words"),
    [
        ({}, "Theory asks for 566, less than Stage 1 from scratch (989)."),
        ({"T": 17}, "this context is so short that there is hardly a quiet phase to skip."),
        ({"T": 64, "rho": 1.0}, "Stage 1 from scratch for only 99.2."),
        ({"T": 8, "Q": 4}, "By theory no batch of less than 10⁹ samples is enough."),
        ({"rho": 0.0}, "Without correlation the old task says nothing about this one."),
    ],
)
def test_what_transfer_saves_is_compared_where_there_is_a_stage_1(chosen, words):
    assert words in told(transfer, {"sum.found": 8.0, "enough": 500.0}, **chosen)


def test_what_tours_say_of_runs():
    """Of the stages: "its map clears", "every piece is small, but there are hundreds", "both are right"."""
    shown = Computed(stages).compute(runs=1)
    (run,) = shown.runs
    useless = np.array(run["useful"]) == 0
    without, with_ = (np.reshape(run[name], (len(run["steps"]), -1))[:, useless] for name in ("without", "with"))
    switch, third = (np.searchsorted(run["steps"], shown.theory[f"stages.{at}"][0]) for at in ("second", "third"))
    assert (np.abs(with_[switch + 3]) > 0.01).sum() < 0.6 * (np.abs(without[switch + 3]) > 0.01).sum()
    assert (np.abs(without[third - 1]) > 0.01).sum() > 200
    assert np.abs(without[third - 1]).max() < 0.15
    assert max(run["sgd_A"][-1], run["prox_A"][-1]) < 0.06
