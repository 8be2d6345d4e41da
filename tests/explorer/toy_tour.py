"""A figure that computes, with a tour: the flow of chapter 1 under another name."""

from lib.chapters.scb.explorers import flow
from lib.explorer import Computed, Say, Slider, Step
from lib.models.scb import textbook

STEPS = (
    Step("At first all is zero.", time=0),
    Step(
        Say("At step {reached} the signal is 0.1."), "The signal grows.",
        time=40, point="The quiet phase", T=64, lr=0.1,
    ),
    Step("Four times the context.", point="T", T=256, lr=0.1, seed=3),
    Step("The wrong way.", point="Where the runs go", T=512, N=2, Q=4, skew=0.5, lr=0.1),
)  # fmt: skip


def make(**options):
    """The figure; options replace its arguments."""
    given = {
        "name": "toy-tour",
        "title": "A toy with a tour",
        "settings": flow.settings,
        "theory": [flow.flow, flow.quiet, flow.scene],
        "outcome": flow.outcome,
        "sliders": {
            "T": Slider("Context T", "tokens", live=(4, 512), log=True),
            "N": Slider("Vocabulary N", "tokens", live=(2, 12)),
            "Q": Slider("Sparsity Q", "positions", live=(1, 8)),
            "skew": Slider("Skew of μ", "no unit", live=(0, 1.5)),
            "lr": Slider("Learning rate η", "no unit", live=(0.01, 0.2), log=True),
            "start_V": Slider("Start of α_V", "no unit", live=(-1.4, 1.4), hidden=True),
            "start_A": Slider("Start of α_A", "no unit", live=(-1.8, 1.8), hidden=True),
        },
        "default": {"T": 64, "N": 4, "Q": 2, "skew": 0.0, "lr": 0.1, "start_V": 0.0, "start_A": 0.0},
        "time": "flow.steps",
        "reading": flow.READING,
        "panels": flow.panels(),
        "columns": 2,
        "tour": STEPS,
    }
    return Computed(textbook, **{**given, **options})
