"""The runs of the chapter: problems of the six, trained with a learning rate for each layer."""

from hal.chapters.atlas.runs.first import attention_gradients
from hal.chapters.atlas.runs.rates import FACTORS, Fan, fan

__all__ = ["FACTORS", "Fan", "attention_gradients", "fan"]
