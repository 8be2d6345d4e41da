"""What the laws over the registry need to know of one thing: a row, in `tests/SLUG/rows.py` of its chapter.

`TEXTBOOKS` has a `Textbook` for each textbook of `lib.models.SLUG`, `FIGURES` a `Figure` for each figure that computes,
`SMALLS` a `Small` for each small one.
"""

import math
import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
import pytest

from hal.chapters import written
from lib.portable.textbooks import PROTOCOL
from tests.packages import SOURCE, name_of


class Textbook(NamedTuple):
    """One run."""

    draw: Callable[[np.random.Generator], Any]  # settings of a short run, over the full ranges, extremes among them
    refused: Sequence[Mapping[str, Any]]  # settings by name that are refused, one of them named in the message
    diverges: Mapping[str, Any] | None  # settings by name at which a run diverges; none for a run that cannot


class Figure(NamedTuple):
    """One figure that computes; `check` gets the sentence, what was computed, the settings, and raises if it errs."""

    short: Mapping[str, Any]  # settings at which a run takes a fraction of a second in Python
    check: Callable[[str, Any, Mapping[str, Any]], None] | None = None
    lost: bool = True  # whether runs diverge at some end of its sliders
    waiting: str = "o run has finished yet"  # what its sentence says before the first run
    points: int = 12  # random positions of its sliders at which theory is compared, fewer where it is slow in Python
    gone: str = "diverged"  # what it says where every run has diverged


class Small(NamedTuple):
    """One small figure: the same of it; `short` counts only if it has a run."""

    check: Callable[[str, Any, Mapping[str, Any]], None]
    short: Mapping[str, Any] = {}
    points: int = 6
    gone: str = "diverged"


def each(**settings: Any) -> list[dict[str, Any]]:
    """Settings that are refused one at a time."""
    return [{name: value} for name, value in settings.items()]


def rows(slug: str, kind: str) -> dict[str, Any]:
    """The rows of a chapter, `TEXTBOOKS`, `FIGURES` or `SMALLS`, by the names of the modules."""
    name = f"tests.{slug}.rows"
    return getattr(import_module(name), kind, {}) if find_spec(name) else {}


def textbooks() -> dict[str, tuple[ModuleType, Textbook | None]]:
    """Every textbook of the library and of its chapter, by "SLUG-MODULE", with its row."""
    found = {}
    for row in written():
        own = rows(row.slug, "TEXTBOOKS")
        places = (f"lib/models/{row.slug}", f"hal/chapters/{row.slug}/models")
        for path in sorted(path for place in places for path in SOURCE.glob(f"{place}/textbook*.py")):
            module = import_module(name_of(path))
            if all(hasattr(module, name) for name in PROTOCOL):
                found[f"{row.slug}-{path.stem}"] = module, own.get(path.stem)
    return found


def figures() -> dict[str, tuple[ModuleType, Figure | None]]:
    """Every figure of the book that computes, by its name, with its row."""
    return _drawn("FIGURES", lambda module: hasattr(module, "settings") and not hasattr(module, "picture"))


def smalls() -> dict[str, tuple[ModuleType, Small | None]]:
    """Every small figure of the book, by its name, with its row."""
    return _drawn("SMALLS", lambda module: hasattr(module, "picture"))


def speaking() -> dict[str, tuple[ModuleType, Any]]:
    """Every figure that says something, small or not, by its name, with its row."""
    return {**figures(), **smalls()}


def _drawn(kind: str, wanted: Callable[[ModuleType], bool]) -> dict[str, tuple[ModuleType, Any]]:
    """The modules of figures of one kind, by "SLUG-MODULE", with their rows."""
    found = {}
    for row in written():
        package, own = import_module(f"hal.chapters.{row.slug}.figures"), rows(row.slug, kind)
        for name in sorted(one.name for one in iter_modules(package.__path__) if one.name[0] != "_"):
            module = import_module(f"{package.__name__}.{name}")
            if wanted(module):
                found[f"{row.slug}-{name}"] = module, own.get(name)
    return found


def whole_runs(shown: Any) -> list[dict[str, list[float]]]:
    """The runs of a figure's result that did not diverge."""
    return [run for run in shown.runs if not run["diverged_at"][0] >= 0]


def middle(shown: Any, name: str) -> float:
    """The middle of the last values of a reading, over the runs that did not diverge."""
    return float(np.median([run[name][-1] for run in whole_runs(shown)]))


def as_said(value: float, spread: float = math.nan, percent: bool = False) -> Any:
    """A number as a sentence gives it, for a comparison: no digits finer than its spread, percentages whole from 10."""
    unit = 1.0 if percent and 10 <= abs(value) < 99 else 0.0
    return pytest.approx(value, rel=0.0051, abs=max(0.51 * unit, 0.17 * spread if spread > 0 else 0.0))


def said(text: str, before: str) -> float:
    """The number that follows some words of a sentence, with its thousands and its power of ten.

    Example:
        >>> said("At step 1,200 the loss is −1.5×10⁻³.", "the loss is"), said("At step 1,200", "step")
        (-0.0015, 1200.0)
        >>> said("The gap is about 0.", "The gap is"), said("W ≈ 0.", "W =")
        (0.0, 0.0)
    """
    about = re.escape(before).replace("=", "[=≈]")
    found = re.search(about + r" (?:about )?(−?)([\d,]*\d(?:\.\d+)?)(?:×10([⁻⁰¹²³⁴-⁹]+))?", text)
    assert found, (before, text)
    power = int((found[3] or "⁰").translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789")))
    return (-1 if found[1] else 1) * float(found[2].replace(",", "")) * 10.0**power
