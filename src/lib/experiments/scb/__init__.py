"""The chapter's standard runs (arXiv 2410.23438): the algorithm, its experiments, and what the explorers show."""

from lib.experiments.scb.algorithm import finish, generators, learn, preconditioned, signals, stack, stages
