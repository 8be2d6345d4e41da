"""What readers can change in the atlas at a click: the one optimiser of all six tasks; see `hal.figure.editor.Start`.

Source: our own.
"""

from hal.figure.editor import Start

SIX, UPDATE = "atlas-six", "hal.chapters.atlas.models.update"
RULE, MOVE = "        direction = g\n        if", "parameters[i] -= state.rate * direction"

STARTS = [
    Start(
        SIX,
        "Twice the learning rate",
        UPDATE,
        ((MOVE, MOVE.replace("state.rate", "2.0 * state.rate")),),
        "Both layers learn twice as fast: every task arrives in about half the steps, and at half the clock.",
        lambda mine, book: all(
            0.4 < mine[time] / book[time] < 0.65
            for time in ("half_step", "half_clock")  # of Prompts, slow read-out
        ),
    ),
    Start(
        SIX,
        "Keep only the sign",
        UPDATE,
        ((RULE, RULE.replace("= g", "= 0.02 if g > 0.0 else -0.02 if g < 0.0 else 0.0")),),
        "In Walks attention stays where it was: all entries of a layer take one step, so all tokens stay alike.",
        lambda mine, book: mine["walks1"] < 0.06 and mine["walks2"] < 0.06 and book["walks1"] > 0.45,
    ),
    Start(
        SIX,
        "Answer late",
        UPDATE,
        ((RULE, RULE.replace("= g", "= state.mean[i]")),),
        "Momentum: each layer answers nine steps late, so attention in Prompts comes later, too.",
        lambda mine, book: 15 < mine["half_step"] - book["half_step"] < 35,
    ),
]
