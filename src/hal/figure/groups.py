"""Labelled examples of several groups of two variables, one picture a group: which group decides the label?

The reader picks a group; then the picture shows what a layer and the best possible player pick after the same
examples. All of it comes from one portable function of a chapter. `js/groups.js` is the page's side.
"""

from collections.abc import Callable, Mapping, Sequence

from hal.figure.interactive_sample import SIGNS, InteractiveSample
from lib.errors import require


class Groups(InteractiveSample):
    """Examples as points, one picture a group.

    Args:
        examples: portable function (number, n) of two whole numbers; its results: `points` (n D 2,), example after
            example, group after group; `labels` (n,), 1 or -1; `right` (D,), 1 for the group that decides;
            `attention` (D,) and `best` (D,), shares that the layer and the best possible player give to each group.
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
        wanted = {"points": 2 * n * D, "labels": n, "right": D, "attention": D, "best": D}
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
        said = f"{n} examples in {D} groups, blue for the label + and orange for −. Group {right} decides."
        box = f'viewBox="0 0 {size * D} {size + 20}" style="max-width:100%" width="{size * D}"'
        return f'<svg {box} role="img" aria-label="{said}" font-size="13">{"".join(parts)}</svg><p>{said}</p>'
