"""Labels fed back as tokens: the exact law of every generated token, by following all windows of a short context.

Used by chapter SCB. All beyond the paper (Ren, Wang, Lee 2024, arXiv 2410.23438), which names the extension.
"""

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require, whole
from lib.theory._arrays import Array, floats

_WINDOWS = 1_000_000


def fed_back_laws(mu: ArrayLike, P: ArrayLike, Q: ArrayLike, tokens: int) -> Array:
    """Law of the 1st, 2nd, ... token that the task generates from a context of independent tokens.

    A window is (x_1 ... x_T, x_(T+1)). Its label has law P X q^(x_(T+1)), takes the last place, and the first token
    leaves. The law of all N^(T + 1) windows is carried along, so nothing is drawn and nothing is approximated.

    Args:
        mu: token distribution (N,).
        P: transition matrix (N, N), columns are distributions.
        Q: true attention by rows (N, T).
        tokens: how many to generate, at least 1.

    Returns:
        (tokens, N) laws; the first is mu.

    Raises:
        InputError: if `tokens` is below 1, or there are more than a million windows.

    Source: beyond the paper.
    """
    mu, P, Q = floats(mu), floats(P), floats(Q)
    N, T = Q.shape
    count = whole("tokens", tokens, 1)
    require(N ** (T + 1) <= _WINDOWS, "Q", f"at most {_WINDOWS} windows N^(T + 1)", N ** (T + 1))
    window = np.indices((N,) * (T + 1)).reshape(T + 1, -1)  # the digits of a window's number, the oldest first
    chance = mu[window].prod(axis=0)
    last = window[-1]
    label = sum(Q[last, t] * P[:, window[t]] for t in range(T))  # (N, windows)
    laws = []
    for _ in range(count):
        joint = label * chance
        laws.append(joint.sum(axis=1))
        # without its oldest token, followed by its label: (N, N^T) summed over the oldest, label last
        chance = joint.reshape(N, N, -1).sum(axis=1).T.reshape(-1)
    return np.stack(laws)
