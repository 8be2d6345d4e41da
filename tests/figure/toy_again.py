"""The textbook of chapter 1 under another name: a run that the probe of no figure imports."""

from lib.models.scb.textbook import done, start, step, steps_of

__all__ = ["done", "start", "step", "steps_of"]
