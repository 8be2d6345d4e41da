"""The runs of the chapter: problems of the six, trained with a learning rate for each layer."""

from hal.chapters.atlas.runs.fans import fan_of
from hal.chapters.atlas.runs.first import attention_gradients
from hal.chapters.atlas.runs.grid import recorded_grid
from hal.chapters.atlas.runs.rates import FACTORS, Fan, fan
from hal.chapters.atlas.runs.tasks import TASKS

__all__ = ["FACTORS", "TASKS", "Fan", "attention_gradients", "fan", "fan_of", "recorded_grid"]
