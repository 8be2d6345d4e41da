"""The standard runs of Scan and Snap (arXiv 2305.16380): what claims, explorers and figures of the chapter share."""

from lib.experiments.scan_snap.compare import Both, both, start_inputs
from lib.experiments.scan_snap.fate import Fate, fate, measured_threshold, start_drift, start_threshold
from lib.experiments.scan_snap.figure6 import (
    THRESHOLDS,
    Figure6,
    medium_task,
    own_figure6,
    recorded_figure6,
    replayed_figure6,
)
from lib.experiments.scan_snap.flow import Flow, flow
from lib.experiments.scan_snap.late import Late, entropy_by_ratio, late
from lib.experiments.scan_snap.learn import learn, optimiser
from lib.experiments.scan_snap.memory import Memory, memory, remembered_gain
from lib.experiments.scan_snap.order import Order, scan_order
from lib.experiments.scan_snap.overlap import Overlap, overlap_scan
from lib.experiments.scan_snap.published import published_figure6, published_losses
from lib.experiments.scan_snap.replacement import learn_replaced, replace_gradient, times_seen
from lib.experiments.scan_snap.replay import Losses, Replay, Stream, draw_stream, replay, replayed_losses
from lib.experiments.scan_snap.residual import Local, OwnQuery, local_run, local_task, own_query
from lib.experiments.scan_snap.show_attention import attention_run
from lib.experiments.scan_snap.show_fate import fate_run
from lib.experiments.scan_snap.show_growth import growth_run
from lib.experiments.scan_snap.show_ratio import ratio_run
from lib.experiments.scan_snap.show_snap import snap_run
from lib.experiments.scan_snap.small import Small, entropy_by_common, entropy_by_length, syn_small
from lib.experiments.scan_snap.timing import Timing, timing
