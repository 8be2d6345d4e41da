"""The explorer that computes in the page: any value of every slider, any seed, no grid.

Its run is portable Python (`lib.portable`): `start`, `advance`, `read` and `steps_of` of a textbook module. Its theory
and its measurements are portable functions in the explorer's own file. The page runs the same program, translated, and
gets the same numbers to the last bit; only the figure of the default settings is computed when the page is built.
"""

from __future__ import annotations

import functools
import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from lib.errors import require, whole
from lib.explorer.binding import shaped
from lib.explorer.charts import Bars, Panel
from lib.explorer.controls import Control, Slider, make_control
from lib.explorer.encode import Item
from lib.explorer.explorer import STATIC, Drawn
from lib.explorer.facts import Result, facts_of
from lib.explorer.program import translated
from lib.explorer.scenes import Heatmap, Plane
from lib.explorer.sentences import Say, say
from lib.explorer.tour import Step, check_tour
from lib.explorer.weights import Weights, WeightsControl
from lib.explorer.words import divergence

if TYPE_CHECKING:
    from lib.explorer.comparison import Comparison
    from lib.explorer.reader_run import OwnRun

Portable = Callable[..., Any]
Fast = Callable[[Any, Sequence[int]], Mapping[str, Any]]
VERSION = 1  # of the settings in an address


def _moved(panel: Panel) -> list[str]:
    """The settings that are moved in a panel."""
    moved: tuple[str | None, ...] | None = None
    if isinstance(panel, (Plane, Heatmap)):
        moved = panel.start if isinstance(panel, Plane) else panel.pick
    elif isinstance(panel, Bars):
        moved = (panel.drag,)
    return [key for key in moved or () if key is not None]


class Computed:
    """An interactive figure that the page computes.

    Args:
        run: portable module: start(settings, seed), advance(state, steps), read(state), steps_of(settings).
        settings: portable function of the sliders' values, in their order; returns the settings of a run.
        theory: portable functions of those settings; what `flow` returns as `alpha` is drawn as "flow.alpha".
        outcome: portable function of one finished run; its parameters are names of the run's readings, its results
            of one number each. Together they are facts: the middle over the runs that have the number.
        summary: portable function of these numbers, see `lib.explorer.facts`; what `share` returns as `low` is the
            fact "share.low".
        panels: made by `lines`, `bars`, `heatmap`, `plane` and `cloud`, over names of the run's readings, of the theory
            and of facts.
        sliders: label, unit, range (`live`) and scale of each; or `Weights`.
        default: a value of each slider.
        name, title, caption, alt, columns, time_label: as for `Explorer`.
        time: name of the whole training time among the theory; a run's readings belong to its first entries.
        reading: sentences, each a list of alternatives. They may use the theory's single numbers, the outcome's, the
            sums of the outcome over runs as "sum.NAME", and "runs" and "lost", the numbers of finished runs that did
            not diverge and that did; outcomes and sums are those of runs that did not.
        runs: how many are trained, one after the other.
        first: how many of them are computed when the page is built, at the default.
        tour: from four to seven steps that tell the story of the figure; none is no tour.
        dear: where a first run may take longer than 0.2 s, a sentence for the reader that says why. It stands below
            the figure; the first points of a run are held to 60 ms all the same.
        fast: the same training with the library's fast model: function of the run's settings and the seeds, to
            arrays (seeds, K) named as the run's readings and recorded at the same steps; for `compare`.

    Raises:
        InputError: if an argument is refused; each message names the argument.
    """

    def __init__(
        self,
        run: ModuleType,
        *,
        settings: Portable,
        theory: Sequence[Portable],
        outcome: Portable,
        panels: Sequence[Panel],
        sliders: Mapping[str, Slider | Weights],
        default: Mapping[str, Any],
        name: str,
        title: str,
        reading: Sequence[Sequence[Say]],
        time: str,
        time_label: str = "training time (steps)",
        summary: Portable | None = None,
        runs: int = 8,
        first: int = 3,
        caption: str = "",
        alt: str | None = None,
        columns: int | None = None,
        tour: Sequence[Step] = (),
        dear: str = "",
        fast: Fast | None = None,
    ) -> None:
        plain = re.fullmatch(r"[a-z][a-z0-9_]*(-[a-z0-9]+)*", name)
        require(plain, "name", "lower case, digits, dashes, underscores", repr(name))
        require(panels, "panels", "at least one panel", "none")
        require(set(default) == set(sliders), "default", f"a value for each of {list(sliders)}", list(default))
        taken = list(inspect.signature(settings).parameters)
        require(taken == list(sliders), "settings", f"a function of the sliders {list(sliders)}", taken)
        require(1 <= first <= runs, "first", f"from 1 to runs = {runs}", first)
        self.run: ModuleType | OwnRun = run
        self.settings_of, self.theory, self.outcome = settings, tuple(theory), outcome
        self.summary = summary
        self.panels, self.name, self.title, self.reading = tuple(panels), name, title, reading
        self.controls_by_name: dict[str, Control | WeightsControl] = {}
        for key, slider in sliders.items():
            if isinstance(slider, Weights):
                self.controls_by_name[key] = WeightsControl(key, slider, tuple(default[key]))
                continue
            ranged = slider.live or slider.names
            require(ranged, f"sliders[{key!r}].live", "the smallest and largest value, or names", slider.live)
            self.controls_by_name[key] = make_control(key, [*(slider.names or [default[key]])], slider, default[key])
        self.check({})
        for panel in panels:
            for key in _moved(panel):
                known = isinstance(sliders.get(key), Weights if isinstance(panel, Bars) else Slider)
                require(known, f"panel {panel.title!r}", "settings of its kind to drag", repr(key))
        self.time, self.time_label, self.begin = time, time_label, 1.0
        self.fast, self.dear = fast, dear
        self.runs, self.first, self.caption, self.alt, self.columns = runs, first, caption, alt, columns
        self.tour = check_tour(tour, self.check, list(sliders), [panel.title for panel in self.panels])

    @property
    def default(self) -> dict[str, Any]:
        """The settings the figure starts with."""
        return {key: c.default for key, c in self.controls_by_name.items()}

    def check(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings, those left out at their default, each in its range.

        Raises:
            InputError: if a setting is unknown or out of range.
        """
        unknown = sorted(set(settings) - set(self.controls_by_name))
        require(not unknown, "settings", f"names among {list(self.controls_by_name)}", unknown)
        whole = {k: c.check(settings.get(k, c.default)) for k, c in self.controls_by_name.items()}
        for control in self.controls_by_name.values():
            if isinstance(control, WeightsControl):
                control.check_size(whole)
        return whole

    def compute(self, settings: Mapping[str, Any] | None = None, seed: int = 0, runs: int = 1) -> Result:
        """What the page computes at these settings, here in Python: slower, and the same to the last bit.

        Args:
            settings: values of sliders; those left out stand at their default.
            seed: of the first run; each next run has the next seed.
            runs: how many.

        Raises:
            InputError: if the settings are refused, by a slider or by the run.
        """
        chosen = self.settings_of(**self.check(settings or {}))
        states = [self.run.start(chosen, whole("seed", seed) + i) for i in range(whole("runs", runs))]
        theory = {f"{f.__name__}.{key}": values for f in self.theory for key, values in f(chosen).items()}
        for state in states:
            self.run.advance(state, self.run.steps_of(chosen))
        found = [{key: list(values) for key, values in self.run.read(state).items()} for state in states]
        return Result(theory, found, facts_of(self.outcome, theory, found, self.summary))

    def draw(self, result: Result) -> Drawn:
        """Arrays and sentences of a result of at least one run, as the still picture shows them.

        Raises:
            InputError: if an array is missing or does not fit its panel.
        """
        items = {"time": Item(np.asarray(result.theory[self.time]))}
        for i, panel in enumerate(self.panels):
            data = shaped(panel, result, self.time)
            items.update({f"{i}.{role}": item for role, item in panel.items(data, self.time).items()})
        diverged = {"diverged_at": np.array([run["diverged_at"][0] for run in result.runs])}
        return Drawn(items, say(self.reading, result.facts), divergence(diverged))

    @functools.cached_property
    def program(self) -> dict[str, str]:
        """The modules that give the page the run and the functions of this figure, see `lib.explorer.program`.

        Raises:
            OutsideSubset: if they are not portable.
        """
        return translated(self.run, [self.settings_of, *self.theory, self.outcome, *filter(None, [self.summary])])

    @property
    def program_without_run(self) -> dict[str, str]:
        """The same without the run, which the kernel has."""
        return translated(None, [self.settings_of, *self.theory, self.outcome, *filter(None, [self.summary])])

    def spec(self, panels: Sequence[Any] | None = None) -> dict[str, Any]:
        """The JSON both hosts read; `panels` in place of the figure's own, where more is drawn."""
        fields = getattr(type(self.settings_of(**self.check({}))), "_field_defaults", {})
        return {
            "name": self.name,
            "title": self.title,
            "caption": " ".join(filter(None, [self.caption, self.dear])),
            "columns": self.columns,
            "controls": [c.spec() for c in self.controls_by_name.values()],
            "panels": [{**p.spec(), "sources": p.sources()} for p in panels or self.panels],
            "time": {"key": self.time, "label": self.time_label, "start": self.begin},
            "tour": [step.spec([panel.title for panel in self.panels]) for step in self.tour],
            "python": {"module": self.run.__name__, "defaults": fields},
            "computes": {
                "version": VERSION,
                "run": self.run.__name__,
                "own": self.settings_of.__module__,
                "settings": self.settings_of.__name__,
                "theory": [f.__name__ for f in self.theory],
                "outcome": self.outcome.__name__,
                "summary": self.summary and self.summary.__name__,
                "summed": list(inspect.signature(self.summary).parameters) if self.summary else [],
                "measured": list(inspect.signature(self.outcome).parameters),
                "reading": [[way.spec() for way in ways] for ways in self.reading],
                "runs": self.runs,
            },
        }

    # The kernel. The browser computes there too, but for a reader's run that is not portable; sliders are ipywidgets.

    @functools.cached_property
    def widget(self) -> Any:
        """The anywidget that draws; it computes in the browser."""
        from lib.explorer.computed_hosts import ComputedView

        return ComputedView(self)

    @functools.cached_property
    def sliders(self) -> dict[str, Any]:
        """The ipywidgets sliders by name, linked with the figure."""
        from lib.explorer.live import linked_controls

        shown = [name for name, control in self.controls_by_name.items() if not control.slider.hidden]
        return dict(zip(shown, linked_controls(self).children, strict=True))

    @functools.cached_property
    def box(self) -> Any:
        """Sliders and figure, as a notebook shows them."""
        import ipywidgets

        return ipywidgets.VBox([ipywidgets.VBox(list(self.sliders.values())), self.widget])

    @property
    def settings(self) -> dict[str, Any]:
        """The settings the sliders stand at."""
        return dict(self.widget.settings)

    def set(self, **settings: Any) -> None:
        """Move sliders from code, to any value in range; settings left out stay.

        Raises:
            InputError: if a setting is unknown or out of range.
        """
        self.widget.settings = self.check({**self.settings, **settings})

    def compare(self, runs: int | None = None, **settings: Any) -> Comparison:
        """Run the library's fast model at the settings the sliders stand at, and draw it over the figure's own runs.

        Args:
            runs: how many; None takes as many as the figure trains.
            settings: where the sliders are moved before; those left out stay.

        Raises:
            InputError: if the figure has no fast model, or a setting or the run is refused.
        """
        from lib.explorer.comparison import compare

        return compare(self, settings, self.runs if runs is None else whole("runs", runs, 1))

    def html(self) -> str:
        """Markup of the static page: the figure at the default, and the program.

        Raises:
            InputError: if the run refuses the default.
            OutsideSubset: if the program is not portable.
        """
        from lib.explorer.computed_hosts import markup

        return markup(self)

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> Any:
        if os.environ.get(STATIC):
            return {"text/html": self.html(), "text/plain": repr(self)}
        return self.box._repr_mimebundle_(include=include, exclude=exclude)

    def __repr__(self) -> str:
        return f"Computed({self.name!r}, {', '.join(self.controls_by_name)}: any value)"
