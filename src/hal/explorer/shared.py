"""What the figures of all chapters say and draw alike: a panel over training time, and what is said before runs end."""

from typing import Any

from hal.explorer.charts import Lines
from hal.explorer.marks import Line
from hal.explorer.sentences import Say


def over_steps(title: str, ylabel: str, *series: Line, x: str = "steps", **more: Any) -> Lines:
    """A line chart over the training time of the figure.

    Args:
        title: text above the panel.
        ylabel: title of the axis with its unit in brackets at the end.
        series: curves.
        x: the figure's `TIME`.
        more: further arguments of `lines`, such as `xlabel` where time has another unit.

    Raises:
        InputError: if there is no series or a label has no unit.
    """
    return Lines(x, series, **{"xlabel": "training time (steps)", "ylabel": ylabel, "title": title, **more})


def waiting(remedy: str = "a smaller learning rate may help") -> list[Say]:
    """What a sentence says before there is a run to speak of: the first alternatives of most readings.

    Args:
        remedy: what a reader can do where all runs have diverged.
    """
    return [
        Say(f"Every run so far has diverged; {remedy}.", "runs == 0", "lost >= 1"),
        Say("No run has finished yet.", "runs == 0"),
    ]
