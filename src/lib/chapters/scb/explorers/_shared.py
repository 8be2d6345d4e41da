"""What the explorers of the chapter share: sliders, named alike through the whole chapter."""

from __future__ import annotations

from dataclasses import replace

from lib.explorer import Slider

TIME_LABEL = "training time (steps)"
_SLIDERS = {
    "T": Slider("Context T", unit="tokens", integer=True, live=(8, 512), log=True),
    "N": Slider("Vocabulary N", unit="tokens", integer=True, live=(2, 8)),
    "Q": Slider("Sparsity Q", unit="positions", integer=True, live=(1, 4)),
    "c": Slider("Strength c of P", unit="no unit", live=(0.1, 1.0)),
    "skew": Slider("Skew of μ", unit="no unit", live=(0.0, 1.5)),
    "lr": Slider("Learning rate η", unit="no unit", live=(0.01, 0.5), log=True),
    "batch": Slider("Batch B", unit="samples", integer=True, live=(1, 64), log=True),
    "lam": Slider("Threshold λ / η", unit="no unit", live=(0.0, 1.0)),
    "begin": Slider("Threshold on / τ(0.2)", unit="no unit", live=(0.2, 3.0)),
    "rho": Slider("Correlation ρ", unit="no unit", live=(-1.0, 1.0)),
    "start_V": Slider("Start α_V", unit="no unit", live=(-1.4, 1.4), hidden=True),
    "start_A": Slider("Start α_A", unit="no unit", live=(-1.8, 1.8), hidden=True),
}


def sliders(*names: str, **ranges: tuple[float, float]) -> dict[str, Slider]:
    """The sliders of these settings, named alike through the whole chapter; some with a range of their own."""
    return {name: replace(_SLIDERS[name], live=ranges.get(name, _SLIDERS[name].live)) for name in names}
