"""The settings of the chapter, named alike in all its figures, and its made-up words."""

from hal.figure import Slider, Weights

#: Words for tokens: of 60 common tokens, and of ten distinct ones of each class.
WORDS = [c + v for v in "aoieu" for c in "tnrkmslvdpbh"] + [
    "zug", "kir", "bex", "fyn", "dro", "plim", "wask", "stor", "glim", "quin",
    "jat", "vox", "hep", "cly", "gru", "snef", "trib", "blun", "frad", "skel",
]  # fmt: skip


TABLE: dict[str, Slider | Weights] = {
    "T": Slider("Sequence length T", "words", 128, (8, 1024)),
    "M": Slider("Vocabulary M", "words", 34, (20, 100_000)),
    "common": Slider("Common words", "words", 10, (0, 60)),
    "mu": Weights("Frequencies μ of distinct words", 10, [j / 55 for j in range(1, 11)]),
    "lr_Y": Slider("Decoder learning rate", "no unit", 1.0, (0.05, 20.0)),
    "optimiser": Slider("Optimiser", default=1, names={0: "gradient descent", 1: "momentum 0.9", 2: "Adam"}),
}
