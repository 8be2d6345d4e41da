"""Figure `scan_snap-snap`: one sequence in ink, decade after decade of training: scan, then snap.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorems 1, 2 and 4, Lemmas 8 and 9.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import TABLE, WORDS
from hal.chapters.scan_snap.models import textbook_flow
from hal.chapters.scan_snap.models.kinds import (
    COMMON,
    DISTINCT,
    attention_shares,
    column_of,
    row_length,
)
from hal.chapters.scan_snap.models.textbook_flow import Settings, State, steps_of
from hal.chapters.scan_snap.runs.sentence import sequence_again
from hal.chapters.scan_snap.theory.portable_reference import (
    TOLERANCE,
    peak_time,
    reference_of,
    reference_path,
    row_speed,
    two_digits,
)  # fmt: skip
from hal.figure import Line, Mark, Say, Step, ink, over_steps, sliders
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, Vector, nan, sqrt, zeros
from lib.portable.small import log1p
from lib.theory.scan_snap.portable import logit_gap, scan_end, snap_start

TOKENS = 10  # distinct ones of each class
ROWS = [6.0, 18.0, 30.0, 42.0, 54.0, 66.0]  # records at steps 1, 10 and so on to 100,000
TITLE, RUN, COLUMNS = "Scan, then snap", textbook_flow, 2
RUNS, PRECOMPUTED_RUNS, COLLAPSED_PANELS = 1, 1, 2
SLIDERS, PRIMARY_SLIDERS = sliders(TABLE, M=34, K=2, common=10, lr_Y=1.0, lr_Z=1.0, shared=0), ("M", "common", "lr_Z")


def settings(M: int, K: int, common: int, lr_Y: float, lr_Z: float, shared: int) -> Settings:
    """Infinitely long sequences, both layers from zero, twelve records for each decade of time."""
    sharing = K if shared == 1 else 1
    return Settings(K=K, sharing=sharing, M=M, common=common, lr_Y=lr_Y, lr_Z=lr_Z, first=sqrt(0.1))


def times(settings: Settings) -> Readings:
    """The two transition times with what is within 5 % of them, and whether anything moves."""
    scan = scan_end(settings.K, settings.M, settings.lr_Y)
    snap = snap_start(settings.K, settings.M, settings.lr_Y)
    return {
        "common": [float(settings.common)], "scan": [scan], "snap": [snap],
        "before": [0.95 * scan], "from": [1.05 * scan], "to": [0.95 * snap], "after": [1.05 * snap],
    }  # fmt: skip


def told(settings: Settings) -> Readings:
    """A piece of a sequence, once for each of the records `ROWS`, as `sequence_again` has it."""
    words = sequence_again(settings.common, TOKENS, ROWS)
    size = float(settings.points * (TOKENS + 1))
    return {"words": words[0], "groups": words[1], "places": words[2], "chances": words[3], "size": [size]}


def reference(settings: Settings) -> Readings:
    """The reference dynamics: logits of the most frequent distinct token and of a common one, NaN where there is none;
    speed of attention, nats a step; loss, nats; when attention is fastest, and the same to two digits."""
    task, times = reference_of(settings), steps_of(settings)
    path, T = reference_path(task, settings.lr_Y, settings.lr_Z, times, TOLERANCE), len(times)
    loss, moves, commons = zeros(T), zeros(T), column_of(path, COMMON)
    for i in range(T):
        x = logit_gap(times[i], task.K, task.M, settings.lr_Y)
        loss[i] = log1p((float(task.M) - 1.0) * exp(-x))
        moves[i] = row_speed(task, path[i], x, settings.lr_Z)
        if settings.common == 0:
            commons[i] = nan
    peak = peak_time(times, moves)
    return {
        "top": column_of(path, DISTINCT + TOKENS - 1), "common": commons, "speed": moves,
        "loss": loss, "peak": [peak], "about": [two_digits(peak)],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Loss (nats); speed, the length of dz/dt under the query (nats a step); logits of the most frequent
    distinct token and of a common one, NaN where there is none; attention as `attention_shares` has it."""
    kinds, y, place = state.motion.kinds, state.flow.y, 3 * len(state.motion.kinds.law)
    return {
        "loss": [state.motion.loss],
        "speed": [row_length(kinds, state.slope, place, state.motion.settings.sharing)],
        "top": [y[len(y) - 1]], "common": [y[place + COMMON] if kinds.many[COMMON] > 0.0 else nan],
        "attention": attention_shares(kinds, state.motion.f),
    }  # fmt: skip


def run_metrics(steps: Vector, speed: Vector) -> Readings:
    """When attention moves fastest."""
    peak = peak_time(steps, speed)
    return {"peak": [peak], "about": [two_digits(peak)]}


INK = "One sequence at six moments of training"
LOGITS, SPEED = "Logits rise and fall, then flatten", "Speed of attention"
JOINT = "Attention is fastest near step {about},"


def panels() -> list[Any]:
    """One sequence at each decade; logits; the speed of attention, and the loss."""
    axis: dict[str, Any] = dict(xlog=True, marks=[Mark("times.scan", "t_0′"), Mark("times.snap", "t_0")], height=190)

    def pair(name: str, second: str, idea: str = "attention") -> list[Line]:
        dashed = Line(second, "reference", idea="reference", theory=True)
        return [Line(name, "joint training", idea=idea), dashed]

    logits = [
        Line("top", "most frequent distinct", idea="distinct"), Line("common", "common", idea="common"),
        Line("reference.top", "most frequent, reference", idea="distinct", theory=True),
        Line("reference.common", "common, reference", idea="common", theory=True),
    ]  # fmt: skip
    return [
        ink(weights="attention", tokens="told.words", places="told.places", chances="told.chances", size="told.size",
            groups="told.groups", words=WORDS, ideas=("common", "distinct"), group_names=("common", "distinct"),
            rows=6, row_names=("step 1", "10", "100", "1,000", "10,000", "100,000"), title=INK, frames=True, wide=True,
            height=215, alt="Six rows of the same words: the common ones fade, most of all in the third."),
        over_steps(LOGITS, "attention logit z (nats)", *logits, wide=True, **axis),
        over_steps(SPEED, "length of dz/dt (nats per step)", *pair("speed", "reference.speed"), ylog=True, **axis),
        over_steps("Loss", "loss (nats)", *pair("loss", "reference.loss", "loss"), ylog=True, ylim=(1e-4, 20), **axis),
    ]  # fmt: skip


READING = [
    [Say("Without common tokens nothing moves: logits stay at 0.", "times.common == 0"),
     Say(f"{JOINT} before t_0′ = {{times.scan:1}}.", "peak < times.before"),
     Say(f"{JOINT} at about t_0′ = {{times.scan:1}}.", "peak <= times.from"),
     Say(f"{JOINT} between t_0′ = {{times.scan:1}} and t_0 = {{times.snap:1}}.", "peak < times.to"),
     Say(f"{JOINT} at about t_0 = {{times.snap:1}}.", "peak <= times.after"),
     Say(f"{JOINT} after t_0 = {{times.snap:1}}."),
     Say("t_0′ is step {times.scan:1}, t_0 is step {times.snap:1}.")],
]  # fmt: skip
TOUR = [
    Step("In the first row, at step 1, all words have the same ink: attention follows frequency.", time=0, point=INK),
    Step("The scan: from step 10 to 100 common words fade, and distinct ones gain.", time=100, point=INK),
    Step(Say("Attention gathers speed while the decoder learns. The reference is fastest near step {reference.about}, "
             "training both layers near step {about}."),
         "Attention gathers speed while the decoder learns, in the reference first.", time=12, point=SPEED),
    Step("The snap: the last three rows look alike, although 99,000 steps lie between them.", time=100_000, point=INK),
    Step("The reference goes further: its dashed curves leave 0 earlier, and that of the leader ends far higher.",
         time=100_000, point=LOGITS),
    Step(Say("With 100,000 outputs t_0′ comes at step {times.scan:1}, not even four times as late as with 34."),
         "A large vocabulary delays all this, like its logarithm.", point="M", M=100_000),
    Step("Without common tokens there is no overlap, and nothing moves at all.", point="common", common=0),
]  # fmt: skip
