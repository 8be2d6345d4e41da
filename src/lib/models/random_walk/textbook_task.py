"""What a textbook run is made from: settings, walks, a random start, the size of the scores, the losses.

Chapter `random_walk`. Source: arXiv 2511.23239, Section 2; theorem on deterministic walks (any loss).
"""

from typing import NamedTuple

from lib.errors import require
from lib.portable.numbers import exp, log
from lib.portable.primitives import Matrix, Table, Vector, Wholes, remainder, sqrt, whole_table
from lib.portable.random_numbers import below, generator, normals, uniform
from lib.portable.vectors import scale

# the losses by number, in the order of `lib.models.random_walk.LOSSES`
LOG = 0
SQUARE = 1
LOGISTIC = 2
HINGE = 3


class Settings(NamedTuple):
    """What a reader can choose."""

    K: int = 6  # nodes on the circle
    N: int = 97  # nodes that a walk visits, the target included
    p: float = 0.5  # chance of a clockwise step
    M: int = 1000  # length of a positional vector
    n: int = 200  # walks
    lr: float = 1.0  # learning rate of V and W
    steps: int = 50  # of gradient descent, each on all walks
    epsilon: float = 0.1  # offset of the log-loss
    loss: int = LOG  # or SQUARE, LOGISTIC, HINGE
    sigma: float = 0.0  # standard deviation of the entries of V and W at the start
    unit: int = 0  # 1: tokens are divided by their length


def check_settings(settings: Settings) -> None:
    """Refuse settings without meaning.

    Raises:
        InputError: naming the one that is out of range.
    """
    require(settings.K >= 3, "K", "at least 3 nodes", settings.K)
    require(settings.N >= 2, "N", "at least 2 places", settings.N)
    require(settings.M >= settings.N, "M", "at least N, so that positions are orthogonal", settings.M)
    require(settings.p >= 0.0 and settings.p <= 1.0, "p", "a probability from 0 to 1", settings.p)
    require(settings.n >= 1, "n", "at least 1 walk", settings.n)
    require(settings.lr >= 0.0, "lr", "a number of at least 0", settings.lr)
    require(settings.steps >= 0, "steps", "at least 0 steps", settings.steps)
    require(settings.epsilon > 0.0, "epsilon", "a number above 0", settings.epsilon)
    require(settings.loss >= LOG and settings.loss <= HINGE, "loss", "one of 0 to 3", settings.loss)
    require(settings.sigma >= 0.0, "sigma", "a number of at least 0", settings.sigma)


def draw_walk(settings: Settings, walk: Wholes, random: Vector) -> None:
    """A walk from a random node: one node clockwise with chance p, else one back."""
    node = below(random, settings.K)
    for j in range(settings.N):
        walk[j] = node
        node = remainder(node + (1 if uniform(random) < settings.p else settings.K - 1), settings.K)


def draw_walks(settings: Settings, seed: int) -> Table:
    """All walks of a run, (n, N)."""
    random, walks = generator(seed, 0), whole_table(settings.n, settings.N)
    for i in range(settings.n):
        draw_walk(settings, walks[i], random)
    return walks


def draw_normals(values: Vector, sigma: float, random: Vector) -> None:
    """Independent normal numbers of standard deviation sigma."""
    normals(random, values)
    scale(values, sigma)


def draw_start(settings: Settings, V: Matrix, u: Vector, g: Vector, random: Vector) -> None:
    """What V and W with normal entries of standard deviation sigma become."""
    rho = rho_of(settings)
    for i in range(settings.K):
        draw_normals(V[i], settings.sigma, random)
    draw_normals(u, settings.sigma * sqrt(rho), random)
    draw_normals(g, settings.sigma * rho, random)


def rho_of(settings: Settings) -> float:
    """Squared length of a positional vector."""
    return 0.5 * float(settings.M + 1)


def factor_of(settings: Settings, own: bool) -> float:
    """Scores are so many times u + g, for a token or the last one's own: 1, less for tokens of length 1."""
    rho = rho_of(settings)
    if settings.unit == 0:
        return 1.0
    return 1.0 / rho if own else 1.0 / sqrt(rho * (1.0 + rho))


def loss_value(kind: int, f: float, epsilon: float) -> float:
    """The loss of the output f at the right node, in nats or squared units; no number where f + epsilon < 0."""
    if kind == SQUARE:
        return 0.5 * (1.0 - f) * (1.0 - f)
    if kind == LOGISTIC:
        return log(1.0 + exp(-f)) if f > 0.0 else log(1.0 + exp(f)) - f
    if kind == HINGE:
        return max(0.0, 1.0 - f)
    return -log(f + epsilon)


def loss_slope(kind: int, f: float, epsilon: float) -> float:
    """The derivative of the loss in f."""
    if kind == SQUARE:
        return f - 1.0
    if kind == LOGISTIC:
        return -1.0 / (1.0 + exp(f))
    if kind == HINGE:
        return -1.0 if f < 1.0 else 0.0
    return -1.0 / (f + epsilon)
