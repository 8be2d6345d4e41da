"""Small figure `scan_snap-snap`: one sequence in ink, decade after decade of training, and when attention moves.

Chapter `scan_snap`. Source: arXiv 2305.16380, Theorem 4, Lemmas 8 and 9.
"""

from typing import Any

from hal.chapters.scan_snap.figures._shared import TABLE, WORDS
from hal.chapters.scan_snap.models.kinds import attention_shares, row_length
from hal.chapters.scan_snap.models.textbook_flow import Settings, done, start, step, steps_of
from hal.chapters.scan_snap.runs.sentence import sequence_again
from hal.chapters.scan_snap.theory.portable_reference import peak_time
from hal.figure import Idea, Line, Mark, Say, ink, lines, sliders
from lib.portable.primitives import Readings, sqrt, zeros
from lib.theory.scan_snap.portable import scan_end, snap_start

TOKENS = 10  # distinct ones of each class
ROWS = [6.0, 18.0, 30.0, 42.0, 54.0, 66.0]  # records at steps 1, 10 and so on to 100,000
TITLE = "Scan, then snap"
HINT = "Take away the common words: what moves then?"
SLIDERS = sliders(TABLE, M=34, common=10)


def settings(M: int, common: int) -> Settings:
    """Infinitely long sequences, both layers from zero, twelve records for each decade of time."""
    return Settings(M=M, common=common, first=sqrt(0.1))


def run(settings: Settings) -> Readings:
    """Of a run: its times (67,); the speed of attention, the length of dz/dt, nats per 1,000 steps; attention
    to each kind of token, record after record, with a piece of a sequence for each of the records `ROWS`, as
    `sequence_again` has it; both transition times, and when attention is fastest."""
    state, times, words = start(settings, 0), steps_of(settings), sequence_again(settings.common, TOKENS, ROWS)
    speeds, size = zeros(len(times)), 1 + TOKENS
    attention = zeros(len(times) * size)
    while True:
        now, kinds = state.made - 1, state.motion.kinds
        speeds[now] = 1000.0 * row_length(kinds, state.slope, 3 * len(kinds.law), settings.sharing)
        shares = attention_shares(kinds, state.motion.f)
        for j in range(size):
            attention[now * size + j] = shares[j]
        if done(state):
            break
        step(state)
    return {
        "t": times, "speed": speeds, "attention": attention, "size": [float(len(attention))],
        "words": words[0], "groups": words[1], "places": words[2], "chances": words[3],
        "scan": [scan_end(settings.K, settings.M, settings.lr_Y)],
        "snap": [snap_start(settings.K, settings.M, settings.lr_Y)],
        "peak": [peak_time(times, speeds)], "common": [float(settings.common)],
    }  # fmt: skip


def picture() -> Any:
    """One sequence at each decade, and the speed of attention."""
    return (
        ink(weights="run.attention", tokens="run.words", places="run.places", chances="run.chances", size="run.size",
            groups="run.groups", words=WORDS, ideas=("common", "distinct"), group_names=("common", "distinct"),
            rows=6, row_names=("step 1", "10", "100", "1,000", "10,000", "100,000"), height=230,
            alt="Six rows of the same words: the common ones fade, most of all in the third."),
        lines("run.t", [Line("run.speed", "speed of attention", idea="attention")], xlabel="training time (steps)",
              ylabel="speed (nats per 1,000 steps)", title="", xlog=True, height=170,
              marks=[Mark("run.scan", "t_0′"), Mark("run.snap", "t_0")]),
    )  # fmt: skip


def say() -> list[Say]:
    """When attention is fastest."""
    return [
        Say("Without common words nothing moves.", "run.common == 0"),
        Say("Attention is fastest near step {run.peak:0}; t₀′ is step {run.scan:1}, t₀ step {run.snap:1}."),
    ]


IDEA = Idea(
    "Attention's speed has fallen to a hundredth of its peak by step 1,000.",
    greater=lambda drawn: 0.01 * max(drawn["run.speed"]),
    than=lambda drawn: drawn["run.speed"][42],
    breaks={"M": 100_000},
)
