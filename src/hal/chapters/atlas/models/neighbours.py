"""Chapter 3's task, *Neighbours*, in two numbers: attention's weight of inner products, and its mask.

Chapter `atlas`. Source: our own; a prompt is its examples' inner products with the query, and the average over its
labels is exact, as in `lib.models.one_nn.fast`. The read-out is given: it says the label, and learns nothing.
"""

from dataclasses import dataclass

from hal.chapters.atlas.models.layers import Layer, Now, Rates, layer, learn
from lib.portable.numbers import exp
from lib.portable.primitives import Matrix, Vector, sqrt, zero_matrix, zeros
from lib.portable.random_numbers import generator, normals
from lib.portable.vectors import dot, fill, largest, scale

D = 8  # dimension of the points
EXAMPLES = 16
BATCH = 32  # prompts a step
TESTS = 200  # fixed prompts that measure attention
RATE = 12.0  # learning rate of attention
MASK = 3.0  # of the query's own token, at the start


@dataclass
class Neighbours:
    """A run."""

    xi: Vector  # (1,) weight of the inner products
    mask: Vector  # (1,) the score of the query's own token is xi less this
    slope: Vector  # (1,) gradient in xi
    mask_slope: Vector
    weight: Layer
    masks: Layer
    tests: Matrix  # (TESTS, EXAMPLES) inner products
    z: Vector  # (EXAMPLES,) those of one prompt
    q: Vector  # (EXAMPLES + 1,) attention, the query's own behind
    random: Vector
    now: Now  # its clock is the step, as the read-out says the same at all times


def begin(rates: Rates, seed: int) -> Neighbours:
    """Before the first step: xi = 0, attention on the examples is even."""
    random = generator(seed, 2)
    run = Neighbours(
        xi=zeros(1), mask=[MASK], slope=zeros(1), mask_slope=zeros(1),
        weight=layer(rates, rates.attention, 1, RATE, 0.02, 1.0 / float(D)),
        masks=layer(rates, rates.attention, 1, RATE, 0.02, 1.0), tests=zero_matrix(TESTS, EXAMPLES), z=zeros(EXAMPLES),
        q=zeros(EXAMPLES + 1), random=random, now=Now(0.0, 0.0, False),
    )  # fmt: skip
    for i in range(TESTS):
        draw_prompt(run.tests[i], random)
    return run


def draw_prompt(z: Vector, random: Vector) -> None:
    """Inner products of even points of the sphere with the query: the first coordinate of each, over its length."""
    point = zeros(D)
    for j in range(len(z)):
        normals(random, point)
        z[j] = point[0] / sqrt(dot(point, point))


def attend(run: Neighbours, z: Vector) -> int:
    """Attention of the query on a prompt goes to q; the place of the nearest example is the result."""
    q, xi, nearest = run.q, run.xi[0], 0
    for j in range(EXAMPLES):
        q[j] = xi * z[j]
        nearest = j if z[j] > z[nearest] else nearest
    q[EXAMPLES] = xi - run.mask[0]
    top, whole = largest(q), 0.0
    for j in range(EXAMPLES + 1):
        q[j] = exp(q[j] - top)
        whole += q[j]
    scale(q, 1.0 / whole)
    return nearest


def attention(run: Neighbours) -> float:
    """Attention on the nearest example, mean over the tests."""
    found = 0.0
    for i in range(TESTS):
        nearest = attend(run, run.tests[i])
        found += run.q[nearest] / float(TESTS)
    return found


def add_prompt(run: Neighbours, z: Vector, share: float) -> None:
    """So much of the gradient of (1 - 2 q_* + sum of q_j^2) / 2 is added, in both numbers."""
    nearest = attend(run, z)
    q = run.q
    own, mean, squares, moments = q[EXAMPLES], q[EXAMPLES], 0.0, 0.0
    for j in range(EXAMPLES):
        mean += q[j] * z[j]
        squares += q[j] * q[j]
        moments += q[j] * q[j] * z[j]
    run.slope[0] += share * (moments - squares * mean - q[nearest] * (z[nearest] - mean))
    run.mask_slope[0] += share * own * (squares - q[nearest])


def gradient(run: Neighbours) -> None:
    """The mean gradient of fresh prompts."""
    fill(run.slope, 0.0)
    fill(run.mask_slope, 0.0)
    for _ in range(BATCH):
        draw_prompt(run.z, run.random)
        add_prompt(run, run.z, 1.0 / float(BATCH))


def advance(run: Neighbours) -> None:
    """One step."""
    run.now.seen = attention(run)
    run.now.clock += 1.0
    gradient(run)
    learn(run.weight, [run.xi], [run.slope])
    learn(run.masks, [run.mask], [run.mask_slope])
    run.now.lost = not abs(run.xi[0]) <= 1e9
