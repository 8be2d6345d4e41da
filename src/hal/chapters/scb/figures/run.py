"""Figure `scb-run`: the layer learns the task: attention of a chosen last token, what follows what, loss; one clock.

Chapter `scb`. Source: arXiv 2410.23438, Section 3.1 and Algorithm 1, Stage 1.
"""

from typing import Any

from hal.chapters.scb.figures._shared import TABLE
from hal.chapters.scb.models.textbook_measures import excess_loss, flat, likeliest, on_true
from hal.chapters.scb.runs.replay import fast_runs
from hal.figure import Line, Mark, Say, Step, arcs, bars, grid, over_steps, sliders, waiting
from lib.models.scb import textbook
from lib.models.scb.textbook import Settings, State, even_weights, signal_V
from lib.portable.primitives import Readings, Vector, copy, floor, nan, whole_zeros, zeros
from lib.portable.random_numbers import generator
from lib.portable.tokens import draw_tokens
from lib.portable.vectors import scale, total
from lib.theory.scb.portable import attention_signal, drift_number, escape_time, quiet_steps

LEVEL = 0.1  # of the signal
LOOKS, CLOCK, FOLLOWS = "Where the last token looks", "Loss and signal", "What follows what"
TITLE, RUN, FAST = "Nothing, nothing, then both at once", textbook, fast_runs
RUNS, PRECOMPUTED_RUNS, COLUMNS = 1, 1, 3
SLOW_REASON = (
    "Long contexts and small learning rates train hundreds of millions of tokens: the run is drawn as it grows."
)
EVEN = (0.25, 0.25, 0.25, 0.25)
HERO, PRIMARY_SLIDERS = True, ("T", "N", "Q", "lr")
SLIDERS = sliders(TABLE, T=(64, 8, 5000), lr=(0.02, 0.005, 0.5), N=4, Q=2, mu=EVEN, batch=32, c=0.75)


def settings(T: int, lr: float, N: int, Q: int, mu: Vector, batch: int, c: float) -> Settings:
    """Stage 1 until 5 / lr steps after the signal should be 0.2."""
    law = copy(mu)
    scale(law, 1.0 / total(law))  # the bars have six digits
    quiet = escape_time(0.2, lr, drift_number(attention_signal(even_weights(Q), T), float(T)))
    steps = floor((quiet if quiet > 2.0 / lr else 2.0 / lr) + 5.0 / lr + 0.5)
    return Settings(T=T, mu=law, Q=Q, c=c, lr=lr, batch=batch, stage1=steps)


def law(settings: Settings) -> Readings:
    """The step at which theory has the signal at 0.1, NaN where there is no plateau; uniform attention on the true
    positions, and twice that; sizes, the tokens and their law.
    """
    d = drift_number(attention_signal(even_weights(settings.Q), settings.T), float(settings.T))
    tau = quiet_steps(LEVEL, settings.lr, d)
    tokens = zeros(len(settings.mu))
    for k in range(len(tokens)):
        tokens[k] = float(k + 1)
    return {
        "tau": [tau], "mark": [tau if tau <= float(settings.stage1) else nan], "tokens": tokens,
        "uniform": [float(settings.Q) / float(settings.T)], "N": [float(len(settings.mu))], "mu": settings.mu,
        "twice": [2.0 * float(settings.Q) / float(settings.T)],
    }  # fmt: skip


def probe(state: State) -> Readings:
    """Of the run at each record: the exact excess loss, alpha_V, the attention on the true positions; attention (N T,),
    last token by last token, and outputs (N N,), token by token.
    """
    V, A, task = state.V, state.A, state.task
    return {
        "excess": [excess_loss(V, A, task)], "alpha_V": [signal_V(V, task)], "on_true": [on_true(A, task)],
        "attention": flat(A), "outputs": flat(V),
    }  # fmt: skip


def at_end(state: State, excess: Vector) -> Readings:
    """The loss as a fraction of that at the start. Of the task: answer (N T,), the weights at the true positions,
    likeliest (N N,), 1 where P is largest, and one context, tokens (T,).
    """
    task, N, T = state.task, len(state.A), len(state.A[0])
    answer, tokens, context, loss = zeros(N * T), zeros(T), whole_zeros(T), copy(excess)
    draw_tokens(state.tokens, generator(0, 1), context)
    for i in range(len(loss)):
        loss[i] = excess[i] / excess[0]
    for t in range(T):
        tokens[t] = float(context[t])
    for k in range(N):
        for q in range(len(task.w)):
            answer[k * T + task.s[k][q]] = task.w[q]
    return {"loss": loss, "answer": answer, "tokens": tokens, "likeliest": likeliest(task)}


def run_metrics(loss: Vector, on_true: Vector, alpha_V: Vector) -> Readings:
    """Of the run, at its end: attention on the true positions, loss left in per cent; 1 if the signal is below 0."""
    last = len(loss) - 1
    return {
        "held": [on_true[last]], "left": [100.0 * loss[last]],
        "mirrored": [1.0 if on_true[last] < 0.0 and alpha_V[last] < 0.0 else 0.0],
    }  # fmt: skip


def panels() -> list[Any]:
    """The arcs of one last token, the square of what follows what, loss and signal over time, the law of the tokens."""
    return [
        arcs(weights="attention", tokens="tokens", letters="abcdefgh", rows="law.N", answer="answer", spoils=True,
             frames=True, title=LOOKS, height=210, wide=True, alt="A row of 64 tokens. Two thick arcs lead from the "
             "last token to its two true positions; thin ones to all others are noise."),
        grid(cells="outputs", rows="law.N", columns="law.N", row_names="abcdefgh", column_names="abcdefgh",
             rows_are="token found", columns_are="label", outline="likeliest", frames=True, largest=1.0, title=FOLLOWS,
             height=230, alt="A square; in each row the framed cell, the likeliest label, is the darkest."),
        over_steps(CLOCK, "loss and signal (fraction)", Line("loss", "loss above the best", idea="loss"),
                   Line("alpha_V", "α_V, signal", idea="output"), marks=[Mark("law.mark", "theory: signal 0.1")],
                   ylog=True, yswitch=True, height=200),
        bars("law.tokens", [Line("law.mu", "μ (drag)", idea="data")], xlabel="token (number)",
             ylabel="frequency (fraction)", title="Token distribution μ", ylim=(0, 1), drag="mu", height=200),
    ]  # fmt: skip


READING = [
    [
        *waiting(),
        Say("The run is mirrored: the weights at the true positions add up to {held}, below 0, and {left}% of the "
            "excess loss is left.", "mirrored == 1"),
        Say("Attention is still almost uniform: the weights at the true positions add up to {held}, those of uniform "
            "attention to {law.uniform}.", "held < law.twice"),
        Say("The weights at the true positions add up to {held}, and {left}% of the excess loss is left."),
    ],
    [
        Say("Theory puts the signal at 0.1 at step {law.tau:0}."),
        Say("In theory there is no plateau here: the context is too short."),
    ],
]  # fmt: skip
TOUR = [
    Step("Step 0: every position gets the same attention, and after every token the layer expects the same.", time=0,
         point=LOOKS),
    Step("Step 60: attention is still almost uniform, and the loss has hardly moved.", time=60, point=CLOCK),
    Step(Say("On the log axis the signal has climbed a straight line. Theory puts it at 0.1 at step {law.tau:0}."),
         "On the log axis the signal has climbed a straight line.", time=90, point=CLOCK),
    Step("Then arcs and square appear together: each half needs the other.", time=140, point=FOLLOWS),
    Step(Say("At the end the weights of the true positions add up to {held}; the thin arcs are noise."),
         "At the end two arcs are thick; the thin ones are noise.", point=LOOKS),
    Step("Four times the context makes the plateau only log 4 / η longer, 69 steps.", T=256, point="T"),
]  # fmt: skip
