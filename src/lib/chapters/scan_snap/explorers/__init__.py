"""The explorers of the chapter on scan and snap, one a file: run, sliders, panels and sentence."""

from lib.chapters.scan_snap.explorers import attention, fate, growth, ratio, snap

__all__ = ["attention", "fate", "growth", "ratio", "snap"]
