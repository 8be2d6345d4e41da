"""What the explorers of the chapter share: sliders, charts over the logarithm of time, numbers for a reader.

Joint gradient flow is solid, the reference dynamics dashed, in the colour of the token or of the track.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.explorer import Line, Mark, Slider, lines

OPTIMISERS = {"sgd": "gradient descent", "momentum": "momentum 0.9", "adam": "Adam"}
_SLIDERS = {
    "T": Slider("Sequence length T", unit="tokens", integer=True, live=(8, 1024)),
    "K": Slider("Classes K", unit="classes", integer=True, live=(2, 12)),
    "M": Slider("Vocabulary M", unit="tokens", integer=True, live=(20, 100_000)),
    "common": Slider("Common tokens", unit="tokens", integer=True, live=(0, 60)),
    "lr_Y": Slider("Decoder rate η_Y", unit="no unit", live=(0.05, 20.0)),
    "lr_Z": Slider("Attention rate η_Z", unit="no unit", live=(0.05, 20.0)),
    "optimiser": Slider("Optimiser", names=OPTIMISERS),
    "query": Slider("Query token", names={"own": "one a class", "shared": "one for all"}),
    "queries": Slider("Query tokens", unit="tokens", integer=True, live=(1, 10)),
    "steps": Slider("Training time", unit="steps", integer=True, live=(1, 100)),
    "rho": Slider("Overlap ρ", unit="no unit", live=(0.05, 0.6)),
    "kappa": Slider("Ratio κ", unit="no unit", live=(1.0, 8.0)),
    "seed": Slider("Seed", unit="no unit", integer=True, live=(0, 99)),
}

TIME_LABEL = "training time (steps)"
NATS = "entropy (nats)"


def sliders(*names: str, **live: tuple[float, float]) -> dict[str, Slider]:
    """The sliders of these settings, named alike through the whole chapter.

    Args:
        names: the settings.
        live: narrower ranges in a live kernel, where a run over the whole range would take too long.
    """
    return {name: replace(_SLIDERS[name], live=live.get(name, _SLIDERS[name].live)) for name in names}


def log_time(y: list[Line], ylabel: str, title: str, **more: Any) -> Any:
    """A chart over the logarithm of time with the two transition times."""
    marks = more.pop("marks", [Mark("scan", "t_0′"), Mark("snap", "t_0")])
    return lines(x="steps", y=y, xlabel=TIME_LABEL, ylabel=ylabel, title=title, xlog=True, marks=marks, **more)


def tracks(name: str, ylabel: str, title: str, **more: Any) -> Any:
    """One quantity in both tracks."""
    y = [
        Line(name, "joint flow", idea="joint"),
        Line(f"ref_{name}", "reference dynamics", idea="reference", theory=True),
    ]
    return log_time(y, ylabel, title, **more)


def value_at(times: NDArray, values: NDArray, t: float) -> float:
    """Value of a curve (T,) at time t, interpolated over ln t."""
    return float(np.interp(np.log(t), np.log(times), values))


def step_text(t: float) -> str:
    """A time for a reader: whole above ten steps."""
    return f"{t:,.0f}" if t >= 10 else f"{t:.1f}"


def signed(value: float, digits: int = 2) -> str:
    """A number with a proper minus, none for what rounds to 0."""
    text = f"{value:.{digits}f}"
    return text.lstrip("-") if float(text) == 0 else text.replace("-", "−")
