"""The settings of the chapter, named alike in all its figures."""

from hal.chapters.linear_block.runs.bowls import FOOT, HIGH, LOW, TOP
from hal.figure import Path, Slider, Weights, points

TABLE: dict[str, Slider | Weights] = {
    "M": Slider("Examples M", "examples", 20, (2, 64)),
    "d": Slider("Features d", "features", 4, (2, 8)),
    "norm": Slider("Prior mean ‖β*‖", "no unit", 2.0, (0.0, 6.0)),
    "tilt": Slider("Direction of β*: early to late features", "no unit", 0.0, (-2.0, 2.0), log=False),
    "sigma": Slider("Noise σ", "no unit", 0.5, (0.1, 4.0)),
    "decay": Slider("Decay p of the features' variances", "no unit", 0.0, (0.0, 2.0)),
    "lr": Slider("Learning rate η", "no unit", 0.02, (0.005, 0.8)),
    "adam": Slider("Optimiser", names={0: "gradient descent", 1: "Adam"}),
}


def bowl_picture(source: str, to: tuple[str, str], other: tuple[str, str], alt: str, height: int) -> points:
    """The one bowl of the chapter, by the readings of `bowl_with` under a name.

    Args:
        source: the name of the theory function that returns them.
        to, other: name and idea of the two marks beside the start.
        alt, height: what is seen, and how high it is.
    """
    ways = [("start", "start", "data"), ("other", *other), ("to", *to)]
    return points(
        x=f"{source}.at", y=f"{source}.high", kinds=f"{source}.kinds", ideas=("data", to[1], other[1]),
        kind_names=("start", to[0], other[0]), xlim=(LOW, HIGH), ylim=(FOOT - 0.5, TOP), xlabel="slope",
        ylabel="excess error", height=height, alt=alt, ends=False,
        xticks=[(0.0, "0"), (2.0, "2"), (4.0, "4")],
        lines=[Path(f"{source}.slopes", f"{source}.errors", "bowl", idea="loss"),
               *[Path(f"{source}.{key}_x", f"{source}.{key}_y", name, idea) for key, name, idea in ways]],
    )  # fmt: skip
