"""Figure `linear_block-training`: what is learned first, by six matrices; and the trap.

Chapter `linear_block`. Source: left open in arXiv 2402.14951 but for the figure of its public version, block against
attention; trap and criterion are ours. Seeds differ in the start.
"""

from typing import Any

from hal.chapters.linear_block.figures._shared import TABLE
from hal.chapters.linear_block.runs.training import fast_population
from hal.chapters.linear_block.theory.plane import best_gain, shares
from hal.chapters.linear_block.theory.search import best_attention_risk
from hal.figure import Line, Path, Say, Slider, over_steps, points, sliders, waiting
from lib.models.linear_block import textbook
from lib.models.linear_block.textbook import RECORDS, Settings, State, direction, tilted_law
from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, Vector, divide, nan, sqrt, zeros
from lib.portable.records import reached
from lib.portable.vectors import dot, filled
from lib.theory.linear_block.portable import best_risk, label_variance, trap_criterion, trap_risk

STEPS = 600  # of Adam
LONG = 2000  # of gradient descent
LEAST = 0.001  # excess risk at the foot of the picture
WIDTH = 0.33  # of a matrix in the drawing of the block, a half
BEAM = 0.62  # half the width of a beam that enters
TOP = 3.7  # height at which the examples pass the block
LOW = 1.1  # the mean
FULL = 1.3  # a matrix of this size fills its frame: about where training ends
TITLE = "What is learned first?"
RUN, FAST, COLUMNS, COLLAPSED_PANELS, RUNS, PRECOMPUTED_RUNS = textbook, fast_population, 1, 2, 2, 2
SLIDERS = {
    "kind": Slider("Matrices", names={0: "block", 1: "near identity", 2: "no MLP", 3: "both"}),
    "scale": Slider("Initial size s", "no unit", 0.05, (0.02, 0.6)),
    **sliders(TABLE, adam=0, M=20, d=(3, 2, 5), norm=(1.5, 0.5, 6.0), tilt=0.0, sigma=0.5, decay=0.0,
              lr=(0.02, 0.005, 0.1)),
}  # fmt: skip
HERO, PRIMARY_SLIDERS = True, ("scale", "norm", "M")
PACE = 0.8, 150.0  # the first steps slowly: the mean is learned
PLAIN: dict[str, Any] = {name: one.default for name, one in SLIDERS.items()} | {"kind": 0}
BUTTONS = {
    "The order": PLAIN,
    "The trap": PLAIN | {"scale": 0.1, "M": 6, "norm": 1.0, "sigma": 1.4, "decay": 2.0, "lr": 0.03},
}


def settings(kind: int, scale: float, adam: int, M: int, d: int, norm: float, tilt: float, sigma: float, decay: float,
             lr: float) -> Settings:  # fmt: skip
    """Training of the block from random (0) or near identity (1), of attention alone (2), or of both in turn (3)."""
    return Settings(
        mlp=0 if kind == 2 else 2 if kind == 3 else 1, d=d, M=M, sigma=sigma, norm=norm, decay=decay, lr=lr, adam=adam,
        near=1 if kind == 1 else 0, scale=scale, steps=STEPS if adam == 1 else LONG, tilt=tilt,
    )  # fmt: skip


def laws(settings: Settings) -> Readings:
    """Along the steps: excess risk of the best attention, of the prior mean and of the trap where it is a minimum.
    Numbers: the best risk, the goal of what is trained, the trap's criterion, the kind, the steps of a run.
    """
    law, sigma, M, count = tilted_law(settings), settings.sigma, float(settings.M), RECORDS + 1
    h = law.h
    best, prior, criterion = best_risk(h, sigma, M), label_variance(h, sigma), trap_criterion(h, sigma, M)
    alone = best_attention_risk(h, 1.0, law.mean, sigma, M)
    over_alone = alone - best if settings.mlp == 0 or settings.mlp == 2 else nan
    trap = trap_risk(h, sigma, M) if criterion > 1.0 and settings.mlp > 0 else nan
    return {
        "over_alone": filled(count, over_alone), "over_prior": filled(count, prior - best),
        "over_trap": filled(count, trap - best), "best": [best], "goal": [alone if settings.mlp == 0 else best],
        "criterion": [criterion], "kind": [float(settings.mlp)], "steps": [float(settings.steps)],
    }  # fmt: skip


def place(k: int) -> float:
    """Where beams pass matrix k in the drawing, of K, Q, V, P, W1, W2; a gap parts attention from the MLP."""
    return float(k + 1) + (0.4 if k > 3 else 0.0)


def frame_x(k: int) -> Vector:
    """(7,) the sides of the frame of matrix k, from its upper right corner round to it, a gap, and its name."""
    right, left = place(k) + WIDTH, place(k) - WIDTH
    return [right, right, left, left, right, nan, right]


def frame(size: float, middle: float) -> Vector:
    """(7,) heights of the frame of a matrix of this size, and of its name above the beam in the middle."""
    half = 0.9 * min(size / FULL, 1.15)
    top, low, name = middle + half, middle - half, middle + max(half, BEAM + 0.1)
    return [top, low, low, top, top, nan, name]


def beam(factors: Vector, middle: float) -> Vector:
    """(75,) heights of the five rays of a beam whose width each matrix multiplies by its factor (6,)."""
    y = filled(75, nan)
    for ray in range(5):
        width, at = BEAM * (0.5 * float(ray) - 1.0), 15 * ray
        y[at] = middle + width
        for k in range(6):
            y[at + 1 + 2 * k] = middle + width
            width *= factors[k]
            y[at + 2 + 2 * k] = middle + width
        y[at + 13] = middle + width
    return y


def drawing(settings: Settings) -> Readings:
    """What stands still in the drawing of the block: x of beams (75,) and of frames (7,), where both beams enter."""
    x = filled(75, nan)
    for ray in range(5):
        x[15 * ray] = 0.0
        x[15 * ray + 13] = 8.0
        for k in range(6):
            x[15 * ray + 1 + 2 * k] = place(k) - WIDTH
            x[15 * ray + 2 + 2 * k] = place(k) + WIDTH
    return {
        "x": x, "in_x": [0.0, 0.0], "in_y": [TOP, LOW], "kinds": [0.0, 1.0],
        "K": frame_x(0), "Q": frame_x(1), "V": frame_x(2), "P": frame_x(3), "W1": frame_x(4), "W2": frame_x(5),
    }  # fmt: skip


def sizes_of(state: State) -> Vector:
    """(6,) roots of the sums of squares of K, Q, V, P, W1, W2; NaN for those that a run does not have."""
    sizes, n = zeros(6), len(state.W[0])
    for r in range(6 * n):
        k = r // n
        k = 5 - k if k == 2 or k == 3 else k  # a textbook has P before V
        sizes[k] += dot(state.W[r], state.W[r])
    for k in range(6):
        sizes[k] = nan if state.mlp == 0 and k > 3 else sqrt(sizes[k])
    return sizes


def factors_of(sizes: Vector, first: int, share: float) -> Vector:
    """(6,) the factors of a beam: sizes of matrices from the first on, on a scale on which their product is the share
    that is learned.
    """
    factors, logs, count = filled(6, 1.0), log(min(max(abs(share), 1e-9), 1.3)), 0.0
    for k in range(first, 6):
        if sizes[k] > 0.0:
            logs -= log(sizes[k])
            count += 1.0
    for k in range(first, 6):
        if sizes[k] > 0.0:
            factors[k] = sizes[k] * exp(logs / count)
    return factors


def probe(state: State) -> Readings:
    """The exact risk; how far it is above that of the best block, of a run with the MLP and of one without; in percent
    of the best step along the prior mean, the start and the gain, where blocks and attention alone take turns of the
    blocks alone; the length of q. Of the drawing heights of both beams, of six matrices on that of the examples, and of
    two on that of the mean.
    """
    law, way = state.law, direction(state.settings.d, state.settings.tilt)
    over, bare = state.risk - best_risk(law.h, law.sigma, float(law.M)), state.mlp == 0
    drawn = nan if bare and state.settings.mlp == 2 else 100.0
    share = shares(state, way, best_gain(law, way))
    mean, gain = share[0], share[1]
    size = sizes_of(state)
    by_mean, by_gain = factors_of(size, 4, mean), factors_of(size, 0, gain)
    if bare:
        by_mean[4] = 0.0
    return {
        "risk": [state.risk], "over": [nan if bare else over], "over_alone": [over if bare else nan],
        "mean": [drawn * mean], "examples": [drawn * gain], "labels": [sqrt(dot(state.block.q, state.block.q))],
        "mean_beam": beam(by_mean, LOW), "examples_beam": beam(by_gain, TOP),
        "K": frame(size[0], TOP), "Q": frame(size[1], TOP), "V": frame(size[2], TOP), "P": frame(size[3], TOP),
        "W1": frame(size[4], TOP), "W2": frame(size[5], TOP), "low1": frame(size[4], LOW), "low2": frame(size[5], LOW),
    }  # fmt: skip


def at_end(state: State) -> Readings:
    """Whether the run has its MLP."""
    return {"own": [0.0 if state.mlp == 0 else 1.0]}


def run_metrics(steps: Vector, risk: Vector, mean: Vector, examples: Vector, labels: Vector, own: Vector) -> Readings:
    """The risk at the end of a run, whether q is longer than 0.1 there, and the risk if it is, else 0; whether the run
    has its MLP, and the risk if it has, else 0; the first step at which mean and examples are half learned, and whether
    the examples ever are.
    """
    last, end, half = labels[len(labels) - 1], risk[len(risk) - 1], reached(steps, examples, 50.0)
    keyed, used, at = 1.0 if last > 0.1 else 0.0, 1.0 if half >= 0.0 else 0.0, reached(steps, mean, 50.0)
    return {
        "end": [end], "keyed": [keyed], "caught": [keyed * end], "block": [own[0]], "whole": [own[0] * end],
        "mean_at": [at if at >= 0.0 else -1e9], "examples_at": [half if used > 0.0 else 0.0], "used": [used],
    }  # fmt: skip


def summary(sum_end: float, sum_keyed: float, sum_caught: float, sum_block: float, sum_whole: float,
            sum_mean_at: float, sum_examples_at: float, sum_used: float, runs: float) -> Readings:  # fmt: skip
    """The mean risk at the end, of all runs and of those with labels in their keys; of those with the MLP and of the
    others, and how many these are; the mean steps to half the mean, and of runs that use them to half the examples; how
    many runs never use them.
    """
    bare = runs - sum_block
    return {
        "mean": [divide(sum_end, runs)], "caught": [divide(sum_caught, sum_keyed)],
        "with": [divide(sum_whole, sum_block)], "without": [divide(sum_end - sum_whole, bare)], "bare": [bare],
        "mean_at": [divide(sum_mean_at, runs)], "examples_at": [divide(sum_examples_at, sum_used)],
        "idle": [runs - sum_used],
    }  # fmt: skip


def paths() -> points:
    """Two beams through the matrices of the block."""
    six = [("K", "W_K"), ("Q", "W_Q"), ("V", "W_V"), ("P", "W_P"), ("W1", "W_1"), ("W2", "W_2")]
    return points(
        x="drawing.in_x", y="drawing.in_y", kinds="drawing.kinds", kind_names=("examples", "query"),
        ideas=("attention", "output"), xlim=(-0.1, 8.1), ylim=(0.0, 5.3), ends=False, frames=True, wide=True,
        height=210, xticks=[(0.15, "prompt"), (2.5, "attention"), (5.9, "MLP")], xlabel="answer",
        title="Two paths through the block",
        alt="The examples pass six matrices, the mean two. Where a matrix is small its beam gets thin.",
        lines=[
            Path("drawing.x", "mean_beam", "mean", "output"),
            Path("drawing.x", "examples_beam", "examples", "attention"),
            *[Path(f"drawing.{at}", at, name, "attention") for at, name in six],
            *[Path(f"drawing.W{k}", f"low{k}", f"W_{k}", "output") for k in (1, 2)],
        ],
    )  # fmt: skip


def panels() -> list[Any]:
    """The block; shares of mean and examples; folded, excess risk and labels in the keys."""

    def runs(name: str, idea: str, label: str) -> Line:
        return Line(name, label, idea=idea, each=True)

    shares = [runs("mean", "output", "the mean"), runs("examples", "attention", "the examples")]
    risks = [
        runs("over", "loss", "each run"), runs("over_alone", "attention", "attention"),
        Line("laws.over_alone", "its best", theory=True, ahead=True),
        Line("laws.over_prior", "mean alone", theory=True, ahead=True),
        Line("laws.over_trap", "the trap", idea="bound", theory=True, ahead=True),
    ]  # fmt: skip
    return [
        paths(),
        over_steps("How much is learned", "share of its best value (%)", *shares, ylim=(-8, 115), height=230),
        over_steps("Error above the best block", "risk − best risk (squared labels)", *risks, ylog=True,
                   ylim=(LEAST, None), height=230),
        over_steps("Labels in the attention scores", "norm of q (no unit)", runs("labels", "attention", "each run"),
                   ylim=(0, None), height=200),
    ]  # fmt: skip


READING = [
    [
        Say("Every run so far has diverged.", "runs == 0", "lost >= 1"),
        waiting()[1],
        Say("The blocks end at a mean risk of {summary.with:3}, attention alone at {summary.without:3}.",
            "laws.kind == 2", "sum.block >= 1", "summary.bare >= 1"),
        Say("The figure has one of its two models so far.", "laws.kind == 2"),
        Say("{sum.keyed:0} of {runs:0} runs end in the trap, which steps along one direction only, at a mean risk of "
            "{summary.caught:3}; the best is {laws.goal:3}.",
            "laws.kind == 1", "sum.keyed >= 1", "laws.criterion > 1"),
        Say("Without the MLP the mean is never stored: {runs:0} runs end at a mean risk of {summary.mean:3}.",
            "laws.kind == 0"),
        Say("After {laws.steps:0} steps {summary.idle:0} of {runs:0} runs do not use the examples yet.",
            "summary.idle >= 1"),
        Say("The examples are half learned after {summary.examples_at:0} steps, the mean after {summary.mean_at:0} "
            "(averages of the runs): the order has flipped.", "summary.examples_at < summary.mean_at"),
        Say("The mean is half learned after {summary.mean_at:0} steps, the examples after {summary.examples_at:0} "
            "(averages of the runs).", "summary.mean_at >= 0"),
        Say("{runs:0} runs end at a mean risk of {summary.mean:3}; the best is {laws.goal:3}."),
    ],
]  # fmt: skip
