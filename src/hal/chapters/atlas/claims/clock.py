"""Claims ATL-1 to ATL-3 and ATL-5: attention waits for the read-out, and then keeps its time.

Chapter `atlas`. Source: our own; Lemma 1 and Theorem 1.
"""

from collections.abc import Sequence
from functools import lru_cache

from hal.chapters.atlas import theory
from hal.chapters.atlas.claims._shared import exponent, spread
from hal.chapters.atlas.runs import FACTORS, Fan, attention_gradients, fan
from hal.claims import Part, Result, claim, result, seed_block

_SEEDS, _LEVEL, _RATE = 4, 0.3, 0.02
_OURS = "our own; Lemma 1 and Theorem 1 of the chapter"


@lru_cache(maxsize=8)
def _fan(seeds: tuple[int, ...], optimiser: str) -> Fan:
    return fan(seeds, optimiser)


@claim(
    "ATL-1",
    where=_OURS,
    says="Where every token reads alike, attention has no gradient: at initialisation it is zero for every batch in "
    "chapters 1, 2, 4 and 5.",
    control={"noise": 1e-3},
    breaks="every entry of the read-out is moved by noise of size 0.001",
)
def _check_1(noise: float = 0.0, block: int = 0) -> Result:
    (seed,) = seed_block(block, 1)
    sizes = attention_gradients(seed, noise)
    return result(
        *(Part(f"attention's largest gradient, {slug}", x, 1e-15, kind="rounding") for slug, x in sizes.items()),
        seeds=(seed,),
    )


@claim(
    "ATL-2",
    where=_OURS,
    says="With learning rates of the read-out from a quarter to four times, attention of chapter 1 moves at "
    "steps that spread like the rate to the power $-1/2$, and at one reading of the clock.",
    control={"optimiser": "Adam"},
    breaks="Adam trains both layers, so that attention's steps do not know how much it has heard",
)
def _check_2(optimiser: str = "gradient descent", block: int = 0) -> Result:
    seeds = seed_block(block, _SEEDS)
    found = _fan(tuple(seeds), optimiser)
    return result(
        Part("exponent of the step at the move in the read-out's learning rate", exponent(found.step), -0.5, 0.05),
        Part("spread of the clock at the move, standard deviation of its logarithm", spread(found.clock), 0.05,
             kind="at most", drift=0.01),
        seeds=seeds,
    )  # fmt: skip


@claim(
    "ATL-3",
    where=_OURS,
    says="Where attention moves the clock reads its level over its learning rate, without a fitted number.",
    control={"optimiser": "sign descent"},
    breaks="sign descent trains both layers",
)
def _check_3(optimiser: str = "gradient descent", block: int = 0) -> Result:
    seeds = seed_block(block, _SEEDS)
    found = _fan(tuple(seeds), optimiser)
    expected = float(theory.half_clock(_LEVEL, _RATE))
    parts = [
        Part(f"clock at the move, {factor:g} times the learning rate", found.clock[:, i].mean(), expected, 0.08,
             "relative", drift=0.3)
        for i, factor in enumerate(FACTORS)
    ]  # fmt: skip
    return result(*parts, seeds=seeds)


@claim(
    "ATL-5",
    where=_OURS,
    says="With Adam the step is the clock: when attention moves does not depend on the read-out's learning rate.",
    control={"optimiser": "gradient descent"},
    breaks="gradient descent trains both layers",
)
def _check_5(optimiser: str = "Adam", block: int = 0) -> Result:
    seeds: Sequence[int] = seed_block(block, _SEEDS)
    found = _fan(tuple(seeds), optimiser)
    return result(
        Part("exponent of the step at the move in the read-out's learning rate", exponent(found.step), 0.0, 0.08),
        Part("exponent of the clock there, Adam's read-out growing with its rate", exponent(found.clock), 1.0, 0.15),
        seeds=seeds,
    )
