"""The closed forms of theory, written once: the decoder's clock, its two stages, drive, growth, fates.

Chapter `scan_snap`. The page redraws them while a slider moves; `lib.theory.scan_snap` has them over arrays. Classes
are equal up to renaming, so that any two overlap by the same rho. Time is in steps, gaps and logits are in nats; t >= 0
is a time, K counts classes, M >= 2 output tokens, lr_Y and lr_Z are the learning rates of decoder and attention, x is
the gap of the clock. Source: Tian, Wang, Chen, Du (2023), arXiv 2305.16380; a docstring names the place, or says
"beyond".
"""

from lib.portable.numbers import exp, log
from lib.portable.small import expm1, log1p


def logit_gap(t: float, K: int, M: int, lr_Y: float) -> float:
    """Gap x between the right token's logit and any other's: the root of e^x + (M - 1) x = M lr_Y t / K + 1. Lemma 6.

    By Newton's method from the right, where it falls towards the root without passing it.
    """
    reached = float(M) * lr_Y * t / float(K)
    x = min(reached / float(M), log1p(reached))
    for _ in range(60):
        slope = exp(x) + float(M) - 1.0
        x -= (expm1(x) + (float(M) - 1.0) * x - reached) / slope
    return x


def residual(x: float, M: int) -> float:
    """Probability not yet on the right token at gap x, (M - 1) / (M - 1 + e^x). Lemma 5."""
    return (float(M) - 1.0) / (float(M) - 1.0 + exp(x))


def knowledge(x: float, M: int) -> float:
    """What the decoder knows at gap x, (M - 1) / M x, nats. Theorem 1, a factor of its speed coefficient."""
    return (float(M) - 1.0) / float(M) * x


def speed(x: float, M: int) -> float:
    """Speed coefficient gamma at gap x, what the decoder knows times how often it errs. Theorem 1, there
    (M - 1)^2 h / (M - 1 + e^{M h}) with x = M h."""
    return knowledge(x, M) * residual(x, M)


def line_root(M: int) -> float:
    """The large root x-hat of e^x = (M - 1) x, M >= 4, by Newton's method from the right. Lemma 8."""
    x = 2.0 * log(float(M))
    for _ in range(60):
        x -= (exp(x) - (float(M) - 1.0) * x) / (exp(x) - (float(M) - 1.0))
    return x


def scan_end(K: int, M: int, lr_Y: float) -> float:
    """End of the scan, t0' = K ln M / lr_Y. Theorem 4."""
    return float(K) * log(float(M)) / lr_Y


def snap_start(K: int, M: int, lr_Y: float) -> float:
    """Start of the snap, t0 = 2 (1 + omega_1) t0' with 1 + omega_1 = x-hat / ln M, M >= 4. Theorem 4 and Lemma 9."""
    return 2.0 * float(K) * line_root(M) / lr_Y


def operational_time(x: float, K: int, M: int, lr_Y: float, lr_Z: float) -> float:
    """Gamma = lr_Z int gamma dt up to the gap x = M h: (lr_Z / lr_Y) (K / 2) ((M - 1) h)^2. Proof of Theorem 4."""
    known = knowledge(x, M)
    return 0.5 * lr_Z / lr_Y * float(K) * known * known


def reduced_B(Gamma: float, C0: float) -> float:
    """Growth exponent B = ln(1 + 4 Gamma / C0) / 4 of the reduced system, at operational time Gamma and with
    C0 = rho_0^4 / K, rho_0 the norm of the scores at the start; its common logit is -B. Theorem 4, with the -ln(C0)/4
    that makes B(0) = 0."""
    return 0.25 * log1p(4.0 * Gamma / C0)


def lower_bound(input_start: float, B: float) -> float:
    """e^{2 f^2 B}: by how much the leading distinct token grows at least, f its decoder input at the start and B the
    growth exponent of its class, with its 1/K; while the common tokens of the class fall. Theorem 3."""
    return exp(2.0 * input_start * input_start * B)


def upper_bound(B: float) -> float:
    """e^{2 B}: it grows by no more. Theorem 3."""
    return exp(2.0 * B)
