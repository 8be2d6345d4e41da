"""Figure `scb-run`: the layer learns the task: attention of last token a, what follows what, and which is first.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1 and Algorithm 1, Stage 1.
"""

from typing import Any

from hal.chapters.scb.figures._shared import TABLE
from hal.chapters.scb.models.textbook_measures import excess_loss, likeliest, on_true
from hal.chapters.scb.runs.replay import fast_runs
from hal.figure import Line, Mark, Say, Spot, Step, arcs, bars, grid, over_steps, sliders, waiting
from lib.models.scb import textbook
from lib.models.scb.textbook import Settings, State, even_weights, signal_A, signal_V
from lib.portable.primitives import Readings, Vector, copy, floor, nan, remainder, sqrt, whole_zeros, zeros
from lib.portable.random_numbers import generator
from lib.portable.tokens import draw_tokens
from lib.portable.vectors import scale, total
from lib.theory.scb.portable import attention_signal, drift_number, escape_time

STARTED = 0.01  # of a signal
FLAT = 0.98  # of the loss at the start
LOOKS, FOLLOWS = "Attention: where the last token looks", "V: what to say after each token"
MOVES = "What moves first, and what last?"
TITLE, RUN, FAST = "First what, then where", textbook, fast_runs
RUNS, PRECOMPUTED_RUNS, COLUMNS, COLLAPSED_PANELS = 1, 1, 2, 1
PACE = 0.4, 70  # the first steps slowly: V starts while attention is even
SLOW_REASON = "Long sequences take longer to compute."
EVEN = (0.25, 0.25, 0.25, 0.25)
HERO, PRIMARY_SLIDERS, OPENS = True, ("T", "lr_V", "lr_A"), 0.1  # V has moved, attention not yet
SLIDERS = sliders(TABLE, T=(64, 8, 5000), lr_V=0.02, lr_A=0.02, N=4, Q=2, mu=EVEN, batch=32, c=0.75)


def settings(T: int, lr_V: float, lr_A: float, N: int, Q: int, mu: Vector, batch: int, c: float) -> Settings:
    """Stage 1 until 4 / lr steps after the signals should be 0.2, where lr is the root of the product of both rates."""
    law, lr = copy(mu), sqrt(lr_V * lr_A)
    scale(law, 1.0 / total(law))  # the bars have six digits
    quiet = escape_time(0.2, lr, drift_number(attention_signal(even_weights(Q), T), float(T)))
    steps = floor((quiet if quiet > 2.0 / lr else 2.0 / lr) + 4.0 / lr + 0.5)
    return Settings(T=T, mu=law, Q=Q, c=c, lr=lr_V, ratio=lr_A / lr_V, batch=batch, stage1=steps)


def law(settings: Settings) -> Readings:
    """Uniform attention on the true positions, and twice that; sizes, the tokens and their law; `tau` (1,), the steps
    until the product of both signals should be 0.01.
    """
    T, ratio = float(settings.T), settings.ratio
    d = drift_number(attention_signal(even_weights(settings.Q), settings.T), T)
    tau = escape_time(0.1 * sqrt(sqrt(ratio)), settings.lr * sqrt(ratio), d)
    tokens = zeros(len(settings.mu))
    for k in range(len(tokens)):
        tokens[k] = float(k + 1)
    return {
        "tokens": tokens, "uniform": [float(settings.Q) / float(settings.T)], "N": [float(len(settings.mu))],
        "asks": [0.0], "mu": settings.mu, "twice": [2.0 * float(settings.Q) / float(settings.T)],
        "tau": [tau if tau > 0.0 else nan], "low": [0.002],
    }  # fmt: skip


def passed(steps: Vector, curve: Vector, level: float) -> float:
    """When a curve of the run first passes a level, on a straight line between two records; NaN where it never does."""
    for i in range(1, len(steps)):
        if (curve[i] - level) * (curve[0] - level) <= 0.0:
            return steps[i] - (steps[i] - steps[i - 1]) * (curve[i] - level) / (curve[i] - curve[i - 1])
    return nan


def probe(state: State) -> Readings:
    """Of the run at each record: the exact excess loss, both signals, the attention on the true positions, that of last
    token a, (T,), and V as a fraction of the largest entry of P, (N N,), label by label, 0 where it is negative.
    """
    V, A, task, N = state.V, state.A, state.task, len(state.V)
    gained, most = zeros(N * N), 0.0
    for i in range(N * N):
        most = max(most, task.P[remainder(i, N)][i // N])
    for i in range(N * N):
        gained[i] = max(V[remainder(i, N)][i // N], 0.0) / most
    return {
        "excess": [excess_loss(V, A, task)], "alpha_V": [signal_V(V, task)], "alpha_A": [signal_A(A, task)],
        "on_true": [on_true(A, task)], "attention": copy(A[0]), "gained": gained,
    }  # fmt: skip


def at_end(state: State, excess: Vector) -> Readings:
    """The loss as a fraction of that at the start. Of the task: answer (T,), the weights at the true positions of
    last token a, likeliest (N N,), 1 where P is largest, and one context, tokens (T,).
    """
    task, N, T = state.task, len(state.A), len(state.A[0])
    answer, tokens, context, loss = zeros(T), zeros(T), whole_zeros(T), copy(excess)
    draw_tokens(state.tokens, generator(0, 1), context)
    for i in range(len(loss)):
        loss[i] = excess[i] / excess[0]
    for t in range(T):
        tokens[t] = float(context[t])
    for q in range(len(task.w)):
        answer[task.s[0][q]] = task.w[q]
    return {"loss": loss, "answer": answer, "tokens": tokens, "likeliest": turned(likeliest(task), N)}


def turned(cells: Vector, N: int) -> Vector:
    """An N by N matrix (N N,) with its columns as rows."""
    found = zeros(N * N)
    for i in range(N * N):
        found[remainder(i, N) * N + i // N] = cells[i]
    return found


def run_metrics(on_true: Vector, alpha_V: Vector, alpha_A: Vector, loss: Vector, steps: Vector) -> Readings:
    """Of the run: attention on the true positions at its end; 1 if it and the signal are below 0 then; when each signal
    passes 0.01 (-0.01 if so) and the loss 98%.
    """
    last = len(on_true) - 1
    mirrored = on_true[last] < 0.0 and alpha_V[last] < 0.0
    level = -STARTED if mirrored else STARTED
    return {
        "held": [on_true[last]], "mirrored": [1.0 if mirrored else 0.0], "zero": [0.0],
        "start_V": [passed(steps, alpha_V, level)], "start_A": [passed(steps, alpha_A, level)],
        "drops": [passed(steps, loss, FLAT)], "level": [level], "high": [FLAT],
    }  # fmt: skip


def panels() -> list[Any]:
    """Loss and signals over time, the arcs of one last token, the square of what follows what, the law of tokens."""
    marks = [Mark("zero", "the loss is flat", "drops", bracket=True), Mark("law.tau", "")]
    spots = [
        Spot("start_V", "level", [Say("V starts")], "output", aside=True),
        Spot("start_A", "level", [Say("attention starts")], "attention", aside=True),
        Spot("drops", "high", [Say("the loss falls")], "loss"),
        Spot("law.tau", "law.low", [Say("predicted end of the flat part")]),
    ]
    return [
        over_steps(MOVES, "V and attention: part learned; loss: part left (fraction)",
                   Line("loss", "loss", idea="loss"), Line("alpha_V", "V", idea="output"),
                   Line("alpha_A", "attention", idea="attention"), spots=spots, ylim=(0.001, 2.0), ylog=True,
                   yswitch=True, marks=marks, height=215, wide=True),
        arcs(weights="attention", tokens="tokens", letters="abcdefgh", asks="law.asks", answer="answer", spoils=True,
             largest=0.6, frames=True, title=LOOKS, height=150, alt="A row of 64 tokens. Two thick arcs lead from the "
             "last token to its two true positions; thin ones to all others are noise."),
        grid(cells="gained", rows="law.N", columns="law.N", row_names="abcdefgh", column_names="abcdefgh",
             rows_are="label", columns_are="token found", outline="likeliest", frames=True, title=FOLLOWS, largest=1.0,
             root=False, height=150, alt="In each column the framed cell, the likeliest label, is the darkest."),
        bars("law.tokens", [Line("law.mu", "μ (drag)", idea="data")], xlabel="token (number)",
             ylabel="frequency (fraction)", title="How frequent each token is", ylim=(0, 1), drag="mu", height=200),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("The run is mirrored: the weights at the true positions add up to {held}, below 0.", "mirrored == 1"),
        Say("Attention is still almost uniform: the weights at the true positions add up to {held}, those of uniform "
            "attention to {law.uniform}.", "held < law.twice"),
        Say("In the end the weights at the true positions add up to {held} (the goal: 1)."),
    ],
    [
        Say("V passes -1% at step {start_V:0}, attention at step {start_A:0}.", "mirrored == 1"),
        Say("V passes 1% at step {start_V:0}, attention at step {start_A:0}."),
        Say("V passes 1% at step {start_V:0}, attention does not.", "mirrored == 0"),
    ],
]  # fmt: skip
TOUR = [
    Step("Step 0: every position gets the same attention, and after every token the layer expects the same labels.",
         time=0, point=LOOKS),
    Step(Say("V has passed 1% at step {start_V:0}, attention not yet. The loss has hardly moved."),
         "V has started, attention has not. The loss has hardly moved.", time=28, point=MOVES),
    Step("Attention catches up; both grow together. The loss is still flat.", time=90, point=MOVES),
    Step("Now two arcs grow, and the loss falls.", time=150, point=LOOKS),
    Step(Say("In the end the weights at the true positions add up to {held}; the thin arcs are noise."),
         "In the end two arcs are thick; the thin ones are noise.", point=LOOKS),
    Step("Twice the length: half-way up, all curves come a little later. Pale: the run before.", T=128,
         point=MOVES),
]  # fmt: skip
