"""Mistakes of an author: each is refused where the figure is made, by its name and with what to write instead."""

import pytest

from hal.figure import Computed, Line, Path, Say, Slider, Step, bars, figure_of, over_steps, plane
from lib.errors import InputError
from lib.portable.primitives import Readings, Vector
from tests.figure import toy_flow as flow
from tests.figure import toy_run, toy_side, toy_tour
from tests.figure.changed import changed
from tests.figure.toy_run import Settings
from tests.figure.toy_tour import STEPS

AXES = {"xlabel": "x (a)", "ylabel": "y (b)", "title": "t"}
LR, KIND = toy_side.SLIDERS.values()


def asks_for_W(W: Vector) -> Readings:
    return {"end": [W[0]]}


def without_the_second(lr: float) -> Settings:
    return toy_side.settings(lr, 0)


def toured(*steps):
    return toy_tour.make(TOUR=steps)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (dict(READING=[[Say("V ends at {ned:2}.")]]),
         "READING of toy-side: expected a name that the figure has, such as end, got 'ned'"),
        (dict(READING=[[Say("So.", "end > sum.ned")]]), "READING of toy-side: .* such as sum.end, .*got 'sum.ned'"),
        (dict(TOUR=[Step(Say("V ends at {ned}."), "V ends.")] * 4), "TOUR of toy-side: .* such as end, got 'ned'"),
        (dict(run_metrics=asks_for_W), "run_metrics of toy-side: .* got 'W'"),
        (dict(panels=lambda: [over_steps("V", "V (no unit)", Line("v", "V"))]), "panels of toy-side: .* got 'v'"),
        (dict(RUN=changed(toy_run, measure=None)), "measure: expected a probe, `probe` of the figure or `measure` of"),
        (dict(RUN=changed(toy_run, done=None)), "RUN: expected a textbook with start, step, done, .* got no done"),
        (dict(RUN=None), "RUN: expected in the module of the figure the textbook that trains, got nothing"),
        (dict(settings=None), "settings: expected in the module of the figure a portable function of the sliders"),
        (dict(panels=None), "panels: expected in the module of the figure a function that returns the panels"),
        (dict(TITLE=None), "TITLE: expected in the module of the figure a few words, got nothing of that name"),
        (dict(SLIDERS={"lr": LR, "kind": KIND, "T": LR}),
         r"SLIDERS: expected names of parameters of `settings` \(lr, kind\), got 'T'"),
        (dict(SLIDERS={"lr": LR}), r"settings: expected the parameters lr, as in SLIDERS, got \['lr', 'kind'\]"),
        (dict(settings=without_the_second), r"SLIDERS: expected names of parameters of `settings` \(lr\), got 'kind'"),
        (dict(SLIDERS={"lr": Slider("Rate"), "kind": KIND}), "lr.*ends: expected the smallest and largest value"),
        (dict(SLIDERS={"lr": Slider("Rate", "no unit", 9.0, (0, 1)), "kind": KIND}),
         "lr.*default: expected a value from 0 to 1, got 9.0"),
        (dict(NAME="A b"), "NAME: expected lower case"),
        (dict(NAME=None, __name__="figure"), "NAME: expected the name of the element, as the figure is no module"),
        (dict(PRECOMPUTED_RUNS=0), "PRECOMPUTED_RUNS: expected from 1 to RUNS = 2, got 0"),
        (dict(panels=lambda: [plane([Path("V", "A", "runs")], **AXES, start=("lr", "S"))]),
         "panel 't': expected settings of its kind to drag, got 'S'"),
        (dict(panels=lambda: [bars("V", ["A"], **AXES, drag="lr")]),
         "panel 't': expected settings of its kind to drag, got 'lr'"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_remedy(names, message):
    with pytest.raises(InputError, match=message):
        Computed(changed(toy_side, **names))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Say("{0} and {a b}"), "text: expected numbers as"),
        (lambda: Say("So.", "end is 3"), "conditions: expected a comparison such as"),
        (lambda: figure_of(toy_run), "figure: expected a module with `settings` or a function `figure`"),
        (lambda: toured(*STEPS[:3]), "tour: expected from 4 to 7 steps, or none, got 3"),
        (lambda: toured(*STEPS, Step("Hi.", D=3)), "step 5 of the tour: expected sliders among"),
        (lambda: toured(*STEPS, Step("Hi.", T=5000)), "step 5 of the tour, T: expected a value from 4 to 512"),
        (lambda: toured(*STEPS, Step("Hi.", point="Loss")), "step 5 of the tour: expected one of the sliders"),
        (lambda: Step(), "say: expected at least one sentence"),
        (lambda: Step("At {tau}."), "say: expected a last sentence without numbers"),
        (lambda: Step("Hi.", time=-1), "time: expected a finite number of at least 0, got -1"),
        (lambda: Step("Hi.", seed=0.5), "seed: expected a whole number"),
        (lambda: Computed(flow).compute({"T": 4, "Q": 8}), "Q: expected at least 1 position, at most T, got 8"),
        (lambda: Computed(flow).compute({"S": 1}), r"settings: expected names among .*got \['S'\]"),
        (lambda: Computed(flow).compute({"N": 2.5}), "N: expected a whole number, got 2.5"),
    ],
)  # fmt: skip
def test_parts_are_refused_where_they_are_made_or_used(make, message):
    with pytest.raises(InputError, match=f"^{message}"):
        make()
