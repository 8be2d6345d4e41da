"""What a claim is: a statement with its place in a paper, a check that can fail, and a control that must fail.

A check finds parts, each a measured number against an expected one, and the verdict follows from them. One definition
serves the ledger, the tests and the reader who calls it. What is refused raises `InputError`: a control that names no
argument of the check, a block of seeds of a claim that draws nothing, parts with other names in another block.

A tolerance is set with the first eight blocks of seeds in sight and then tried, once, on eight others. Where those
fail, the statement changes, not the tolerance.

Example:
    >>> @claim("X-1", where="school", says="Dice show 3.5 on average.", control={"faces": 8}, breaks="an eighth face")
    ... def _check_1(faces: int = 6, block: int = 0) -> Result:
    ...     seeds = seed_block(block, 1000)
    ...     throws = [np.random.default_rng(seed).integers(1, faces, endpoint=True) for seed in seeds]
    ...     return result(Part("mean of a thousand throws", np.mean(throws), 3.5, 0.25), seeds=seeds)
    >>> _check_1.check().verdict, _check_1.check(block=5).verdict, _check_1.control().verdict
    ('holds', 'holds', 'fails')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import require

__all__ = [
    "BLOCKS", "Claim", "Part", "Result", "Spread", "Verdict", "claim", "gather", "relative_error", "result",
    "seed_block", "spread",
]  # fmt: skip

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


# --- blocks of seeds, and claims

SETTING, TRIAL = range(8), range(8, 16)  # the blocks that tolerances are set with, those that they are tried on
BLOCKS = (*SETTING, *TRIAL)


def seed_block(block: int, runs: int) -> range:
    """The seeds of a block of `runs` runs: 0 to runs - 1 in block 0, the next `runs` in block 1, and so on."""
    require(block >= 0, "block", "a whole number from 0", block)
    return range(block * runs, (block + 1) * runs)


@dataclass(frozen=True)
class Claim:
    """A statement of a paper, or of ours, that the book discusses; made by `claim`.

    Attributes:
        id: for example "SCB-7"; the prefix names the chapter.
        paper: the chapter's slug.
        where: lemma, theorem, equation or figure, or "beyond the paper".
        says: the statement, in one or two plain sentences.
        function: measures it; takes a block of seeds, `block`, if it draws any.
        broken: the arguments with which `function` breaks the mechanism; must then come out the other way.
        breaks: what they break, in words.
        verdict: what we found: "holds", "holds in a regime", "not reproduced" (a published number did not come out; it
            stands as expected, in a part that is `published`) or "fails". Tests hold the check to it.
        regime: where it holds, if only in a regime; else what was found instead.
    """

    id: str
    paper: str
    where: str
    says: str
    function: Callable[..., Result] = field(repr=False)
    broken: Mapping[str, Any] = field(repr=False)
    breaks: str
    verdict: Verdict = "holds"
    regime: str = ""

    def __post_init__(self) -> None:
        worded = self.regime or self.verdict not in ("holds in a regime", "not reproduced")
        require(worded, "regime", f"words for what was found where the verdict is {self.verdict!r}", "none")
        names = [name for name in signature(self.function).parameters if name != "block"]
        require(
            len(self.broken) > 0 and set(self.broken) <= set(names),
            "control",
            f"arguments of the check, of {', '.join(names) or 'which it has none'}",
            ", ".join(self.broken) or "none",
        )

    @property
    def random(self) -> bool:
        """Whether the check draws from seeds, so that another block of them gives another measurement."""
        return "block" in signature(self.function).parameters

    def check(self, block: int = 0) -> Result:
        """Run the check on a block of seeds; takes from milliseconds to some ten seconds. The book shows block 0."""
        found = self._run(block, {})
        return Result(found.parts, found.seeds, self.regime if self.verdict == "holds in a regime" else "")

    def control(self, block: int = 0) -> Result:
        """Run the check with the mechanism broken: its `good` must differ from that of the check."""
        return self._run(block, self.broken)

    def _run(self, block: int, given: Mapping[str, Any]) -> Result:
        require(self.random or block == 0, "block", f"0, as {self.id} draws nothing", block)
        return self.function(**given, block=block) if self.random else self.function(**given)


def claim(
    id: str,
    *,
    where: str,
    says: str,
    control: Mapping[str, Any],
    breaks: str,
    verdict: Verdict = "holds",
    regime: str = "",
) -> Callable[[Callable[..., Result]], Claim]:
    """Make a claim of the check below it, a function in a module of `hal.chapters.SLUG.claims`.

    The check compares what it measures with theory or with a publication. Its arguments break the mechanism, each by
    a default that leaves it whole; one named `block` is the block of seeds (see `seed_block`), 0 by default, and every
    run of a check that has it draws from that block.

    Args:
        id, where, says, breaks, verdict, regime: as in `Claim`.
        control: the arguments that break the mechanism: the model, the optimiser, the sampler; not what is expected.
    """

    def decorate(function: Callable[..., Result]) -> Claim:
        module = function.__module__.split(".")
        paper = module[2] if module[:2] == ["hal", "chapters"] else module[-1]
        return Claim(
            id=id, paper=paper, where=where, says=says, function=function, broken=dict(control), breaks=breaks,
            verdict=verdict, regime=regime,
        )  # fmt: skip

    return decorate


def gather(package: str) -> list[Claim]:
    """The claims in all modules of a chapter's package, in the order of the numbers in their ids.

    Modules whose names begin with an underscore are helpers.
    """
    names = [module.name for module in iter_modules(import_module(package).__path__) if module.name[0] != "_"]
    modules = [vars(import_module(f"{package}.{name}")).values() for name in names]
    found = [value for values in modules for value in values if isinstance(value, Claim)]
    return sorted(found, key=lambda claim: int(claim.id.rpartition("-")[2]))


@dataclass(frozen=True)
class Spread:
    """What a claim measured on several blocks of seeds.

    Attributes:
        blocks: how many there are.
        agree: in how many of them the verdict is the one that the claim declares.
        parts: lowest, median and highest value of each part, in the units of `value_of`, by the part's name.
    """

    blocks: int
    agree: int
    parts: dict[str, tuple[float, float, float]]


def spread(claim: Claim, blocks: Sequence[int] = BLOCKS) -> Spread:
    """Run the check of a claim that draws from seeds on each block; takes as many times longer as there are blocks.

    Example:
        >>> from hal import claims
        >>> claims.spread(claims.get("SCB-3"), blocks=[0, 1]).agree
        2
    """
    require(claim.random, "claim", "one whose check takes a block of seeds", claim.id)
    return summary(claim, [claim.check(block) for block in blocks])


def summary(claim: Claim, found: Sequence[Result]) -> Spread:
    """The spread of what a claim's check found on several blocks."""
    require(len(found) > 0, "blocks", "at least one", "none")
    names = [part.name for part in found[0].parts]
    for result in found:
        there = [part.name for part in result.parts]
        require(there == names, "parts", f"the same names in every block, {names}", there)
    values = np.array([[value_of(part) for part in result.parts] for result in found])  # (blocks, parts)
    three = np.stack([values.min(axis=0), np.median(values, axis=0), values.max(axis=0)], axis=-1).tolist()
    parts = {name: (low, middle, high) for name, (low, middle, high) in zip(names, three, strict=True)}
    return Spread(len(found), sum(result.verdict == claim.verdict for result in found), parts)


def value_of(part: Part) -> float:
    """What is compared between blocks: measured over expected, measured minus expected, or the measured number itself.

    The first for a part whose kind is "relative", the second for "absolute", the third for a bound.
    """
    if part.kind == "relative":
        return part.measured / part.expected
    return part.measured - part.expected if part.kind == "absolute" else part.measured


def check_block(ids: Sequence[str], block: int) -> dict[str, Result]:
    """The checks of several claims that draw on one block, in one process, so that they can share what they run."""
    from hal import claims  # a process of its own starts here

    return {id: claims.get(id).check(block) for id in ids}
