"""The settings of the chapter, named alike in all its figures."""

from hal.figure import Slider, Weights

TABLE: dict[str, Slider | Weights] = {
    "M": Slider("Examples M (the book's T)", "examples", 20, (2, 64)),
    "d": Slider("Features d (the book's N)", "features", 4, (2, 8)),
    "norm": Slider("Prior mean ‖β*‖ (the book's μ)", "no unit", 2.0, (0.0, 6.0)),
    "sigma": Slider("Noise σ", "no unit", 0.5, (0.1, 4.0)),
    "decay": Slider("Decay p of the features' variances", "no unit", 0.0, (0.0, 2.0)),
    "lr": Slider("Learning rate η", "no unit", 0.02, (0.005, 0.8)),
    "batch": Slider("Batch B", "prompts", 8, (1, 64)),
    "scale": Slider("Standard deviation s of the entries", "no unit", 0.3, (0.01, 0.6)),
    "adam": Slider("Optimiser", names={0: "gradient descent", 1: "Adam"}),
}
