"""The figures of the chapter that stand still."""

from hal.chapters.group_sparse.figures.curves import new_task

__all__ = ["new_task"]
