"""The figures of the chapter that are not explorers."""

from lib.chapters.random_walk.figures.published import questions, random_starts, zero_start

__all__ = ["questions", "random_starts", "zero_start"]
