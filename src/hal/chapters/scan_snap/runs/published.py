"""Numbers that the authors of Scan and Snap released: the table behind Figure 6 and two training logs.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figures 4 and 6; the numbers are those of the authors' repository,
github.com/facebookresearch/luckmatters, folder ssl/real-dataset/scan_snap (figure_6_data.pkl, figure_4.log,
figure_6.log), whose licence is CC BY-NC 4.0. Only numbers are given here, no code or text of that repository.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.published_entropy import (
    FIGURE_6_LR_Z,
    FIGURE_6_MEAN,
    FIGURE_6_QUERIES,
    FIGURE_6_RATIOS,
    FIGURE_6_STD,
)

Array = NDArray[np.float64]

# Axes of Figure 6: query tokens (two classes each), rate of attention, rate of the decoder over rate of attention.
QUERIES, LR_Z = tuple(FIGURE_6_QUERIES), tuple(FIGURE_6_LR_Z)
RATIOS = tuple(map(int, FIGURE_6_RATIOS))
SEEDS = tuple(range(1, 11))
STEPS, BATCH, LENGTH = 100, 128, 127  # updates, sequences a step, contextual tokens of a sequence

# Minibatch losses in nats at steps 0, 2, .., 98, each to the seven digits of single precision.
_LOSS_4 = np.array(
    """
    3.526360e+00 2.367910e+00 7.334754e-01 1.608049e-01 4.442878e-02 1.295247e-02 4.386259e-03 1.809783e-03
    6.407027e-04 4.101922e-04 2.054338e-04 1.480427e-04 1.294454e-04 8.063780e-05 6.175994e-05 5.301202e-05
    5.059646e-05 3.579204e-05 3.449524e-05 3.094148e-05 2.911148e-05 2.977891e-05 3.086395e-05 2.484627e-05
    2.509954e-05 2.578305e-05 2.679261e-05 2.286909e-05 2.111736e-05 2.549790e-05 2.430239e-05 2.261202e-05
    2.672564e-05 2.238919e-05 2.206452e-05 1.994946e-05 2.241275e-05 2.163029e-05 1.959007e-05 2.687439e-05
    2.182227e-05 2.199096e-05 2.096090e-05 2.161741e-05 1.968789e-05 2.200570e-05 2.631046e-05 2.365313e-05
    2.237728e-05 2.222372e-05
    """.split(),  # noqa: SIM905 - a block of numbers reads better than a list of strings
    dtype=np.float64,
)
_LOSS_6 = np.array(
    """
    3.454857e+00 2.876298e+00 1.758272e+00 7.731755e-01 3.355617e-01 1.616624e-01 7.722065e-02 3.298972e-02
    1.607906e-02 7.947906e-03 4.889907e-03 3.156598e-03 2.361250e-03 1.865864e-03 1.539061e-03 1.328099e-03
    1.246936e-03 1.100363e-03 1.034525e-03 9.060141e-04 1.045767e-03 9.184760e-04 9.153811e-04 8.926574e-04
    7.941953e-04 7.773914e-04 7.626109e-04 8.154099e-04 7.628581e-04 7.707260e-04 6.350234e-04 6.403304e-04
    7.500876e-04 6.333234e-04 6.023492e-04 6.626487e-04 5.988777e-04 5.807875e-04 6.357175e-04 5.947978e-04
    5.467141e-04 6.230444e-04 5.635576e-04 5.594165e-04 5.638428e-04 5.215459e-04 5.942902e-04 5.834706e-04
    5.771720e-04 5.514728e-04
    """.split(),  # noqa: SIM905 - a block of numbers reads better than a list of strings
    dtype=np.float64,
)


def published_figure6() -> tuple[Array, Array]:
    """Entropy of attention on distinct tokens after 100 steps, as released.

    Returns:
        mean and sample standard deviation over ten seeds, nats, each (queries 4, lr_Z 4, ratio 4), rounded to 0.001.

    Source: arXiv 2305.16380, Figure 6, whose caption calls the spread a standard error; it is not divided by sqrt(10).
    """
    mean, std = (np.array(table).reshape(4, 4, 4) for table in (FIGURE_6_MEAN, FIGURE_6_STD))
    return mean, std


def published_losses() -> tuple[NDArray[np.int64], Array, Array]:
    """Two released logs of the minibatch loss.

    Returns:
        steps (50,); the losses in nats at these steps of the run of Figure 4 (two queries with one class each, zero
        start, both rates 1, seed 2); and those of the first run of Figure 6 (one query, random start, both rates 0.5,
        seed 1).

    Source: the authors' logs of arXiv 2305.16380, Figures 4 and 6.
    """
    return np.arange(0, 100, 2), _LOSS_4.copy(), _LOSS_6.copy()
