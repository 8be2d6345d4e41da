"""Readers change the printed model in the page: its Python is read and translated there, as the build does it.

Both have the translator of `lib.portable.translation`.
"""

from hal.figure.editor.sources import Start, editor, model, trained

__all__ = ["Start", "editor", "model", "trained"]
