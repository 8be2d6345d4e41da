"""Images cut into patches: a patch is a group, its pixels are the variables, and an edge in one patch is the label.

Chapter `group_sparse`. Source: the task of arXiv 2504.08638, Section 2, with axes turned so that v* is a picture; the
authors' photographs are not used. Rotations of all groups change no run, so the textbook trains as it is.
"""

from lib.models.group_sparse.textbook import STAR, Settings, State, start
from lib.portable.primitives import Matrix, Vector, sqrt, zeros
from lib.portable.vectors import add, dot

SIDE = 3  # pixels of a patch, across and down
PIXELS = 9
GAP = 1  # pixels between two patches


def edge() -> Vector:
    """(9,) the picture v*: bright at the left, dark at the right, of norm 1."""
    picture = zeros(PIXELS)
    for row in range(SIDE):
        picture[SIDE * row] = 1.0 / sqrt(6.0)
        picture[SIDE * row + 2] = -1.0 / sqrt(6.0)
    return picture


def as_picture(x: Vector) -> Vector:
    """(9,) the pixels of a group's first 9 entries: mirrored so that the first axis becomes the edge."""
    across, pixels = edge(), zeros(PIXELS)
    across[0] -= 1.0
    for a in range(PIXELS):
        pixels[a] = x[a]
    add(pixels, -2.0 * dot(across, pixels) / dot(across, across), across)
    return pixels


def seen(settings: Settings, seed: int, contrast: float) -> State:
    """A run's start whose relevant patch has this much more of the edge, with the label's sign."""
    state = start(settings, seed)
    strengthen(state.tokens, state.y, settings.D, contrast)
    strengthen(state.fresh, state.fresh_y, settings.D, contrast)
    return state


def strengthen(tokens: Matrix, y: Vector, D: int, contrast: float) -> None:
    """Add the contrast along v* to the relevant group of every example."""
    for i in range(len(y)):
        tokens[i * D + STAR][0] += contrast * y[i]


def image_of(state: State, i: int, across: int) -> Vector:
    """Test example i as an image, row after row: its patches in rows of so many, one pixel between them."""
    D = state.settings.D
    wide = across * (SIDE + GAP) - GAP
    pixels = zeros(wide * (D // across * (SIDE + GAP) - GAP))
    for j in range(D):
        patch = as_picture(state.fresh[i * D + j])
        corner = (j // across) * (SIDE + GAP) * wide + (j - (j // across) * across) * (SIDE + GAP)
        for a in range(PIXELS):
            pixels[corner + (a // SIDE) * wide + a - (a // SIDE) * SIDE] = patch[a]
    return pixels
