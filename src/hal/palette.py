"""The colours of the book: one colour for each idea, in every chapter, figure and explorer.

Okabe and Ito's colour-blind-safe hues (Color Universal Design, 2008), with amber, purple and sky darkened so that
every line keeps a contrast of at least 3:1 on white and on the dark page (#121212). Plain data: nothing is imported.

Orange, blue and violet are reserved: attention, output and loss are drawn in no other colour, and nothing else in
theirs. Where two runs or methods are compared the second is green. What the task or a theory says is dashed, in ink.
"""

PALETTE: dict[str, str] = {
    "blue": "#0072B2",
    "orange": "#D55E00",
    "green": "#009E73",
    "purple": "#C0679B",
    "amber": "#B98200",
    "sky": "#2E96D0",
    "violet": "#7D6A9C",
    "grey": "#808080",
}

IDEAS: dict[str, str] = {
    "attention": PALETTE["orange"],
    "output": PALETTE["blue"],  # the value or output layer, and what it says
    "loss": PALETTE["violet"],  # and risk, and divergence
    "rival": PALETTE["green"],  # the second run, method or data set of a comparison
    "theory": PALETTE["grey"],  # in a chart dashed and in ink, on top
    "data": PALETTE["grey"],  # the law of the examples
    "fit": PALETTE["amber"],  # what is measured on the training examples
    "test": PALETTE["sky"],  # what is measured on fresh ones, or on another task
    "marked": PALETTE["sky"],  # what stands out of its row, or what the reader has changed
    "bound": PALETTE["amber"],
    "noise": PALETTE["amber"],
    "mirror": PALETTE["purple"],  # runs to the mirrored solution
    "mask": PALETTE["purple"],  # what keeps the query from itself
    "minus": PALETTE["purple"],  # the label -1
    "plus": PALETTE["green"],  # the label +1
    "first": PALETTE["purple"],  # of two kinds that are set side by side
    "second": PALETTE["green"],
    "distinct": PALETTE["orange"],  # tokens of one class only, where attention goes
    "other class": PALETTE["sky"],  # tokens of the class set beside it only
    "common": PALETTE["grey"],  # tokens of several classes
    "reference": PALETTE["green"],  # the paper's reference dynamics, beside training
    "reduced": PALETTE["purple"],  # its reduced system, in closed form
    "bayes": PALETTE["grey"],  # the best predictor of all
    "step": PALETTE["blue"],  # the block's: one step of gradient descent from a learned start
    "zero start": PALETTE["sky"],  # the same step from zero
    "ridge": PALETTE["purple"],
    "least squares": PALETTE["amber"],
}

# Ideas that may share a panel: told apart by every common kind of colour vision (tested).
TOGETHER: tuple[tuple[str, ...], ...] = (
    ("output", "attention", "rival"),
    ("output", "attention", "loss"),
    ("fit", "test"),
    ("fit", "rival", "first"),
    ("loss", "rival"),
    ("noise", "mirror"),
    ("attention", "mirror"),
    ("attention", "mask"),
    ("first", "second"),
    ("minus", "plus"),
    ("minus", "marked"),
    ("output", "marked"),
    ("distinct", "other class", "common"),
    ("attention", "reference", "reduced"),
    ("bayes", "step", "attention", "zero start"),
    ("loss", "step", "attention", "zero start"),
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
