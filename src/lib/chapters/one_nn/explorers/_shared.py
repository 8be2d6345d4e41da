"""What the explorers of the chapter share: sliders, named alike through the whole chapter."""

from __future__ import annotations

from dataclasses import replace

from lib.explorer import Slider

TIME_LABEL = "training time t = η × steps (no unit)"
_SLIDERS = {
    "N": Slider("Examples N", unit="examples", integer=True, live=(2, 64), log=True),
    "d": Slider("Dimension d", unit="no unit", integer=True, live=(2, 16)),
    "lr": Slider("Learning rate η", unit="no unit", live=(0.1, 20.0), log=True),
    "batch": Slider("Batch B", unit="prompts", integer=True, live=(1, 64), log=True),
    "sigma": Slider("Mask σ", unit="no unit", live=(-8.0, 30.0)),
    "start": Slider("Start ξ₁", unit="no unit", live=(-2.0, 60.0), hidden=True),
    "level": Slider("Loss to reach", unit="no unit", live=(0.03, 0.4), log=True),
    "delta": Slider("Separation δ", unit="no unit", live=(0.0, 1.0)),
    "labels": Slider("Labels", names={0: "fair signs", 1: "random wave", 2: "products", 3: "linear rule"}),
}


def sliders(*names: str, **ranges: tuple[float, float]) -> dict[str, Slider]:
    """The sliders of these settings, named alike through the whole chapter; some with a range of their own."""
    return {name: replace(_SLIDERS[name], live=ranges.get(name, _SLIDERS[name].live)) for name in names}
