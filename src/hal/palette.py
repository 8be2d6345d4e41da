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
    "attention": PALETTE["vermilion"],
    "output": PALETTE["blue"],  # the value or output layer, and what it says
    "theory": PALETTE["grey"],
    "loss": PALETTE["blue"],
    "fit": PALETTE["orange"],  # what is measured on the training examples
    "test": PALETTE["blue"],  # what is measured on fresh ones, or on another task
    "rival": PALETTE["green"],  # another method, on the same data
    "bound": PALETTE["orange"],
    "data": PALETTE["green"],  # the law of the examples
    "signal": PALETTE["green"],
    "noise": PALETTE["orange"],
    "mirror": PALETTE["purple"],  # runs to the mirrored solution
    "softmax": PALETTE["purple"],
    "linear": PALETTE["blue"],  # linear attention
    "mask": PALETTE["purple"],  # what keeps the query from itself
    "first": PALETTE["green"],  # of two answers, or kinds, that are set side by side
    "second": PALETTE["purple"],
    "distinct": PALETTE["green"],  # tokens of one class only
    "other class": PALETTE["blue"],  # tokens of the class set beside it only
    "common": PALETTE["orange"],  # tokens of several classes
    "partly": PALETTE["purple"],  # a token that one class has more often than the other
    "joint": PALETTE["blue"],  # gradient flow of both layers at once
    "replaced": PALETTE["green"],  # training with the paper's gradient of the decoder
    "reference": PALETTE["vermilion"],  # the paper's reference dynamics
    "reduced": PALETTE["purple"],  # its reduced system, in closed form
    "published": PALETTE["blue"],  # numbers that a paper's authors give, beside our own
    "bayes": PALETTE["green"],  # the best predictor of all
    "step": PALETTE["blue"],  # one step of gradient descent from a learned start
    "zero start": PALETTE["purple"],  # the same step from zero
    "ridge": PALETTE["sky"],
    "least squares": PALETTE["orange"],
}

# Ideas that may share a panel: told apart by every common kind of colour vision (tested).
TOGETHER: tuple[tuple[str, ...], ...] = (
    ("output", "attention"),
    ("fit", "rival", "test"),
    ("fit", "rival", "softmax"),
    ("linear", "softmax"),
    ("signal", "noise", "mirror"),
    ("output", "attention", "rival"),
    ("attention", "mask"),
    ("first", "second"),
    ("distinct", "common", "partly"),
    ("distinct", "other class", "common"),
    ("attention", "published"),
    ("joint", "reference", "reduced"),
    ("joint", "replaced", "reference", "reduced"),
    ("bayes", "step", "attention", "zero start"),
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
