"""What readers can change in chapter `linear_block` at a click; see `hal.figure.editor.Start`.

Source: arXiv 2402.14951; the changes are ours.
"""

from hal.figure.editor import Start

TRAINING, TEXTBOOK = "linear_block-training", "lib.models.linear_block.textbook"
ADAM = "adam(state.flat, state.memory, state.flat_slope, lr, 0.9, 0.999, 1e-8)\n"

EACH = "for i in range(len(state.flat)):\n            "
DECAY = "state.flat[i] -= 0.1 * lr * state.flat[i]\n"
SIGN = "state.flat[i] -= 0.1 * lr if state.flat_slope[i] > 0.0 else -0.1 * lr\n"

STARTS = [
    Start(
        TRAINING,
        "Adam without memory",
        TEXTBOOK,
        ((ADAM, ADAM.replace("0.9, 0.999", "0.0, 0.0")),),
        "Each entry moves by the learning rate whatever its gradient: a step follows signs alone. The run cannot "
        "settle, and its risk ends more than twice as high.",
        lambda mine, book: mine["risk"] > 2.0 * book["risk"],
    ),
    Start(
        TRAINING,
        "Weight decay",
        TEXTBOOK,
        ((ADAM, f"{ADAM}        {EACH}{DECAY}"),),
        "It hardly matters: the start of the step moves by less than a tenth, and the risk by less than a hundredth.",
        lambda mine, book: 1e-7 < abs(mine["risk"] - book["risk"]) < 0.01 and abs(mine["start"] - book["start"]) < 0.1,
    ),
    Start(
        TRAINING,
        "Descend by the sign, slowly",
        TEXTBOOK,
        ((ADAM, f"{EACH}{SIGN}"),),
        "All entries move at one pace, so 600 steps of a tenth of the rate are too few: the start of the step has not "
        "arrived at the prior mean.",
        lambda mine, book: mine["start"] < 0.9 * book["start"] and mine["risk"] > book["risk"],
    ),
]
