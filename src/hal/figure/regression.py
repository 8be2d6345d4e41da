"""A prompt of labelled points and a query: guess its label, then see the lines of all rules, and drag the points.

What is drawn comes from two portable functions of a chapter. `js/regression.js` is the page's side.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hal.figure.interactive_sample import InteractiveSample
from lib.errors import require


class Regression(InteractiveSample):
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
    """

    kind = "regression"
    told = ("question", "most", "mean", "sigma", "start", "width", "height", "reach")
    width, height = 420, 300  # units of the picture
    reach = 3.2  # features from -reach to reach

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
        super().__init__(name, title, prompt=(prompt, 3), answers=(answers, 4))
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
        self.question, self.start, self.mean, self.sigma = question, start, mean, sigma

    def spec(self) -> dict[str, Any]:
        """The JSON the page reads."""
        rules = [{"name": name, "colour": colour} for name, colour in self.rules.items()]
        return super().spec() | {"rules": rules}

    def still(self) -> str:
        """The first prompt with the lines of all rules, for a page without JavaScript and for print."""
        width, height = self.width, self.height
        drawn = self.prompt(0, self.mean, self.sigma)
        x, y = (list(drawn[key])[: self.start] for key in ("x", "y"))
        slopes = self.answers(x, y, self.mean, self.sigma)["slopes"]
        high = max(abs(label) for label in (*y, drawn["query"][1])) * 1.2
        parts = [f'<path d="M0,{height / 2}H{width}M{width / 2},0V{height}" stroke="#808080"/>']
        for slope, colour in zip(slopes, self.rules.values(), strict=True):
            rise = slope * self.reach / high * height / 2
            ends = f'x1="0" y1="{height / 2 + rise:.1f}" x2="{width}" y2="{height / 2 - rise:.1f}"'
            parts.append(f'<line {ends} stroke="{colour}" stroke-width="2"/>')
        for a, b in zip(x, y, strict=True):
            at = f'cx="{width / 2 * (1 + a / self.reach):.1f}" cy="{height / 2 * (1 - b / high):.1f}"'
            parts.append(f'<circle {at} r="6" fill="#808080"/>')
        said = f"{self.start} labelled points, and the lines of {', '.join(self.rules)}."
        body, box = "".join(parts), f'viewBox="0 0 {width} {height}" width="{width}"'
        stroke = (
            '<span style="display:inline-block;width:1.2em;border-top:3px solid {};vertical-align:middle"></span> {}'
        )
        names = ", ".join(stroke.format(colour, name) for name, colour in self.rules.items())
        key = f"<p>{self.start} labelled points, and the lines of {names}.</p>"
        return f'<svg {box} style="max-width:100%" role="img" aria-label="{said}">{body}</svg>{key}'
