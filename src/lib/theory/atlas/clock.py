"""The portable theory of the clock over NumPy arrays.

Chapter `atlas`. Source: our own; derived in the chapter.
"""

from lib.portable import lift
from lib.theory.atlas import portable

attention_by_clock = lift(portable.attention_by_clock)
half_clock = lift(portable.half_clock)
