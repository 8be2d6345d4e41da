"""The figures of the chapter that are not explorers."""

from lib.chapters.one_nn.figures.curves import talk

__all__ = ["talk"]
