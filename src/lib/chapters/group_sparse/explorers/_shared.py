"""What the explorers of the chapter share: sliders, named alike through the whole chapter, and panels over steps."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lib.explorer import Line, Slider, heatmap, lines

TIME_LABEL = "training time (steps)"
_SLIDERS = {
    "D": Slider("Groups D", unit="groups", integer=True, live=(2, 8)),
    "d": Slider("Variables d", unit="variables", integer=True, live=(1, 8)),
    "n": Slider("Examples n", unit="examples", integer=True, live=(10, 500), log=True),
    "lr": Slider("Learning rate η", unit="no unit", live=(0.02, 2.0), log=True),
    "sigma": Slider("Deviation σ_x", unit="no unit", live=(0.5, 2.0), log=True),
    "flips": Slider("Label flips", unit="share", live=(0.0, 0.4)),
    "level": Slider("Loss to reach", unit="nats", live=(0.003, 0.3), log=True),
    "gamma": Slider("Margin γ", unit="no unit", live=(0.0, 1.0)),
    "attention": Slider("Pretrained attention s", unit="share", live=(0.05, 0.99)),
}


def sliders(*names: str, **ranges: tuple[float, float]) -> dict[str, Slider]:
    """The sliders of these settings, named alike through the whole chapter; some with a range of their own."""
    return {name: replace(_SLIDERS[name], live=ranges.get(name, _SLIDERS[name].live)) for name in names}


def attention_map(height: int) -> Any:
    """The mean attention of a textbook run, frame after frame."""
    return heatmap(
        "map",
        rows="flow.D",
        columns="flow.D",
        xlabel="query j (group)",
        ylabel="key i (group)",
        clabel="attention, mean over examples (share)",
        title="Who looks at whom",
        idea="A",
        xticks="flow.groups",
        yticks="flow.groups",
        vmin=0.0,
        vmax=1.0,
        height=height,
    )


def over_steps(title: str, ylabel: str, *series: Line, **more: Any) -> Any:
    """A panel over the steps of a textbook run."""
    return lines(x="flow.t", y=list(series), xlabel=TIME_LABEL, ylabel=ylabel, title=title, **more)


def right_answers(height: int) -> Any:
    """Shares of training and of fresh examples whose sign is right."""
    return over_steps(
        "Right answers",
        "accuracy (share)",
        Line("accuracy", "training examples", idea="sgd"),
        Line("test", "fresh examples", idea="transfer"),
        ylim=(0.4, 1.02),
        height=height,
    )
