"""Settings of an explorer: what an author says about one, and the checked form that both hosts use.

Most are sliders (`Slider`, `Control`); a distribution is dragged as the bars of a panel (`Weights`, `WeightsControl`).

A chapter names its settings once, in a table; a figure takes what it has of them: `sliders(TABLE, T=256, lr=0.02)`.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hal.figure.marks import told_unit
from hal.figure.sentences import Say, say
from lib.errors import InputError, require

MOST_CHOICES = 4  # names that stand side by side, all in sight; more are a slider with a stop each
SLACK = 1e-4  # of the sum of weights; the page writes each to six digits


@dataclass(frozen=True)
class Slider:
    """How a setting is presented: its label, its unit, where it stands, and the values that it takes.

    Args:
        label: visible name, with the symbol: "Context length T".
        unit: unit of the value ("tokens", "steps", "nats"); "no unit" for a pure number; not needed for names.
        default: where it stands at first; a whole number makes a setting whole.
        ends: (smallest, largest) value; not needed for names.
        names: text to show for each value, for settings that are names or switches; up to four stand side by side.
        log: logarithmic track; None decides from the ends (largest / smallest at least 10).
        hidden: without a track: the setting is moved in a panel, and stands in links and in "Copy Python".
        idle: why the setting does nothing, with conditions on the other settings: `Say("No law is drawn.", "n == 0")`,
            or several ways of it; while one applies the control is grey, says it and takes no value.
        axis: it changes what the same runs are drawn on, and no run: moving it never trains.
        linked: another setting of the same range. A small chain stands between the two; while it is closed they have
            one value, and it is closed wherever a link, the default or a button gives both the same. A notebook moves
            them apart.
    """

    label: str
    unit: str = ""
    default: Any = None
    ends: tuple[float, float] | None = None
    names: Mapping[int, str] | None = None
    log: bool | None = None
    hidden: bool = False
    idle: Say | Sequence[Say] = ()
    axis: bool = False
    linked: str = ""

    @property
    def idle_ways(self) -> tuple[Say, ...]:
        """The reasons to do nothing, the first that applies being the one."""
        return (self.idle,) if isinstance(self.idle, Say) else tuple(self.idle)


@dataclass(frozen=True)
class Weights:
    """How a distribution over n things is presented: as the bars of a panel `bars(..., drag=NAME)`.

    In a link it is written `mu=0.2/0.3/0.5`.

    Args:
        label: visible name, with the symbol: "Token law μ".
        n: how many things, or the name of the setting that says it. Where that setting moves in the page, new things
            get the weight 1/n and the others keep their proportions: a uniform law stays uniform. Back at the number
            for which the weights were given, they are what they were.
        default: the weights at first.
    """

    label: str
    n: int | str
    default: Sequence[float] = ()


def sliders(table: Mapping[str, Slider | Weights], **given: Any) -> dict[str, Slider | Weights]:
    """The sliders of a figure from its chapter's table, in the order in which they are given.

    Args:
        table: by name, as the chapter presents each setting.
        given: by name, the default; or (default, smallest, largest), where the range is the figure's own. A reason to
            do nothing that is about a setting which the figure does not have is left out, and so is a chain to one.

    Example:
        >>> table = {"T": Slider("Context T", "tokens", 64, (8, 512)), "lr": Slider("Rate", "no unit", 0.1, (0, 1))}
        >>> made = sliders(table, T=(256, 4, 5000), lr=0.02)
        >>> made["T"].ends, made["lr"].default
        ((4, 5000), 0.02)
    """
    found: dict[str, Slider | Weights] = {}
    for name, value in given.items():
        require(name in table, "sliders", f"names of the table ({', '.join(table)})", repr(name))
        one = table[name]
        if isinstance(one, Slider) and isinstance(value, tuple):
            require(len(value) == 3, name, "a default, or (default, smallest, largest)", value)
            found[name] = replace(one, default=value[0], ends=(value[1], value[2]))
        else:
            found[name] = replace(one, default=value)
        made: Any = found[name]
        if isinstance(one, Slider) and one.linked not in given:
            found[name] = made = replace(made, linked="")
        if isinstance(one, Slider) and one.idle_ways:
            asked = sorted(set().union(*(way.names for way in one.idle_ways)) - set(table))
            require(not asked, f"idle of {name}", f"names of the table ({', '.join(table)})", asked)
            found[name] = replace(made, idle=[way for way in one.idle_ways if way.names <= set(given)])
    return found


def is_number(value: Any) -> bool:
    """True for a real number that is not a truth value."""
    return (not isinstance(value, bool) and isinstance(value, (int, float))) or hasattr(value, "__index__")


@dataclass(frozen=True)
class Control:
    """A slider, checked.

    Attributes:
        name: parameter of the figure's `settings`.
        stops: the values that are names, in their order; of a number its default alone.
        low, high: the range.
    """

    name: str
    slider: Slider
    stops: tuple[Any, ...]
    default: Any
    log: bool
    integer: bool
    low: float
    high: float

    @property
    def choice(self) -> bool:
        """Whether its values stand side by side, all in sight; `isChoice` of `js/controls.js` says the same."""
        return bool(self.slider.names) and 2 <= len(self.stops) <= MOST_CHOICES

    def spec(self) -> dict[str, Any]:
        """The JSON the chart module reads."""
        names = self.slider.names or {}
        return {
            "name": self.name,
            "label": self.slider.label,
            "unit": told_unit(self.slider.label, self.slider.unit),
            "stops": list(self.stops),
            "texts": [str(names[value]) for value in self.stops] if names else None,
            "default": self.stops.index(self.default),
            "log": self.log,
            "integer": self.integer,
            "low": self.low,
            "high": self.high,
            "hidden": self.slider.hidden,
            "axis": self.slider.axis,
            "linked": self.slider.linked,
        }

    def check(self, value: Any) -> Any:
        """The value to pass to `run`: in range, whole where it must be."""
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


def make_control(name: str, slider: Slider) -> Control:
    """Check one slider, by the parameter of the figure's `settings` that it stands for."""
    where = f"SLIDERS[{name!r}]"
    require(isinstance(slider, Slider), where, "a Slider(label, unit, default, ends)", slider)
    require(bool(slider.label.strip()), f"{where}.label", "a visible label", repr(slider.label))
    for way in slider.idle_ways:
        require(isinstance(way, Say) and way.conditions, f"{where}.idle", "Say(reason, condition, ...)", way)
    default = slider.default.item() if hasattr(slider.default, "item") else slider.default
    if slider.names:
        stops = tuple(slider.names)
        default = stops[0] if default is None else default
        require(default in stops, f"{where}.default", f"one of {list(stops)}", repr(default))
        rising = all(is_number(value) for value in stops) and list(stops) == sorted(stops)
        require(rising, f"{where}.names", "increasing numbers", list(stops))
        return Control(
            name=name,
            slider=slider,
            stops=stops,
            default=default,
            log=False,
            integer=True,
            low=stops[0],
            high=stops[-1],
        )
    if slider.ends is None:
        raise InputError(f"{where}.ends: expected the smallest and largest value, or names, got none")
    low, high = slider.ends
    require(bool(slider.unit), f"{where}.unit", "a unit such as 'tokens', or 'no unit'", repr(slider.unit))
    require(is_number(default), f"{where}.default", "a number", repr(default))
    finite = all(is_number(value) and math.isfinite(value) for value in (low, default, high))
    require(finite and low <= default <= high, f"{where}.default", f"a value from {low} to {high}", default)
    log = slider.log if slider.log is not None else low > 0 and high / low >= 10
    require(not log or low > 0, f"{where}.log", "positive values", low)
    return Control(
        name=name, slider=slider, stops=(default,), default=default, log=bool(log),
        integer=isinstance(default, int), low=low, high=high,
    )  # fmt: skip


def idle_reasons(controls: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, str]:
    """Of the settings that do nothing here, by name, why; `js/controls.js` says the same in the page."""
    ways = {name: control.slider.idle_ways for name, control in controls.items()}
    numbers = {name: value for name, value in settings.items() if is_number(value)}
    return {name: reason for name, own in ways.items() if (reason := say([own], numbers))}


@dataclass(frozen=True)
class WeightsControl:
    """Weights with their default, checked; it answers as `Control` does."""

    name: str
    weights: Weights
    default: tuple[float, ...]

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
        }

    def check(self, value: Any) -> list[float]:
        """The weights to pass on."""
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
