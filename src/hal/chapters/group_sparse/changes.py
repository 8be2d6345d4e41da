"""What readers can change in chapter `group_sparse` at a click; see `hal.figure.editor.Start`.

Source: arXiv 2504.08638; the changes are ours.
"""

from hal.figure.editor import Start

SELECTION, TEXTBOOK = "group_sparse-selection", "lib.models.group_sparse.textbook"
VALUE = "    sgd(state.v, state.grad_v, state.settings.lr)\n"

SLOPE = "c = -y / (1.0 + exp(margin)) / float(state.settings.n)"

STARTS = [
    Start(
        SELECTION,
        "Freeze the value",
        TEXTBOOK,
        ((VALUE, ""),),
        "Nothing moves at all. The gradient of the attention is proportional to the value vector, which is zero at "
        "initialisation: the value must learn first.",
        lambda mine, book: abs(mine["attention"] - 1 / 6) < 1e-9 and mine["cosine"] == 0.0 and book["attention"] > 0.5,
    ),
    Start(
        SELECTION,
        "Freeze attention",
        TEXTBOOK,
        (("sgd(state.W[a], state.grad_W[a], state.settings.lr)", "sgd(state.W[a], state.grad_W[a], 0.0)"),),
        "The value vector still finds its direction, but attention stays uniform: all groups speak at once, and the "
        "accuracy on test examples stays below 0.8.",
        lambda mine, book: mine["cosine"] > 0.8 and abs(mine["attention"] - 1 / 6) < 1e-9 and mine["test"] < 0.8,
    ),
    Start(
        SELECTION,
        "Square loss",
        TEXTBOOK,
        ((SLOPE, "c = -y * (1.0 - margin) / float(state.settings.n)"),),
        "The run diverges within 60 steps. The logistic loss never pulls harder than 1, whatever the margin; the "
        "square loss does, and at this learning rate it overshoots.",
        lambda mine, book: mine["diverged_at"] <= 60.0,
    ),
]
