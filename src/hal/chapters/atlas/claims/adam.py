"""Claims ATL-16 and ATL-18: whose Adam it is, the read-out's or attention's, and what each costs.

Chapter `atlas`. Source: our own.
"""

from hal.chapters.atlas.runs import entropy_of_the_scan, parent_on_walks
from hal.chapters.atlas.runs.layers import ADAM, CENTRED, GRADIENT, SIGN
from hal.claims import Part, Result, claim, result, seed_block

_OURS = "our own; measured"


def _share(read_out: str, attention: str, seeds: list[int]) -> float:
    return float((parent_on_walks(read_out, attention, seeds) > 0.9).mean())


@claim(
    "ATL-16",
    where=_OURS,
    says="On random walks Adam loses the parent in either layer. Of the read-out’s Adam centring is the cure: the "
    "gradient’s mean over the nodes is taken away first. Attention’s Adam it does not cure.",
    control={"centred": False},
    breaks="nothing is taken away before Adam",
)
def _check_16(centred: bool = True, block: int = 0) -> Result:
    """Shares of runs with more than 0.9 of attention on the parent."""
    seeds = list(seed_block(block, 3))
    cured = CENTRED if centred else ADAM
    return result(
        Part("runs that find the parent by gradient descent, share",
             _share(GRADIENT, GRADIENT, seeds), 0.6, kind="at least", drift=0.34),
        Part("with the read-out’s Adam", _share(ADAM, GRADIENT, seeds), 0.4, kind="at most", drift=0.34),
        Part("the same, centred", _share(cured, GRADIENT, seeds), 0.6, kind="at least", drift=0.34),
        Part("centred, and with attention’s Adam", _share(cured, ADAM, seeds), 0.0, kind="at most", drift=0.34),
        seeds=seeds,
    )  # fmt: skip


@claim(
    "ATL-18",
    where=_OURS,
    says="Whether the scan of Scan and Snap selects frequent tokens is decided by the optimiser of the read-out alone: "
    "entropy of attention among distinct tokens falls under its gradient descent and rises under its Adam and its sign "
    "descent, whatever moves attention.",
    control={"swapped": True},
    breaks="the read-out of the last six runs learns by gradient descent as well",
)
def _check_18(swapped: bool = False, block: int = 0) -> Result:
    seeds = list(seed_block(block, 2))
    movers = (GRADIENT, ADAM, SIGN)

    def change(read_out: str, attention: str) -> float:
        start, end = entropy_of_the_scan(read_out, attention, seeds)
        return float((end - start).mean())

    sized = [change(GRADIENT, attention) for attention in movers]
    signed = [change(GRADIENT if swapped else out, attention) for out in (ADAM, SIGN) for attention in movers]
    return result(
        Part("largest change of the entropy under the read-out’s gradient descent, nats", max(sized), -0.08,
             kind="at most", drift=0.01),
        Part("smallest under its Adam or sign descent", min(signed), 0.005, kind="at least", drift=0.003),
        Part("largest of these", max(signed), 0.145, 0.01, drift=0.005),
        seeds=seeds,
    )  # fmt: skip
