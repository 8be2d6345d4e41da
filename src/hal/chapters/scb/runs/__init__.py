"""The chapter's standard runs (arXiv 2410.23438): the algorithm and the experiments that claims and figures share."""

from hal.chapters.scb.runs.algorithm import finish, learn, preconditioned, signals, stack, stages
from hal.chapters.scb.runs.figure1 import (
    LONG_CONTEXT,
    PUBLISHED,
    Setting,
    convergence,
)

__all__ = [
    "LONG_CONTEXT",
    "PUBLISHED",
    "Setting",
    "convergence",
    "finish",
    "learn",
    "preconditioned",
    "signals",
    "stack",
    "stages",
]
