"""What readers can change in chapter `scb` at a click; see `hal.figure.editor.Start`.

Source: arXiv 2410.23438, Algorithm 1; the changes are ours.
"""

from hal.figure.editor import Start

RUN, TEXTBOOK = "scb-run", "lib.models.scb.textbook"
V = "sgd(state.V[j], state.grad_V[j], settings.lr / task.K_Q / task.mu[j])"
A = "sgd(a, gradient, settings.lr * settings.ratio / task.K_P / task.mu[k])"

STARTS = [
    Start(
        RUN,
        "No rescaling by token frequency",
        TEXTBOOK,
        ((V, V.replace(" / task.mu[j]", "")), (A, A.replace(" / task.mu[k]", ""))),
        "With four equally frequent tokens every step is a quarter as long, so V learns less than an eighth.",
        lambda mine, book: mine["loss"] > 0.9 and 0.03 < mine["alpha_V"] < 0.125 < book["alpha_V"],
    ),
    Start(
        RUN,
        "Reverse attention's gradient",
        TEXTBOOK,
        ((A, A.replace("settings.lr", "-settings.lr")),),
        "Attention turns away from the true positions, so V has nothing to learn either: it ends below 5%.",
        lambda mine, book: mine["alpha_V"] < 0.05 and mine["loss"] > 0.98 and mine["on_true"] < 0.125,
    ),
]
