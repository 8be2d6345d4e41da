"""One clock: attention as a function of the accumulated read-out.

Chapter `atlas`. Source: our own; Theorem 1 of the chapter, for the linear attention of chapter 1, where it is exact up
to noise. What is out of range raises `InputError`.
"""

from lib.errors import require


def half_clock(level: float, lr_A: float) -> float:
    """The clock, in steps times read-out, at which attention's signal reaches a level: level over learning rate.

    Args:
        level: of the signal alpha_A, no unit.
        lr_A: learning rate of attention, above 0, in units of one over the strength of its signal.

    Source: our own; in chapter 1 attention moves by lr_A alpha_V (1 - alpha_A alpha_V) a step: lr_A times the clock.
    """
    require(lr_A > 0.0, "lr_A", "a learning rate above 0", lr_A)
    return level / lr_A
