"""The runs of the chapter: problems of the six, trained with a learning rate for each layer."""

from hal.chapters.atlas.runs.fans import fan_of
from hal.chapters.atlas.runs.first import attention_gradients
from hal.chapters.atlas.runs.grid import recorded_grid, said
from hal.chapters.atlas.runs.layers import entropy_of_the_scan, parent_on_walks
from hal.chapters.atlas.runs.rates import FACTORS, Fan, fan
from hal.chapters.atlas.runs.tasks import TASKS

__all__ = [
    "FACTORS",
    "TASKS",
    "Fan",
    "attention_gradients",
    "entropy_of_the_scan",
    "fan",
    "fan_of",
    "parent_on_walks",
    "recorded_grid",
    "said",
]  # fmt: skip
