"""Interactive samples: labelled points on a circle, groups of two variables, examples of a line.

All that they show comes from portable functions of a chapter. `js/sphere.js`, `js/groups.js` and `js/regression.js` are
the page's side.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from hal.figure.interactive_sample import SIGNS, InteractiveSample
from lib.errors import require


class Groups(InteractiveSample):
    """Examples as points, one picture a group.

    Args:
        examples: portable function (number, n) of two whole numbers; its results: `points` (n D 2,), example after
            example, group after group; `labels` (n,), 1 or -1; `right` (D,), 1 for the group that decides;
            `attention` (D,) and `best` (D,), shares that the layer and an ideal player give to each group; `line`
            (2,), across the line that decides.
        name, title: as for `InteractiveSample`.
        question: below the title.
        counts: numbers of examples to choose from.
    """

    kind = "groups"
    told = ("question", "counts", "size", "reach")
    size, reach = 120, 2.8  # units of a picture, and how far it shows

    def __init__(
        self,
        examples: Callable[[int, int], Mapping[str, Sequence[float]]],
        *,
        name: str,
        title: str,
        question: str,
        counts: Sequence[int] = (8, 16, 32),
    ) -> None:
        super().__init__(name, title, examples=(examples, 2))
        require(len(counts) > 0 and min(counts) >= 1, "counts", "numbers of at least 1", counts)
        self.examples, self.question, self.counts = examples, question, tuple(counts)
        drawn, n = examples(0, counts[0]), counts[0]
        sizes = {key: len(values) for key, values in drawn.items()}
        D = sizes.get("right", 0)
        wanted = {"points": 2 * n * D, "labels": n, "right": D, "attention": D, "best": D, "line": 2}
        require(D > 1 and sizes == wanted, "examples", f"results of the sizes {wanted}", sizes)

    def still(self) -> str:
        """The first examples, and which group decides."""
        n = self.counts[-1]
        drawn = self.examples(0, n)
        D = len(drawn["right"])
        size, parts = self.size, []
        for j in range(D):
            parts.append(f'<text x="{size * j + 8}" y="14" fill="#808080">group {j + 1}</text>')
            for i in range(n):
                x, y = (drawn["points"][2 * (D * i + j) + a] / self.reach * size / 2 for a in (0, 1))
                at = f'cx="{size * (j + 0.5) + x:.1f}" cy="{size / 2 + 16 - y:.1f}"'
                parts.append(f'<circle {at} r="3" fill="{SIGNS[int(drawn["labels"][i] > 0)]}"/>')
        right = list(drawn["right"]).index(1) + 1
        said = f"{n} examples in {D} groups, green for the label + and purple for −. Group {right} decides."
        box = f'viewBox="0 0 {size * D} {size + 20}" style="max-width:100%" width="{size * D}"'
        return f'<svg {box} role="img" aria-label="{said}" font-size="13">{"".join(parts)}</svg><p>{said}</p>'


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


class Sphere(InteractiveSample):
    """Points with labels +1 and -1, a query among them, and one number that says how sharply it looks.

    Args:
        prompt: portable function (number, N, d) of three whole numbers, d = 2 for a circle and 3 for a sphere; its
            results: `points` (3 N,), coordinates point after point, the third of a circle 0; `labels` (N,).
        answer: portable function (points, labels, x, y, z, sharpness); its results: `attention` (N + 1,), the
            query's on itself last, `answer` (1,) between -1 and 1, and, to be written in the circle, `xi1` (1,).
        name: of the element in the page.
        title: above it.
        sharpness: visible name of the number, with its symbol.
        largest: its largest value; the smallest is 0.
        fewest, most: points.
        ball: whether it offers the sphere, too; where it does not, it shows the query's attention on itself.
    """

    kind = "sphere"
    told = ("sharpness", "largest", "fewest", "most", "points", "start", "ball")

    def __init__(
        self,
        prompt: Callable[[int, int, int], Mapping[str, Sequence[float]]],
        answer: Callable[..., Mapping[str, Sequence[float]]],
        *,
        name: str,
        title: str,
        sharpness: str,
        largest: float = 100.0,
        fewest: int = 2,
        most: int = 32,
        points: int = 12,
        start: float = 5.0,
        ball: bool = True,
    ) -> None:
        super().__init__(name, title, prompt=(prompt, 3), answer=(answer, 6))
        require(fewest <= points <= most, "points", f"from {fewest} to {most}", points)
        require(0.0 <= start <= largest, "start", f"from 0 to {largest}", start)
        self.prompt, self.answer = prompt, answer
        self.sharpness, self.largest, self.fewest, self.most = sharpness, largest, fewest, most
        self.points, self.start, self.ball = points, start, ball
        drawn = prompt(0, points, 2)
        sizes = len(drawn["points"]), len(drawn["labels"])
        require(sizes == (3 * points, points), "prompt", f"{3 * points} coordinates and {points} labels", sizes)

    def still(self) -> str:
        """The first circle as it stands, for a page without JavaScript and for print."""
        drawn = self.prompt(0, self.points, 2)
        parts = ['<circle cx="150" cy="150" r="110" fill="none" stroke="#808080"/>']
        for j, label in enumerate(drawn["labels"]):
            x, y = (150 + 110 * s * drawn["points"][3 * j + k] for k, s in ((0, 1), (1, -1)))
            sign, fill = ("+", SIGNS[1]) if label > 0 else ("−", SIGNS[0])
            parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="10" fill="{fill}"/>')
            parts.append(f'<text x="{x:.1f}" y="{y + 5:.1f}" fill="#fff" text-anchor="middle">{sign}</text>')
        said = "Labelled points on a circle, green + and purple −."
        body = "".join(parts)
        return f'<svg viewBox="0 0 300 300" width="300" role="img" aria-label="{said}" font-size="15">{body}</svg>'
