"""What `scb-starts` has besides the settings of the chapter, and its cloud: random starts that its sliders reach."""

from typing import Any

from hal.chapters.scb.figures._shared import TABLE as SHARED
from hal.chapters.scb.runs.starts import BATCH, LR, deviation, recorded_starts
from hal.explorer import Recorded, Slider, Weights, cloud
from lib.models.scb import ring_task

LONGEST, LARGEST = 512, {"V": 1.0, "A": 16.0}  # of the sliders


TABLE: dict[str, Slider | Weights] = {
    **SHARED,
    "size_A": Slider("Random A, over 1/(K_Q T)", "no unit", 1.0, (0.0, 16.0)),
    "size_V": Slider("Random V, over the signal", "no unit", 0.0, (0.0, 1.0)),
}


def recorded() -> list[Recorded]:
    """The recorded starts as points; those of which every run diverged have no share."""
    points = []
    for (part, unit, size, T), kept in recorded_starts().items():
        left, task = len(kept["lost"]) - sum(kept["lost"]), ring_task(T, rng=0)
        here = deviation(part, unit, size, task) * (float(task.K_Q) * T if part == "A" else 1.0)
        if T <= LONGEST and left and here <= LARGEST[part]:
            chosen = {"size_A": 0.0, "size_V": 0.0, "T": T, "batch": BATCH, "lr": LR, f"size_{part}": here}
            points.append(Recorded(kept["ratio"], sum(kept["upright"]) / left, chosen))
    return points


def shares(title: str) -> Any:
    """The share with the true sign on the curve of the law, among recorded settings."""
    return cloud("law.ratio", "summary.share", low="summary.low", high="summary.high", recorded=recorded(),
                 curve=("law.ratios", "law.curve", "theory"), label="these runs, with a 95% interval",
                 recorded_label="recorded, 32 runs each: click to go there", idea="signal",
                 xlabel="drift over noise and first signal, z² / 2 (no unit)",
                 ylabel="proportion with the true sign (fraction)", title=title,
                 xlog=True, xlim=(0.0003, 100), ylim=(0.0, 1.03), height=330)  # fmt: skip
