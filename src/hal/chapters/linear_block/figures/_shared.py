"""The settings of the chapter, named alike in all its figures."""

from hal.figure import Slider, Weights

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
