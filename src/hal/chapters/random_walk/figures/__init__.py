"""The figures of the chapter that stand still."""

from hal.chapters.random_walk.figures.published import question_tasks, random_starts, zero_start

__all__ = ["question_tasks", "random_starts", "zero_start"]
