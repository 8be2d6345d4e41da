"""The last step of every figure of a chapter."""

from __future__ import annotations

import matplotlib.pyplot as plt
from matplotlib.figure import Figure


def finished(figure: Figure) -> Figure:
    """The figure, taken from pyplot's list of open ones: a notebook would draw those a second time."""
    plt.close(figure)
    return figure
