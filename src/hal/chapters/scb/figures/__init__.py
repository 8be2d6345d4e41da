"""The figures of the chapter on sparse contextual bigrams that are not explorers; theory is dashed on top."""

from hal.chapters.scb.figures.pictures import convergence

__all__ = ["convergence"]
