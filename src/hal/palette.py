"""The colours of the book: one colour for each idea, in every chapter, figure and explorer.

Okabe and Ito's colour-blind-safe hues (Color Universal Design, 2008), with orange, purple and sky darkened so that
every line keeps a contrast of at least 3:1 on white and on the dark page (#121212). Plain data: nothing is imported.
"""

PALETTE: dict[str, str] = {
    "blue": "#0072B2",
    "vermilion": "#D55E00",
    "green": "#009E73",
    "purple": "#C0679B",
    "orange": "#B98200",
    "sky": "#2E96D0",
    "grey": "#808080",
}

# Ideas may share a colour when they never share a panel (see TOGETHER); theory is grey and drawn dashed, on top.
IDEAS: dict[str, str] = {
    "V": PALETTE["blue"],  # the value matrix
    "A": PALETTE["vermilion"],  # attention
    "theory": PALETTE["grey"],
    "sgd": PALETTE["orange"],
    "prox": PALETTE["green"],
    "transfer": PALETTE["blue"],
    "softmax": PALETTE["purple"],
    "linear": PALETTE["blue"],
    "signal": PALETTE["green"],
    "noise": PALETTE["orange"],
    "mirror": PALETTE["purple"],
    "useful": PALETTE["green"],
    "useless": PALETTE["orange"],
    "distinct": PALETTE["green"],  # tokens of one class only
    "common": PALETTE["orange"],  # tokens of several classes
    "partly": PALETTE["purple"],  # a token that one class has more often than the other
    "counterpart": PALETTE["sky"],  # its mirror image, more frequent in the other class
    "joint": PALETTE["blue"],  # gradient flow of both layers at once
    "replaced": PALETTE["green"],  # training with the paper's gradient of the decoder
    "reference": PALETTE["vermilion"],  # the paper's reference dynamics
    "reduced": PALETTE["purple"],  # its reduced system, in closed form
}

# Ideas that may share a panel: told apart by every common kind of colour vision (tested).
TOGETHER: tuple[tuple[str, ...], ...] = (
    ("V", "A"),
    ("sgd", "prox", "transfer"),
    ("sgd", "prox", "softmax"),
    ("linear", "softmax"),
    ("signal", "noise", "mirror"),
    ("useful", "useless"),
    ("V", "A", "prox"),
    ("distinct", "common", "partly"),
    ("partly", "counterpart"),
    ("joint", "reference", "reduced"),
    ("joint", "replaced", "reference", "reduced"),
)

# Regimes of chapter 2, each with one dash pattern of its own (lengths of strokes and gaps in widths of the line, as in
# SVG; empty is solid). Both solid ones are gradient descent on both layers: sampled training has a band over seeds.
REGIMES: dict[str, tuple[float, ...]] = {
    "finite": (),  # training on sampled sequences
    "infinite": (9, 3),  # the same training on infinitely long sequences
    "joint": (),  # gradient flow of both layers
    "replaced": (7, 2, 1.5, 2),  # training with the paper's gradient of the decoder
    "reference": (4, 2),  # the reference dynamics
    "reduced": (1.5, 1.8),  # the reduced system
}
