"""What a sign step hears of a gradient, and what it does to two tokens of one class.

Chapter `atlas`. Source: our own; derived in the chapter.
"""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.errors import require


def hearing(gradient: ArrayLike) -> NDArray[np.float64]:
    """Share of a read-out gradient that softmax attention can use: what differs between tokens, squared norms.

    Args:
        gradient: (..., outputs, tokens), not zero.

    Returns:
        (...), between 0, where every output's row is constant, and 1.

    Raises:
        InputError: if there are fewer than two axes, or the gradient is zero.

    Source: our own; the part common to all tokens drops out of softmax attention, Lemma 1 of the chapter.
    """
    G = np.asarray(gradient, dtype=np.float64)
    require(G.ndim >= 2, "gradient", "outputs and tokens as the last two axes", G.shape)
    whole = np.square(G).sum(axis=(-2, -1))
    require(np.all(whole > 0), "gradient", "numbers other than zero", "zero")
    return np.asarray(np.square(G - G.mean(axis=-1, keepdims=True)).sum(axis=(-2, -1)) / whole)


def pair_rate(f: ArrayLike, g: ArrayLike, a: int, b: int, lr_Z: float = 1.0) -> float:
    """Speed of ln(f_a / f_b) in chapter 2, for two tokens of one class with the same read-out g_a = g_b.

    Args:
        f: (M,) the decoder's input, of unit norm.
        g: (M,) benefit of each token.
        a, b: the two tokens.
        lr_Z: learning rate of attention.

    Raises:
        InputError: if the two have unequal read-outs, f is not of unit norm, or the shapes differ.

    Source: our own; z' = lr_Z f (g - f f.g) and f is the normalised product of counts and exp(z).
    """
    f, g = np.asarray(f, dtype=np.float64), np.asarray(g, dtype=np.float64)
    require(f.shape == g.shape and f.ndim == 1, "g", f"shape {f.shape}", g.shape)
    require(abs(np.linalg.norm(f) - 1) < 1e-9, "f", "a vector of unit norm", np.linalg.norm(f))
    require(abs(g[a] - g[b]) < 1e-12, "g", f"equal numbers at {a} and {b}", (g[a], g[b]))
    return float(lr_Z * (f[a] - f[b]) * (g[a] - f @ g * (f[a] + f[b])))
