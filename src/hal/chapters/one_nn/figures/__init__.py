"""The figures of the chapter that are not explorers."""

from hal.chapters.one_nn.figures.curves import talk
from hal.chapters.one_nn.figures.hypotheses import asked

__all__ = ["asked", "talk"]
