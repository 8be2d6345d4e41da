"""The reference dynamics in portable Python: attention under a decoder that is solved in closed form.

Chapter `scan_snap`. The same paths as `lib.theory.scan_snap.reference_run`, for classes that are equal up to renaming:
one class stands for all, and a kind of token for all tokens like it. In the time Gamma = lr_Z int gamma dt the logits
obey an autonomous equation. Source: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Lemma 4 and Theorems 1 to 4.
"""

from dataclasses import dataclass

from lib.portable.chances import entropy
from lib.portable.explicit import flow_from, flow_to
from lib.portable.numbers import exp
from lib.portable.primitives import Matrix, Vector, Wholes, divide, inf, sqrt, zero_matrix, zeros
from lib.theory.scan_snap.portable import coupling, logit_gap, operational_time, speed


@dataclass
class Reference:
    """What the equation needs to know, and room for one evaluation."""

    law: Vector  # (S,) P(l | n) of one token of each kind, in a class
    many: Vector  # (S,) tokens of that kind
    twin: Wholes  # (S,) the kind that plays its part in another class; -1 where that class has no such token
    K: int
    M: int
    sharing: int  # classes of one query
    f: Vector  # (S,) decoder input


def inputs(law: Vector, many: Vector, z: Vector, f: Vector) -> None:
    """The decoder input f = P e^z / |P e^z| of the class. Source: the paper's Lemma 2.

    Args:
        law: (S,) probability of one token of each kind.
        many: (S,) tokens of that kind.
        z: (at least S,) logits; the first S are used.
        f: (S,) gets the result.
    """
    top = -inf
    for i in range(len(f)):
        if many[i] > 0.0:
            top = max(top, z[i])
    square = 0.0
    for i in range(len(f)):
        f[i] = law[i] * exp(z[i] - top) if many[i] > 0.0 else 0.0
        square += many[i] * f[i] * f[i]
    length = sqrt(square)
    for i in range(len(f)):
        f[i] = f[i] / length


def overlap_at(reference: Reference, z: Vector) -> float:
    """rho = f_n . f_n' of two classes at logits z (at least S,); the decoder input there stays in the reference.

    Source: the paper's E, before Lemma 3.
    """
    f, many, twin = reference.f, reference.many, reference.twin
    inputs(reference.law, many, z, f)
    rho = 0.0
    for i in range(len(f)):
        if twin[i] >= 0:
            rho += many[i] * f[i] * f[twin[i]]
    return rho


def motion(Gamma: float, y: Vector, out: Vector, reference: Reference) -> None:
    """dy / dGamma of y = (logits z (S,), growth exponent B). Source: the paper's Lemma 4.

    For one class dz_l = f_l (xi f_l - (K - 1) beta m_l) / K with m_l the same token's input in another class, and, if
    they share the query, the other classes' parts, in which f_l and m_l change places.
    """
    f, twin = reference.f, reference.twin
    others = float(reference.K) - 1.0
    rho = overlap_at(reference, y)
    beta = coupling(reference.K, rho, reference.M)
    xi = others * beta * rho
    for i in range(len(f)):
        own, theirs = f[i], f[twin[i]] if twin[i] >= 0 else 0.0
        moved = own * (xi * own - others * beta * theirs)
        if reference.sharing > 1:
            part = theirs * (xi * theirs - beta * (own + (others - 1.0) * theirs))
            moved += (float(reference.sharing) - 1.0) * part
        out[i] = moved / float(reference.K)
    out[len(f)] = xi / float(reference.K)


def row_speed(reference: Reference, y: Vector, x: float, lr_Z: float) -> float:
    """Length of dz/dt in nats a step, over all tokens under the class's query.

    Args:
        reference: the task.
        y: (S + 1,) logits and growth exponent.
        x: the clock's gap at that time.
        lr_Z: rate of attention.

    Source: the paper's Lemma 4, times the speed coefficient of Theorem 1.
    """
    S = len(reference.f)
    out = zeros(S + 1)
    motion(0.0, y, out, reference)
    square = 0.0
    for i in range(S):
        tokens = reference.many[i] if reference.twin[i] >= 0 else float(reference.sharing)
        square += tokens * out[i] * out[i]
    return lr_Z * speed(x, reference.M) * sqrt(square)


def own_entropy(reference: Reference, y: Vector) -> float:
    """Entropy in nats of the attention on distinct tokens, renormalised; arguments as `row_speed`.

    Source: the paper's Section 8 (sparsity of attention).
    """
    f = reference.f
    inputs(reference.law, reference.many, y, f)
    own, shares = 0.0, zeros(len(f))
    for i in range(len(f)):
        own += f[i] if reference.twin[i] < 0 else 0.0
    for i in range(len(f)):
        shares[i] = divide(f[i], own) if reference.twin[i] < 0 else 0.0
    return entropy(shares)


def reference_path(reference: Reference, lr_Y: float, lr_Z: float, times: Vector, tolerance: float) -> Matrix:
    """The reference dynamics from zero.

    Args:
        reference: the task.
        lr_Y: rate of the decoder, positive.
        lr_Z: rate of attention, at least 0.
        times: (T,) increasing, in steps, of at least 0.
        tolerance: error of a step of the integrator, relative and absolute.

    Returns:
        (T, S + 1): at each time the logits z of each kind, and the growth exponent B of the class.

    Source: the paper's Section 5: Lemma 4, in the operational time of Theorem 4's proof.
    """
    S = len(reference.law)
    path = zero_matrix(len(times), S + 1)
    flow = flow_from(0.0, zeros(S + 1))
    for i in range(len(times)):
        x = logit_gap(times[i], reference.K, reference.M, lr_Y)
        flow_to(operational_time(x, reference.K, reference.M, lr_Y, lr_Z), flow, motion, reference, tolerance)
        for j in range(S + 1):
            path[i][j] = flow.y[j]
    return path
