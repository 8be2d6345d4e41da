"""The portable theory of the clock over NumPy arrays.

Chapter `atlas`. Source: our own; derived in the chapter.
"""

from hal.chapters.atlas.theory import portable
from lib.portable import lift

attention_by_clock = lift(portable.attention_by_clock)
half_clock = lift(portable.half_clock)
