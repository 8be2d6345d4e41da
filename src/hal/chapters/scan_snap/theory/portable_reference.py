"""The reference dynamics in portable Python: attention under a decoder that is solved in closed form.

Chapter `scan_snap`. The same paths as `theory.reference`, for classes that are equal up to renaming: one class stands
for all, and a kind of token for all tokens like it. In the time Gamma = lr_Z int gamma dt the logits (nats) obey an
autonomous equation. Times are in steps. Source: Tian, Wang, Chen, Du (2023), arXiv 2305.16380, Section 5, Lemma 4 and
Theorems 1 to 4.
"""

from dataclasses import dataclass

from hal.chapters.scan_snap.models.kinds import COMMON, Kinds, inputs, overlap, token_kinds
from hal.chapters.scan_snap.models.textbook_flow import Settings
from hal.chapters.scan_snap.theory.portable_beyond import coupling
from lib.portable.explicit import flow_from, flow_to
from lib.portable.primitives import Matrix, Vector, zero_matrix, zeros
from lib.theory.scan_snap.portable import logit_gap, operational_time

TOLERANCE = 1e-6  # of a step of the reference dynamics: logits are within 1e-4 nats wherever the sliders stand


@dataclass
class Reference:
    """What the equation needs to know, and room for one evaluation."""

    kinds: Kinds
    K: int
    M: int
    sharing: int  # classes of one query
    f: Vector  # (S,) decoder input


def reference_of(s: Settings) -> Reference:
    """What the reference dynamics need to know of the task of a textbook flow; refuses what that refuses."""
    kinds = token_kinds(s.common, s.weight, s.distinct, s.lowest)
    return Reference(kinds, s.K, s.M, s.sharing, zeros(len(kinds.law)))


def motion(Gamma: float, y: Vector, out: Vector, reference: Reference) -> None:
    """dy / dGamma of y = (logits z (S,), growth exponent B).

    For one class dz_l = f_l (xi f_l - (K - 1) beta m_l) / K with m_l the same token's input in another class, and, if
    they share the query, the other classes' parts, in which f_l and m_l change places.
    """
    f = reference.f
    others = float(reference.K) - 1.0
    inputs(reference.kinds, y, 0, f)
    rho = overlap(reference.kinds, f)
    beta = coupling(reference.K, rho, reference.M)
    xi = others * beta * rho
    for i in range(len(f)):
        own, theirs = f[i], f[i] if i == COMMON else 0.0
        moved = own * (xi * own - others * beta * theirs)
        if reference.sharing > 1:
            part = theirs * (xi * theirs - beta * (own + (others - 1.0) * theirs))
            moved += (float(reference.sharing) - 1.0) * part
        out[i] = moved / float(reference.K)
    out[len(f)] = xi / float(reference.K)


def reference_path(reference: Reference, lr_Y: float, lr_Z: float, times: Vector, tolerance: float) -> Matrix:
    """(T, S + 1) from zero: at each of the increasing times (T,) the logits z of each kind, and the growth exponent B;
    `tolerance` is the error of a step of the integrator, relative and absolute.
    """
    S = len(reference.f)
    path = zero_matrix(len(times), S + 1)
    flow = flow_from(0.0, zeros(S + 1))
    for i in range(len(times)):
        x = logit_gap(times[i], reference.K, reference.M, lr_Y)
        flow_to(operational_time(x, reference.K, reference.M, lr_Y, lr_Z), flow, motion, reference, tolerance)
        for j in range(S + 1):
            path[i][j] = flow.y[j]
    return path
