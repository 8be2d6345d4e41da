"""The settings of the chapter, named alike in all its figures, and two panels."""

from typing import Any

from hal.figure import Line, Slider, Weights, heatmap, over_steps

MAP = "Who looks at whom"
TABLE: dict[str, Slider | Weights] = {
    "D": Slider("Groups D (the book's T)", "groups", 4, (2, 8)),
    "d": Slider("Variables d (the book's N)", "variables", 2, (1, 8)),
    "n": Slider("Examples n", "examples", 200, (10, 500)),
    "lr": Slider("Learning rate η", "no unit", 0.3, (0.02, 2.0)),
    "sigma": Slider("Standard deviation σ_x", "no unit", 1.0, (0.5, 2.0), log=True),
    "others": Slider("Scale of other groups (the book's μ)", "no unit", 1.0, (0.25, 4.0), log=True),
    "flips": Slider("Label flips", "fraction", 0.0, (0.0, 0.4)),
}


def attention_map(height: int) -> Any:
    """The mean attention of a textbook run, frame after frame."""
    return heatmap("map", rows="flow.D", columns="flow.D", xlabel="query j (group)", ylabel="key i (group)",
                   clabel="attention, mean over examples (no unit)", title=MAP, idea="attention", xticks="flow.groups",
                   yticks="flow.groups", vmin=0.0, vmax=1.0, height=height)  # fmt: skip


def right_answers(height: int) -> Any:
    """Accuracy on training and on new examples."""
    both = Line("accuracy", "training examples", idea="fit"), Line("test", "new examples", idea="test")
    return over_steps("Accuracy", "accuracy (no unit)", *both, ylim=(0.4, 1.02), height=height)
