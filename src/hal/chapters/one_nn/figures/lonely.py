"""Figure `one_nn-lonely`: the circle of `one_nn-neighbours` and its layer, with a query that all points are far from.

Chapter `one_nn`. Source: as for `one_nn-neighbours`.
"""

from hal.chapters.one_nn.figures.neighbours import circle, far_prompt
from hal.figure import Sphere


def figure() -> Sphere:
    """The figure `one_nn-lonely`, as the chapter shows it."""
    return circle(far_prompt, "one_nn-lonely", "What does a query far from all points look at?", False)
