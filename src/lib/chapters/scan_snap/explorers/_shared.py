"""What the explorers of the chapter share: sliders, axes, and one look for each dynamics.

The look, in all of them: what is trained (sampled sequences, or the joint flow, its limit) is solid; infinitely long
sequences have long dashes, the reference dynamics dashes, both in the colour of what they stand beside; the reduced
system is dotted, bounds and predictions are dashed grey.
"""

from __future__ import annotations

from dataclasses import replace

from lib.explorer import Slider
from lib.palette import REGIMES

INFINITE, REDUCED = REGIMES["infinite"], REGIMES["reduced"]

_SLIDERS = {
    "T": Slider("Sequence length T", unit="tokens", integer=True, live=(8, 1024), log=True),
    "K": Slider("Classes K", unit="classes", integer=True, live=(2, 20)),
    "M": Slider("Vocabulary M", unit="tokens", integer=True, live=(20, 100_000), log=True),
    "common": Slider("Common tokens", unit="tokens", integer=True, live=(0, 60)),
    "lr_Y": Slider("Decoder rate η_Y", unit="no unit", live=(0.01, 100.0), log=True),
    "lr_Z": Slider("Attention rate η_Z", unit="no unit", live=(0.01, 100.0), log=True),
    "optimiser": Slider("Optimiser", names={0: "gradient descent", 1: "momentum 0.9", 2: "Adam"}),
    "shared": Slider("Query token", names={0: "one a class", 1: "one for all"}),
    "queries": Slider("Query tokens", unit="tokens", integer=True, live=(1, 10)),
    "steps": Slider("Training time", unit="steps", integer=True, live=(1, 100)),
    "rho": Slider("Overlap ρ", unit="no unit", live=(0.02, 0.8)),
    "kappa": Slider("Ratio κ", unit="no unit", live=(1.0, 10.0), log=True),
}

TIME_LABEL = "training time (steps)"


def sliders(*names: str, **ranges: tuple[float, float]) -> dict[str, Slider]:
    """The sliders of these settings, named alike through the whole chapter; some with a range of their own."""
    return {name: replace(_SLIDERS[name], live=ranges.get(name, _SLIDERS[name].live)) for name in names}
