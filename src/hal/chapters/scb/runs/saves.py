"""Samples of one step from an old task, and of Stage 1 from scratch, over correlation, T and N; portable Python.

Chapter `scb`. From hal/results/scb/skip.json and samples.json (sixteen seeds), to which a test holds these numbers.
Source: arXiv 2410.23438, Section 4; the measurement is ours, see `skip`.
"""

from lib.portable.primitives import Vector, nan
from lib.portable.vectors import part

CORRELATIONS = [1.0, 0.8, 0.57, 0.4, 0.28, 0.2, 0.14, 0.1]
LENGTHS = [32.0, 64.0, 128.0, 256.0, 512.0, 1024.0]
TOKENS = [3.0, 4.0, 6.0, 8.0]
# A row for each N and T, from the largest correlation down; NaN where 16,384 samples are not enough for three of four
# runs, or nothing was measured.
STEP = [
    302.0, 429.0, 869.0, 1563.0, 3557.0, 6401.0, 14568.0, nan,  # N = 3, T = 32
    302.0, 483.0, 869.0, 2224.0, 3557.0, 7199.0, 11517.0, nan,  # N = 3, T = 64
    302.0, 339.0, 772.0, 1563.0, 2501.0, 6401.0, 12953.0, nan,  # N = 3, T = 128
    302.0, 543.0, 1099.0, 1977.0, 4500.0, 8096.0, 16384.0, nan,  # N = 3, T = 256
    339.0, 687.0, 1236.0, 2224.0, 5061.0, 9106.0, nan, nan,  # N = 3, T = 512
    nan, nan, nan, nan, nan, nan, nan, nan,  # N = 3, T = 1024
    302.0, 483.0, 772.0, 1236.0, 2224.0, 5061.0, 10241.0, nan,  # N = 4, T = 32
    268.0, 483.0, 772.0, 1563.0, 3163.0, 8096.0, 12953.0, nan,  # N = 4, T = 64
    382.0, 611.0, 1099.0, 1977.0, 3557.0, 7199.0, 14568.0, nan,  # N = 4, T = 128
    268.0, 543.0, 1099.0, 2501.0, 5061.0, 7199.0, 14568.0, nan,  # N = 4, T = 256
    382.0, 543.0, 869.0, 1977.0, 4500.0, 8096.0, 16384.0, nan,  # N = 4, T = 512
    339.0, 543.0, 1236.0, 2224.0, 4500.0, 9106.0, nan, nan,  # N = 4, T = 1024
    239.0, 483.0, 869.0, 1563.0, 3163.0, 6401.0, 12953.0, nan,  # N = 6, T = 32
    339.0, 483.0, 772.0, 1758.0, 3557.0, 6401.0, 11517.0, nan,  # N = 6, T = 64
    302.0, 483.0, 869.0, 1758.0, 2812.0, 5691.0, 11517.0, nan,  # N = 6, T = 128
    382.0, 611.0, 977.0, 1758.0, 3557.0, 8096.0, 14568.0, nan,  # N = 6, T = 256
    429.0, 611.0, 1236.0, 1977.0, 4001.0, 8096.0, 16384.0, nan,  # N = 6, T = 512
    nan, nan, nan, nan, nan, nan, nan, nan,  # N = 6, T = 1024
    382.0, 611.0, 772.0, 1390.0, 3163.0, 7199.0, 14568.0, nan,  # N = 8, T = 32
    429.0, 543.0, 869.0, 1758.0, 3163.0, 6401.0, 16384.0, nan,  # N = 8, T = 64
    483.0, 611.0, 977.0, 1977.0, 3557.0, 6401.0, 14568.0, nan,  # N = 8, T = 128
    429.0, 611.0, 1099.0, 2501.0, 4500.0, 8096.0, nan, nan,  # N = 8, T = 256
    483.0, 687.0, 1099.0, 2224.0, 4500.0, 10241.0, 16384.0, nan,  # N = 8, T = 512
    nan, nan, nan, nan, nan, nan, nan, nan,  # N = 8, T = 1024
]  # fmt: skip
# For each N and T; NaN where nothing was measured.
SCRATCH = [
    360.0, 412.0, 476.0, 752.0, 768.0, nan,
    400.0, 504.0, 628.0, 776.0, 992.0, 1656.0,
    472.0, 498.0, 720.0, 912.0, 1256.0, nan,
    592.0, 722.0, 848.0, 1056.0, 1376.0, nan,
]  # fmt: skip


def step_samples(N: int, T: int) -> Vector:
    """(8,) samples of the step at each correlation, for numbers of `TOKENS` and `LENGTHS`.

    Source: the record, see above.
    """
    return part(STEP, (N * len(LENGTHS) + T) * len(CORRELATIONS), len(CORRELATIONS))


def scratch_samples(N: int, T: int) -> float:
    """Samples of Stage 1, for numbers of `TOKENS` and `LENGTHS`.

    Source: the record, see above.
    """
    return SCRATCH[N * len(LENGTHS) + T]
