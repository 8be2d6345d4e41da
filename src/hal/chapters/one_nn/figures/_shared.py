"""The settings of the chapter, named alike in all its figures."""

from hal.figure import Slider

TIME_LABEL = "training time t = η × steps (no unit)"
TABLE = {
    "N": Slider("Examples N", "examples", 16, (2, 64)),
    "d": Slider("Dimension d", "no unit", 8, (2, 16)),
    "lr": Slider("Learning rate η", "no unit", 2.0, (0.1, 20.0)),
    "batch": Slider("Batch B", "prompts", 32, (1, 64)),
    "sigma": Slider("Self-penalty at the start, ξ_2(0)", "no unit", 3.0, (-8.0, 30.0)),
    "kappa": Slider("Concentration κ", "no unit", 1.0, (1.0, 8.0), log=True),
    "start": Slider("Start ξ₁", "no unit", 0.0, (-2.0, 60.0), hidden=True),
    "level": Slider("Loss to reach", "no unit", 0.1, (0.03, 0.4)),
    "delta": Slider("Separation δ", "no unit", 0.1, (0.0, 1.0)),
}
