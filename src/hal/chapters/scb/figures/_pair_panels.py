"""The panels of `scb-stages`: both maps of attention side by side, and how far both runs are from the answer."""

from typing import Any

from hal.chapters.scb.figures._shared import LETTERS
from hal.figure import Line, Mark, heatmap, over_steps

WITHOUT, WITH = "Attention without the threshold", "With the threshold"


def off(letter: str, target: str) -> Any:
    """The distance of A or V to its target over time, in both runs."""
    series = [
        Line(f"sgd_{letter}", "without", idea="attention" if letter == "A" else "output"),
        Line(f"prox_{letter}", "with the threshold", idea="rival"),
    ]  # fmt: skip
    marks = [Mark("stages.second", "threshold on")]
    return over_steps(f"Distance of {letter} to {target}", f"‖{letter} − {target}‖ (no unit)", *series, marks=marks,
                      ylim=(0, None), yswitch=True, height=130, wide=True)  # fmt: skip


def maps() -> list[Any]:
    """The attention without and with the threshold."""
    look: dict[str, Any] = dict(
        rows="stages.N", columns="stages.T", xlabel="position in the context (token)", ylabel="last token (token)",
        yticks="stages.token", ynames=" " + LETTERS,  # tokens count from 1
        clabel="attention (fraction)", outline="useful", outline_label="true positions", idea="attention",
        diverging=True, vmin=-0.2, vmax=0.2, height=130,
    )  # fmt: skip
    return [heatmap("without", title=WITHOUT, **look), heatmap("with", title=WITH, **look)]
