"""Figure `linear_block-training`: six matrices trained on all prompts; the staircase, the trap, the way past it.

Chapter `linear_block`. Source: left open in arXiv 2402.14951 but for the figure of its public version, block against
attention; trap and criterion are ours. Seeds differ in the start.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.chapters.linear_block.models.measures import across, along, mean_part
from hal.chapters.linear_block.runs.training import fast_population
from hal.chapters.linear_block.theory.search import best_attention_risk
from hal.figure import Line, Say, Slider, over_steps, sliders, waiting
from lib.models.linear_block import textbook
from lib.models.linear_block.textbook import RECORDS, Settings, State, direction, tilted_law
from lib.portable.primitives import Readings, Vector, divide, nan, sqrt
from lib.portable.vectors import dot, filled
from lib.theory.linear_block.portable import best_gains, best_risk, label_variance, trap_criterion, trap_risk

STEPS = 600  # of Adam
LONG = 2400  # of gradient descent
LEAST = 0.001  # excess risk at the foot of the picture
TITLE = "Training finds the best step, unless the trap catches it"
RUN, FAST, COLUMNS, PRECOMPUTED_RUNS = textbook, fast_population, 2, 2
SLIDERS = {
    "kind": Slider("Model", names={0: "block", 1: "near identity", 2: "no MLP", 3: "both"}),
    **sliders(TABLE, adam=0, M=20, d=(3, 2, 5), norm=1.0, tilt=0.0, sigma=0.5, decay=0.0, scale=0.05,
              lr=(0.03, 0.005, 0.1)),
}  # fmt: skip
HERO, PRIMARY_SLIDERS = True, ("M", "d", "norm", "tilt", "lr")
PLAIN: dict[str, Any] = {name: one.default for name, one in SLIDERS.items()} | {"kind": 0}
BUTTONS = {
    "Staircase": PLAIN,
    "Trap": PLAIN | {"adam": 1, "scale": 0.3, "M": 6, "sigma": 1.4, "decay": 2.0},
    "Paper's figure": PLAIN | {"adam": 1, "scale": 0.3, "kind": 3, "d": 5, "norm": 2.0, "lr": 0.01},
}


def settings(kind: int, adam: int, M: int, d: int, norm: float, tilt: float, sigma: float, decay: float, scale: float,
             lr: float) -> Settings:  # fmt: skip
    """Training of the block from random (0) or near identity (1), of attention alone (2), or of both in turn (3)."""
    steps = STEPS if adam == 1 else LONG
    return Settings(
        mlp=0 if kind == 2 else 2 if kind == 3 else 1, d=d, M=M, sigma=sigma, norm=norm, decay=decay,
        near=1 if kind == 1 else 0, scale=scale, lr=lr, adam=adam, steps=steps, tilt=tilt,
    )  # fmt: skip


def laws(settings: Settings) -> Readings:
    """Along the steps: excess risk of the best attention, of the prior mean and of the trap where it is a minimum;
    alpha and gain of the best step. Numbers: those risks themselves, the best one and that which is best here, the
    trap's criterion.
    """
    law, way, gain = tilted_law(settings), direction(settings.d, settings.tilt), 0.0
    h, sigma, M, count, own = law.h, law.sigma, float(law.M), RECORDS + 1, settings.mlp > 0
    best, prior, criterion = best_risk(h, sigma, M), label_variance(h, sigma), trap_criterion(h, sigma, M)
    alone, gains = best_attention_risk(h, 1.0, law.mean, sigma, M), best_gains(h, 1.0, sigma, M)
    for i in range(len(gains)):
        gain += gains[i] * way[i] * way[i]
    over_alone = nan if settings.mlp == 1 else alone - best
    trap = trap_risk(h, sigma, M) if criterion > 1.0 and own else nan
    return {
        "over_alone": filled(count, over_alone), "over_prior": filled(count, prior - best),
        "over_trap": filled(count, trap - best), "mean": filled(count, settings.norm),
        "gain": filled(count, gain / float(settings.d)), "best": [best], "alone": [alone], "prior": [prior],
        "goal": [best if own else alone], "trapped": [trap], "criterion": [criterion],
        "kind": [float(settings.mlp)], "steps": [float(settings.steps)],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """The exact risk; how far it is above that of the best block, of a run with the MLP and of one without; alpha along
    the prior mean; where the step that the values take starts from, -v/c along it; c Q along it and across it; the
    length of q; alpha and c Q once more, of a run without the MLP alone.
    """
    block, law, way = state.block, state.law, direction(state.settings.d, state.settings.tilt)
    over, own = state.risk - best_risk(law.h, law.sigma, float(law.M)), state.mlp == 1
    alpha, gain = mean_part(block.alpha, way), block.c * along(block.Q, way)
    return {
        "risk": [state.risk], "over": [over if own else nan], "over_alone": [nan if own else over],
        "alpha": [alpha], "start": [divide(-mean_part(block.v, way), block.c)],
        "along": [gain], "across": [block.c * across(block.Q, way)],
        "labels": [sqrt(dot(block.q, block.q))], "alpha_alone": [nan if own else alpha],
        "along_alone": [nan if own else gain],
    }  # fmt: skip


def at_end(state: State) -> Readings:
    """Whether the run has its MLP."""
    return {"own": [float(state.mlp)]}


def run_metrics(risk: Vector, labels: Vector, own: Vector) -> Readings:
    """The risk at the end of a run, whether q is longer than 0.1 there, and the risk if it is, else 0; whether the run
    has its MLP, and the risk if it has, else 0.
    """
    last, end = labels[len(labels) - 1], risk[len(risk) - 1]
    keyed = 1.0 if last > 0.1 else 0.0
    return {"end": [end], "keyed": [keyed], "caught": [keyed * end], "block": [own[0]], "whole": [own[0] * end]}


def summary(sum_end: float, sum_keyed: float, sum_caught: float, sum_block: float, sum_whole: float, runs: float,
            laws_goal: float) -> Readings:  # fmt: skip
    """The mean risk at the end, of all runs and of those with labels in their keys; of those with the MLP and of the
    others, and how many these are; what all are above the best together, over it.
    """
    bare = runs - sum_block
    return {
        "mean": [divide(sum_end, runs)], "caught": [divide(sum_caught, sum_keyed)],
        "with": [divide(sum_whole, sum_block)], "without": [divide(sum_end - sum_whole, bare)], "bare": [bare],
        "over": [sum_end / laws_goal - runs],
    }  # fmt: skip


def panels() -> list[Any]:
    """Excess risk, what the MLP and the values hold of the mean, the step's gain, labels in the keys."""

    def starts(name: str, idea: str, label: str = "one run each") -> Line:
        return Line(name, label, idea=idea, each=True)

    risks = [
        starts("over", "loss", "one run each"), starts("over_alone", "attention", "attention alone"),
        Line("laws.over_alone", "best attention", theory=True), Line("laws.over_prior", "β* alone", theory=True),
        Line("laws.over_trap", "trap", idea="bound", theory=True),
    ]  # fmt: skip
    mean, gain = Line("laws.mean", "‖β*‖", theory=True), Line("laws.gain", "best step", theory=True)
    return [
        over_steps("Risk above the best block", "risk − best risk (squared labels)", *risks, ylog=True, yswitch=True,
                   ylim=(LEAST, None), height=230),
        over_steps("The mean, in the MLP", "α along the prior mean (no unit)", starts("alpha", "output"),
                   starts("alpha_alone", "attention", "attention alone"), mean, height=230),
        over_steps("The step, by labels in the values", "c Q along β* (no unit)", starts("along", "output"),
                   starts("along_alone", "attention", "attention alone"), gain, height=200),
        over_steps("Labels in the keys", "norm of q (no unit)", starts("labels", "attention"), ylim=(0, None),
                   height=200),
    ]  # fmt: skip


KEYED = "{sum.keyed:0} of {runs:0} finished runs have labels in their keys, at a mean risk of {summary.caught:3}"
READING = [
    [
        Say("Every run so far has diverged.", "runs == 0", "lost >= 1"),
        waiting()[1],
        Say("The blocks end at a mean risk of {summary.with:3}, attention alone at {summary.without:3}.",
            "laws.kind == 2", "sum.block >= 1", "summary.bare >= 1"),
        Say("The figure has one of its two models so far.", "laws.kind == 2"),
        Say("{runs:0} of {runs:0} finished runs end within 1% of the best risk, {laws.goal:3}.",
            "summary.over <= 0.01"),
        Say(f"{KEYED}; the best is {{laws.goal:3}}.", "laws.kind == 1", "sum.keyed >= 1"),
        Say("So far {runs:0} end at a mean risk of {summary.mean:3}; the best is {laws.goal:3}."),
    ],
    [
        Say("The trap is a local minimum here.", "laws.criterion > 1", "laws.kind >= 1"),
        Say("The trap is a saddle here.", "laws.kind >= 1"),
        Say("Without the MLP α stays at zero."),
    ],
]  # fmt: skip
