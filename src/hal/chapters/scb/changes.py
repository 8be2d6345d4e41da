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
        "Freeze attention",
        TEXTBOOK,
        ((A, "sgd(a, gradient, 0.0)"),),
        "V alone finds only what uniform attention shows it: its signal stays below 0.3, and the excess loss falls by "
        "no more than 2%.",
        lambda mine, book: mine["alpha_V"] < 0.3 < book["alpha_V"] and 0.98 < mine["loss"] < 1.0,
    ),
    Start(
        RUN,
        "Freeze V",
        TEXTBOOK,
        ((V, "sgd(state.V[j], state.grad_V[j], 0.0)"),),
        "Nothing moves at all: the gradient of attention is proportional to what V has learned, and that is nothing.",
        lambda mine, book: mine["alpha_V"] == 0.0 and abs(mine["loss"] - 1.0) < 1e-9,
    ),
    Start(
        RUN,
        "No rescaling by token frequency",
        TEXTBOOK,
        ((V, V.replace(" / task.mu[j]", "")), (A, A.replace(" / task.mu[k]", ""))),
        "With four equally frequent tokens every step is a quarter as long, so at the end the run has hardly left the "
        "plateau.",
        lambda mine, book: mine["loss"] > 0.95 and mine["alpha_V"] < 0.15 < book["alpha_V"],
    ),
    Start(
        RUN,
        "Let attention climb",
        TEXTBOOK,
        ((A, A.replace("settings.lr", "-settings.lr")),),
        "Attention turns away from the true positions, so V has nothing to learn either: its signal ends below 0.05.",
        lambda mine, book: mine["alpha_V"] < 0.05 and mine["loss"] > 0.98 and mine["on_true"] < 0.03,
    ),
]
