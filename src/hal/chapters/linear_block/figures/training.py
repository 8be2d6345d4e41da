"""Figure `linear_block-training`: six matrices trained on all prompts; the staircase, the trap, the way past it.

Chapter `linear_block`. Source: left open in arXiv 2402.14951; trap and criterion are ours. Seeds differ in the start.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.chapters.linear_block.models.measures import across, along, mean_part
from hal.chapters.linear_block.runs.training import fast_population
from hal.chapters.linear_block.theory.search import best_attention_risk
from hal.figure import Line, Say, Slider, Step, over_steps, sliders, waiting
from lib.models.linear_block import textbook
from lib.models.linear_block.textbook import RECORDS, Settings, State, law_of
from lib.portable.primitives import Readings, Vector, divide, nan, sqrt
from lib.portable.vectors import dot, filled, total
from lib.theory.linear_block.portable import best_gains, best_risk, label_variance, trap_criterion, trap_risk

STEPS = 600  # of Adam
LONG = 2400  # of gradient descent
TITLE = "Training finds the best step, unless the trap catches it"
RUN, FAST, COLUMNS, PRECOMPUTED_RUNS = textbook, fast_population, 2, 2
SLIDERS = {
    "kind": Slider("Model", names={0: "block", 1: "block near identity", 2: "attention alone"}),
    **sliders(TABLE, adam=1, M=20, d=(3, 2, 5), norm=2.0, sigma=0.5, decay=0.0, scale=0.3, lr=(0.03, 0.005, 0.1)),
}
HERO, PRIMARY_SLIDERS = True, ("kind", "M", "d", "norm", "lr")


def settings(kind: int, adam: int, M: int, d: int, norm: float, sigma: float, decay: float, scale: float,
             lr: float) -> Settings:  # fmt: skip
    """Training of the block from random (0) or near identity (1), or of attention alone (2)."""
    steps = STEPS if adam == 1 else LONG
    return Settings(
        mlp=0 if kind == 2 else 1, d=d, M=M, sigma=sigma, norm=norm, decay=decay, near=1 if kind == 1 else 0,
        scale=scale, lr=lr, adam=adam, steps=steps,
    )  # fmt: skip


def laws(settings: Settings) -> Readings:
    """Along the steps: risks of the best block and attention, the prior mean, the trap where it is a minimum; alpha
    and gain of the best step. Numbers: the risk that is best here, the trap, its criterion."""
    law = law_of(settings.d, settings.M, settings.sigma, settings.norm, settings.decay, 1.0)
    h, sigma, M, count, own = law.h, law.sigma, float(law.M), RECORDS + 1, settings.mlp == 1
    best, alone = best_risk(h, sigma, M), best_attention_risk(h, 1.0, law.mean, sigma, M)
    criterion, gain = trap_criterion(h, sigma, M), total(best_gains(h, 1.0, sigma, M)) / float(settings.d)
    trap = trap_risk(h, sigma, M) if criterion > 1.0 and own else nan
    return {
        "best": filled(count, best), "alone": filled(count, alone), "prior": filled(count, label_variance(h, sigma)),
        "trap": filled(count, trap), "mean": filled(count, settings.norm), "gain": filled(count, gain),
        "goal": [best if own else alone], "trapped": [trap], "criterion": [criterion],
        "is_block": [1.0 if own else 0.0], "steps": [float(settings.steps)],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """The exact risk; alpha along the prior mean; where the step that the values take starts from, -v/c along it; c Q
    along it and across it; the length of q.
    """
    block = state.block
    return {
        "risk": [state.risk], "alpha": [mean_part(block.alpha)], "start": [divide(-mean_part(block.v), block.c)],
        "along": [block.c * along(block.Q)], "across": [block.c * across(block.Q)],
        "labels": [sqrt(dot(block.q, block.q))],
    }  # fmt: skip


def run_metrics(risk: Vector, labels: Vector) -> Readings:
    """The risk at the end of a run, whether q is longer than 0.1 there, and the risk if it is, else 0."""
    last, end = labels[len(labels) - 1], risk[len(risk) - 1]
    return {"end": [end], "keyed": [1.0 if last > 0.1 else 0.0], "caught": [end if last > 0.1 else 0.0]}


def summary(sum_end: float, sum_keyed: float, sum_caught: float, runs: float, laws_goal: float) -> Readings:
    """The mean risk at the end, of all runs, of those with labels in their keys and of the rest, whose number follows;
    what all are above the best together, over it."""
    rest, caught = runs - sum_keyed, divide(sum_caught, sum_keyed)
    return {"mean": [divide(sum_end, runs)], "caught": [caught], "free": [divide(sum_end - sum_caught, rest)],
            "rest": [rest], "over": [sum_end / laws_goal - runs]}  # fmt: skip


def panels() -> list[Any]:
    """Risk, what the MLP and the values hold of the mean, the step's gain, labels in the keys."""

    def starts(name: str, idea: str = "output") -> Line:
        return Line(name, "one run each", idea=idea, each=True)

    risks = [
        starts("risk", "loss"), Line("laws.best", "best block", theory=True),
        Line("laws.alone", "best attention alone", idea="attention", theory=True),
        Line("laws.prior", "β* alone, no example", theory=True), Line("laws.trap", "trap", idea="bound", theory=True),
    ]  # fmt: skip
    mean, gain = Line("laws.mean", "‖β*‖", theory=True), Line("laws.gain", "best step", theory=True)
    return [
        over_steps("Risk", "risk (squared labels)", *risks, ylog=True, yswitch=True, height=230),
        over_steps("What the MLP lets through", "α along the prior mean (no unit)", starts("alpha"), mean, height=230),
        over_steps("Labels in the values: the step", "c Q along β* (no unit)", starts("along"), gain, height=200),
        over_steps("Labels in the keys", "norm of q (no unit)", starts("labels", "attention"), ylim=(0, None),
                   height=200),
    ]  # fmt: skip


AFTER, KEYED = "After {laws.steps} steps", "{sum.keyed:0} of {runs:0} runs have labels in their keys"
READING = [
    [
        Say("Every run so far has diverged.", "runs == 0", "lost >= 1"),
        waiting()[1],
        Say(f"{AFTER} each run, {{runs:0}} finished so far, is within 1% of the best risk, {{laws.goal:3}}.",
            "summary.over <= 0.01"),
        Say(f"{AFTER} {KEYED} and the mean risk {{summary.caught:3}}; the best is {{laws.goal:3}}.",
            "laws.is_block == 1", "summary.rest == 0"),
        Say(f"{AFTER} {KEYED} and the mean risk {{summary.caught:3}}, the others have {{summary.free:3}}; the best is "
            "{laws.goal:3}.", "laws.is_block == 1", "sum.keyed >= 1"),
        Say(f"{AFTER} the {{runs:0}} runs so far have the mean risk {{summary.mean:3}}; the best is {{laws.goal:3}}."),
    ],
    [
        Say("There is a local minimum, the trap, at {laws.trapped:3}: its criterion is {laws.criterion:2}, above 1.",
            "laws.criterion > 1", "laws.is_block >= 1"),
        Say("The trap is a saddle here: its criterion is {laws.criterion}, not above 1.", "laws.is_block == 1"),
        Say("Without the MLP α stays at zero."),
    ],
]  # fmt: skip
TRAP: dict[str, Any] = dict(d=3, M=6, norm=1.0, sigma=1.4, decay=2.0)
TOUR = [
    Step(Say("Six random matrices, trained on all prompts: every run ends at the risk of the best step.",
             "summary.over <= 0.01"), "Six random matrices, trained on all prompts.", point="Risk"),
    Step("Descent from small matrices makes a staircase: the mean, a plateau, then the examples.", adam=0,
         scale=0.05, norm=1.0, point="Risk"),
    Step("Without the MLP the runs end at the best attention, above.", kind=2, point="Risk"),
    Step(Say("Few noisy examples, falling variances set a trap: {sum.keyed:0} of {runs:0} runs end in it.",
             "sum.keyed >= 1"),
         "Few noisy examples, falling variances set a trap.", **TRAP, point="Risk"),
    Step(Say("Near identity, with the label on the value side, no run does.", "summary.over <= 0.01"),
         "Near identity, with the label on the value side.", kind=1, scale=0.02, **TRAP, point="Risk"),
]  # fmt: skip
