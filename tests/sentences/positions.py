"""Positions of a figure's sliders: random ones over their whole ranges, corners among them, and the ends one by one."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from hal.figure import Computed
from hal.figure.controls import WeightsControl


def positions(figure: Computed, rng: np.random.Generator, count: int, corners: float = 0.0) -> Iterator[dict[str, Any]]:
    """Random positions of all sliders; weights for as many things as another slider says.

    Args:
        figure: whose sliders.
        rng: draws them.
        count: how many positions.
        corners: the chance that a slider stands at one of its ends.
    """
    for _ in range(count):
        point: dict[str, Any] = {}
        for name, control in figure.controls_by_name.items():
            if not isinstance(control, WeightsControl):
                point[name] = _value(control, rng, corners)
        for name, control in figure.controls_by_name.items():
            if isinstance(control, WeightsControl):
                n = control.weights.n
                weights = rng.uniform(0.05, 1.0, size=point[n] if isinstance(n, str) else n)
                point[name] = (weights / weights.sum()).tolist()
        yield point


def _value(control: Any, rng: np.random.Generator, corners: float) -> Any:
    if control.slider.names:
        return control.stops[rng.integers(len(control.stops))]
    share = rng.uniform()
    if corners and rng.uniform() < corners:
        share = float(rng.integers(2))
    low, high = control.low, control.high
    value = low * (high / low) ** share if control.log else low + (high - low) * share
    return round(value) if control.integer else float(min(max(value, low), high))


def ends(figure: Computed) -> Iterator[dict[str, Any]]:
    """Every slider at both its ends, the others where they stand; bars as far as they go."""
    yield {}
    for key, control in figure.controls_by_name.items():
        if isinstance(control, WeightsControl):
            rest = 0.03 / (len(control.default) - 1)
            yield {key: [0.97, *[rest] * (len(control.default) - 1)]}
            continue
        for end in control.stops if control.slider.names else (control.low, control.high):
            value = int(end) if control.integer else float(end)
            moved: dict[str, Any] = {key: value}
            for name, other in figure.controls_by_name.items():
                if isinstance(other, WeightsControl) and other.weights.n == key:
                    moved[name] = [1 / value] * value
            yield moved
