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
        "Add weight decay",
        TEXTBOOK,
        ((UPDATE, f"scale(state.W[i], 0.99)\n        {UPDATE}"),),
        "W shrinks by 1% before each step. The self-penalty falls first, because its gradient is small at the start. "
        "The inverse temperature stays at less than half its value without decay.",
        lambda mine, book: (
            mine["xi1"] < 0.5 * book["xi1"] and mine["xi2"] < book["xi2"] and mine["loss"] > book["loss"]
        ),
    ),
]
