"""What the explorers of the chapter share: sliders, named alike through the whole chapter, and panels."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from lib.explorer import Line, Slider, bars, lines

TIME_LABEL = "training time (steps)"
_SLIDERS = {
    "K": Slider("Nodes K", unit="nodes", integer=True, live=(3, 30)),
    "N": Slider("Walk length N", unit="nodes", integer=True, live=(9, 301)),
    "p": Slider("Clockwise chance p", unit="no unit", live=(0.0, 1.0)),
    "ratio": Slider("Position size M/N", unit="no unit", live=(1.0, 30.0), log=True),
    "n": Slider("Walks n", unit="walks", integer=True, live=(10, 2000), log=True),
    "lr": Slider("Learning rate η", unit="no unit", live=(0.01, 3.0), log=True),
    "epsilon": Slider("Offset ε of the loss", unit="no unit", live=(0.01, 3.0), log=True),
    "sigma": Slider("Start's deviation σ", unit="no unit", live=(1e-8, 0.03), log=True),
}


def sliders(*names: str, **ranges: tuple[float, float]) -> dict[str, Slider]:
    """The sliders of these settings, named alike through the whole chapter; some with a range of their own."""
    return {name: replace(_SLIDERS[name], live=ranges.get(name, _SLIDERS[name].live)) for name in names}


def over_steps(title: str, ylabel: str, *series: Line, **more: Any) -> Any:
    """A panel over the steps of a run; the page's theory calls them `laws.t`."""
    return lines(x="laws.t", y=list(series), xlabel=TIME_LABEL, ylabel=ylabel, title=title, **more)


def attention_by_lag(height: int, most: float | None = 1.02) -> Any:
    """The mean attention of a run by lag, frame after frame; `most` is the end of its axis, None follows the data."""
    return bars(
        x="laws.lags",
        y=[Line("by_lag", "attention", idea="A")],
        frames=True,
        xlabel="lag (steps before the target)",
        ylabel="attention (share)",
        title="Which ancestor is read",
        ylim=(0, most),
        height=height,
    )
