"""A figure as the page computes it, without a browser: its translated program, its facts and its sentences."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hal.explorer import Computed
from hal.explorer.assets import joined_js
from hal.explorer.facts import Result, facts_of, middle_run
from tests.portable.engine import Page, literal

PARTS = (
    'import { bindArrays } from "./binding.js";\nimport { factsOf, middleRun, sayAll } from "./facts.js";\n'
    'import { pythonOf } from "./python.js";\nimport { recorded } from "./trainer.js";\n'
)


class InPage:
    """The program of a figure in the page's engine.

    Args:
        figure: one that computes.
    """

    def __init__(self, figure: Computed) -> None:
        self.figure = figure
        self.spec = figure.spec()["computes"]
        modules = "".join(f'portable["{name}"] = ({text})(portable);' for name, text in figure.program.items())
        self.page = Page(f"{joined_js(PARTS)}\nconst portable = {{}};{modules}")
        self.page.do(f"""
            const own = portable["{self.spec["own"]}"], spec = {json.dumps(figure.spec())};
            const run = spec.computes.run && recorded(portable, spec.computes.run, spec.computes.probe);
            let chosen, theory, runs;
            const facts = () => factsOf(spec.computes, own, theory, runs);
            const readings = (seed) => {{
              const state = run.start(chosen, seed);
              while (!run.done(state)) run.step(state);
              return run.read(state);
            }};
        """)

    def choose(self, point: Mapping[str, Any], seed: int = 0) -> Any:
        """Theory at all sliders' values; of a small figure also what it draws for a seed."""
        given = ", ".join(literal(point[name]) for name in self.figure.controls_by_name)
        self.page.do(f"""
            chosen = own.{self.spec["settings"]}({given});
            theory = {{"{self.figure.time}": run ? run.steps_of(chosen) : [0]}};
            runs = [];
            for (const f of {self.spec["theory"]})
              for (const [key, values] of Object.entries(own[f](chosen, {seed}))) theory[`${{f}}.${{key}}`] = values;
        """)
        return self.page.run("theory")

    def train(self, seed: int) -> Any:
        """The readings of one more run at the chosen values."""
        self.page.do(f"""
            runs.push({{ finished: true, readings: readings({seed}) }});
            runs.at(-1).lost = runs.at(-1).readings.diverged_at[0] >= 0;
        """)
        return self.page.run("runs.at(-1).readings")

    def result(self, point: Mapping[str, Any], seed: int, runs: int) -> Result:
        """What `Computed.compute` gives, with the page's theory and runs; facts and the middle run are Python's."""
        theory: Any = self.choose(point, seed)
        found = [self.train(seed + i) for i in range(runs)]
        facts = facts_of(self.figure.outcome, theory, found, self.figure.summary)
        return Result(theory, found, facts, middle_run(found, self.figure.middle))

    def said(self, sentences: Sequence[Any]) -> Any:
        """What the page says of what was computed last."""
        spec = json.dumps([[way.spec() for way in ways] for ways in sentences])
        return self.page.context.value(f"sayAll({spec}, facts())")

    def facts(self) -> Any:
        """The page's facts of what was computed last."""
        return self.page.run("facts()")

    def arrays(self) -> Any:
        """What the page's panels draw of what was computed last, flat, by role."""
        state = "{ theory, runs, facts: facts(), shown: middleRun(runs, spec.computes.middle) }"
        return self.page.run(
            f"Object.fromEntries(Object.entries(bindArrays(spec, {state})).map(([role, {{ data }}]) => [role, data]))"
        )

    def python(self, point: Mapping[str, Any], seed: int, runs: int) -> dict[str, Any]:
        """The names that the figure's copied Python defines, run in a namespace of its own."""
        given = self.figure.settings_of(**point)
        now = {"settings": point, "seed": seed, "given": {k: getattr(given, k) for k in given._fields}}
        space: dict[str, Any] = {}
        exec(self.page.context.value(f"pythonOf(spec, {json.dumps(now)}, {runs})"), space)
        return space
