"""The chapter's standard runs (arXiv 2410.23438): the algorithm, its experiments, and what the explorers show."""

from lib.experiments.scb.algorithm import finish, generators, learn, preconditioned, signals, stack, stages
from lib.experiments.scb.compare import compare
from lib.experiments.scb.figures import (
    LONG_CONTEXT,
    PUBLISHED,
    Setting,
    convergence,
    final_medians,
    measures,
    simulation,
)
from lib.experiments.scb.flow import flow, make_task
from lib.experiments.scb.questions import first_experiments, large_flow, sign_curve, softmax_against_linear
from lib.experiments.scb.sign import signs
from lib.experiments.scb.stage_run import stage_run
from lib.experiments.scb.transfer_step import first_step, transfer_step
