"""Figure `scb-sign`: how often a run takes the right sign, counted run by run, against the sign law.

Chapter `scb`, beyond the paper; the drift that decides is that of arXiv 2410.23438, equation (9).
"""

from typing import Any

from hal.chapters.scb.figures._shared import TABLE
from hal.chapters.scb.models.textbook_measures import share_interval, skewed_law
from hal.chapters.scb.theory.portable_landscape import valleys
from hal.figure import Heights, Line, Path, Say, Spot, lines, plane, sliders
from lib.models.scb import textbook
from lib.models.scb.textbook import Settings, State, even_weights, ring_transition, signal_A, signal_V
from lib.portable.numbers import log
from lib.portable.primitives import Readings, Vector, copy, divide, floor, nan, zeros
from lib.portable.vectors import scale
from lib.theory.scb.portable import (
    attention_signal,
    constants,
    control_number,
    drift_number,
    escape_time,
    noise_loop,
    sign_probability,
)

BOUNDS = (0.95, 0.85, 0.7)  # of the excess loss, as a fraction of that at zero
EVEN = 1000.0  # far outside the picture: the asinh axes are linear
TITLE, RUN, COLUMNS, RUNS, PRECOMPUTED_RUNS = "Which way will it go?", textbook, 2, 64, 2
SLIDERS = sliders(TABLE, T=256, N=2, skew=0.0, c=1.0, lr=0.04, batch=4)
PRIMARY_SLIDERS = ("T", "lr", "batch")
LAW = "How many find the true valley?"
BATCHES = 49  # sizes, from 1 to 64


def settings(T: int, N: int, skew: float, c: float, lr: float, batch: int) -> Settings:
    """Stage 1 alone: a quarter longer than the signal should take to reach 0.3, and 2 / lr steps more."""
    quiet = escape_time(0.3, lr, drift_number(attention_signal(even_weights(2), T), float(T)))
    steps = floor(1.25 * (quiet if quiet > 0.0 else 0.0) + 2.0 / lr + 0.5)
    return Settings(T=T, mu=skewed_law(N, skew), c=c, lr=lr, batch=batch, stage1=steps)


def law(settings: Settings) -> Readings:
    """The share that the law gives, also in per cent, and that over all batches; r, how noise feeds itself."""
    task = constants(settings.mu, ring_transition(settings.mu, settings.c), even_weights(settings.Q), settings.T)
    G = control_number(float(settings.batch), settings.lr, float(settings.T))
    share = sign_probability(G, task.s2)
    batches, curve = zeros(BATCHES), zeros(BATCHES)
    for i in range(BATCHES):
        batches[i] = 1.0 if i == 0 else batches[i - 1] * 1.0905077326652577  # the eighth root of 2
        curve[i] = sign_probability(control_number(batches[i], settings.lr, float(settings.T)), task.s2)
    loop = noise_loop(G, task.T, float(task.N), task.K_P, task.K_Q, task.tr_S2)
    return {
        "share": [share], "percent": [100.0 * share], "loop": [loop],
        "batch": [float(settings.batch)], "batches": batches, "curve": curve,
    }  # fmt: skip


def scene(settings: Settings) -> Readings:
    """The landscape: logarithms of the excess loss over the two signals, as a fraction of that at zero."""
    x, y, z = valleys(drift_number(attention_signal(even_weights(2), settings.T), float(settings.T)), 41)
    scale(z, log(10.0))
    return {"x": x, "y": y, "z": z}


def probe(state: State) -> Readings:
    """Both signals."""
    return {"alpha_V": [signal_V(state.V, state.task)], "alpha_A": [signal_A(state.A, state.task)]}


def at_end(state: State, alpha_V: Vector, alpha_A: Vector) -> Readings:
    """alpha_V again as `upright` or as `mirrored`, by the sign of both signals' sum now; the other one is empty,
    and both are where it has left the map for good."""
    upright, mirrored = copy(alpha_V), copy(alpha_V)
    last = len(upright) - 1
    turned = alpha_V[last] + alpha_A[last] < 0.0
    gone = alpha_V[last] * alpha_V[last] + alpha_A[last] * alpha_A[last] > 100.0
    for i in range(last + 1):
        upright[i] = nan if turned or gone else upright[i]
        mirrored[i] = mirrored[i] if turned and not gone else nan
    return {"upright": upright, "mirrored": mirrored}


def run_metrics(alpha_V: Vector, alpha_A: Vector) -> Readings:
    """Of one run: 1 if it has taken the true sign, 0 if it is mirrored."""
    last = len(alpha_V) - 1
    return {"upright": [1.0 if alpha_V[last] + alpha_A[last] > 0.0 else 0.0]}


def summary(sum_upright: float, runs: float) -> Readings:
    """The share with the true sign among runs that did not diverge, and its 95 % interval; also in per cent."""
    found = divide(sum_upright, runs) if runs > 0.0 else nan
    low, high = share_interval(sum_upright if runs > 0.0 else 0.0, runs)
    return {
        "share": [found], "low": [low if runs > 0.0 else nan], "high": [high if runs > 0.0 else nan],
        "percent": [100.0 * found], "low_percent": [100.0 * low], "high_percent": [100.0 * high],
    }  # fmt: skip


def marbles() -> Any:
    """Every run as a marble that leaves its start and rolls into one of the two valleys."""
    ways = [
        Path("upright", "alpha_A", "true", idea="attention"),
        Path("mirrored", "alpha_A", "mirror", idea="mirror"),
    ]
    names = [(0.75, 1.55, "true"), (-0.7, -1.6, "mirror")]
    return plane(
        ways, heights=Heights("scene.x", "scene.y", "scene.z", BOUNDS, names), asinh=EVEN, xlim=(-1.4, 1.4),
        ylim=(-1.8, 1.8), equal=False, trail=2, title="Each marble is a run. Dark: low loss", height=330,
        xlabel="signal α_V of V (no unit)", ylabel="signal α_A of attention (no unit)",
    )  # fmt: skip


def panels() -> list[Any]:
    """The runs as marbles on the landscape, and the share of the true valley over batches."""
    here = Spot("law.batch", "summary.share", [Say("{sum.upright} of {runs} runs")], "attention")
    return [
        marbles(),
        lines("law.batches", [Line("law.curve", "predicted", theory=True)], xlabel="batch (samples)",
              ylabel="runs in the true valley; 0.5 is a coin toss (fraction)", title=LAW, xlog=True, xlim=(1, 64),
              ylim=(0.5, 1.03), height=330, spots=[here]),
    ]  # fmt: skip


SAYS = "theory says that {law.percent:0}% go to the true valley."
READING = [
    [
        Say("All {lost} runs so far have diverged: there is no proportion to count.", "runs == 0", "lost >= 1"),
        Say(f"No run has finished yet; {SAYS}", "runs == 0"),
        Say("Of the runs that did not diverge {sum.upright} of {runs} goes to the true valley; theory says "
            "{law.percent:0}% do.", "runs == 1", "lost >= 1"),
        Say("The first run goes to the true valley; theory says {law.percent:0}% do.", "runs == 1", "sum.upright == 1"),
        Say(f"The first run goes to the mirror; {SAYS}", "runs == 1"),
        Say("{sum.upright} of {runs} runs go to the true valley, {summary.percent:0}% ({summary.low_percent:0} to "
            "{summary.high_percent:0}% with 95% confidence); theory says {law.percent:0}%."),
    ],
    [
        Say("That is less than theory says.", "summary.high < law.share"),
        Say("That is more than theory says.", "summary.low > law.share"),
    ],
    [Say("Noise feeds itself here: theory may be too optimistic.", "law.loop >= 0.5")],
    [
        Say("One more run has diverged and is not counted.", "runs >= 1", "lost == 1"),
        Say("{lost} more runs have diverged and are not counted.", "runs >= 1", "lost >= 2"),
    ],
]  # fmt: skip
