"""What readers can change in chapter `random_walk` at a click; see `hal.figure.editor.Start`.

Source: arXiv 2511.23239; the changes are ours.
"""

from hal.figure.editor import Start

LEARNING, TEXTBOOK = "random_walk-learning", "lib.models.random_walk.textbook"
AT = {"p": 0.7, "r": 16}  # at the figure's default, p = 1, the book's run learns nothing
POSITIONS = "sgd(state.g, state.grad_g, settings.lr_W * rho * rho)"

STARTS = [
    Start(
        LEARNING,
        "A linear loss",
        TEXTBOOK,
        (("c = -1.0 / (f + settings.epsilon) / float(settings.n)", "c = -1.0 / float(settings.n)"),),
        "Set p to 0.7, 16 rounds: V aligns with the transition probabilities, not with their square root: its distance "
        "from them is less than half of what it was. The loss that is drawn is still the logarithm.",
        lambda mine, book: mine["to_step"] < 0.5 * book["to_step"] and mine["lag"] == 1.0,
        AT,
    ),
    Start(
        LEARNING,
        "Freeze V",
        TEXTBOOK,
        (("sgd(state.nu, state.grad_nu, settings.lr / float(settings.K))", "sgd(state.nu, state.grad_nu, 0.0)"),),
        "Set p to 0.7, 16 rounds: attention stays uniform for ever: with V = 0 no position helps more than another.",
        lambda mine, book: mine["parent"] < 0.02 < 0.9 < book["parent"] and abs(mine["to_step"] - 1.0) < 1e-9,
        AT,
    ),
    Start(
        LEARNING,
        "Freeze attention",
        TEXTBOOK,
        ((POSITIONS, "sgd(state.g, state.grad_g, 0.0)"),),
        "Set p to 0.7, 16 rounds: V alone cannot tell the last node from the others: the accuracy stays below 0.3.",
        lambda mine, book: mine["fresh"] < 0.3 < 0.6 < book["fresh"] and mine["parent"] < 0.02,
        AT,
    ),
    Start(
        LEARNING,
        "Short positional encodings",
        TEXTBOOK,
        ((POSITIONS, "sgd(state.g, state.grad_g, settings.lr_W)"),),
        "Set p to 0.7, 16 rounds: with encodings of norm 1 lag 1 still wins, but the steps of attention are too small: "
        "it gets no more than 0.02 of the weight in the same time.",
        lambda mine, book: mine["lag"] == 1.0 and mine["parent"] < 0.02 < 0.9 < book["parent"],
        AT,
    ),
]
