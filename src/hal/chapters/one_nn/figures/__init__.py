"""The figures of the chapter that are not explorers."""

from hal.chapters.one_nn.figures.climb import approach
from hal.chapters.one_nn.figures.curves import talk
from hal.chapters.one_nn.figures.hypotheses import asked
from hal.chapters.one_nn.figures.strength import masks_needed

__all__ = ["approach", "asked", "masks_needed", "talk"]
