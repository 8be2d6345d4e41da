"""The figures of the chapter that stand still."""

from hal.chapters.group_sparse.figures.curves import crossing, new_task, talk

__all__ = ["crossing", "new_task", "talk"]
