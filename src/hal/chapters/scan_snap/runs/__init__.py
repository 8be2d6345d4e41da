"""The standard runs of Scan and Snap (arXiv 2305.16380): what claims, explorers and figures of the chapter share."""

from hal.chapters.scan_snap.runs.dynamics import common_logits, flow, start_inputs
from hal.chapters.scan_snap.runs.figure6 import (
    THRESHOLDS,
    medium_task,
    own_figure6,
    recorded_figure6,
    replayed_figure6,
)
from hal.chapters.scan_snap.runs.learning import fast_runs, learn, rates
from hal.chapters.scan_snap.runs.published import (
    Replay,
    draw_stream,
    published_figure6,
    published_losses,
    replayed_losses,
)
from hal.chapters.scan_snap.runs.replacement import decoder_inputs, learn_replaced, replace_gradient, times_seen
from hal.chapters.scan_snap.runs.small import memory, syn_small

__all__ = [
    "THRESHOLDS", "Replay", "common_logits", "decoder_inputs", "draw_stream", 
    "fast_runs", "flow", "learn", "learn_replaced", 
    "medium_task", "memory", "own_figure6", "published_figure6", "published_losses",
    "rates", "recorded_figure6", "replace_gradient", "replayed_figure6", "replayed_losses",
    "start_inputs", "syn_small", "times_seen", ]  # fmt: skip
