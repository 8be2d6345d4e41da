"""The closed forms of theory, written once: the decoder's clock, its two stages, drive, growth, fates.

Chapter `scan_snap`. The page redraws them while a slider moves; `lib.theory.scan_snap` has them over arrays. Classes
are equal up to renaming, so that any two overlap by the same rho. Time is in steps, gaps and logits are in nats; t >= 0
is a time, K counts classes, M >= 2 output tokens, lr_Y and lr_Z are the learning rates of decoder and attention, x is
the gap of the clock. Source: Tian, Wang, Chen, Du (2023), arXiv 2305.16380; a docstring names the place, or says
"beyond".
"""

from lib.portable.numbers import exp, log
from lib.portable.primitives import divide, inf, sqrt
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


def peak_gap(M: int) -> float:
    """The gap at which gamma is largest: the root above 1 of (x - 1) e^x = M - 1, by halving. Beyond."""
    low, high = 1.0, 2.0 + log(float(M))
    for _ in range(60):
        x = 0.5 * (low + high)
        if (x - 1.0) * exp(x) < float(M) - 1.0:
            low = x
        else:
            high = x
    return low


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


def fall_time(D: float, K: int, M: int, lr_Y: float, lr_Z: float, C0: float) -> float:
    """Steps after which the common token of the reduced system has fallen by D >= 0 nats: Theorem 4 inverted. Beyond.

    Gamma = C0 (e^{4 D} - 1) / 4 gives the gap x, and the clock of Lemma 6 its time.
    """
    Gamma = 0.25 * C0 * expm1(4.0 * D)
    x = sqrt(2.0 * Gamma * lr_Y / (lr_Z * float(K))) * float(M) / (float(M) - 1.0)
    return (expm1(x) + (float(M) - 1.0) * x) * float(K) / (float(M) * lr_Y)


def class_angle(rho: float) -> float:
    """The angle whose cosine is rho, 0 <= rho <= 1, in degrees: that of two decoder inputs with this overlap.

    By halving the angle until its cosine is 1 but for its square: 1 - cos of the half keeps all digits.
    """
    v, times = 1.0 - rho, 1.0
    for _ in range(20):
        v = 0.5 * v / (1.0 + sqrt(1.0 - 0.5 * v))
        times *= 2.0
    return times * sqrt(2.0 * v) * (1.0 + v / 12.0) * 57.29577951308232


def equal_overlaps(K: int, rho: float) -> tuple[float, float]:
    """Diagonal and off-diagonal entry of E' = I - (I + E)^{-1} when any two classes overlap by rho < 1. Beyond."""
    common = (1.0 - rho) * (1.0 + (float(K) - 1.0) * rho)
    return -(float(K) - 1.0) * rho * rho / common, rho / common


def coupling(K: int, rho: float, M: int) -> float:
    """beta of two classes when any two overlap by rho: what f_n' takes from g_n, over gamma. Theorem 1 at equal
    correlations; the sign of the q0 term is ours."""
    q1 = float(M) / (float(M) - 1.0)
    q0 = -q1 / (float(M) - 1.0)
    diagonal, other = equal_overlaps(K, rho)
    return q1 * other - q0 * (1.0 - diagonal - (float(K) - 2.0) * other)


def drive(K: int, rho: float, M: int) -> float:
    """Drive xi over gamma when any two classes overlap by rho, (K - 1) beta rho; some (K - 1) rho^2 if rho is small.

    Returns:
        (K - 1) (q1 rho^2 + |q0| rho) / ((1 - rho) (1 + (K - 1) rho)), with q1 = M / (M - 1) and q0 = -q1 / (M - 1).

    Source: the paper's Theorem 1 at equal correlations; the sign of the q0 term is ours.
    """
    return (float(K) - 1.0) * coupling(K, rho, M) * rho


def lower_bound(input_start: float, B: float) -> float:
    """e^{2 f^2 B}: by how much the leading distinct token grows at least, f its decoder input at the start and B the
    growth exponent of its class, with its 1/K; while the common tokens of the class fall. Theorem 3."""
    return exp(2.0 * input_start * input_start * B)


def upper_bound(B: float) -> float:
    """e^{2 B}: it grows by no more. Theorem 3."""
    return exp(2.0 * B)


def obeys_assumption_2(K: int, rho: float, M: int) -> bool:
    """Whether the eigenvalues (K - 1) rho and -rho of the overlaps are below 1/K and at least 6 / sqrt(M) in size: some
    rho does exactly if M > 36 K^2 (K - 1)^2. Assumption 2 at equal correlations."""
    return (float(K) - 1.0) * rho < 1.0 / float(K) and rho >= 6.0 / sqrt(float(M))


def kappa_star(rho: float, shared: bool) -> float:
    """Ratio above which a partly common token gains at overlap rho of two mirrored classes, infinite at 0:
    (1 + sqrt(1 - rho^2)) / rho where both share a query, or 1 / rho in the row of the class's own. Beyond (Lemma 4)."""
    if rho <= 0.0:
        return inf
    return (1.0 + sqrt(max(0.0, 1.0 - rho * rho))) / rho if shared else divide(1.0, rho)
