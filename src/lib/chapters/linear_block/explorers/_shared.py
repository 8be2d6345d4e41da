"""What the explorers of the chapter share: the colours of the rules, and sliders named alike through the chapter."""

from __future__ import annotations

from dataclasses import replace

from lib.explorer import Slider
from lib.palette import PALETTE

# One colour a rule, in every figure of the chapter.
BAYES, STEP, ATTENTION = PALETTE["green"], PALETTE["blue"], PALETTE["vermilion"]
ZERO, RIDGE, SQUARES = PALETTE["orange"], PALETTE["sky"], PALETTE["purple"]
_SLIDERS = {
    "M": Slider("Examples M", unit="examples", integer=True, live=(2, 256), log=True),
    "d": Slider("Features d", unit="features", integer=True, live=(2, 16)),
    "norm": Slider("Prior mean ‖β*‖", unit="no unit", live=(0.0, 16.0)),
    "sigma": Slider("Noise σ", unit="no unit", live=(0.1, 4.0), log=True),
    "decay": Slider("Decay p of the features' variances", unit="no unit", live=(0.0, 2.0)),
    "lr": Slider("Learning rate η", unit="no unit", live=(0.005, 0.8), log=True),
    "batch": Slider("Batch B", unit="prompts", integer=True, live=(1, 256), log=True),
}


def sliders(*names: str, **ranges: tuple[float, float]) -> dict[str, Slider]:
    """The sliders of these settings; some with a range of their own."""
    return {name: replace(_SLIDERS[name], live=ranges.get(name, _SLIDERS[name].live)) for name in names}
