"""The settings of the chapter, named alike in all its figures."""

from hal.figure import Slider, Weights

TABLE: dict[str, Slider | Weights] = {
    "T": Slider("Length T", "tokens", 256, (8, 512)),
    "N": Slider("Vocabulary N", "tokens", 4, (2, 8)),
    "Q": Slider("Sparsity Q", "positions", 2, (1, 4)),
    "c": Slider("Strength c of P", "no unit", 0.75, (0.1, 1.0), log=False),
    "skew": Slider("Skew of μ", "no unit", 0.0, (0.0, 1.5)),
    "lr": Slider("Learning rate η", "no unit", 0.02, (0.01, 0.5)),
    "lr_V": Slider("Learning rate of V", "no unit", 0.02, (0.005, 0.5)),
    "lr_A": Slider("Learning rate of attention", "no unit", 0.02, (0.005, 0.5), linked="lr_V"),
    "batch": Slider("Batch B", "samples", 32, (1, 64)),
    "lam": Slider("Threshold λ / η", "no unit", 0.05, (0.0, 1.0)),
    "begin": Slider("Threshold on / τ(0.2)", "no unit", 1.2, (0.2, 3.0), log=False),
    "rho": Slider("Correlation ρ", "no unit", 0.7, (-1.0, 1.0)),
    "mu": Weights("Token distribution μ", "N", (0.25, 0.25, 0.25, 0.25)),
}
