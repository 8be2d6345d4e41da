"""Small figure `atlas-deaf`: the first gradient of the read-out on random walks, and what is heard of its signs.

Chapter `atlas`. Source: our own; Theorem 2. The layer is that of chapter 5 at zero initialisation.
"""

from typing import NamedTuple

from hal.chapters.random_walk.models.full import Settings, draw_walks
from hal.figure import Idea, Say, Slider, columns, grid
from lib.portable.primitives import Matrix, Readings, Vector, zero_matrix, zeros
from lib.portable.vectors import total

TITLE, AGAIN = "Signs are deaf to sizes", "Other walks"
HINT = "Subtract a constant before taking signs: when does the first sign flip?"
SLIDERS = {"constant": Slider("Constant, share of the mean", "no unit", 0.0, (0.0, 1.0), log=False)}
K = 6
PLACES = 25
WALKS = 500


class Taken(NamedTuple):
    """What is taken from every entry of a row before its sign."""

    share: float  # of the row's mean


def settings(constant: float) -> Taken:
    """The constant."""
    return Taken(constant)


def pulls(seed: int) -> Matrix:
    """(6, 6) minus the first gradient of V: 10, the slope of the log-loss, times the mean over walks that end at node i
    of attention on node k, where every place has 1/25.
    """
    walks, found = draw_walks(Settings(K=K, N=PLACES, M=PLACES, n=WALKS, lr=0.0, steps=0), seed), zero_matrix(K, K)
    for w in range(WALKS):
        row = found[walks[w][PLACES - 1]]
        for j in range(PLACES - 1):
            row[walks[w][j]] += 10.0 / float(PLACES * WALKS)
    return found


def heard(rows: Matrix) -> float:
    """The share, in per cent, of a matrix that differs within its rows, squared norms; 0 of a matrix of zeros."""
    apart, whole = 0.0, 0.0
    for i in range(K):
        mean = total(rows[i]) / float(K)
        for k in range(K):
            apart += (rows[i][k] - mean) * (rows[i][k] - mean)
            whole += rows[i][k] * rows[i][k]
    return 100.0 * apart / whole if whole > 0.0 else 0.0


def first(settings: Taken, seed: int) -> Readings:
    """The bars (6,) of the first target node, no unit; the constant there, and how high it is for each share; signs
    (36,) of all rows less their constants, and a frame around those of the bars; how many are minus; per cent
    heard of them and of the gradient itself.
    """
    G = pulls(seed)
    signs, flat, framed, minus = zero_matrix(K, K), zeros(K * K), zeros(K * K), 0.0
    for i in range(K):
        level = settings.share * total(G[i]) / float(K)
        for k in range(K):
            signs[i][k] = 1.0 if G[i][k] > level else -1.0
            flat[K * i + k] = signs[i][k]
            framed[K * i + k] = 1.0 if i == 0 else 0.0
            minus += 1.0 if signs[i][k] < 0.0 else 0.0
    bars: Vector = G[0]
    mean = total(bars) / float(K)
    return {
        "bars": bars, "level": [settings.share * mean], "rise": [0.0, mean], "track": [0.0, 1.0], "signs": flat,
        "minus": [minus], "told": [heard(signs)], "whisper": [heard(G)], "framed": framed,
    }  # fmt: skip


def picture() -> tuple[columns, grid]:
    """The bars of one target with the constant, and the signs of all."""
    return (
        columns(
            heights="first.bars", level="first.level", line="constant", rise="first.rise", track="first.track",
            parted=True, line_is="constant", ylim=(0.0, 0.4), ylabel="pull on V, target 1", height=155,
            alt="Six columns of nearly the same height, one a node, and a line that can be dragged.",
        ),
        grid(
            cells="first.signs", outline="first.framed", rows=K, columns=K, rows_are="target",
            columns_are="node: blue +, purple −", largest=1.0, root=False, height=155,
            alt="Six rows of six cells, all of one colour: every sign is a plus. The first row has a frame.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """How many signs differ, and how much attention hears of them."""
    return [
        Say("All 36 signs are +: attention can use nothing of them, but {first.whisper:2}% of the gradient itself.",
            "first.minus == 0"),
        Say("With {first.minus:0} of 36 signs flipped, attention can use {first.told:0}% of them."),
    ]  # fmt: skip


IDEA = Idea(
    "Without a constant, signs do not tell nodes apart.",
    greater=lambda drawn: 0.5,
    than=lambda drawn: drawn["first.signs"].max() - drawn["first.signs"].min(),
    breaks={"constant": 0.95},
)
