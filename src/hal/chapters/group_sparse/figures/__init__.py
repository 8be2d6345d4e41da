"""The figures of the chapter that are not explorers."""

from lib.chapters.group_sparse.figures.curves import crossing, downstream, talk

__all__ = ["crossing", "downstream", "talk"]
