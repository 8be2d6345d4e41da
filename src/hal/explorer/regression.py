"""A prompt of labelled points and a query: guess its label, then see the lines of all rules, and drag the points.

What is drawn comes from two portable functions of a chapter, so that it runs in the reader's browser, offline and
without a kernel. `js/regression.js` is the page's side; the page wakes it as it wakes `hal.explorer.poke`.
"""

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hal.explorer.poke_base import PokeBase
from lib.errors import require

WIDTH, HEIGHT = 420, 300  # units of the picture
REACH = 3.2  # features from -REACH to REACH


class Regression(PokeBase):
    """One feature, a label, and rules that each draw a line through zero.

    Args:
        prompt: portable function (number, mean, sigma); its results: `x` (most,) and `y` (most,), examples in their
            order; `query` (2,), feature and hidden label.
        answers: portable function (x, y, mean, sigma) of the examples shown; its result: `slopes` (rules,).
        rules: name -> colour "#rrggbb" of each rule, in the order of `slopes`.
        name: of the element in the page.
        title: above it.
        question: below the title.
        start: examples at the beginning.
        mean, sigma: prior mean of the slope, at most 4 from zero; deviation of the label noise, 0.1 to 3.

    Raises:
        InputError: if an argument is refused; each message names the argument.
    """

    def __init__(
        self,
        prompt: Callable[[int, float, float], Mapping[str, Sequence[float]]],
        answers: Callable[..., Mapping[str, Sequence[float]]],
        *,
        rules: Mapping[str, str],
        name: str,
        title: str,
        question: str,
        start: int = 3,
        mean: float = 2.0,
        sigma: float = 1.0,
    ) -> None:
        super().__init__((prompt, answers), name, title)
        for function, count in ((prompt, 3), (answers, 4)):
            taken = list(inspect.signature(function).parameters)
            require(len(taken) == count, function.__name__, f"a function of {count} arguments", taken)
        coloured = rules and all(re.fullmatch("#[0-9A-Fa-f]{6}", colour) for colour in rules.values())
        require(coloured, "rules", "colours as '#rrggbb'", dict(rules))
        require(-4.0 <= mean <= 4.0, "mean", "from -4 to 4", mean)
        require(0.1 <= sigma <= 3.0, "sigma", "from 0.1 to 3", sigma)
        drawn = prompt(0, mean, sigma)
        self.most = len(drawn["x"])
        require(1 <= start <= self.most, "start", f"from 1 to {self.most} examples", start)
        sizes = len(drawn["y"]), len(drawn["query"])
        require(sizes == (self.most, 2), "prompt", f"{self.most} labels and a query of 2 numbers", sizes)
        slopes = len(answers(list(drawn["x"])[:start], list(drawn["y"])[:start], mean, sigma)["slopes"])
        require(slopes == len(rules), "answers", f"slopes of {len(rules)} rules", slopes)
        self.prompt, self.answers, self.rules = prompt, answers, dict(rules)
        self.question, self.begin, self.mean, self.sigma = question, start, mean, sigma

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        return {
            "kind": "regression",
            **{key: getattr(self, key) for key in ("name", "title", "question", "most", "mean", "sigma")},
            "start": self.begin,
            "rules": [{"name": name, "colour": colour} for name, colour in self.rules.items()],
            "module": self.prompt.__module__,
            "prompt": self.prompt.__name__,
            "answers": self.answers.__name__,
            "width": WIDTH,
            "height": HEIGHT,
            "reach": REACH,
        }

    def still(self) -> str:
        """The first prompt with the lines of all rules, for a page without JavaScript and for print."""
        drawn = self.prompt(0, self.mean, self.sigma)
        x, y = (list(drawn[key])[: self.begin] for key in ("x", "y"))
        slopes = self.answers(x, y, self.mean, self.sigma)["slopes"]
        high = max(abs(label) for label in (*y, drawn["query"][1])) * 1.2
        parts = [f'<path d="M0,{HEIGHT / 2}H{WIDTH}M{WIDTH / 2},0V{HEIGHT}" stroke="#808080"/>']
        for slope, colour in zip(slopes, self.rules.values(), strict=True):
            rise = slope * REACH / high * HEIGHT / 2
            ends = f'x1="0" y1="{HEIGHT / 2 + rise:.1f}" x2="{WIDTH}" y2="{HEIGHT / 2 - rise:.1f}"'
            parts.append(f'<line {ends} stroke="{colour}" stroke-width="2"/>')
        for a, b in zip(x, y, strict=True):
            at = f'cx="{WIDTH / 2 * (1 + a / REACH):.1f}" cy="{HEIGHT / 2 * (1 - b / high):.1f}"'
            parts.append(f'<circle {at} r="6" fill="#808080"/>')
        said = f"{self.begin} labelled points, and the lines of {', '.join(self.rules)}."
        body, box = "".join(parts), f'viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
        stroke = (
            '<span style="display:inline-block;width:1.2em;border-top:3px solid {};vertical-align:middle"></span> {}'
        )
        names = ", ".join(stroke.format(colour, name) for name, colour in self.rules.items())
        key = f"<p>{self.begin} labelled points, and the lines of {names}.</p>"
        return f'<svg {box} style="max-width:100%" role="img" aria-label="{said}">{body}</svg>{key}'
