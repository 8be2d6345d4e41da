"""What a claim is: a statement with its place in a paper, a check that can fail, and a control that must fail.

One definition serves the chapter's table, the ledger page, the test suite and the reader who calls it.

Example:
    >>> import numpy as np
    >>> @claim("X-1", where="school", says="Dice show 3.5 on average.", control={"faces": 8}, breaks="an eighth face")
    ... def _check_1(faces: int = 6, block: int = 0) -> Result:
    ...     seeds = seed_block(block, 1000)
    ...     throws = [np.random.default_rng(seed).integers(1, faces, endpoint=True) for seed in seeds]
    ...     return result(Part("mean of a thousand throws", np.mean(throws), 3.5, 0.25), seeds=seeds)
    >>> _check_1.check().verdict, _check_1.check(block=5).verdict, _check_1.control().verdict
    ('holds', 'holds', 'fails')
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from importlib import import_module
from inspect import signature
from pkgutil import iter_modules
from typing import Any

from hal.claims.parts import Part, Result, Verdict, result
from lib.errors import require

__all__ = ["Claim", "Part", "Result", "claim", "gather", "result", "seed_block"]


def seed_block(block: int, runs: int) -> range:
    """The seeds of a block of `runs` runs: 0 to runs - 1 in block 0, the next `runs` in block 1, and so on.

    Raises:
        InputError: if the block is negative.
    """
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
        """Run the check on a block of seeds; takes from milliseconds to some ten seconds. The book shows block 0.

        Raises:
            InputError: if the claim draws nothing and the block is not 0.
        """
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

    Raises:
        InputError: if the control names no argument of the check, or a regime lacks its words.
    """

    def decorate(function: Callable[..., Result]) -> Claim:
        module = function.__module__.split(".")
        paper = module[2] if module[:2] == ["hal", "chapters"] else module[-1]
        return Claim(id, paper, where, says, function, dict(control), breaks, verdict, regime)

    return decorate


def gather(package: str) -> list[Claim]:
    """The claims in all modules of a chapter's package, in the order of the numbers in their ids.

    Modules whose names begin with an underscore are helpers.
    """
    names = [module.name for module in iter_modules(import_module(package).__path__) if module.name[0] != "_"]
    modules = [vars(import_module(f"{package}.{name}")).values() for name in names]
    found = [value for values in modules for value in values if isinstance(value, Claim)]
    return sorted(found, key=lambda claim: int(claim.id.rpartition("-")[2]))
