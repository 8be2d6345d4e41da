"""The standard runs of Scan and Snap (arXiv 2305.16380): what claims, explorers and figures of the chapter share."""

from lib.experiments.scan_snap.flow import Flow, flow
from lib.experiments.scan_snap.learn import learn, optimiser
from lib.experiments.scan_snap.replacement import learn_replaced, replace_gradient, times_seen
