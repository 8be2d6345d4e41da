"""What is common to the six tasks, over arrays; it knows nothing of models and training."""

from hal.chapters.atlas.theory.clock import attention_by_clock, half_clock
from hal.chapters.atlas.theory.signs import hearing

__all__ = ["attention_by_clock", "half_clock", "hearing"]
