"""The explorer that computes in the page: any value of every slider, any seed, no grid.

Its run is portable Python (`lib.portable`): a textbook. Its theory and its measurements are portable functions in the
figure's own module. The page runs the same program, translated, and gets the same numbers to the last bit; only the
figure of the default settings is computed when the page is built.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, get_type_hints

from hal.figure.built import Built
from hal.figure.charts import Bars, Lines, Panel
from hal.figure.controls import Control, Slider, Weights, WeightsControl, make_control
from hal.figure.facts import Drawn, Numbers, Result
from hal.figure.names import Names, check_name, refuse_unknown, returned
from hal.figure.objects import Scene
from hal.figure.program import translated
from hal.figure.scenes import Heatmap, Plane
from hal.figure.sentences import Say
from hal.figure.sight import panels_behind, settings_behind
from hal.figure.tour import check_tour
from lib.errors import InputError, require, whole
from lib.portable import OutsideSubset, finish
from lib.portable.primitives import Readings
from lib.portable.textbooks import check_protocol, recorded

Portable = Callable[..., Any]
Fast = Callable[[Any, Sequence[int]], Mapping[str, Any]]
VERSION = 1  # of the settings in an address

#: What a figure's module must define, and what each is.
NEEDED = {
    "RUN": "the textbook that trains",
    "settings": "a portable function of the sliders' values that returns the settings of a run",
    "panels": "a function that returns the panels",
    "SLIDERS": "a dict of the sliders by name",
    "READING": "a list of sentences, each a list of alternatives",
    "TITLE": "a few words",
}
#: What it may define, with what stands in its place.
OPTIONAL: dict[str, Any] = {
    "probe": None,
    "at_end": None,
    "run_metrics": None,
    "summary": None,
    "FAST": None,
    "TOUR": (),
    "NAME": None,
    "SLOW_REASON": "",
    "DEFERRED_THEORY": (),
    "COLUMNS": None,
    "HERO": False,
    "PRIMARY_SLIDERS": None,
    "COLLAPSED_PANELS": None,
    "RUNS": 8,
    "MEDIAN": None,
    "PRECOMPUTED_RUNS": 3,
    "TIME": "steps",
    "OPENS": None,
    "PACE": None,
    "MOMENTS": {},
    "BUTTONS": {},
    "TIME_LABEL": "training time (steps)",
    "SAYS_NOW": False,
}


def _moved(panel: Panel) -> list[str]:
    """The settings that are moved in a panel."""
    moved: Sequence[str | None] | None = None
    if isinstance(panel, Scene):
        moved = panel.settings
    elif isinstance(panel, (Plane, Heatmap)):
        moved = panel.start if isinstance(panel, Plane) else panel.pick
    elif isinstance(panel, Bars):
        moved = (panel.drag,)
    elif isinstance(panel, Lines) and panel.lift:
        moved = (panel.lift.setting, *panel.lift.sets)
    return [key for key in moved or () if key is not None]


def _named(probes: Sequence[Portable]) -> list[str]:
    """The names of a probe and of what is called at the end, and those of the readings which that asks for."""
    return [f.__name__ for f in probes] + [
        name for f in probes[1:] for name in list(inspect.signature(f).parameters)[1:]
    ]


def _name_of(figure: Any) -> str:
    """ "scb-run" of hal.chapters.scb.figures.run."""
    parts = getattr(figure, "__name__", "").split(".")
    chapter = len(parts) == 5 and (parts[0], parts[1], parts[3]) == ("hal", "chapters", "figures")
    if not chapter:
        raise InputError("NAME: expected the name of the element, as the figure is no module of a chapter, got none")
    return f"{parts[2]}-{parts[4]}"


def theory_of(figure: Any, *parameters: Sequence[str]) -> tuple[Portable, ...]:
    """The figure's own functions of these parameters alone that return readings, in the order of its text."""
    home = getattr(figure, "__name__", None) or figure.settings.__module__
    found = [f for f in vars(figure).values() if inspect.isfunction(f) and f.__module__ == home]
    alone = [f for f in found if list(inspect.signature(f).parameters) in parameters]
    return tuple(f for f in alone if get_type_hints(f).get("return") == Readings and f.__name__[0] != "_")


def nothing() -> Readings:
    """The run metrics of a figure that measures nothing at the end of its runs."""
    return {}


class Declared:
    """An interactive figure that the page computes.

    It is read by name from a module of `hal.chapters.SLUG.figures`, or from any object with these attributes:

    - `RUN`: the textbook (`lib.portable.textbooks`) that trains;
    - `settings`: portable function of the sliders' values, in their order; returns the settings of a run;
    - theory, by any name: every portable function of the module with the one parameter `settings` that
      returns Readings. What `flow` returns as `alpha` is drawn as "flow.alpha";
    - `probe`: portable function of the state of a run, called at each of its records; what it returns as `loss` is the
      reading "loss". Left out it is `measure` of the textbook;
    - `at_end`: the same, called when the run is read: what belongs to no record, such as the task, or follows from the
      readings that its parameters after the state name;
    - `run_metrics`: portable function of one finished run; its parameters are names of the run's readings, its
      results of one number each. Together they are facts: the middle over the runs that have the number;
    - `summary`: portable function of these numbers, with "_" for every "." of their names; what it returns as `low`
      is the fact "summary.low";
    - `panels`: function that returns what is drawn, made by `lines`, `bars`, `heatmap`, `plane` and `cloud`
      over names of the run's readings, of the theory and of facts;
    - `SLIDERS`: by name a `Slider` or `Weights`, each with its default; `hal.figure.sliders` makes them;
    - `READING`: sentences, each a list of alternatives. They may use the theory's single numbers, the
      run metrics, the sum of each over runs as "sum.NAME", its spread as "spread.NAME" (the distance of its
      quartiles, from four runs on), and "runs" and "lost", the numbers of finished runs that did not diverge and that
      did; metrics, sums and spreads are those of runs that did not;
    - `TOUR`: from four to seven steps that tell the story of the figure; none is no tour;
    - `PRIMARY_SLIDERS`: names of the settings in sight, at most three; left out the first three. The others stand
      under "More settings". A chapter's one hero has `HERO = True`: it may have seven in sight, left out all;
    - `COLLAPSED_PANELS`: how many of the last panels stand under "More curves"; left out those after the fourth;
    - `TITLE`, `COLUMNS` (panels a row), `RUNS` (8: how many are trained, one after the other),
      `PRECOMPUTED_RUNS` (3: how many of them are computed when the page is built);
    - `MEDIAN`: a reading of the runs; where one run alone is shown it is the one whose last number of it is the median.
      None takes the first run;
    - `TIME` ("steps"): the name under which a run reads out its time. The whole training time, what `steps_of`
      of the textbook returns, is drawn under that name; `TIME_LABEL` has its unit. None: it has no time bar;
    - `SAYS_NOW`: without runs, sentences follow the time cursor: what theory has of each time they read there;
    - `OPENS`: where the time cursor stands as the figure opens, as a fraction of the training time, until the reader
      plays or moves something; before that it says no sentence. Left out it is 0, before the answer; Play leads to 1;
    - `PACE`: (seconds, time): up to this time Play takes so many seconds a record; the rest is one film of six;
      a third number is by how many seconds the first record, which the reader has seen, is shorter;
    - `MOMENTS`: by time a word that stands beside it, and is said as it plays;
    - `BUTTONS`: by name the settings of states that a reader sets and plays by one press;
    - `SLOW_REASON`: where a first run may take longer than 0.2 s, a sentence that says why, for the count of runs;
    - `DEFERRED_THEORY`: the theory functions, by name, of a figure without runs where they are slow: while a slider
      moves its pictures and its sentence stay, pale, and are computed when it pauses;
    - `FAST`: the same training with the library's fast model: function of the run's settings and the seeds,
      to arrays (seeds, K) named as the run's readings and recorded at the same steps; for `compare`;
    - `NAME`: of the element in the page; left out it is "SLUG-MODULE".

    Args:
        figure: the module.
    """

    #: The parameters of a theory function.
    taken: ClassVar[tuple[Sequence[str], ...]] = (["settings"],)

    def __init__(self, figure: Any) -> None:
        for name, what in NEEDED.items():
            require(hasattr(figure, name), name, f"in the module of the figure {what}", "nothing of that name")
        given = {name: getattr(figure, name, default) for name, default in OPTIONAL.items()}
        self.name: str = given["NAME"] or _name_of(figure)
        check_name("NAME", self.name)
        if figure.RUN is not None:
            check_protocol("RUN", figure.RUN)
        self.textbook: Any = figure.RUN
        self.run: Any = figure.RUN  # a module, a reader's `OwnRun`, or None in a small figure of theory alone
        self.settings_of: Portable = figure.settings
        self.theory = theory_of(figure, *self.taken)
        self.probe, self.at_end = given["probe"], given["at_end"]
        require(self.probe or not self.at_end, "probe", "a function of the state, beside `at_end`", "none")
        looks = figure.RUN is None or self.probe or hasattr(figure.RUN, "measure")
        require(looks, "measure", "a probe, `probe` of the figure or `measure` of its textbook", "none")
        self.run_metrics: Portable = given["run_metrics"] or nothing
        self.summary: Portable | None = given["summary"]
        self.panels: tuple[Any, ...] = tuple(figure.panels())
        self.title: str = figure.TITLE
        self.reading: Sequence[Sequence[Say]] = figure.READING
        self.timed = given["TIME"] is not None
        self.time, self.time_label = given["TIME"] or "steps", given["TIME_LABEL"]
        self.clock: str | None = self.time if given["SAYS_NOW"] else None
        self.deferred: tuple[str, ...] = tuple(given["DEFERRED_THEORY"])
        self.opens: float = given["OPENS"] if given["OPENS"] is not None else float(not self.timed)
        self.pace, self.moments = given["PACE"], given["MOMENTS"]
        self.fast: Fast | None = given["FAST"]
        self.slow_reason, self.columns = given["SLOW_REASON"], given["COLUMNS"]
        self.runs, self.precomputed_runs = given["RUNS"], min(given["PRECOMPUTED_RUNS"], given["RUNS"])
        self.middle: str | None = given["MEDIAN"]
        require(self.panels, "panels", "at least one panel", "none")
        require(0 <= self.opens <= 1, "OPENS", "a fraction of the training time, 0 to 1", self.opens)
        require(
            self.precomputed_runs >= (self.run is not None),
            "PRECOMPUTED_RUNS",
            f"from 1 to RUNS = {self.runs}",
            self.precomputed_runs,
        )
        self.controls_by_name = self._controls(figure.SLIDERS)
        shown = [name for name, control in self.controls_by_name.items() if not control.slider.hidden]
        self.behind = settings_behind(given["PRIMARY_SLIDERS"], given["HERO"], shown)
        self.collapsed = panels_behind(given["COLLAPSED_PANELS"], len(self.panels), given["COLUMNS"])
        self.buttons: Mapping[str, Mapping[str, Any]] = given["BUTTONS"]
        for state in ({}, *self.buttons.values()):
            self.check(state)
        titles = [panel.title for panel in self.panels]
        self.tour = check_tour(given["TOUR"], self.check, list(self.controls_by_name), titles)
        self._check_names()
        self._check_deferred()

    def _controls(self, sliders: Mapping[str, Slider | Weights]) -> dict[str, Control | WeightsControl]:
        taken = list(inspect.signature(self.settings_of).parameters)
        for name in sliders:
            require(name in taken, "SLIDERS", f"names of parameters of `settings` ({', '.join(taken)})", repr(name))
        require(taken == list(sliders), "settings", f"the parameters {', '.join(sliders)}, as in SLIDERS", taken)
        for panel in self.panels:
            for key in _moved(panel):
                known = isinstance(sliders.get(key), Weights if isinstance(panel, Bars) else Slider)
                require(known, f"panel {panel.title!r}", "settings of its kind to drag", repr(key))
        made: dict[str, Control | WeightsControl] = {
            key: WeightsControl(key, slider, tuple(slider.default))
            if isinstance(slider, Weights)
            else make_control(key, slider)
            for key, slider in sliders.items()
        }
        for name, control in made.items():
            asked = [one for way in control.slider.idle_ways for one in sorted(way.names)]
            refuse_unknown(asked, sliders, f"idle of {name}")
            if other := control.slider.linked:
                ranges = [(c.low, c.high, c.log) for c in (made.get(other), control) if isinstance(c, Control)]
                require(ranges == ranges[:1] * 2, f"linked of {name}", "another slider of the same range", repr(other))
        return made

    def _check_names(self) -> None:
        """Refuse what asks for a name that nothing gives: metrics, panels, sentences, as far as their text tells."""
        readings = self.readings(self.textbook) if self.textbook else {}
        if readings is not None and self.textbook:
            asked = inspect.signature(self.run_metrics).parameters
            refuse_unknown(asked, readings, f"run_metrics of {self.name}")
            refuse_unknown(filter(None, [self.middle]), readings, f"MEDIAN of {self.name}")
        theory: dict[str, Names] = {f.__name__: returned(f) for f in self.theory}
        metrics = returned(self.run_metrics)
        summary = returned(self.summary) if self.summary else {}
        every = [readings, metrics, summary, *theory.values()]
        if any(names is None for names in every):
            return
        facts = {"runs", "lost", *(f"{of}{name}" for name in metrics or {} for of in ("", "sum.", "spread."))}
        facts |= {f"summary.{name}" for name in summary or {}}
        facts |= {f"{f}.{name}" for f, names in theory.items() for name in names or {}}
        for where, sentences in ("READING", self.reading), ("TOUR", [step.say for step in self.tour]):
            needed = [name for ways in sentences for way in ways for name in sorted(way.names)]
            refuse_unknown(needed, facts, f"{where} of {self.name}")
        drawn = {*facts, *(readings or {}), self.time}
        refuse_unknown(sorted(self.drawn_names), drawn, f"panels of {self.name}")

    def _check_deferred(self) -> None:
        """Refuse `DEFERRED_THEORY` of other functions than all theory of a figure without runs."""
        known = sorted(f.__name__ for f in self.theory) if self.run is None else []
        every = not self.deferred or sorted(self.deferred) == known
        require(
            every, "DEFERRED_THEORY", f"all theory functions of a figure without runs, {known}", sorted(self.deferred)
        )

    def _probes(self, run: Any) -> tuple[list[str], list[Portable]]:
        """What looks at a run, the probe and perhaps what is called at its end, as names with their module first, and
        as functions: the figure's, else the run's, else the textbook's.
        """
        if self.probe:
            found = [self.probe, *filter(None, [self.at_end])]
            return [self.settings_of.__module__, *_named(found)], found
        home = run if hasattr(run, "measure") else self.textbook
        names = [name for name in ("measure", "at_end") if hasattr(home, name)]
        found = [getattr(home, name) for name in names]
        return [home.__name__, *_named(found)], found

    def readings(self, run: Any) -> Names:
        """The names of the readings of a run, as far as its text tells."""
        probes = self._probes(run)[1]
        found = [returned(f) for f in probes]
        if None in found:
            return None
        names = {"steps": False, "time": False, "diverged_at": True, **dict.fromkeys(found[0] or {}, False)}
        return names | (found[1] or {} if len(found) > 1 else {})

    def recorder(self) -> Any:
        """The run with what looks at it: `start`, `step`, `done`, `read`, `steps_of`."""
        return recorded(self.run, *self._probes(self.run)[1])

    @property
    def drawn_names(self) -> set[str]:
        """The names of all that is drawn, in the panels, on any axis."""
        axes = [stop for one in self.controls_by_name.values() if one.slider.axis for stop in one.spec()["stops"]]
        given = {name for panel in self.panels for name in panel.sources().values()}
        return {re.sub(r"\{.+?\}", str(stop), name) for name in given for stop in axes or [0]}

    @property
    def parts(self) -> list[str]:
        """What travels to the page for it, besides its program: the kinds of its scenes, the ground of a plane."""
        ground = {"heights" for panel in self.panels if isinstance(panel, Plane) and panel.heights}
        return sorted(ground | {panel.kind for panel in self.panels if isinstance(panel, Scene)})

    def check_run(self) -> None:
        """Refuse a reader's run that does not return what the figure draws and measures, as far as its text tells."""
        theirs, ours = self.readings(self.run), self.readings(self.textbook)
        if theirs is not None and ours is not None:
            needed = {
                "diverged_at",
                *filter(None, [self.middle]),
                *inspect.signature(self.run_metrics).parameters,
                *self.drawn_names & set(ours),
            }
            lacking = ", ".join(sorted(needed - set(theirs)))
            require(not lacking, "run", f"a run that reads out {', '.join(sorted(needed))}", f"no {lacking}")

    @property
    def default(self) -> dict[str, Any]:
        """The settings the figure starts with."""
        return {key: c.default for key, c in self.controls_by_name.items()}

    def check(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """All settings, those left out at their default, each in its range."""
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
            runs: how many; a figure without a run has none.
        """
        chosen = self.settings_of(**self.check(settings or {}))
        theory = {self.time: list(self.textbook.steps_of(chosen)) if self.textbook else [0.0]}
        for f in self.theory:
            given = [chosen, whole("seed", seed)][: len(inspect.signature(f).parameters)]
            theory |= {f"{f.__name__}.{key}": values for key, values in f(*given).items()}
        many = whole("runs", runs) if self.run else 0
        looks = self._probes(self.run)[1] if many else []
        read = [finish(self.run, chosen, whole("seed", seed) + i, *looks) for i in range(many)]
        return self.built.take(theory, [{key: list(values) for key, values in one.items()} for one in read])

    def facts(self, theory: Readings, runs: Sequence[Readings]) -> dict[str, float]:
        """The single numbers that follow from theory and finished runs, as sentences call them."""
        return self.built.take(theory, runs).facts

    @functools.cached_property
    def built(self) -> Built:
        """The figure in V8, as its page has it; a reader's run that is not portable stays in Python."""
        try:
            return Built(self.spec(), self.program)
        except OutsideSubset:
            if self.run is self.textbook:
                raise
            return Built(self.spec(), self.program_without_run)

    def check_arrays(self, result: Result) -> None:
        """Raise `InputError` where an array is missing or does not fit its panel."""
        for panel in self.panels:
            panel.check(Numbers(result, panel.title))

    def draw(self, result: Result) -> Drawn:
        """Arrays and sentences of a result, of at least one run where the figure trains."""
        self.check_arrays(result)
        self.built.take(result.theory, result.runs)
        return self.built.draw()

    @functools.cached_property
    def program(self) -> dict[str, str]:
        """The modules that give the page the run and the functions of this figure, see `hal.figure.program`."""
        return translated(self.textbook, self._functions(), self.run)

    @property
    def program_without_run(self) -> dict[str, str]:
        """The same where the run stays in the kernel: the textbook says when its records are."""
        return translated(self.textbook, self._functions())

    def _functions(self) -> list[Portable]:
        measured = [] if self.run_metrics is nothing else [self.run_metrics]
        return [self.settings_of, *self.theory, *measured, *filter(None, [self.probe, self.at_end, self.summary])]

    def spec(self, panels: Sequence[Any] | None = None) -> dict[str, Any]:
        """The JSON both hosts read; `panels` in place of the figure's own, where more is drawn."""
        fields = getattr(type(self.settings_of(**self.check({}))), "_field_defaults", {})
        return {
            "name": self.name,
            "title": self.title,
            "caption": self.slow_reason,
            "columns": self.columns,
            "buttons": list(self.buttons.items()),
            "collapsed": self.collapsed,
            "controls": [
                {
                    **c.spec(),
                    "idle": [way.spec() for way in c.slider.idle_ways],
                    "more": name in self.behind,
                }
                for name, c in self.controls_by_name.items()
            ],
            "panels": [{**p.spec(), "sources": p.sources()} for p in panels or self.panels],
            "time": {
                "key": self.time,
                "label": self.time_label,
                "opens": self.opens,
                "pace": self.pace,
                **({"moments": list(self.moments.items())} if self.moments else {}),
                "shown": self.timed,
            },
            # what the steps of a tour say is said of the book's model
            "tour": [step.spec([one.title for one in self.panels]) for step in self.tour if self.run is self.textbook],
            "python": {"module": self.run.__name__ if self.run else self.settings_of.__module__, "defaults": fields},
            "computes": {
                "version": VERSION,
                "run": self.run and self.run.__name__,
                "textbook": self.textbook and self.textbook.__name__,
                "probe": self.run and self._probes(self.run)[0],
                "own": self.settings_of.__module__,
                "settings": self.settings_of.__name__,
                "theory": [f.__name__ for f in self.theory],
                "deferred": list(self.deferred),
                "functions": {f.__name__: len(inspect.signature(f).parameters) for f in self.theory},
                "metrics": None if self.run_metrics is nothing else self.run_metrics.__name__,
                "summary": self.summary and self.summary.__name__,
                "summed": list(inspect.signature(self.summary).parameters) if self.summary else [],
                "measured": list(inspect.signature(self.run_metrics).parameters),
                "reading": [[way.spec() for way in ways] for ways in self.reading],
                "clock": self.clock,
                "runs": self.runs,
                "middle": self.middle,
            },
        }
