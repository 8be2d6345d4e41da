"""The standard runs of random walks (arXiv 2511.23239): what claims and figures share."""

from hal.chapters.random_walk.runs.beyond import Lazy, adam_escape, lazy
from hal.chapters.random_walk.runs.learning import Learned, learn, learn_population, learn_turns, record_of
from hal.chapters.random_walk.runs.questions import answer
from hal.chapters.random_walk.runs.variants import on_graph, with_heads, with_positions

__all__ = [
    "Lazy", "Learned", "adam_escape", "answer", "lazy", "learn", "learn_population", "learn_turns", "on_graph",
    "record_of", "with_heads", "with_positions",
]  # fmt: skip
