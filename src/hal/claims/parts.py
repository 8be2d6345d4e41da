"""What a check finds: comparisons of a measured number with an expected one, and the verdict that follows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike

Verdict = Literal["holds", "holds in a regime", "not reproduced", "fails"]

# How far numbers moved between two processors: 1e-9 of their size and less in double precision, up to 1e-5 after a
# thousand steps of SGD whose gradients are in single precision. Ten times as much is allowed.
_RELATIVE, _ABSOLUTE = 1e-4, 1e-12
_TINY = 1e-15  # where 0 is expected, as a sum of numbers near one


@dataclass(frozen=True)
class Part:
    """One comparison: a measured number against an independently computed or stated one.

    Attributes:
        name: what was measured, with its unit.
        measured: the number that came out.
        expected: the number it is compared with.
        tolerance: how far apart they may be, in the sense of `kind`.
        kind: "absolute" |m - e| <= tol; "relative" |m - e| <= tol |e|; "at most" m <= e + tol;
            "at least" m >= e - tol; "rounding" |m| <= e + tol, where nothing but rounding, or the last digits of an
            integrator, keeps m from 0.
        drift: how far, in units of `measured`, the number may lie from the one that another machine recorded; None
            stands for 1e-4 of it. A number gets a drift of its own where training amplifies rounding further, and
            where it counts steps or runs that rounding could tip. A "rounding" part has no size to remember: it is
            held to its bound alone.
        published: whether this is the paper's own number, which stands as expected whatever we found. It decides
            between a claim that holds and one that is not reproduced; whether a check is `good` the other parts do.
    """

    name: str
    measured: float
    expected: float
    tolerance: float = 0.0
    kind: Literal["absolute", "relative", "at most", "at least", "rounding"] = "absolute"
    drift: float | None = None
    published: bool = False

    @property
    def good(self) -> bool:
        """Whether the comparison holds; a number that is not finite never does."""
        m, e, tol = self.measured, self.expected, self.tolerance
        if not np.isfinite(m):
            return False
        if self.kind == "at most":
            return bool(m <= e + tol)
        if self.kind == "at least":
            return bool(m >= e - tol)
        if self.kind == "rounding":
            return bool(abs(m) <= e + tol)
        return bool(abs(m - e) <= (tol * abs(e) if self.kind == "relative" else tol))

    def agrees(self, recorded: Part) -> bool:
        """Whether the recorded part can be this one, measured on another processor; see `drift`.

        Args:
            recorded: the part of the same name in the ledger.
        """
        m, old = self.measured, recorded.measured
        if not (np.isfinite(m) and np.isfinite(old)):
            return bool(np.array_equal(m, old, equal_nan=True))
        if self.kind == "rounding" and self.good and recorded.good:
            return True
        return bool(abs(m - old) <= (max(_RELATIVE * abs(old), _ABSOLUTE) if self.drift is None else self.drift))

    def bounded_as(self, recorded: Part) -> bool:
        """Whether the same is asked of this part as of the recorded one; what it is called does not matter."""
        mine, old = (self.expected, self.tolerance), (recorded.expected, recorded.tolerance)
        return self.kind == recorded.kind and bool(np.allclose(mine, old, _RELATIVE, _TINY))

    def __str__(self) -> str:
        sign = {"at most": "at most ", "at least": "at least ", "rounding": "at most "}.get(self.kind, "")
        if self.tolerance == 0:
            margin = ""
        elif self.kind == "relative":
            margin = f" ± {100 * self.tolerance:g} %"
        else:
            margin = f" ± {self.tolerance:.2g}"
        return f"{self.name}: {self.measured:.4g} (expected {sign}{self.expected:.4g}{margin})"


@dataclass(frozen=True)
class Result:
    """What a check found. The verdict follows from the parts and from nothing else."""

    parts: tuple[Part, ...]
    seeds: tuple[int, ...] = ()
    regime: str = ""

    @property
    def good(self) -> bool:
        """Whether every part of ours holds, published numbers aside; a result without such parts does not."""
        ours = [part for part in self.parts if not part.published]
        return len(ours) > 0 and all(part.good for part in ours)

    @property
    def verdict(self) -> Verdict:
        """fails; not reproduced, if a published number did not come out; holds in a regime, if it names one; holds."""
        if not self.good:
            return "fails"
        if not all(part.good for part in self.parts):
            return "not reproduced"
        return "holds in a regime" if self.regime else "holds"

    @property
    def measured(self) -> dict[str, float]:
        """Measured number of each part."""
        return {part.name: part.measured for part in self.parts}

    @property
    def expected(self) -> dict[str, float]:
        """Expected number of each part."""
        return {part.name: part.expected for part in self.parts}

    @property
    def tolerance(self) -> dict[str, float]:
        """Tolerance of each part, in the sense of its kind."""
        return {part.name: part.tolerance for part in self.parts}

    def __str__(self) -> str:
        return f"{self.verdict}: " + "; ".join(map(str, self.parts))


def result(*parts: Part, seeds: Sequence[int] = ()) -> Result:
    """A `Result` from its parts; numbers are made plain floats, so that results compare and print as text."""
    plain = (
        replace(p, measured=float(p.measured), expected=float(p.expected), tolerance=float(p.tolerance)) for p in parts
    )
    return Result(tuple(plain), tuple(int(s) for s in seeds))


def relative_error(found: ArrayLike, wanted: ArrayLike) -> float:
    """Largest difference of numbers (...) from the wanted ones (...), each as a share of the wanted one."""
    mine, other = np.asarray(found, dtype=float), np.asarray(wanted, dtype=float)
    return float(np.max(np.abs(mine - other) / np.maximum(np.abs(other), 1e-300)))
