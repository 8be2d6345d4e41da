"""When attention outlives the wait for the read-out, if a threshold pulls it to zero meanwhile.

Chapter `atlas`. Source: our own; derived in the chapter.
"""

from lib.errors import require


def critical_ratio(threshold: float, start: float, d: int) -> float:
    r"""Learning rate of the read-out over attention's, above which chapter 6's linear block learns from c = 0.

    Attention is q I, every step of which a soft threshold shortens by `threshold` times attention's learning rate.
    Early on $c' = 2d\eta_Vq$ and $q' = \eta_A(2c - \lambda)$, along which
    $d\eta_Vq^2 - \eta_A(c - \lambda/2)^2$ does not change: q does not reach zero, where both would stay, if that is
    above zero at c = 0.

    Args:
        threshold: $\lambda$, at least 0, in units of a gradient.
        start: q at the start, above 0.
        d: features, each of variance 1, as are those of the regression's weights.

    Raises:
        InputError: if an argument is out of range.

    Source: our own; the gradients are those of arXiv 2402.14951's block, population, where c and q are small.
    """
    require(threshold >= 0, "threshold", "a number of at least 0", threshold)
    require(start > 0, "start", "a number above 0", start)
    require(d >= 1, "d", "at least 1 feature", d)
    return (threshold / (2 * start)) ** 2 / d
