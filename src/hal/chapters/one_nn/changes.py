"""What readers can change in chapter `one_nn` at a click; see `hal.figure.editor.Start`.

Source: arXiv 2411.10830; the changes are ours.
"""

from hal.figure.editor import Start

TRAINING, TEXTBOOK = "one_nn-training", "lib.models.one_nn.textbook"
UPDATE = "sgd(state.W[i], state.gradient[i], state.settings.lr)"

STARTS = [
    Start(
        TRAINING,
        "Ask for the farthest",
        TEXTBOOK,
        (("    best = -2.0\n", "    best = 2.0\n"), ("        if z > best:", "        if z < best:")),
        "The inverse temperature becomes negative, as fast as it grew before. The self-penalty hardly moves: the query "
        "is the nearest point of all, so a negative temperature hides it already.",
        lambda mine, book: mine["xi1"] < -0.8 * book["xi1"] and abs(mine["xi2"] - 3.0) < 0.1 * (book["xi2"] - 3.0),
    ),
    Start(
        TRAINING,
        "Let the learning rate grow",
        TEXTBOOK,
        ((UPDATE, "sgd(state.W[i], state.gradient[i], state.settings.lr * (1.0 + 0.01 * float(state.step)))"),),
        "The inverse temperature ends more than twice as large, but the loss ends higher: the larger steps bring noise "
        "outside the two-parameter family.",
        lambda mine, book: (
            mine["xi1"] > 2.0 * book["xi1"] and mine["loss"] > book["loss"] and mine["off"] > book["off"]
        ),
    ),
    Start(
        TRAINING,
        "Climb instead of descend",
        TEXTBOOK,
        ((UPDATE, "sgd(state.W[i], state.gradient[i], -state.settings.lr)"),),
        "The inverse temperature does not grow, W leaves the family, and the loss ends ten times as high.",
        lambda mine, book: mine["xi1"] < 0.1 * book["xi1"] and mine["loss"] > 10.0 * book["loss"] and mine["off"] > 0.8,
    ),
]
