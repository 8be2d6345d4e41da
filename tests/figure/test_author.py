"""Mistakes of an author: each is refused where the figure is made, by its name and with what to write instead."""

import numpy as np
import pytest

import hal.figure as f
from hal.figure.facts import Numbers, Result
from lib.errors import InputError
from lib.portable.primitives import Readings, Vector
from tests.figure import toy_computed, toy_flow, toy_run, toy_side
from tests.figure.changed import changed
from tests.figure.toy_flow import STEPS
from tests.figure.toy_run import Settings
from tests.figure.toy_smalls import SMALLS, small

AXES = {"xlabel": "x (a)", "ylabel": "y (b)", "title": "t"}
LOSS = {"xlabel": "time (steps)", "ylabel": "loss (nats)", "title": "Loss"}
GROUND = f.Heights("x", "y", "z", [1.0])
MAP = {**LOSS, "clabel": "z (no unit)"}
CLOUD = {**LOSS, "label": "now", "recorded_label": "then"}
A = {"alt": "a"}
SQUARE = {"xlim": (0, 1), "ylim": (0, 1), **A}
PAIR = {"full": 1.0, "names": "ab", "ideas": ("output", "attention"), "pipes_are": "ab", "drip_is": "d", **A}
XY = {"xlabel": "x (no unit)", "ylabel": "y (no unit)", **A}
NUMBERS = {"one": np.ones(1), "two": np.arange(2.0), "three": np.arange(3.0), "six": np.arange(6.0)}
LR, KIND = toy_side.SLIDERS.values()


def asks_for_W(W: Vector) -> Readings:
    return {"end": [W[0]]}


def without_the_second(lr: float) -> Settings:
    return toy_side.settings(lr, 0)


def toured(*steps):
    return toy_flow.make(TOUR=steps)


def started(kind):
    """The small toy with another switch."""
    return f.Computed(changed(toy_side, SLIDERS={"lr": LR, "kind": kind}))


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (dict(READING=[[f.Say("V ends at {ned:2}.")]]),
         "READING of toy-side: expected a name that the figure has, such as end, got 'ned'"),
        (dict(READING=[[f.Say("So.", "end > sum.ned")]]), "READING of toy-side: .* such as sum.end, .*got 'sum.ned'"),
        (dict(TOUR=[f.Step(f.Say("V ends at {ned}."), "V ends.")] * 4), "TOUR of toy-side: .* such as end, got 'ned'"),
        (dict(run_metrics=asks_for_W), "run_metrics of toy-side: .* got 'W'"),
        (dict(panels=lambda: [f.over_steps("V", "V (no unit)", f.Line("v", "V"))]), "panels of toy-side: .* got 'v'"),
        (dict(RUN=changed(toy_run, measure=None)), "measure: expected a probe, `probe` of the figure or `measure` of"),
        (dict(RUN=changed(toy_run, done=None)), "RUN: expected a textbook with start, step, done, .* got no done"),
        (dict(settings=None), "settings: expected in the module of the figure a portable function of the sliders"),
        (dict(SLIDERS={"lr": LR, "kind": KIND, "T": LR}),
         r"SLIDERS: expected names of parameters of `settings` \(lr, kind\), got 'T'"),
        (dict(SLIDERS={"lr": LR}), r"settings: expected the parameters lr, as in SLIDERS, got \['lr', 'kind'\]"),
        (dict(settings=without_the_second), r"SLIDERS: expected names of parameters of `settings` \(lr\), got 'kind'"),
        (dict(SLIDERS={"lr": f.Slider("Rate"), "kind": KIND}), "lr.*ends: expected the smallest and largest value"),
        (dict(SLIDERS={"lr": f.Slider("Rate", "no unit", 9.0, (0, 1)), "kind": KIND}),
         "lr.*default: expected a value from 0 to 1, got 9.0"),
        (dict(NAME=None, __name__="figure"), "NAME: expected the name of the element, as the figure is no module"),
        (dict(PRECOMPUTED_RUNS=0), "PRECOMPUTED_RUNS: expected from 1 to RUNS = 2, got 0"),
        (dict(panels=lambda: [f.plane([f.Path("V", "A", "runs")], **AXES, start=("lr", "S"))]),
         "panel 't': expected settings of its kind to drag, got 'S'"),
        (dict(panels=lambda: [f.bars("V", ["A"], **AXES, drag="lr")]),
         "panel 't': expected settings of its kind to drag, got 'lr'"),
    ],
)  # fmt: skip
def test_a_mistake_is_named_with_its_remedy(names, message):
    with pytest.raises(InputError, match=message):
        f.Computed(changed(toy_side, **names))


@pytest.mark.parametrize(
    ("make", "message"),
    [
        # figures and tours
        (lambda: f.Say("So.", "end is 3"), "conditions: expected a comparison such as"),
        (lambda: f.figure_of(toy_run), "figure: expected a module with `settings` or a function `figure`"),
        (lambda: toured(*STEPS[:3]), "tour: expected from 4 to 7 steps, or none, got 3"),
        (lambda: toured(*STEPS, f.Step("Hi.", D=3)), "step 5 of the tour: expected sliders among"),
        (lambda: toured(*STEPS, f.Step("Hi.", point="Loss")), "step 5 of the tour: expected one of the sliders"),
        (lambda: f.Step(), "say: expected at least one sentence"),
        (lambda: f.Step("At {tau}."), "say: expected a last sentence without numbers"),
        (lambda: f.Computed(toy_flow).compute({"T": 4, "Q": 8}), "Q: expected at least 1 position, at most T, got 8"),
        (lambda: f.Computed(toy_flow).compute({"S": 1}), r"settings: expected names among .*got \['S'\]"),
        (lambda: toy_flow.make(HERO=False, PRIMARY_SLIDERS=("T", "M")), r"not hidden .*got \['M'\]"),
        (lambda: toy_flow.make(HERO=False, PRIMARY_SLIDERS=("T", "N", "Q", "lr")), "expected from 1 to 3 settings"),
        (lambda: toy_flow.make(COLLAPSED_PANELS=3), "COLLAPSED_PANELS: expected from 0 to 2 of 3 panels, got 3"),
        (lambda: started(f.Slider("A", names=KIND.names, idle="never")), r"'kind'\].idle: expected Say\(reason"),
        (lambda: started(f.Slider("A", names=KIND.names, idle=f.Say("x", "rate == 0"))), "idle of kind: expected a"),
        (lambda: toy_computed.explorer(MEDIAN="B"), "MEDIAN of toy-computed: .* got 'B'"),
        (lambda: toy_computed.explorer(DEFERRED_THEORY=("flow",)), "DEFERRED_THEORY: expected all theory"),
        # panels
        (lambda: f.lines("steps", ["loss"], **{**LOSS, "ylabel": "loss"}), "ylabel of panel 'Loss': expected a label"),
        (lambda: f.lines("steps", [], **LOSS), "y of panel 'Loss': expected at least one series"),
        (lambda: f.plane([], **LOSS), "paths of panel 'Loss': expected something to draw"),
        (lambda: f.heatmap("z", pick=("a", "b"), xticks="x", **MAP), "pick: expected keys of the coord"),
        (lambda: f.cloud("x", "y", recorded=[f.Recorded(0, 0, {})], low="l", **CLOUD), "low, high: expected both ends"),
        (lambda: f.plane(["p"], heights=GROUND, xlim=(0, 1), **LOSS), "heights: expected an asinh axis"),
        # small figures and scenes
        (lambda: small("columns", TITLE="One two three four five six seven"), "TITLE: expected at most 6 words"),
        (lambda: small("columns", AGAIN="Again"), "AGAIN: expected a function of settings and seed"),
        (lambda: small("columns", picture=lambda: (SMALLS["columns"].picture(),) * 4), "expected one panel, or a"),
        (lambda: small("stems", picture=lambda: f.stems(values="net.values", alt=" ")), "alt of stems: expected what"),
        (lambda: f.arcs(weights="w", tokens="t", letters="", **A), "letters: expected names of the kinds"),
        (lambda: f.arcs(weights="w", tokens="t", letters="a", spoils=True, **A), "spoils: expected an answer to hide"),
        (lambda: f.ink(weights="w", tokens="t", words="ab", places="p", **A), "places: expected with"),
        (lambda: f.ink(weights="w", tokens="t", words="ab", group_names="xy", **A), "group_names: expected at most 1"),
        (lambda: f.vessels(levels="a", flows="a", drip="a", shut="a", **{**PAIR, "names": "a"}), "names of vessels"),
        (lambda: f.arrows(angles="a", names="x", span=(90, 0), **A), "span: expected an arc"),
        (lambda: f.points(x="x", y="y", **{**SQUARE, "xlim": (1, 1)}), "xlim: expected .low, high."),
        (lambda: f.points(x="x", y="y", query=("a", "b"), **SQUARE), "at_x, at_y: expected the keys"),
    ],
)  # fmt: skip
def test_parts_are_refused_where_they_are_made_or_used(make, message):
    with pytest.raises(InputError, match=message):
        make()


@pytest.mark.parametrize("lacking", ["settings", "picture", "SLIDERS", "say", "TITLE", "HINT", "IDEA"])
def test_what_is_missing_is_named(lacking):
    kept = {name: value for name, value in vars(SMALLS["columns"]).items() if name != lacking}
    with pytest.raises(InputError, match=f"^{lacking}: expected in the module of the small figure"):
        f.Small(type("M", (), kept))


THEORY = {"steps": np.arange(3), "loss": np.zeros(3), "z": np.zeros(10)}


@pytest.mark.parametrize(
    ("panel", "data", "message"),
    [
        (f.lines("steps", ["nothing"], **LOSS), {}, r"run: expected numbers 'nothing' for panel 'Loss', got only \["),
        (f.lines("steps", ["loss"], **LOSS), {"loss": np.zeros(4)}, r"'loss' of 3 numbers, as 'steps'"),
        (f.bars("x", ["loss"], frames=True, **LOSS), {"x": np.arange(2)}, "'loss' of whole frames of 2 numbers, got 3"),
        (f.bars("x", ["loss"], **LOSS), {"x": np.arange(2)}, "'loss' of 2 numbers, as 'x'"),
        (f.heatmap("z", rows=2, columns=5, frames=False, **MAP), {"z": np.zeros(20)}, "one frame in 'z'"),
        (f.heatmap("z", rows="x", columns=5, **MAP), {"x": np.arange(2)}, "rows: expected the name of a whole"),
        (f.plane([f.Path("steps", "x", "p")], **LOSS), {"x": np.arange(2)}, "'x' of 3 numbers, as 'steps'"),
        (f.cloud("x", "y", recorded=[f.Recorded(0, 0, {})], curve=("steps", "z", "law"), **CLOUD), {}, "'z' of 3 n"),
    ],
)  # fmt: skip
def test_arrays_that_do_not_fit_their_panel_are_refused_by_name(panel, data, message):
    with pytest.raises(InputError, match=message):
        panel.check(Numbers(Result({**THEORY, **data}, [], {}), "Loss"))


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (f.arcs(weights="six", tokens="three", letters="abc", **A), "'six' of whole parts of 3 numbers, got 6"),
        (
            f.arcs(weights="three", tokens="three", letters="abc", asks="two", **A),
            "'two' of 1 numbers, as one token",
        ),
        (f.grid(cells="six", rows=2, columns=2, **A), "'six' of whole parts of 2 x 2 numbers, got 6"),
        (f.columns(heights="six", widths="two", kinds="three", **A), "'three' of 2 numbers, as the bars, got 3"),
        (f.landscape(x="two", y="three", z="three", **XY), "'three' of 6 numbers, as 'two' times 'three', got 3"),
        (
            f.ink(weights="one", tokens="two", words="abc", places="two", chances="two", size="one", **A),
            "places bel",
        ),
        (
            f.ink(weights="three", tokens="three", words="abc", rows=2, **A),
            "3 words in rows of one length, got 2 rows",
        ),
        (f.arrows(angles="three", names="ab", **A), "'three' of whole parts of 2 numbers, got 3"),
        (f.points(x="two", y="three", **SQUARE), "'three' of 2 numbers, as 'two', got 3"),
        (
            f.points(x="two", y="two", lines=[f.Path("two", "three", "")], **SQUARE),
            "'two' and 'three' of one size",
        ),
        (f.ring(walk="six", nodes=3, **A), "nodes of 'six' from 0 to 2, got 0 to 5"),
        (
            f.vessels(levels="three", flows="two", drip="one", shut="one", **PAIR),
            "'three' of whole parts of 2 numbers",
        ),
    ],
)
def test_arrays_whose_sizes_disagree_are_refused_by_name(scene, message):
    with pytest.raises(InputError, match=message):
        scene.check(Numbers(Result(NUMBERS, [], {}), "a"))
