"""The figures of the chapter that are not explorers."""

from hal.chapters.one_nn.figures.curves import talk

__all__ = ["talk"]
