"""Small figure `one_nn-average`: where W is driven outside its family, averaged until only what is there remains.

Chapter `one_nn`, beyond the paper (arXiv 2411.10830), whose conditions on the labels products of bits meet.
"""

from hal.explorer import Idea, Say, Slider, grid
from lib.models.one_nn.textbook import Settings, add_prompt, as_pair, draw_prompt, family, start
from lib.portable.primitives import Readings, Vector, divide, sqrt, zeros

N = 3  # examples
D = 4  # dimension
PULL = 1.0  # inverse temperature of the matrix that is asked
MASK = 6.0  # its self-attention mask
CELL = 29  # of W_23, the label's row and the last slot's column
TITLE = "Average the noise away"
HINT = "Average over more prompts: what stays?"
AGAIN = "Other prompts"
SLIDERS = {
    "prompts": Slider("Prompts averaged", "prompts", 8000, (10, 8000), log=True),
    "labels": Slider("Labels", default=2, names={0: "fair signs", 1: "random wave", 2: "products", 3: "linear"}),
}


def settings(prompts: int, labels: int) -> Settings:
    """As many steps as prompts of three examples in four dimensions, at inverse temperature 1 and mask 6."""
    return Settings(N, D, 1.0, 1, MASK, PULL, labels, prompts)


def driven(settings: Settings, labels: int, seed: int) -> tuple[Vector, float]:
    """The mean of minus the gradient (36,), row by row, without its part in the family; W_23 in standard errors."""
    prompts = settings.steps
    state = start(Settings(N, D, settings.lr, settings.batch, settings.sigma, settings.start, labels, 1), seed)
    square, before = 0.0, 0.0
    for _ in range(prompts):
        draw_prompt(state)
        add_prompt(state)
        now = state.gradient[D][D + 1]
        square += (now - before) * (now - before)
        before = now
    along, across = as_pair(state.gradient)
    own = family(along, across, D)
    cells = zeros((D + 2) * (D + 2))
    for a in range(D + 2):
        for b in range(D + 2):
            cells[a * (D + 2) + b] = (own[a][b] - state.gradient[a][b]) / float(prompts)
    spread = sqrt(max(0.0, square / float(prompts) - cells[CELL] * cells[CELL]) / float(prompts))
    return cells, divide(cells[CELL], spread)


def drive(settings: Settings, seed: int) -> Readings:
    """The drive (36,), and how many standard errors W_23 is from 0; W_23 and the largest other entry in size; the
    prompts, and their seed.
    """
    cells, off = driven(settings, settings.labels, seed)
    most = 0.0
    for i in range(len(cells)):
        most = max(most, abs(cells[i]) if i != CELL else 0.0)
    return {
        "cells": cells, "off": [abs(off)], "entry": [abs(cells[CELL])], "most": [most],
        "prompts": [float(settings.steps)], "seed": [float(seed)],
    }  # fmt: skip


def outline(settings: Settings) -> Readings:
    """(36,) 1 at W_23."""
    cells = zeros((D + 2) * (D + 2))
    cells[CELL] = 1.0
    return {"cells": cells}


def picture() -> grid:
    """The drive outside the family."""
    names = ("x₁", "x₂", "x₃", "x₄", "y", "end")
    return grid(
        cells="drive.cells", outline="outline.cells", rows=D + 2, columns=D + 2, row_names=names, column_names=names,
        columns_are="entries of W outside the family, framed: W₂₃", largest=0.045, root=False, height=230,
        idea="attention", alt="Six times six cells, pale but for one, the label's row in the last column.",
    )  # fmt: skip


def say() -> list[Say]:
    """Whether W_23 stands out."""
    return [
        Say("After {drive.prompts:0} prompts W₂₃ stands out, {drive.off:0} standard errors from zero.",
            "drive.off >= 5", "drive.entry > drive.most"),
        Say("After {drive.prompts:0} prompts W₂₃ is {drive.off:1} standard errors from zero: it does not stand out."),
    ]  # fmt: skip


IDEA = Idea(
    "Under products one entry outside the family is driven more than any other.",
    lambda drawn: abs(drawn["drive.cells"][CELL]),
    lambda drawn: 1.5 * max(abs(value) for i, value in enumerate(drawn["drive.cells"]) if i != CELL),
    breaks={"prompts": 10},
)
