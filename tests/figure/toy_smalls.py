"""Small figures of toys, one a scene and one with a run: what each draws is worked out by hand in `test_small`."""

from types import SimpleNamespace
from typing import Any, NamedTuple

from hal.figure import (
    Idea,
    Path,
    Say,
    Slider,
    Small,
    arcs,
    arrows,
    columns,
    grid,
    ink,
    landscape,
    points,
    ring,
    stems,
)
from lib.portable.numbers import exp
from lib.portable.primitives import Readings, floor, nan, remainder, zeros
from lib.portable.random_numbers import generator, uniform
from tests.figure import toy_run
from tests.figure.toy_run import Settings

SIDE = 21  # points of the landscape a side
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
    tokens, weights, answer, noise = zeros(n), zeros(n), zeros(n), zeros(n)
    for i in range(n):
        tokens[i] = float(floor(3.0 * uniform(state)))
        noise[i] = 0.1 * (uniform(state) - 0.5)
    answer[settings.at - 1] = 0.6
    answer[settings.at if settings.at < n else 0] = 0.4
    for i in range(n):
        weights[i] = answer[i] + noise[i]
    return {
        "tokens": tokens, "weights": weights, "answer": answer, "noise": noise, "asks": [1.0],
        "walker": [float(settings.at - 1)], "largest": [weights[settings.at - 1]],
    }  # fmt: skip


def table(settings: Toy) -> Readings:
    """A square of 4 x 4, its diagonal large, a frame around the picked cell, one number below 0."""
    cells, frame = zeros(16), zeros(16)
    for i in range(16):
        cells[i] = 0.9 if remainder(i, 5) == 0 else 0.02 * float(i)
    cells[3] = -0.4
    frame[4 * (settings.row - 1) + min(settings.at, 4) - 1] = 1.0
    return {"cells": cells, "frame": frame, "here": [cells[4 * (settings.row - 1) + min(settings.at, 4) - 1]]}


def hills(settings: Toy) -> Readings:
    """Two valleys of (x y - 1)^2, on a grid, the way down from (x, y), and the line between the valleys."""
    x, z, cut_x, cut_y = zeros(SIDE), zeros(SIDE * SIDE), zeros(2), zeros(2)
    for i in range(SIDE):
        x[i] = -2.0 + 4.0 * float(i) / float(SIDE - 1)
    for j in range(SIDE):
        for i in range(SIDE):
            gap = x[i] * x[j] - 1.0
            z[j * SIDE + i] = gap * gap
    path_x, path_y = zeros(101), zeros(101)
    u, v = settings.x, settings.y
    for k in range(101):
        path_x[k] = u
        path_y[k] = v
        pull = 0.1 * (1.0 - u * v)
        u, v = u + pull * v, v + pull * u
    for k in range(2):
        cut_x[k] = -2.0 + 4.0 * float(k)
        cut_y[k] = -cut_x[k]
    side = 1.0 if settings.x + settings.y > 0.0 else -1.0
    return {
        "x": x, "z": z, "path_x": path_x, "path_y": path_y, "cut_x": cut_x, "cut_y": cut_y, "one": [1.0],
        "minus": [-1.0], "side": [side], "end": [path_x[100] * path_y[100]],
    }  # fmt: skip


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


def verse(settings: Toy) -> Readings:
    """Two sequences of 24 words, 8 kinds; the word at `at` and its copies have three quarters of both."""
    tokens, weights, groups = zeros(48), zeros(48), zeros(48)
    for i in range(48):
        tokens[i] = float(remainder(i * i + i, 8) if i < 24 else remainder(i + 4, 8))
        groups[i] = 1.0 if tokens[i] >= 4.0 else 0.0
    same, kind = zeros(2), tokens[min(settings.at, 48) - 1]
    for i in range(48):
        same[i // 24] += 1.0 if tokens[i] == kind else 0.0
    for i in range(48):
        few = same[i // 24]
        weights[i] = 0.75 / few if tokens[i] == kind else 0.25 / (24.0 - few)
    return {"tokens": tokens, "weights": weights, "groups": groups, "copies": [same[0] + same[1]], "rows": [2.0]}


def turned(settings: Toy) -> Readings:
    """Two arrows at the angles `x` and `y`, a third half way and half as long, and one right angle."""
    gap = abs(settings.x - settings.y)
    return {
        "angles": [settings.x, settings.y, 0.5 * (settings.x + settings.y)], "lengths": [1.0, 1.0, 0.5],
        "right": [settings.x + 90.0], "gap": [gap],
    }  # fmt: skip


def stroll(settings: Toy, seed: int) -> Readings:
    """A walk of 13 places around a table of 6, four fifths clockwise; one place looked at, the nodes ahead."""
    state, walk, looks = generator(seed, 2), zeros(13), zeros(13)
    for i in range(1, 13):
        step = 1 if uniform(state) < 0.8 else 5
        walk[i] = float(remainder(floor(walk[i - 1]) + step, 6))
    chances, fill, marked = zeros(6), zeros(6), zeros(6)
    last = floor(walk[12])
    chances[remainder(last + 1, 6)] = 0.8
    chances[remainder(last + 5, 6)] = 0.2
    for i in range(13):
        looks[i] = 0.7 if i == 12 - 5 else 0.3 / 12.0
        node = floor(walk[i])
        fill[node] += 1.0
    marked[settings.at - 1] = 1.0
    return {"walk": walk, "looks": looks, "chances": chances, "fill": fill, "marked": marked,
            "times": [fill[settings.at - 1]], "nodes": [6.0]}  # fmt: skip


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


def of_arcs(at: int) -> Toy:
    """12 tokens."""
    return Toy(12, at, 2, 0.3, -1.2, 1.4)


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


def place(n: int, hidden: bool = True) -> Slider:
    """A place that is moved in a picture."""
    return Slider("Place", "tokens", min(4, n), (1, n), log=False, hidden=hidden)


TOKENS = {"tokens": "look.tokens", "letters": "abc"}
TWO = [Say("The place gets {look.largest:2} of the attention.")]
STANDS_OUT = Idea(
    "The fourth and the fifth place have more attention than any other.",
    lambda drawn: min(drawn["look.weights"][3:5]),
    lambda drawn: max(drawn["look.weights"][5:]),
    breaks={"at": 12},
)
SMALLS = {
    "arcs": made(
        of_arcs, {"at": place(12)},
        arcs(weights="look.weights", asks="look.asks", answer="look.answer", pick="at", height=220,
             alt="Twelve tokens; arcs from the last one to the fourth and fifth.", **TOKENS),
        TWO, STANDS_OUT, [look], NAME="toy-arcs", TITLE="Where it looks", AGAIN="Another sample",
    ),
    "long": made(
        of_long, {"at": place(400, hidden=False)},
        arcs(weights="look.weights", asks="look.asks", alt="Four hundred tokens; two arcs stand out.", **TOKENS),
        TWO, STANDS_OUT, [look], NAME="toy-long", TITLE="A long row",
    ),
    "grid": made(
        of_grid, {"row": Slider("Row", "tokens", 2, (1, 4)), "at": place(4, hidden=False)},
        grid(cells="table.cells", rows=4, columns=4, row_names="abcd", column_names="abcd", rows_are="token found",
             columns_are="what follows", outline="table.frame", digits=2, height=240,
             alt="Four by four cells; the diagonal is dark."),
        [Say("The cell holds {table.here:2}.")],
        Idea("The frame stands in the second row.", lambda drawn: max(drawn["table.frame"][4:8]), lambda drawn: 0.5,
             breaks={"row": 3}),
        [table], NAME="toy-grid", TITLE="What follows what",
    ),
    "landscape": made(
        of_start,
        {name: Slider(f"start {name}", "no unit", value, (-2.0, 2.0), log=False, hidden=True)
         for name, value in (("x", -0.4), ("y", 1.8))},
        landscape(x="hills.x", y="hills.x", z="hills.z", xlabel="first (no unit)", ylabel="second (no unit)",
                  paths=[Path("hills.path_x", "hills.path_y", "", idea="attention")],
                  watershed=Path("hills.cut_x", "hills.cut_y", "watershed", theory=True),
                  places=[Path("hills.one", "hills.one", "true"), Path("hills.minus", "hills.minus", "mirror")],
                  start=("x", "y"), alt="Two valleys; the run rolls from the upper left into the true one."),
        [Say("It rolls into the true valley.", "hills.side == 1"), Say("It rolls into the mirrored valley.")],
        Idea("The run goes down.", lambda drawn: drawn["hills.path_x"][-1], lambda drawn: drawn["hills.path_x"][0],
             breaks={"x": 1.0, "y": 1.0}),
        [hills], NAME="toy-landscape", TITLE="Two valleys", TALLEST=440,
    ),
    "columns": made(
        of_level, {"level": Slider("Ground", "no unit", 0.3, (0.0, 0.9), log=False, hidden=True)},
        columns(heights="piles.heights", widths="piles.widths", kinds="piles.kinds", ideas=("signal", "noise"),
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
    "ink": made(
        of_arcs, {"at": Slider("Word", "tokens", 4, (1, 48), log=False, hidden=True)},
        ink(weights="verse.weights", tokens="verse.tokens", groups="verse.groups", rows="verse.rows",
            words=["ba", "ko", "ri", "nu", "temi", "sola", "vuk", "dane"], ideas=("common", "distinct"),
            group_names=["common", "distinct"], row_names=["A", "B"], pick="at",
            alt="Two verses; one word and its copies are large and dark."),
        [Say("The word stands in {verse.copies} places.")],
        Idea("The chosen word is the largest of its verse.", lambda drawn: drawn["verse.weights"][3],
             lambda drawn: max(drawn["verse.weights"][:3]), breaks={"at": 1}),
        [verse], NAME="toy-ink", TITLE="What is read",
    ),
    "arrows": made(
        of_start,
        {name: Slider(f"angle {name}", "degrees", value, (0.0, 90.0), log=False)
         for name, value in (("x", 23.0), ("y", 67.0))},
        arrows(angles="turned.angles", expected="turned.right", expected_is="right angle",
               names=["class A", "class B", "half way"], ideas=("distinct", "other class", "common"),
               span=(0, 180), alt="Two arrows, 44 degrees apart."),
        [Say("They are {turned.gap:0} degrees apart.")],
        Idea("They stand apart.", lambda drawn: abs(drawn["turned.angles"][1] - drawn["turned.angles"][0]),
             lambda drawn: 30.0, breaks={"x": 60.0}),
        [turned], NAME="toy-arrows", TITLE="Two arrows",
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
    "walk": made(
        of_arcs, {"at": place(6, hidden=False)},
        ring(walk="stroll.walk", nodes="stroll.nodes", attention="stroll.looks",
             fill="stroll.fill", fill_is="visits", marked="stroll.marked", names="abcdef",
             alt="A table of six; the walker's tail winds inwards, and its fifth place back is large."),
        [Say("The walk came by {stroll.times} times.")],
        Idea("The place five steps ago is looked at most.", lambda drawn: drawn["stroll.looks"][7],
             lambda drawn: max(0.5, *drawn["stroll.marked"][4:]), breaks={"at": 6}),
        [stroll], NAME="toy-walk", TITLE="Around the table", AGAIN="Another walk",
    ),
    "run": made(
        of_run, {"lr": Slider("Learning rate η", "no unit", 0.1, (0.01, 0.5), log=True)},
        grid(cells="attention", rows=3, columns=12, frames=True, largest=1.0, idea="attention", rows_are="token",
             columns_are="position", height=170, alt="Each of three rows ends at a position of its own."),
        [Say("A run has finished.", "runs >= 1"), Say("No run has finished yet.")],
        Idea("Attention gathers.", lambda drawn: drawn["attention"].max(), lambda drawn: 0.5, breaks={"lr": 0.01}),
        [], NAME="toy-run", TITLE="Attention gathers", RUN=toy_run, RUNS=1, TIME="steps",
        TIME_LABEL="training time (steps)",
    ),
}  # fmt: skip


def small(name: str, **names: Any) -> Small:
    """The small figure of a toy, some names of its module changed."""
    return Small(SimpleNamespace(**{**vars(SMALLS[name]), **names}))
