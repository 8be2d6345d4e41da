"""What the figures of chapter 1 say, at random settings and in each branch; at both ends of sliders: tests/figure."""

import pytest

from hal.chapters.scb.figures import sign, stages
from hal.figure import Computed
from hal.figure.sentences import say


def told(module, facts, **chosen):
    """What is said at these settings, with the given facts of runs."""
    figure = Computed(module)
    known = {**figure.compute(chosen, runs=0).facts, "runs": 8.0, "lost": 0.0, **facts}
    if module is stages:
        known["summary.gain"] = known["sgd"] - known["prox"]
    return say(figure.reading, known)


def pair(sgd, prox):
    return {"sgd": sgd, "prox": prox, "sum.mirrored": 0.0}


SIGN = {"sum.upright": 1.0, "lost": 2.0, "runs": 1.0}
SAID = [  # a figure, the facts of runs, its sliders, what it says, what it does not
    (stages, pair(0.3, 0.2), {}, "the threshold wins", "wiped out"),
    (stages, pair(0.3, 0.4), {}, "SGD wins", "wiped out"),
    (stages, pair(0.3, 0.305), {}, "too close to tell", "wins"),
    (stages, pair(0.3, 0.71), {}, "wiped out", "the threshold wins"),
    (stages, pair(0.3, 1.2), {}, "SGD wins", "wiped out"),
    (stages, pair(0.9, 0.72), {}, "the threshold wins", "wiped out"),
    (sign, SIGN, {"N": 4, "c": 0.7, "T": 512, "batch": 4}, "Noise feeds itself here", "runs take"),
    (sign, SIGN, {"N": 4, "c": 0.7, "T": 512, "batch": 4},
     "Of the runs that did not diverge 1 of 1 goes to the true valley; theory says 78% do.", "One more run"),
    (sign, SIGN, {"N": 2, "c": 0.7, "T": 512, "batch": 4}, "theory says", "Noise feeds itself"),
]  # fmt: skip


@pytest.mark.parametrize(("module", "facts", "chosen", "words", "never"), SAID)
def test_rare_branches_say_what_is_so(module, facts, chosen, words, never):
    text = told(module, facts, **chosen)
    assert words in text
    assert never not in text
