"""A small figure: one picture of the object beside the formula that it shows, at most two controls, one sentence.

It is the figure that computes (`Computed`) with other furniture: the same program, phrases, address and tests.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from hal.figure.charts import Panel
from hal.figure.computed import Computed
from hal.figure.facts import Result
from lib.errors import require

Arrays = Mapping[str, NDArray[np.float64]]
WORDS = 6  # of a title, at most
CONTROLS = 2  # beside those that stand in the picture

#: What a small figure's module must define, and what each is.
NEEDED = {
    "settings": "a portable function of the sliders' values that returns the settings",
    "picture": "a function that returns the one picture, or two or three of them",
    "SLIDERS": "a dict of the sliders by name",
    "say": "a function that returns the alternatives of the one sentence",
    "TITLE": "at most six words",
    "HINT": "what to do, in one line",
    "IDEA": "an Idea(text, greater, than, breaks)",
}
#: What it may define besides what `Computed` reads.
OWN = {"RUN": None, "RUNS": 1, "PRECOMPUTED_RUNS": 1, "AGAIN": "", "TIME": None, "TALLEST": 435}


@dataclass(frozen=True)
class Idea:
    """What must be seen in a small figure at its default, as an inequality of what it draws.

    Args:
        text: the idea in a sentence.
        greater, than: functions of what is drawn, name -> array (n,), to one number each; the first is the greater
            one, for eight seeds (tested).
        breaks: settings at which it is not, for some of these seeds: an inequality that always holds says nothing.
    """

    text: str
    greater: Callable[[Arrays], float]
    than: Callable[[Arrays], float]
    breaks: Mapping[str, Any]

    def holds(self, drawn: Arrays) -> bool:
        """Whether it can be seen in these arrays."""
        return bool(self.greater(drawn) > self.than(drawn))


class Small(Computed):
    """A small figure, read by name from a module of `hal.chapters.SLUG.figures`:

    - `settings`, `SLIDERS`, theory and `RUN`, `run_metrics`, `summary`, `NAME`, `SLOW_REASON` as for `Computed`; `RUN`
      may be left out. A function of the parameters `settings` and `seed` that returns Readings is theory too: it draws
      anew for every seed, and `AGAIN` ("Another batch") names the button that takes the next one;
    - `picture`: function that returns one panel, mostly a scene (`hal.figure.objects`), or a tuple of two that stand
      side by side, the object beside what it does, and under each other on a phone; of three the last two stand under
      each other beside the first, and side by side on a phone; what can be dragged in it names
      its settings, whose sliders are `hidden`;
    - `say`: function that returns the alternatives of one sentence;
    - `TITLE` of at most six words; `HINT`, what to do, which goes away at the first touch;
    - `IDEA`: what must be seen in it at the default;
    - `TIME`: where time is its subject, the name of its times; then it has a time bar with `TIME_LABEL`;
    - `TALLEST`: pixels of the whole figure at 784 of width, 435 where it is not said; above it give the reason.

    Args:
        figure: the module.
    """

    taken: ClassVar[tuple[Sequence[str], ...]] = (["settings"], ["settings", "seed"])

    def __init__(self, figure: Any) -> None:
        for name, what in NEEDED.items():
            require(hasattr(figure, name), name, f"in the module of the small figure {what}", "nothing of that name")
        given = {**OWN, **vars(figure)}
        self.hint, self.idea, self.again, self.tallest = figure.HINT, figure.IDEA, given["AGAIN"], given["TALLEST"]
        if given["RUN"] is None:
            given |= {"RUNS": 0, "PRECOMPUTED_RUNS": 0}
        made = figure.picture()
        panels = list(made) if isinstance(made, tuple) else [made]
        require(1 <= len(panels) <= 3, "picture", "one panel, or a tuple of two or three", len(panels))
        given |= {"panels": lambda: panels, "READING": [figure.say()]}
        super().__init__(SimpleNamespace(**given))
        words, shown = len(self.title.split()), [c for c in self.controls_by_name.values() if not c.slider.hidden]
        require(words <= WORDS, "TITLE", f"at most {WORDS} words", repr(self.title))
        require(len(shown) <= CONTROLS, "SLIDERS", f"at most {CONTROLS} that are not hidden", [c.name for c in shown])
        require(self.hint.strip() and "\n" not in self.hint, "HINT", "what to do, in one line", repr(self.hint))
        draws = any(len(inspect.signature(f).parameters) == 2 for f in self.theory)
        require(not self.again or draws, "AGAIN", "a function of settings and seed, which draws anew", repr(self.again))

    @property
    def picture(self) -> Panel:
        """The picture, of several the first, larger one."""
        return self.panels[0]

    @property
    def parts(self) -> list[str]:
        """What travels to the page for it, besides its program: its furniture, and the kind of its scene."""
        return ["small", *super().parts]

    def drawn(self, settings: Mapping[str, Any] | None = None, seed: int = 0) -> dict[str, NDArray[np.float64]]:
        """What is drawn at these settings, name -> array, as `IDEA` reads it."""
        return self.named(self.compute(settings, seed, self.precomputed_runs))

    def named(self, result: Result) -> dict[str, NDArray[np.float64]]:
        """What is drawn of a result, name -> array: the page's or Python's, which have the same bits."""
        items = self.draw(result).items
        return {
            name: items[f"{i}.{role}"] for i, panel in enumerate(self.panels) for role, name in panel.sources().items()
        }

    def spec(self, panels: Sequence[Any] | None = None) -> dict[str, Any]:
        """The JSON both hosts read."""
        made = super().spec(panels)
        made["small"] = {"hint": self.hint, "again": self.again}
        return made

    @property
    def box(self) -> Any:
        """The figure as a notebook shows it: its controls stand in it."""
        return self.widget

    def __repr__(self) -> str:
        return f"Small({self.name!r}, {', '.join(self.controls_by_name)}: any value)"
