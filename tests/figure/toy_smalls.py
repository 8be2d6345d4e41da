"""Small figures of toys: what those of the book do not have, and one with a run."""

from types import SimpleNamespace
from typing import Any, NamedTuple

from hal.figure import Idea, Path, Say, Slider, Small, arcs, columns, grid, points, stems
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, floor, nan, remainder, zeros
from lib.portable.random_numbers import generator, uniform
from tests.figure import toy_run
from tests.figure.toy_run import Settings

HINT = "Drag, click or press the arrow keys."


class Toy(NamedTuple):
    """What the toys share."""

    n: int
    at: int
    row: int
    level: float
    x: float
    y: float


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


def table(settings: Toy) -> Readings:
    """A square of 4 x 4, its diagonal large, a frame around the picked cell, one number below 0."""
    cells, frame = zeros(16), zeros(16)
    for i in range(16):
        cells[i] = 0.9 if remainder(i, 5) == 0 else 0.02 * float(i)
    cells[3] = -0.4
    frame[4 * (settings.row - 1) + min(settings.at, 4) - 1] = 1.0
    return {"cells": cells, "frame": frame, "here": [cells[4 * (settings.row - 1) + min(settings.at, 4) - 1]]}


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
    """400 stems of noise and two tall ones; what a band leaves of them."""
    state = generator(seed, 1)
    values, marked, kinds, expected = zeros(400), zeros(400), zeros(400), zeros(400)
    left = 0.0
    for i in range(400):
        marked[i] = 1.0 if i == 60 or i == 300 else 0.0
        values[i] = 0.15 * (uniform(state) - 0.5) + 0.5 * marked[i]
        kinds[i] = -1.0
        expected[i] = 0.5 - settings.level if marked[i] == 1.0 else nan
        left += 1.0 if abs(values[i]) > settings.level else 0.0
    return {"values": values, "true": marked, "kinds": kinds, "expected": expected, "left": [left]}


def near(settings: Toy, seed: int) -> Readings:
    """Ten points of two labels, a softmax of nearness from (x, y), its answer on a ground of 15 x 11."""
    state, px, py, kinds = generator(seed, 3), zeros(10), zeros(10), zeros(10)
    for i in range(10):
        px[i] = 3.6 * uniform(state) - 1.8
        py[i] = 3.6 * uniform(state) - 1.8
        kinds[i] = 1.0 if px[i] * py[i] > 0.0 else 0.0
    weights, ground, line_x, line_y = zeros(10), zeros(165), zeros(2), zeros(2)
    for k in range(166):
        x = settings.x if k == 165 else -2.0 + 4.0 * float(remainder(k, 15)) / 14.0
        y = settings.y if k == 165 else -2.0 + 4.0 * float(k // 15) / 10.0
        total, answer = 0.0, 0.0
        for i in range(10):
            pull = exp(-4.0 * ((px[i] - x) * (px[i] - x) + (py[i] - y) * (py[i] - y)))
            total += pull
            answer += pull * (2.0 * kinds[i] - 1.0)
            weights[i] = pull
        if k < 165:
            ground[k] = answer / total
        else:
            for i in range(10):
                weights[i] /= total
    for k in range(2):
        line_x[k] = -2.0 + 4.0 * float(k)
        line_y[k] = 1.5 * line_x[k]
    most = 0.0
    for i in range(10):
        most = max(most, weights[i])
    return {"x": px, "y": py, "kinds": kinds, "weights": weights, "ground": ground, "line_x": line_x, "line_y": line_y,
            "at_x": [settings.x], "at_y": [settings.y], "most": [most]}  # fmt: skip


def of_long(at: int) -> Toy:
    """A long row."""
    return Toy(400, at, 2, 0.3, -1.2, 1.4)


def of_paper(at: int) -> Toy:
    """A row as long as the paper's."""
    return Toy(5000, at, 2, 0.3, -1.2, 1.4)


def of_grid(row: int, at: int) -> Toy:
    """A cell."""
    return Toy(12, at, row, 0.3, -1.2, 1.4)


def of_level(level: float) -> Toy:
    """A level."""
    return Toy(12, 4, 2, level, -1.2, 1.4)


def of_start(x: float, y: float) -> Toy:
    """A place on the landscape."""
    return Toy(12, 4, 2, 0.3, x, y)


def of_run(lr: float) -> Settings:
    """The run of the toys."""
    return Settings(3, 12, lr, 0.1, 0.1, [0.5, 0.3, 0.2], 100)


def made(settings: Any, sliders: Any, picture: Any, say: Any, idea: Idea, theory: Any, **more: Any) -> SimpleNamespace:
    """The names of a small figure's module."""
    names = {"SLIDERS": sliders, "HINT": HINT, "IDEA": idea, "picture": lambda: picture, "say": lambda: say}
    functions = {function.__name__: function for function in theory}
    return SimpleNamespace(**{**names, **functions, "settings": settings, **more})


def place(n: int) -> Slider:
    """A place to choose."""
    return Slider("Place", "tokens", 4, (1, n), log=False)


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
        of_long, {"at": place(400)},
        arcs(weights="look.weights", asks="look.asks", alt="Four hundred tokens; two arcs stand out.", **TOKENS),
        TWO, STANDS_OUT, [look], NAME="toy-long", TITLE="A long row",
    ),
    "grid": made(
        of_grid, {"row": Slider("Row", "tokens", 2, (1, 4)), "at": place(4)},
        grid(cells="table.cells", rows=4, columns=4, row_names="abcd", column_names="abcd", rows_are="token found",
             columns_are="what follows", outline="table.frame", digits=2, height=240,
             alt="Four by four cells; the diagonal is dark."),
        [Say("The cell holds {table.here:2}.")],
        Idea("The frame stands in the second row.", lambda drawn: max(drawn["table.frame"][4:8]), lambda drawn: 0.5,
             breaks={"row": 3}),
        [table], NAME="toy-grid", TITLE="What follows what",
    ),
    "columns": made(
        of_level, {"level": Slider("Ground", "no unit", 0.3, (0.0, 0.9), log=False, hidden=True)},
        columns(heights="piles.heights", widths="piles.widths", kinds="piles.kinds", ideas=("plus", "noise"),
                names=["one", "two", "three", "four", "five"], level="piles.level", line="level",
                line_is="the ground", ylabel="height", ylim=(-1.0, 1.0), alt="Five bars, falling."),
        [Say("{piles.above} of 5 stand above 0.")],
        Idea("The first bar is the highest.", lambda drawn: drawn["piles.heights"][0],
             lambda drawn: max(0.2, *drawn["piles.heights"][1:]), breaks={"level": 0.9}),
        [piles], NAME="toy-columns", TITLE="Sinking columns",
    ),
    "stems": made(
        of_level, {"level": Slider("Threshold λ", "no unit", 0.3, (0.0, 0.6), log=False, hidden=True)},
        stems(values="net.values", true="net.true", kinds="net.kinds", expected="net.expected", letters="abc",
              band="level", true_is="true", expected_is="expected", ylabel="attention",
              alt="Four hundred stems; two stand outside a band around 0."),
        [Say("{net.left} of 400 are outside the band.")],
        Idea("What is left of the true ones stands out.", lambda drawn: min(drawn["net.expected"][[60, 300]]),
             lambda drawn: max(drawn["net.values"][drawn["net.true"] == 0]), breaks={"level": 0.45}),
        [net], NAME="toy-stems", TITLE="A net for noise", AGAIN="Another draw",
    ),
    "points": made(
        of_start,
        {name: Slider(f"query {name}", "no unit", value, (-2.0, 2.0), log=False, hidden=True)
         for name, value in (("x", -0.4), ("y", 0.3))},
        points(x="near.x", y="near.y", kinds="near.kinds", ideas=("first", "second"), signs="−+",
               weights="near.weights",
               kind_names=["label −", "label +"], at_x="near.at_x", at_y="near.at_y", query=("x", "y"),
               lines=[Path("near.line_x", "near.line_y", "a line", theory=True)], ground="near.ground", across=15,
               deep=11, xlim=(-2.0, 2.0), ylim=(-2.0, 2.0), xlabel="first", ylabel="second", equal=True,
               alt="Ten points of two labels; the query looks at the nearest."),
        [Say("The nearest has {near.most:2} of the attention.")],
        Idea("The nearest has the most.", lambda drawn: max(drawn["near.weights"]),
             lambda drawn: abs(drawn["near.at_x"][0]) / 2,
             breaks={"x": 2.0}),
        [near], NAME="toy-points", TITLE="Who is near", AGAIN="Other points",
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
