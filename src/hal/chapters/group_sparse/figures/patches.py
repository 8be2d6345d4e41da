"""Small figure `group_sparse-patches`: an image is a row of groups; the layer finds the patch, and draws the pattern.

Chapter `group_sparse`. Source: the task of arXiv 2504.08638, Section 2, with D = 6 patches of d = 9 pixels, 100 images;
the edge and its contrast are ours, the authors' photographs are not used.
"""

from typing import Any, NamedTuple

from hal.explorer import Idea, Say, Slider, grid
from lib.models.group_sparse.textbook import STAR, Settings, cosine, tested
from lib.models.group_sparse.textbook_patches import PIXELS, as_picture, image_of, seen
from lib.models.group_sparse.textbook_worlds import with_softmax
from lib.portable.primitives import Readings, sqrt, zeros
from lib.portable.vectors import dot, scale

D = 6
ACROSS = 3  # patches in a row of the image
IMAGES = 100
LR = 0.3
TITLE = "Which patch, and what in it?"
HINT = "Lower the contrast until you see no edge."
AGAIN = "Other images"
SLIDERS = {
    "t": Slider("Steps t", "steps", 30, (1, 40)),
    "contrast": Slider("Contrast over σ_x", "no unit", 3.0, (0.0, 4.0), log=False),
}


class Chosen(NamedTuple):
    """Steps of gradient descent, and how much edge patch 2 has besides its noise."""

    t: int
    contrast: float


def settings(t: int, contrast: float) -> Chosen:
    """What is chosen."""
    return Chosen(t, contrast)


def run(settings: Chosen, seed: int) -> Readings:
    """A test image of label + (77,), attention on its patches (6,), the frame (6,), and the value vector as a patch of
    norm 1 (9,); attention on patch 2, cosine with the edge, test accuracy.
    """
    state = seen(Settings(D, PIXELS, IMAGES, LR, settings.t, 1.0, 0.0), seed, settings.contrast)
    shares, frame = with_softmax(state), zeros(D)
    frame[STAR] = 1.0
    which = 0
    while state.fresh_y[which] < 0.0:
        which += 1
    value = as_picture(state.v)
    size = sqrt(dot(value, value))
    scale(value, 1.0 / size if size > 0.0 else 0.0)
    return {
        "image": image_of(state, which, ACROSS), "shares": shares, "frame": frame, "value": value, "on": [shares[STAR]],
        "cosine": [cosine(state.v, PIXELS)], "test": [tested(state)], "seed": [float(seed)],
    }  # fmt: skip


def picture() -> tuple[grid, grid, grid]:
    """The image, the attention on its patches, and what the value vector looks for."""
    return (
        grid(
            cells="run.image", rows=7, columns=11, row_names=("",) * 7, column_names=("",) * 11, largest=3.0,
            root=False, columns_are="an image of label +, six patches", idea="output", height=190,
            alt="An image of two rows of three noisy patches; the second has an edge, blue, then purple.",
        ),
        grid(
            cells="run.shares", rows=2, columns=ACROSS, row_names=("", ""), column_names=("",) * ACROSS, largest=1.0,
            outline="run.frame", root=False, digits=2, columns_are="attention on each", idea="attention", height=118,
            alt="Attention on the six patches: about half of it on the second, the rest spread out.",
        ),
        grid(
            cells="run.value", rows=3, columns=3, row_names=("",) * 3, column_names=("",) * 3, largest=0.5, root=False,
            columns_are="value vector", idea="output", height=118,
            alt="The value vector as a patch: a column of blue at the left, a column of purple at the right.",
        ),
    )  # fmt: skip


def say() -> list[Say]:
    """Where attention is, what the value vector is like, and how good that is."""
    rest = "{run.on:2} of the attention; cosine with the edge {run.cosine:2}, test accuracy {run.test:2}."
    return [Say("Patch two has " + rest)]


IDEA = Idea(
    "Patch 2 has more than twice the attention of a uniform layer, and more than any other patch.",
    greater=lambda drawn: float(drawn["run.shares"][1]),
    than=lambda drawn: max(2 / D, others(drawn)),
    breaks={"t": 1},
)


def others(drawn: Any) -> float:
    """The most attention that any other patch has."""
    return max(float(share) for k, share in enumerate(drawn["run.shares"]) if k != STAR)
