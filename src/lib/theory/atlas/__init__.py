"""What is common to the six tasks, over arrays; it knows nothing of models and training."""

from lib.theory.atlas.clock import attention_by_clock, half_clock
from lib.theory.atlas.signs import hearing

__all__ = ["attention_by_clock", "half_clock", "hearing"]
