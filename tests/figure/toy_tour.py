"""A figure that computes, with a tour: the flow of chapter 1 under another name; the same told shortly, or folded."""

from hal.figure import Computed, Line, Say, Slider, Step, over_steps
from tests.figure import toy_flow as flow
from tests.figure.changed import changed

STEPS = (
    Step("At first all is zero.", time=0),
    Step(
        Say("At step {reached} the signal is 0.1."), "The signal grows.",
        time=40, point="The quiet phase", T=64, lr=0.1,
    ),
    Step("Four times the context.", point="T", T=256, lr=0.1, seed=3),
    Step("The wrong way.", point="Where the runs go", T=512, N=2, Q=4, skew=0.5, lr=0.1),
)  # fmt: skip


SLIDERS = {
    "T": Slider("Context T", "tokens", 64, (4, 512), log=True),
    "N": Slider("Vocabulary N", "tokens", 4, (2, 12)),
    "Q": Slider("Sparsity Q", "positions", 2, (1, 8)),
    "skew": Slider("Skew of μ", "no unit", 0.0, (0, 1.5)),
    "lr": Slider("Learning rate η", "no unit", 0.1, (0.01, 0.2), log=True),
    "start_V": Slider("Start of α_V", "no unit", 0.0, (-1.4, 1.4), hidden=True),
    "start_A": Slider("Start of α_A", "no unit", 0.0, (-1.8, 1.8), hidden=True),
}


def make(**names):
    """The figure, some of its names changed."""
    given = {"NAME": "toy-tour", "TITLE": "A toy with a tour", "SLIDERS": SLIDERS, "TOUR": STEPS}
    return Computed(changed(flow, **{**given, "HERO": True, "OPENS": 1.0, "PRIMARY_SLIDERS": None, **names}))


def pair():
    """One panel of the same runs, without a tour."""
    curves = [over_steps("One signal", "signal (no unit)", Line("alpha_V", "α_V", idea="output"), height=120)]
    return make(
        NAME="toy-pair", TITLE="The same runs, told shortly", HERO=False, PRECOMPUTED_RUNS=1, COLLAPSED_PANELS=0,
        TOUR=(), READING=[[Say("{runs} runs.")]], panels=lambda: curves,
    )  # fmt: skip


def folds():
    """Two settings and two panels in sight."""
    return make(NAME="toy-folds", HERO=False, PRIMARY_SLIDERS=("T", "lr"), COLLAPSED_PANELS=1)
