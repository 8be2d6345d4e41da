"""Where the last word of a verse looks, before, during and after training; portable Python.

Chapter `scan_snap`. The recorded run on the King James Bible of hal/results/scan_snap/text.json (rate 2, one layer, one
seed), to which a test holds these numbers. Source: arXiv 2305.16380, Figures 7 and 10, on another text.
"""

from lib.portable.primitives import Vector
from lib.portable.vectors import part

LENGTH = 33  # words that the last one sees
SHARES = [
    # step 0
    0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03,
    0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03,
    0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03, 0.03,
    # step 600
    0.031, 0.031, 0.03, 0.031, 0.041, 0.032, 0.031, 0.031, 0.031, 0.032, 0.03,
    0.028, 0.031, 0.015, 0.031, 0.041, 0.025, 0.028, 0.031, 0.015, 0.031, 0.023,
    0.015, 0.032, 0.031, 0.041, 0.032, 0.03, 0.034, 0.041, 0.032, 0.031, 0.031,
    # step 2400
    0.03, 0.118, 0.002, 0.057, 0.008, 0.051, 0.013, 0.041, 0.005, 0.092, 0.039,
    0.001, 0.005, 0.0, 0.005, 0.008, 0.002, 0.001, 0.033, 0.0, 0.044, 0.0,
    0.0, 0.036, 0.062, 0.008, 0.051, 0.029, 0.093, 0.008, 0.081, 0.035, 0.04,
]  # fmt: skip
#: Which of them have letters; the others are commas.
LETTERED = [
    1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 1.0,
    1.0, 1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 1.0,
]  # fmt: skip


def looks(stop: int) -> Vector:
    """(33,) attention on the words before: `stop` is 0 before training, 1 after 600 steps, 2 after 2,400."""
    return part(SHARES, stop * LENGTH, LENGTH)
