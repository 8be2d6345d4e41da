"""The paper's figures of the chapter on scan and snap that stand still."""

from hal.chapters.scan_snap.figures._stills import adam, small

__all__ = ["adam", "small"]
