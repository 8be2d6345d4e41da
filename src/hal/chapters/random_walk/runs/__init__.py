"""The standard runs of random walks (arXiv 2511.23239): what claims and figures share."""

from hal.chapters.random_walk.runs.learning import (
    Learned,
    answer,
    learn,
    learn_population,
    learn_turns,
    record_of,
)

__all__ = [
    "Learned", "answer", "learn", "learn_population", "learn_turns", "record_of",
]  # fmt: skip
