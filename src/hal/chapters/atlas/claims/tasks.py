"""Claims ATL-12 to ATL-15: the clock in chapters 4, 5 and 6, and why chapter 2 has two of them.

Chapter `atlas`. Source: our own; Theorem 1.
"""

from hal.chapters.atlas.claims._shared import exponent, spread
from hal.chapters.atlas.runs import Fan, fan_of
from hal.claims import Part, Result, claim, result, seed_block

_OURS = "our own; Theorem 1 of the chapter"
_EVEN = "attention moves by steps of one length, whatever its gradient"


def _parts(found: Fan, fan: float, closed: float) -> list[Part]:
    return [
        Part("spread of the step at the move, standard deviation of its logarithm", spread(found.step), fan,
             kind="at least", drift=0.02),
        Part("spread of the clock there", spread(found.clock), closed, kind="at most", drift=0.01),
    ]  # fmt: skip


@claim(
    "ATL-12",
    where=_OURS,
    says="In group-sparse classification, too, read-outs sixteen times apart in their learning rates move attention "
    "at quite different steps, and at one reading of the clock.",
    control={"optimiser": "even steps"},
    breaks=_EVEN,
)
def _check_12(optimiser: str = "gradient descent", block: int = 0) -> Result:
    seeds = seed_block(block, 1)
    return result(*_parts(fan_of("groups", seeds, optimiser), 0.12, 0.1), seeds=seeds)


@claim(
    "ATL-13",
    where=_OURS,
    says="On random walks, the clock is one as well where attention moves. The residual belongs to it: "
    "the read-out alone, added up, spreads more than the step.",
    control={"optimiser": "even steps"},
    breaks=_EVEN,
)
def _check_13(optimiser: str = "gradient descent", block: int = 0) -> Result:
    seeds = seed_block(block, 3)
    found = fan_of("walks", seeds, optimiser)
    alone = Part("spread of the read-out added up without the residual, over that of the step",
                 spread(found.heard) / spread(found.step), 1.5, kind="at least", drift=0.2)  # fmt: skip
    return result(*_parts(found, 0.13, 0.03), alone, seeds=seeds)


@claim(
    "ATL-14",
    where=_OURS,
    says="In the linear block, started without a value for labels, attention moves at steps that spread like the "
    "rate to the power $-1/2$, and at a clock of 6.25, as theory has it without a fitted number.",
    control={"optimiser": "even steps"},
    breaks=_EVEN,
)
def _check_14(optimiser: str = "gradient descent", block: int = 0) -> Result:
    """The clock is (0.3 - 0.05) / (2 * 0.02): level less start, over the speed of the diagonal of Q."""
    seeds = seed_block(block, 4)
    found = fan_of("prompts", seeds, optimiser)
    return result(
        Part("exponent of the step at the move in the read-out's learning rate", exponent(found.step), -0.5, 0.08),
        Part("clock at the move, mean", found.clock.mean(), (0.3 - 0.05) / (2 * 0.02), 0.06, "relative", drift=0.1),
        Part("spread of the clock at the move", spread(found.clock), 0.06, kind="at most", drift=0.01),
        seeds=seeds,
    )


@claim(
    "ATL-15",
    where=_OURS,
    says="In Scan and Snap one clock fails, and the reason is what the decoder says alike of both classes: trained on "
    "the contrast of the classes alone, it has one clock.",
    control={"optimiser": "gradient descent"},
    breaks="the decoder learns what is common to both classes as well",
)
def _check_15(optimiser: str = "contrast alone", block: int = 0) -> Result:
    seeds = seed_block(block, 4)
    whole = fan_of("sentences", seeds)
    found = whole if optimiser == "gradient descent" else fan_of("sentences", seeds, optimiser)
    return result(
        Part("spread of the clock of the contrast at the move, whole decoder", spread(whole.clock), 0.35,
             kind="at least", drift=0.02),
        Part("the same, contrast alone", spread(found.clock), 0.03, kind="at most", drift=0.005),
        Part("exponent of the step there", exponent(found.step), -0.5, 0.1),
        seeds=seeds,
    )  # fmt: skip
