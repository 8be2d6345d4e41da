"""Curves of the chapter's still figures that no run hands them, computed another way; the rest are runs' numbers."""

import matplotlib.pyplot as plt
import numpy as np
import pytest
from scipy.optimize import brentq

from hal.chapters.scan_snap import figures
from hal.chapters.scan_snap.theory.one_common import reduced_run


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def gap(t, K, M, lr_Y):
    """The clock's gap by bisection of its equation, e^x + (M - 1) x = 1 + M lr_Y t / K."""
    return brentq(lambda x: np.exp(x) + (M - 1) * x - 1 - M * lr_Y * t / K, 0, 1 + np.log(1 + M * lr_Y * t / K))


def test_the_clock():
    rates = (0.1, 0.3, 2.0, 5.0)
    figure = figures.clock(M=(20, 700), rates=rates, steps=30)
    for column, M in enumerate((20, 700)):
        above, below = (axes.lines for axes in (figure.axes[column], figure.axes[2 + column]))
        for i, lr in enumerate(rates):
            x = [0.0]
            for _ in range(30):
                x.append(x[-1] + M * lr / (M - 1 + np.exp(x[-1])))
            smooth = [gap(k, 1, M, lr) for k in range(31)]
            np.testing.assert_allclose(above[2 * i].get_ydata(), x, rtol=1e-12)
            np.testing.assert_allclose(above[2 * i + 1].get_ydata(), smooth, rtol=1e-9, atol=1e-12)
            np.testing.assert_allclose(below[i].get_ydata(), (np.array(x) - smooth) / (2 * lr), rtol=1e-6, atol=1e-9)


def integrated(t, K, M, lr_Y, lr_Z, C0):
    """The fall D of the reduced system, from its equation."""
    return reduced_run(t, K, M, lr_Y, lr_Z, C0).B


def test_figure_9():
    axes = figures.fixed_ratio(cases=((3.0, 60),), rates=(0.1, 0.5, 4.0, 9.0), K=4).axes
    curves = [line for line in axes[0].lines if len(line.get_xdata()) > 1]
    for line, rate in zip(curves, (0.1, 0.5, 4.0, 9.0), strict=True):
        t = line.get_xdata()[::20]
        np.testing.assert_allclose(line.get_ydata()[::20], integrated(t, 4, 60, 3 * rate, rate, 1.0), rtol=1e-6)
