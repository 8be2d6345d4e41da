"""A figure as the page computes it, and the Python that it gives a reader to copy."""

import functools
import json
from collections.abc import Mapping
from typing import Any

from hal.figure import Computed
from hal.figure.assets import joined_js
from hal.figure.built import Built
from lib.portable.engine import Engine


@functools.cache
def _copied() -> Engine:
    return Engine(joined_js('import { pythonOf } from "./python.js";\n'))


class InPage(Built):
    """A figure in V8, apart from the one that it asks itself."""

    def __init__(self, figure: Computed) -> None:
        super().__init__(figure.spec(), figure.program)
        self.figure = figure

    def python(self, point: Mapping[str, Any], seed: int, runs: int) -> dict[str, Any]:
        """The names that the figure's copied Python defines, run in a namespace of its own."""
        given = self.figure.settings_of(**point)
        now = {"settings": point, "seed": seed, "given": {k: getattr(given, k) for k in given._fields}}
        space: dict[str, Any] = {}
        exec(_copied().value(f"pythonOf({json.dumps(self.figure.spec())}, {json.dumps(now)}, {runs})"), space)
        return space
