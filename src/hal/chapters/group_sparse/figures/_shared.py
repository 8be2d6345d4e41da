"""The settings of the chapter, named alike in all its figures."""

from hal.figure import Slider, Weights

TABLE: dict[str, Slider | Weights] = {
    "D": Slider("Groups D", "groups", 4, (2, 8)),
    "d": Slider("Numbers per group d", "numbers", 2, (1, 8)),
    "n": Slider("Examples n", "examples", 200, (10, 500)),
    "lr": Slider("Learning rate η", "no unit", 0.3, (0.02, 2.0)),
    "sigma": Slider("Standard deviation σ_x", "no unit", 1.0, (0.5, 2.0), log=True),
    "others": Slider("Scale of other groups", "no unit", 1.0, (0.25, 4.0), log=True),
    "flips": Slider("Label flips", "no unit", 0.0, (0.0, 0.4)),
}
