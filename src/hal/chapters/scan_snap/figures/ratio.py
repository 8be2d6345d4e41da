"""Figure `scan_snap-ratio`: entropy of attention against the ratio of the two learning rates, beside the paper's.

Chapter `scan_snap`. Source: arXiv 2305.16380, Section 8 and Figure 6 (Syn-Medium), settings as released. The page
computes all of it but the released numbers.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import INFINITE, TABLE
from hal.chapters.scan_snap.runs.endless import endless_ratios
from hal.chapters.scan_snap.runs.published_entropy import released_numbers
from hal.explorer import Line, Say, Step, grid, lines, over_steps, sliders
from lib.models.scan_snap import textbook_ratios
from lib.models.scan_snap.textbook_ratios import RATIOS, Sweep, valley
from lib.portable.primitives import Readings, Vector, copy

BATCH = 128
TITLE, RUN, COLUMNS, RUNS, FIRST, FOLDED = "How fast should the decoder be?", textbook_ratios, 2, 4, 1, 1
DEAR = "A run here is seven trainings, one a ratio: they are drawn as they come, many classes take a while."
SLIDERS = sliders(TABLE, queries=3, lr_Z=1.0, T=(128, 8, 512), steps=100)
SIGHT = ("queries", "lr_Z", "steps")
# Ordered rates, from a slow decoder to a fast one: light to dark of one hue.
SHADES = ("#7fb8de", "#3d92cc", "#0072b2", "#004a75")


def settings(queries: int, lr_Z: float, T: int, steps: int) -> Sweep:
    """A run at each of seven ratios, batch 128."""
    return Sweep(T, queries, lr_Z, steps, BATCH)


def times(settings: Sweep) -> Readings:
    """The ratios of the runs, and how many steps each takes."""
    return {"ratios": copy(RATIOS), "last": [float(settings.steps)]}


def released(settings: Sweep) -> Readings:
    """What the authors released at these settings: mean and spread over ten runs, NaN where they have none."""
    return released_numbers(settings.queries, settings.lr_Z, settings.T, settings.steps)


def endless(settings: Sweep) -> Readings:
    """The same training on infinitely long sequences, from zero: entropy at its end, over the ratio of rates."""
    return endless_ratios(settings, 0.5, 20.0, 13)


def outcome(entropy: Vector) -> Readings:
    """Entropy at the end of one run, ratio by ratio."""
    return {
        "e0": [entropy[0]], "e1": [entropy[1]], "e2": [entropy[2]], "e3": [entropy[3]], "e4": [entropy[4]],
        "e5": [entropy[5]], "e6": [entropy[6]],
    }  # fmt: skip


def summary(e0: float, e1: float, e2: float, e3: float, e4: float, e5: float, e6: float) -> Readings:
    """Where the middles of the runs are least."""
    return valley([e0, e1, e2, e3, e4, e5, e6])


VALLEY, STRIPS, COURSE = "Entropy against the ratio", "Where attention ends", "How it came to that"


def panels() -> list[Any]:
    """Entropy against the ratio of rates with the released error bars, attention at its end, and four courses."""
    pairs = zip((1, 2, 5, 10), SHADES, strict=True)
    course = [Line(f"course_{ratio}", f"ratio {ratio}", idea=shade) for ratio, shade in pairs]
    found = [
        Line("entropy", "training runs", idea="attention"),
        Line("endless.entropy", "infinitely long sequences", idea="attention", theory=True, dash=INFINITE,
             x="endless.ratios"),
        Line("released.mean", "released: mean ± s.d.", idea="published", x="released.ratios", error="released.spread"),
    ]  # fmt: skip
    return [
        lines("times.ratios", found, xlabel="ratio of learning rates η_Y / η_Z (no unit)", ylabel="entropy (nats)",
              title=VALLEY, xlog=True, xlim=(0.4, 25), height=300),
        grid(cells="strips", rows=len(RATIOS), columns=textbook_ratios.DISTINCT, idea="distinct", root=False,
             row_names=[f"{ratio:g}" for ratio in RATIOS], rows_are="ratio of rates",
             columns_are="distinct token, rarest first", title=STRIPS, height=300,
             alt="Seven strips of ten cells, one a ratio: ink gathers at the right, most of all at ratio 2."),
        over_steps(COURSE, "entropy (nats)", *course, xswitch=True),
    ]  # fmt: skip


LEAST, AFTER = "of these seven, with {summary.least:3} nats.", "After {times.last} steps attention is sparsest at"
LONG = "Infinitely long sequences"
READING = [
    [
        Say("After one step all ratios are equal: attention moved by its own learning rate alone.", "times.last == 1"),
        Say("After {times.last} steps all ratios end within 0.002 nats of {summary.least:3}.", "summary.range < 0.002"),
        Say(f"{AFTER} ratios {{summary.best}} and {{summary.second}} {LEAST}", "summary.ahead < 0.002"),
        Say(f"{AFTER} ratio {{summary.best}} {LEAST}"),
        Say("No run has finished yet."),
    ],
    [Say("Released: ratio {released.best} of four, with {released.least:3} ± {released.around:3}.")],
    [
        Say(f"{LONG} all end within 0.002 nats of {{endless.least:3}}.", "endless.range < 0.002"),
        Say(f"{LONG} have {{endless.least:3}} at {{endless.best:1}}, the end of the axis.", "endless.edge == 1"),
        Say(f"{LONG} have {{endless.least:3}} near {{endless.best:1}}."),
    ],
]
DASHED = "Dashed: infinitely long sequences, nothing random. The valley stays"
TOUR = [
    Step("Seven trainings on the same sequences, one for each ratio of the learning rates, one initialisation.", time=0,
         point=COURSE),
    Step("For ten steps a fast decoder is ahead: of these four the curve of ratio 5 lies lowest.", time=10,
         point=COURSE),
    Step("Then it makes no more errors that could push attention. By step 100 ratio 2 lies lowest and ratio 10 "
         "highest.", time=100, point=COURSE),
    Step(Say("So there is a best ratio. Here it is {summary.best}; in the runs that the authors released it is "
             "{released.best:0}."), "So there is a best ratio.", point=VALLEY),
    Step(Say(f"{DASHED}, near {{endless.best:1}}."), f"{DASHED}.", point=VALLEY),
    Step(Say("With one query token a slower decoder is best: ratio {summary.best}, and {released.best:0} in the "
             "released runs.", "summary.best <= 1"), "With one query token and infinitely long sequences a slower "
         "decoder is best.", queries=1, point="queries"),
    Step(Say("At a tenth of the rate 100 steps are too few: {summary.least:2} nats at best, and a shallow valley."),
         "At a tenth of the rate 100 steps are too few, and the valley is shallow.", lr_Z=0.1, point="lr_Z"),
]  # fmt: skip
