"""Labelled points on a circle or a sphere, and a query to drag: where the attention goes, and the map of decisions.

What is drawn comes from two portable functions of a chapter. `js/sphere.js` is the page's side.
"""

from collections.abc import Callable, Mapping, Sequence

from hal.figure.interactive_sample import SIGNS, InteractiveSample
from lib.errors import require


class Sphere(InteractiveSample):
    """Points with labels +1 and -1, a query among them, and one number that says how sharply it looks.

    Args:
        prompt: portable function (number, N, d) of three whole numbers, d = 2 for a circle and 3 for a sphere; its
            results: `points` (3 N,), coordinates point after point, the third of a circle 0; `labels` (N,).
        answer: portable function (points, labels, x, y, z, sharpness); its results: `attention` (N,), and `answer` (1,)
            between -1 and 1.
        name: of the element in the page.
        title: above it.
        sharpness: visible name of the number, with its symbol.
        largest: its largest value; the smallest is 0.
        fewest, most: points.
    """

    kind = "sphere"
    told = ("sharpness", "largest", "fewest", "most", "points", "start")

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
    ) -> None:
        super().__init__(name, title, prompt=(prompt, 3), answer=(answer, 6))
        require(fewest <= points <= most, "points", f"from {fewest} to {most}", points)
        require(0.0 <= start <= largest, "start", f"from 0 to {largest}", start)
        self.prompt, self.answer = prompt, answer
        self.sharpness, self.largest, self.fewest, self.most = sharpness, largest, fewest, most
        self.points, self.start = points, start
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
        said = "Labelled points on a circle, blue + and orange −."
        body = "".join(parts)
        return f'<svg viewBox="0 0 300 300" width="300" role="img" aria-label="{said}" font-size="15">{body}</svg>'
