"""Claim NN-31: how large the self-attention mask must be at initialisation.

Chapter `one_nn`. Source: arXiv 2411.10830, the hypothesis sigma = Omega(poly(d)); the answer is beyond the paper.
"""

from functools import cache

from hal.chapters.one_nn.runs import learn_pair
from hal.chapters.one_nn.runs.masks import BATCH, LR, STRONG, TESTS, clock, flow_losses
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.models import one_nn as model
from lib.sampling import generators

_MASKS = (-4.0, 0.0)


@claim(
    "NN-31",
    where="the convergence theorem: sigma = Omega(poly(d)); beyond the paper",
    says="The self-attention mask need not grow with the dimension: when the loss from sigma = 20 is half of its "
    "first, that from sigma = 0 is larger by some per cent, and by fewer in 8 dimensions than in 4. Drawn prompts and "
    "the exact flow agree.",
    control={"still": True},
    breaks="the self-attention mask does not learn",
)
def _check_31(still: bool = False, block: int = 0) -> Result:
    """Train the two numbers on drawn prompts; with `still` the mask stays where it begins."""
    seeds, parts, costs = seed_block(block, 16), [], []
    for d, N in ((4, 8), (8, 8)):
        time, (strong, *known) = _known(d, N)
        found = [_trained(d, N, mask, time, seeds, still) for mask in (STRONG, *_MASKS)]
        for mask, loss, law in zip(_MASKS, found[1:], known, strict=True):
            word = f"sigma = {mask:g} over {STRONG:g}, d = {d}, N = {N}"
            parts.append(Part(f"loss, {word}", loss / found[0], law / strong, 0.05, "relative", drift=0.01))
        costs.append(found[-1] / found[0])
    name = "loss, sigma = 0 over 20, d = 8, less that at d = 4"
    parts.append(Part(name, costs[1] - costs[0], -0.02, 0, "at most", 0.01))
    return result(*parts, seeds=seeds)


@cache
def _known(d: int, N: int) -> tuple[float, list[float]]:
    """When the flow from the strong mask has half of its first loss, and the losses of all flows then."""
    time = clock(d, N)[0]
    return time, flow_losses(d, N, [time], (STRONG, *_MASKS))[:, 0].tolist()


def _trained(d: int, N: int, mask: float, time: float, seeds: range, still: bool) -> float:
    """The mean loss on fresh prompts."""
    steps = round(time / LR)
    rule = optim.per_field(xi1=optim.sgd(LR / d), xi2=optim.sgd(0.0 if still else LR))
    run = learn_pair(seeds, d=d, N=N, sigma=mask, batch=BATCH, steps=steps, optimiser=rule, record_at=[0, steps])
    pair = model.ReducedPair(d, N, mask)
    return float(pair.loss_and_gradient(run.params, pair.sample(TESTS, generators(seeds, 3)))[0].mean())
