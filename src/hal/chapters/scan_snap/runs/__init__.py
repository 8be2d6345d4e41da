"""The standard runs of Scan and Snap (arXiv 2305.16380): what claims, explorers and figures of the chapter share."""

from hal.chapters.scan_snap.runs.compare import Both, both, start_inputs
from hal.chapters.scan_snap.runs.fates import Fate, fate, start_threshold
from hal.chapters.scan_snap.runs.figure6 import (
    THRESHOLDS,
    Figure6,
    medium_task,
    own_figure6,
    recorded_figure6,
    replayed_figure6,
)
from hal.chapters.scan_snap.runs.joint_flow import Flow, flow
from hal.chapters.scan_snap.runs.late_times import Late, entropy_by_ratio, late
from hal.chapters.scan_snap.runs.learning import learn, rates
from hal.chapters.scan_snap.runs.order import Order, scan_order
from hal.chapters.scan_snap.runs.overlap import Overlap, overlap_scan
from hal.chapters.scan_snap.runs.published import published_figure6, published_losses
from hal.chapters.scan_snap.runs.released_runs import Losses, Replay, Stream, draw_stream, replay, replayed_losses
from hal.chapters.scan_snap.runs.remembering import Memory, memory, remembered_gain
from hal.chapters.scan_snap.runs.replacement import learn_replaced, times_seen
from hal.chapters.scan_snap.runs.residual import Local, OwnQuery, local_run, local_task, own_query
from hal.chapters.scan_snap.runs.small import Small, entropy_by_common, entropy_by_length, syn_small
from hal.chapters.scan_snap.runs.stage_times import Timing, timing
from hal.chapters.scan_snap.runs.transforms import replace_gradient

__all__ = [
    "THRESHOLDS", "Both", "Fate", "Figure6", "Flow", "Late", "Local", "Losses", "Memory", "Order", "Overlap",
    "OwnQuery", "Replay", "Small", "Stream", "Timing", "both", "draw_stream", "entropy_by_common", "entropy_by_length",
    "entropy_by_ratio", "fate", "flow", "late", "learn", "learn_replaced", "local_run", "local_task", "medium_task",
    "memory", "overlap_scan", "own_figure6", "own_query", "published_figure6", "published_losses", "rates",
    "recorded_figure6", "remembered_gain", "replace_gradient", "replay", "replayed_figure6", "replayed_losses",
    "scan_order", "start_inputs", "start_threshold", "syn_small", "times_seen", "timing",
]  # fmt: skip
