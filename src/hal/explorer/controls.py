"""Sliders of an explorer: what an author says about one (`Slider`), and the checked form both hosts use (`Control`).

Used by every chapter with an explorer.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lib.errors import require


@dataclass(frozen=True)
class Slider:
    """How a setting is presented: its label, its unit, and the values a live kernel accepts.

    Args:
        label: visible name, with the symbol: "Context length T".
        unit: unit of the value ("tokens", "steps", "nats"); "no unit" for a pure number; not needed for names.
        log: logarithmic track; None decides from the stops (largest / smallest at least 10).
        integer: whole values only; None decides from the stops.
        live: (smallest, largest) value where any can be computed, in a kernel or in the page; None takes the first
            and last stop.
        names: text to show for a value, for settings that are names or switches.
        hidden: without a track: the setting is moved in a panel, and stands in links and in "Copy Python".
    """

    label: str
    unit: str = ""
    log: bool | None = None
    integer: bool | None = None
    live: tuple[float, float] | None = None
    names: Mapping[Any, str] | None = None
    hidden: bool = False


def is_number(value: Any) -> bool:
    """True for a real number that is not a truth value."""
    return (not isinstance(value, bool) and isinstance(value, (int, float))) or hasattr(value, "__index__")


@dataclass(frozen=True)
class Control:
    """A slider with its stops, checked.

    Attributes:
        name: argument of `run`.
        stops: the grid's values, increasing where they are numbers.
        numeric: False for names, which have no values between the stops.
        low, high: range in a live kernel (indices of stops for names).
    """

    name: str
    slider: Slider
    stops: tuple[Any, ...]
    default: Any
    numeric: bool
    log: bool
    integer: bool
    low: float
    high: float

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        names = self.slider.names or {}
        return {
            "name": self.name,
            "label": self.slider.label,
            "unit": "" if self.slider.unit == "no unit" else self.slider.unit,
            "stops": list(self.stops),
            "texts": None if self.numeric and not names else [str(names.get(v, v)) for v in self.stops],
            "default": self.stops.index(self.default),
            "numeric": self.numeric,
            "log": self.log,
            "integer": self.integer,
            "low": self.low,
            "high": self.high,
            "hidden": self.slider.hidden,
        }

    def check(self, value: Any) -> Any:
        """The value to pass to `run`: in range, whole where it must be.

        Raises:
            InputError: if the value is out of range, not a number, or not one of the names.
        """
        if not self.numeric:
            require(value in self.stops, self.name, f"one of {list(self.stops)}", repr(value))
            return value
        require(is_number(value) and math.isfinite(value), self.name, "a finite number", repr(value))
        value = float(value)
        # A slider's end may differ from the stop by one rounding of its logarithm.
        slack = 1e-9 * max(abs(self.low), abs(self.high))
        span = f"a value from {self.low:g} to {self.high:g}"
        require(self.low - slack <= value <= self.high + slack, self.name, span, f"{value:g}")
        value = min(max(value, self.low), self.high)
        if self.integer:
            require(value == round(value), self.name, "a whole number", f"{value:g}")
            return int(value)
        return value


def make_control(name: str, stops: Sequence[Any], slider: Slider | None, default: Any) -> Control:
    """Check one row of the grid.

    Args:
        name: argument of `run`.
        stops: values of the slider on the static page.
        slider: how it is presented.
        default: one of the stops; None takes the first.

    Raises:
        InputError: if the stops are empty, repeated or not finite, the default is not among them, or the label or
            the unit is missing.
    """
    where = f"grid[{name!r}]"
    # NumPy scalars have no place in JSON, and 1 and np.int64(1) would be two values to a reader.
    values = tuple(v.item() if hasattr(v, "item") else v for v in stops)
    require(len(values) > 0, where, "at least one stop", "none")
    require(len(set(values)) == len(values), where, "different stops", list(values))
    numeric = all(is_number(v) for v in values)
    if numeric:
        require(all(math.isfinite(v) for v in values), where, "finite stops", list(values))
        require(list(values) == sorted(values), where, "increasing stops", list(values))
    require(isinstance(slider, Slider), f"sliders[{name!r}]", "a Slider(label, unit=...)", slider)
    assert slider is not None
    require(bool(slider.label.strip()), f"sliders[{name!r}].label", "a visible label", repr(slider.label))
    unit = "a unit such as 'tokens', or 'no unit'"
    require(not numeric or slider.names or slider.unit, f"sliders[{name!r}].unit", unit, repr(slider.unit))
    default = values[0] if default is None else default.item() if hasattr(default, "item") else default
    require(default in values, f"default[{name!r}]", f"one of the stops {list(values)}", repr(default))
    low, high = slider.live or ((values[0], values[-1]) if numeric else (0, len(values) - 1))
    if numeric:
        outside = f"a range that holds the stops {values[0]:g} to {values[-1]:g}"
        require(low <= values[0] and high >= values[-1], f"sliders[{name!r}].live", outside, (low, high))
    whole = numeric and all(float(v).is_integer() and not isinstance(v, float) for v in values)
    log = slider.log if slider.log is not None else numeric and low > 0 and high / low >= 10
    require(not log or low > 0, f"sliders[{name!r}].log", "positive values", low)
    integer = slider.integer if slider.integer is not None else whole
    return Control(name, slider, values, default, numeric, bool(log), bool(integer), low, high)
