"""Small figures of toys: what those of the book do not have, and one with a run."""

from types import SimpleNamespace
from typing import Any, NamedTuple

from hal.figure import Idea, Say, Slider, Small, arcs, columns, grid, stems
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, floor, nan, zeros
from lib.portable.random_numbers import generator, uniform
from tests.figure import toy_run
from tests.figure.toy_run import Settings

HINT = "Drag, click or press the arrow keys."


class Toy(NamedTuple):
    """What the toys share."""

    n: int
    at: int
    level: float


def look(settings: Toy, seed: int) -> Readings:
    """Tokens (n,), three fifths and two fifths of the attention at the place `at` and the one after, noise."""
    state, n = generator(seed, 0), settings.n
    tokens, weights = zeros(n), zeros(n)
    for i in range(n):
        tokens[i] = float(floor(3.0 * uniform(state)))
        weights[i] = 0.1 * (uniform(state) - 0.5)
    weights[settings.at - 1] += 0.6
    weights[settings.at if settings.at < n else 0] += 0.4
    return {"tokens": tokens, "weights": weights, "asks": [1.0], "largest": [weights[settings.at - 1]]}


def piles(settings: Toy) -> Readings:
    """Five bars that sink with the ground, each half as wide as the one before."""
    heights, widths, kinds = zeros(5), zeros(5), zeros(5)
    for i in range(5):
        heights[i] = exp(-0.5 * float(i)) - settings.level
        widths[i] = exp(-0.7 * float(i))
        kinds[i] = 0.0 if heights[i] > 0.0 else 1.0
    above = 5.0 - kinds[0] - kinds[1] - kinds[2] - kinds[3] - kinds[4]
    return {"heights": heights, "widths": widths, "kinds": kinds, "level": [settings.level], "above": [above]}


def net(settings: Toy, seed: int) -> Readings:
    """400 stems of noise and two tall ones, which a level lowers; the first has no number."""
    state = generator(seed, 1)
    values, marked = zeros(400), zeros(400)
    left = 0.0
    for i in range(400):
        marked[i] = 1.0 if i == 60 or i == 300 else 0.0
        values[i] = nan if i == 0 else 0.15 * (uniform(state) - 0.5) + (0.5 - settings.level) * marked[i]
        left += 1.0 if values[i] > 0.1 else 0.0
    return {"values": values, "true": marked, "left": [left]}


def of_long(at: int) -> Toy:
    return Toy(400, at, 0.3)


def of_paper(at: int) -> Toy:
    return Toy(5000, at, 0.3)


def of_level(level: float) -> Toy:
    return Toy(12, 4, level)


def of_run(lr: float) -> Settings:
    return Settings(3, 12, lr, 0.1, 0.1, [0.5, 0.3, 0.2], 100)


def made(settings: Any, sliders: Any, picture: Any, say: Any, idea: Idea, theory: Any, **more: Any) -> SimpleNamespace:
    """The names of a small figure's module."""
    names = {"SLIDERS": sliders, "HINT": HINT, "IDEA": idea, "picture": lambda: picture, "say": lambda: say}
    functions = {function.__name__: function for function in theory}
    return SimpleNamespace(**{**names, **functions, "settings": settings, **more})


TOKENS = {"tokens": "look.tokens", "letters": "abc"}
TWO = [Say("The place gets {look.largest:2} of the attention.")]
STANDS_OUT = Idea(
    "The fourth and the fifth place have more attention than any other.",
    lambda drawn: min(drawn["look.weights"][3:5]),
    lambda drawn: max(drawn["look.weights"][5:]),
    breaks={"at": 12},
)
SMALLS = {
    "long": made(
        of_long, {"at": Slider("Place", "tokens", 4, (1, 400), log=False)},
        arcs(weights="look.weights", asks="look.asks", alt="Four hundred tokens; two arcs stand out.", **TOKENS),
        TWO, STANDS_OUT, [look], NAME="toy-long", TITLE="A long row",
    ),
    "columns": made(
        of_level, {"level": Slider("Ground", "no unit", 0.3, (0.0, 0.9), log=False)},
        columns(heights="piles.heights", widths="piles.widths", kinds="piles.kinds", ideas=("plus", "noise"),
                names=["one", "two", "three", "four", "five"], level="piles.level",
                line_is="the ground", ylabel="height", ylim=(-1.0, 1.0), alt="Five bars, falling."),
        [Say("{piles.above} of 5 stand above 0.")],
        Idea("The first bar is the highest.", lambda drawn: drawn["piles.heights"][0],
             lambda drawn: max(0.2, *drawn["piles.heights"][1:]), breaks={"level": 0.9}),
        [piles], NAME="toy-columns", TITLE="Sinking columns",
    ),
    "stems": made(
        of_level, {"level": Slider("Threshold λ", "no unit", 0.3, (0.0, 0.6), log=False)},
        stems(values="net.values", true="net.true", true_is="true", ylabel="attention",
              alt="Four hundred stems; two stand out."),
        [Say("{net.left} of 400 stand out.")],
        Idea("What is left of the true ones stands out.", lambda drawn: min(drawn["net.values"][[60, 300]]),
             lambda drawn: max(drawn["net.values"][1:][drawn["net.true"][1:] == 0]), breaks={"level": 0.5}),
        [net], NAME="toy-stems", TITLE="A net for noise", AGAIN="Another draw",
    ),
    "run": made(
        of_run, {"lr": Slider("Learning rate η", "no unit", 0.1, (0.01, 0.5), log=True)},
        grid(cells="attention", rows=3, columns=12, frames=True, largest=1.0, idea="attention", rows_are="token",
             columns_are="position", height=170, alt="Each of three rows ends at a position of its own."),
        [Say("A run has finished.", "runs >= 1"), Say("No run has finished yet.")],
        Idea("Attention gathers.", lambda drawn: drawn["attention"].max(), lambda drawn: 0.5, breaks={"lr": 0.01}),
        [], NAME="toy-run", TITLE="Attention gathers", RUN=toy_run, RUNS=1, TIME="steps", OPENS=1.0,
        TIME_LABEL="training time (steps)",
    ),
}  # fmt: skip


def small(name: str, **names: Any) -> Small:
    """The small figure of a toy, some names of its module changed."""
    return Small(SimpleNamespace(**{**vars(SMALLS[name]), **names}))
