"""A setting that is a distribution: non-negative numbers with sum 1, dragged as the bars of a panel."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from hal.explorer.controls import Slider, is_number
from lib.errors import require

SLACK = 1e-4  # of the sum of weights; the page writes each to six digits


@dataclass(frozen=True)
class Weights:
    """How a distribution over n things is presented: as the bars of a panel `bars(..., drag=NAME)`.

    In a link it is written `mu=0.2/0.3/0.5`.

    Args:
        label: visible name, with the symbol: "Token law μ".
        n: how many things, or the name of the setting that says it. Where that setting moves in the page, new things
            get the weight 1/n, and all are scaled to the sum 1.
        default: the weights at first.
    """

    label: str
    n: int | str
    default: Sequence[float] = ()


@dataclass(frozen=True)
class WeightsControl:
    """Weights with their default, checked; it answers as `hal.explorer.controls.Control` does."""

    name: str
    weights: Weights
    default: tuple[float, ...]
    numeric: bool = False

    @property
    def slider(self) -> Slider:
        """Label for hosts; it has no track."""
        return Slider(self.weights.label, hidden=True)

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        return {
            "name": self.name,
            "label": self.weights.label,
            "unit": "",
            "weights": self.weights.n,
            "hidden": True,
            "stops": [list(self.default)],
            "default": 0,
            "numeric": False,
        }

    def check(self, value: Any) -> list[float]:
        """The weights to pass on.

        Raises:
            InputError: if they are not numbers of at least 0 with sum 1.
        """
        numbers = isinstance(value, Sequence) and not isinstance(value, str) and all(is_number(v) for v in value)
        require(numbers and len(value), self.name, "a list of numbers", repr(value))
        require(all(math.isfinite(v) and v >= 0 for v in value), self.name, "numbers of at least 0", list(value))
        total = math.fsum(value)
        require(abs(total - 1) <= SLACK, self.name, "numbers with sum 1", f"sum {total:g}")
        return [float(v) for v in value]

    def check_size(self, settings: dict[str, Any]) -> None:
        """Raise `InputError` unless there are as many weights as `n` says."""
        n = settings[self.weights.n] if isinstance(self.weights.n, str) else self.weights.n
        require(len(settings[self.name]) == n, self.name, f"{n} weights", len(settings[self.name]))
