"""Adam without random draws on a text: every step has the mean gradient, and the mean square of a minibatch's.

Chapter `scan_snap`. Source: ours, for arXiv 2305.16380, Section 3, and Kingma and Ba's Adam. A minibatch of B windows
has the mean gradient g, and its square is g^2 plus the variance of one window's gradient over B on average. For a rare
word the second part is the larger one, so its step is smaller than a frequent word's, though far less so than in
gradient descent.
"""

import numpy as np

from hal.chapters.scan_snap.runs.adam_text import BATCH, FALLEN, NEXTS, PLAIN, WHO, Array, Text, read, windows
from lib.errors import InputError, require
from lib.models import scan_snap as ss

MEMORY, SQUARES, TINY = 0.9, 0.999, 1e-8  # of Adam, as in `lib.optim.adam`
MOST = 3000  # steps


def expected(query: str, who: str, rate: float, batch: int = BATCH) -> tuple[int, Array]:
    """Where the held-out loss has fallen by a tenth.

    Args:
        query, who, rate: as of `adam_text.attended`.
        batch: windows of a minibatch, B.

    Returns:
        The step, and what `adam_text.read` returns there, (3,).

    Raises:
        InputError: if an argument is refused, or the loss has not fallen so far after 3000 steps.
    """
    require(who in (*WHO, "none"), "who", f"one of {', '.join(WHO)}, none", repr(who))
    given, text = windows(query), Text(windows(query))
    counts, label = given.drawn.counts[0], given.drawn.label[0]
    often, right = np.bincount(label) / len(label), np.eye(NEXTS)[label]
    goal = -(1 - FALLEN[0]) * np.log(often[given.held.label[0]]).mean()
    by_adam = {"both": (True, True), "decoder": (True, False), "attention": (False, True), "none": (False, False)}[who]
    values = [np.zeros((counts.shape[1], NEXTS)), np.zeros(counts.shape[1])]  # Y and Z
    mean, square = [np.zeros_like(x) for x in values], [np.zeros_like(x) for x in values]
    for step in range(1, MOST + 1):
        for i, (gradient, spread) in enumerate(_moments(values[0], values[1], counts, right)):
            mean[i] += (1 - MEMORY) * (gradient - mean[i])
            square[i] += (1 - SQUARES) * (gradient**2 + spread / batch - square[i])
            size = np.sqrt(square[i] / (1 - SQUARES**step)) + TINY
            values[i] = values[i] - (rate * mean[i] / (1 - MEMORY**step) / size if by_adam[i] else PLAIN * gradient)
        if text.loss_and_gradient(ss.Params(values[0][None], values[1][None, None]), given.held)[0][0] < goal:
            return step, read(values[1][None], given)[:, 0]
    raise InputError(f"rate: expected one at which the loss falls by a tenth in {MOST} steps, got {rate:g}")


def _moments(Y: Array, Z: Array, counts: Array, right: Array) -> list[tuple[Array, Array]]:
    """Mean and variance over the windows of the gradients in Y and in Z."""
    f = counts * np.exp(Z - Z.max())
    f /= np.linalg.norm(f, axis=1, keepdims=True)
    logits = f @ Y
    guess = np.exp(logits - logits.max(axis=1, keepdims=True))
    wrong = guess / guess.sum(axis=1, keepdims=True) - right
    g = wrong @ Y.T
    g = f * (g - f * np.einsum("nc,nc->n", f, g)[:, None])
    of_Y, of_Z = f.T @ wrong / len(f), g.mean(axis=0)
    return [(of_Y, (f**2).T @ wrong**2 / len(f) - of_Y**2), (of_Z, np.einsum("nc,nc->c", g, g) / len(f) - of_Z**2)]
