"""The plane of the two numbers as a picture of it needs it: the flow's arrows, and bands of the loss.

Chapter `one_nn`, beyond the paper (Li et al. 2024, arXiv 2411.10830).
"""

from lib.portable.numbers import exp, log
from lib.portable.primitives import Readings, zeros
from lib.theory.one_nn.portable_flow import descent
from lib.theory.one_nn.portable_sphere import Law


def loss_plane(law: Law, side: int, lowest: float, lowest_mask: float, highest: float) -> Readings:
    """The flow's arrows on a grid, row by row, and the band of the reduced loss there.

    Every second column is computed; between two stands their mean, and of ln L the cubic with the right slopes.

    Args:
        law: of d and N.
        side: rows, and computed columns.
        lowest, lowest_mask, highest: smallest xi_1, across, smallest xi_2, up, and largest of both.

    Returns:
        x (2 side - 1,) and y (side,) of the grid; u, v, the motion of xi_1 and xi_2 per unit of time, and band, see
        `band_of`, (side (2 side - 1),).

    Source: beyond the paper.
    """
    wide = 2 * side - 1
    x, y, place, out = zeros(wide), zeros(side), zeros(2), zeros(2)
    u, v, band = zeros(wide * side), zeros(wide * side), zeros(wide * side)
    level, rise = zeros(wide), zeros(wide)  # of a row: ln L and its slope in xi_1
    for i in range(wide):
        x[i] = lowest + (highest - lowest) * float(i) / float(wide - 1)
    for j in range(side):
        y[j] = lowest_mask + (highest - lowest_mask) * float(j) / float(side - 1)
        for i in range(0, wide, 2):
            place[0] = x[i]
            place[1] = y[j]
            descent(0.0, place, out, law)
            u[j * wide + i] = out[0]
            v[j * wide + i] = out[1]
            level[i] = log(law.slopes[0])
            rise[i] = law.slopes[1] / law.slopes[0]
        for i in range(1, wide, 2):
            k = j * wide + i
            u[k] = 0.5 * (u[k - 1] + u[k + 1])
            v[k] = 0.5 * (v[k - 1] + v[k + 1])
            level[i] = 0.5 * (level[i - 1] + level[i + 1]) + 0.25 * (x[i] - x[i - 1]) * (rise[i - 1] - rise[i + 1])
        for i in range(wide):
            band[j * wide + i] = band_of(exp(level[i]))
    return {"x": x, "y": y, "u": u, "v": v, "band": band}


def band_of(loss: float) -> float:
    """1 for a loss above 0.4, 2 above 0.2, 3 above 0.1, 4 above 0.05, 0 below. Source: beyond the paper."""
    if loss > 0.4:
        return 1.0
    if loss > 0.2:
        return 2.0
    if loss > 0.1:
        return 3.0
    return 4.0 if loss > 0.05 else 0.0
