"""Figure `scb-shrink`: how far attention ends from the target at any threshold, among recorded ones.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.3 and Algorithm 1, Stage 2; the measurement is ours.
"""

from typing import Any

from hal.chapters.scb.figures._pair_panels import WITH, maps
from hal.chapters.scb.figures._shared import TABLE
from hal.chapters.scb.runs.threshold import LEVELS, errors, recorded_thresholds
from hal.explorer import Recorded, Say, Step, cloud, sliders
from lib.models.scb import textbook_pair
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_ring import even_weights, ring_transition, skewed_law
from lib.portable.primitives import Readings, Vector, divide, nan, sqrt, zeros
from lib.portable.vectors import numbered
from lib.theory.scb.portable import attention_signal, drift_number, switch_step
from lib.theory.scb.portable_constants import constants
from lib.theory.scb.portable_prox import bent, cancelling, step_noise

TITLE, RUN, COLUMNS, RUNS, FIRST = "How large a threshold?", textbook_pair, 2, 4, 1
MEDIAN = "prox_A"
LONGEST, LARGEST = 512, 64  # contexts and batches of the sliders
DEAR = "A run here is ten million tokens and more: runs are drawn as they end."
CURVE = "Distance of A to Q at the end"
SLIDERS = sliders(TABLE, lam=(0.05, 0.004, 1.024), T=(256, 64, LONGEST), batch=(64, 8, LARGEST))


def settings(lam: float, T: int, batch: int) -> Settings:
    """The standard task; the threshold comes on at 1.2 times the step of signal 0.2, and stays for 400 steps."""
    stage1 = switch_step(1.2, 0.02, drift_number(attention_signal(even_weights(2), T), float(T)))
    return Settings(T, 4, 2, 0.75, 0.0, 0.02, batch, lam * 0.02, stage1, 400, 0, 0.0, 0.0)


def law(settings: Settings) -> Readings:
    """levels, thresholds over the base step, (25,), and curve, where they end without noise; of this threshold the
    level, its end without noise, and how many times the one that cancels the noise along the valley it is, the one that
    is `best`; the noise of one step.
    """
    mu, w, levels = skewed_law(settings.N, 0.0), even_weights(settings.Q), zeros(26)
    task = constants(mu, ring_transition(mu, settings.c), w, settings.T)
    levels[0] = 0.004 * settings.lr
    for i in range(1, 25):
        levels[i] = levels[i - 1] * 1.2599210498948732  # 25 of them reach 1.024
    levels[25] = settings.threshold
    found = bent(w, settings.T, settings.lr, settings.stage1, settings.stage2, levels)
    shown, curve = zeros(25), zeros(25)
    for i in range(25):
        shown[i] = levels[i] / settings.lr
        curve[i] = found[i]
    here, noise = settings.threshold / settings.lr, step_noise(task, float(settings.batch))
    best = cancelling(task.T, noise, settings.lr)
    return {
        "levels": shown, "curve": curve, "here": [here], "bent": [found[25]], "times": [here / best], "best": [best],
        "noise": [noise],
    }  # fmt: skip


def stages(settings: Settings) -> Readings:
    """Sizes and names of the rows of the map."""
    return {"N": [float(settings.N)], "T": [float(settings.T)], "token": numbered(settings.N)}


def outcome(sgd_A: Vector, prox_A: Vector) -> Readings:
    """Of one pair: the squared distances at the end without and with the threshold, and the square of the latter."""
    last = len(prox_A) - 1
    square = prox_A[last] * prox_A[last]
    return {"plain": [sgd_A[last] * sgd_A[last]], "square": [square], "fourth": [square * square]}


def summary(sum_plain: float, sum_square: float, sum_fourth: float, runs: float) -> Readings:
    """Root mean squares of the distances without and with the threshold, and the 95 % interval of the latter."""
    if not runs >= 1.0:
        return {"plain": [nan], "root": [nan], "low": [nan], "high": [nan]}
    mean = sum_square / runs
    spread = 1.96 * sqrt(max(divide(sum_fourth / runs - mean * mean, runs - 1.0), 0.0)) if runs > 1.0 else nan
    return {
        "plain": [sqrt(sum_plain / runs)], "root": [sqrt(mean)], "low": [sqrt(max(mean - spread, 0.0))],
        "high": [sqrt(mean + spread)],
    }  # fmt: skip


def recorded() -> list[Recorded]:
    """The recorded thresholds as points."""
    return [
        Recorded(level, float(found), {"lam": level, "T": T, "batch": B})
        for (T, B), kept in recorded_thresholds().items() if T <= LONGEST and B <= LARGEST
        for level, found in zip(LEVELS, errors(kept, "A", 0)[:, 0], strict=True) if found < 3
    ]  # fmt: skip


def panels() -> list[Any]:
    """The attention at the end with the threshold, and the distance over the threshold among recorded ones."""
    return [
        maps()[1],
        cloud("law.here", "summary.root", low="summary.low", high="summary.high", recorded=recorded(),
              curve=("law.levels", "law.curve", "without noise"), label="these runs, with a 95% interval",
              recorded_label="recorded thresholds, 16 runs each: click to go there", idea="rival",
              xlabel="threshold over learning rate, λ / η (no unit)", ylabel="‖A − Q‖, root mean square (no unit)",
              title=CURVE, xlog=True, ylog=True, xlim=(0.003, 1.3), ylim=(0.01, 3.0), height=330),
    ]  # fmt: skip


SIZE = "λ = {law.here} η is {law.times:2} times the one that cancels the noise along the valley"
READING = [
    [
        Say("Every pair so far has diverged; a smaller batch is not for this learning rate.", "runs == 0", "lost >= 1"),
        Say(f"{SIZE}; no pair has finished yet.", "runs == 0"),
        Say(f"{SIZE}: ‖A − Q‖ ends at {{summary.root:2}}, without threshold at {{summary.plain:2}}."),
    ],
    [Say("Without noise it would end at {law.bent:2}.", "runs >= 1")],
]  # fmt: skip
TOUR = [
    Step("The dashed curve has no noise: there a smaller threshold is always better.", point=CURVE),
    Step("A fifth of the noise of one step: useless positions keep their noise.", lam=0.01, point=WITH),
    Step("Near the noise the map is clean, and the useful entries are hardly bent.", lam=0.06, point=WITH),
    Step("Too large: the true positions fade, on the dashed curve.", lam=0.4, point=WITH),
    Step("A quarter of the batch: more noise, and a larger threshold is best.", lam=0.07, batch=16, point=CURVE),
]  # fmt: skip
