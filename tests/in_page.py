"""A figure as the page computes it, without a browser: its translated program, its facts and its sentences."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from hal.explorer import Computed
from hal.explorer.assets import joined_js
from hal.explorer.facts import Result, facts_of
from tests.portable.engine import Page, literal

FACTS = 'import { factsOf, sayAll } from "./facts.js";\n'


class InPage:
    """The program of a figure in the page's engine.

    Args:
        figure: one that computes.
    """

    def __init__(self, figure: Computed) -> None:
        self.figure = figure
        self.spec = figure.spec()["computes"]
        modules = "".join(f'portable["{name}"] = ({text})(portable);' for name, text in figure.program.items())
        self.page = Page(f"{joined_js(FACTS)}\nconst portable = {{}};{modules}")
        self.page.do(f"""
            const own = portable["{self.spec["own"]}"], run = portable["{self.spec["run"]}"];
            let chosen, theory, runs;
            const readings = (seed) => {{
              const state = run.start(chosen, seed);
              while (!run.done(state)) run.step(state);
              return run.read(state);
            }};
        """)

    def choose(self, point: Mapping[str, Any]) -> Any:
        """Theory at all sliders' values."""
        given = ", ".join(literal(point[name]) for name in self.figure.controls_by_name)
        self.page.do(f"""
            chosen = own.{self.spec["settings"]}({given}); theory = {{"{self.figure.time}": run.steps_of(chosen)}};
            runs = [];
            for (const f of {self.spec["theory"]})
              for (const [key, values] of Object.entries(own[f](chosen))) theory[`${{f}}.${{key}}`] = values;
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
        """What `Computed.compute` gives, with the page's theory and runs; the facts are Python's."""
        theory: Any = self.choose(point)
        found = [self.train(seed + i) for i in range(runs)]
        return Result(theory, found, facts_of(self.figure.outcome, theory, found, self.figure.summary))

    def said(self, sentences: Sequence[Any]) -> Any:
        """What the page says of what was computed last."""
        spec = json.dumps([[way.spec() for way in ways] for ways in sentences])
        return self.page.context.value(f"sayAll({spec}, factsOf({json.dumps(self.spec)}, own, theory, runs))")
