"""Readers change the printed model in the page: its Python is read and translated there, as the build does it.

`lib.portable.translation` is the reference; the modules of `js/` mirror it, rule by rule, and tests hold both to the
same text. What is data is written once, in Python, and handed over: `hal.live.tables`.
"""

from hal.live.sources import Start, editor, model, trained
from hal.live.tables import rules, script

__all__ = ["Start", "editor", "model", "rules", "script", "trained"]
