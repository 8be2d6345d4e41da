"""The standard runs of random walks (arXiv 2511.23239): what claims and figures share."""

from hal.chapters.random_walk.runs.learning import answer, learn, learn_population, learn_turns

__all__ = ["answer", "learn", "learn_population", "learn_turns"]
