"""What readers can change in chapter `linear_block` at a click; see `hal.figure.editor.Start`.

Source: arXiv 2402.14951; the changes are ours.
"""

from hal.figure.editor import Start

TRAINING, TEXTBOOK = "linear_block-training", "lib.models.linear_block.textbook"
DESCENT = "sgd(W[r], slope[r], lr)\n"

EACH = "for j in range(len(W[r])):\n                "
DECAY = "W[r][j] -= 0.1 * lr * W[r][j]\n"
SIGN = "W[r][j] -= lr if slope[r][j] > 0.0 else -lr\n"

STARTS = [
    Start(
        TRAINING,
        "Weight decay",
        TEXTBOOK,
        ((DESCENT, f"{DESCENT}            {EACH}{DECAY}"),),
        "The mean is learned, the examples are never used: small matrices decay faster than their gradients let them "
        "grow.",
        lambda mine, book: mine["risk"] > 3.0 > 1.0 > book["risk"] and mine["mean"] > 90.0,
    ),
    Start(
        TRAINING,
        "A tenth of the learning rate",
        TEXTBOOK,
        ((DESCENT, DESCENT.replace("lr", "0.1 * lr")),),
        "The mean is learned, but the run ends before the examples are used.",
        lambda mine, book: mine["risk"] > 3.0 > 1.0 > book["risk"] and mine["mean"] > 90.0,
    ),
    Start(
        TRAINING,
        "Descend by the sign",
        TEXTBOOK,
        ((DESCENT, f"{EACH}{SIGN}"),),
        "All entries move at one pace, so nothing waits, but such steps cannot settle: neither is ever half learned.",
        lambda mine, book: mine["risk"] > 1.1 * book["risk"] and max(mine["mean"], mine["examples"]) < 50.0,
    ),
]
