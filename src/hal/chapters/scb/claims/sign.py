"""Claims SCB-15 to SCB-17: which sign a run takes, how many samples that costs, and what it does not cost.

Chapter `scb`. All beyond arXiv 2410.23438, whose Theorem 3.1 asks for poly(T) samples in Stage 1.
"""

import numpy as np

from hal.chapters.scb.claims._signs import LEVEL, TwinTokens, share_right, stage1, two_token_task, z_error, z_of
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.theory import scb as theory

_LR = 0.04
_RUNS = {64: 500, 128: 300, 256: 200, 512: 80}  # by context length
_MOST = max(_RUNS.values())


def _batch(T: int) -> int:
    """Batch for which the sign law gives a run the true sign with probability 0.95."""
    task = two_token_task(T)
    s2 = theory.constants(task.mu, task.P, task.Q).s2
    return round(float(theory.batch_for_sign(_LR, s2, T, 0.95)))


def _signals(lengths: tuple[int, ...], block: int, random_V: float) -> tuple[np.ndarray, np.ndarray]:
    """Measured signal over noise of the sign over that of the law, and its standard error, at each context length."""
    found = []
    for T in lengths:
        runs, task = _RUNS[T], two_token_task(T)
        share, law = share_right(task, _batch(T), _LR, seed_block(block, _MOST)[:runs], random_V)
        found.append((z_of(share, runs) / law, z_error(share, runs) / law))
    ratio, error = np.array(found).T
    return ratio, error


@claim(
    "SCB-15",
    where="Beyond the paper",
    says="Noise during the quiet phase decides whether a run ends at the solution or at its mirror. The chance of "
    r"the true sign is $\Phi\bigl(\sqrt{2B/(\eta s^2T)}\bigr)$.",
    control={"random_V": 0.02},
    breaks="$V$ starts with a small random matrix, which drowns the push of size $1/T$",
)
def _check_15(random_V: float = 0.0, block: int = 0) -> Result:
    """Random_V: size of a random matrix added to V at the start."""
    ratio, error = _signals((64, 128, 256), block, random_V)
    pooled = float(np.average(ratio, weights=error**-2))
    name = "signal over noise z of the sign (the share of right ones is Phi(z)) over the law's, T = 64 to 256"
    return result(Part(name, pooled, 1.0, 0.2, drift=0.01), seeds=seed_block(block, _MOST))


@claim(
    "SCB-16",
    where=r"Theorem 3.1 ($\mathrm{poly}(T)$ samples before $\tau_1$); the exponents: beyond the paper",
    says="For a given chance of the true sign the batch must grow in proportion to the context length, and the "
    r"samples of Stage 1 a little faster, like $T\ln T$.",
    control={"random_V": 0.02},
    breaks="$V$ starts with a small random matrix, of a size that does not fall with $T$ as the push does",
)
def _check_16(random_V: float = 0.0, block: int = 0) -> Result:
    """Random_V: size of a random matrix added to V at the start."""
    lengths = tuple(_RUNS)
    ratio, error = _signals(lengths, block, random_V)
    # The batch goes with T here. Where it had to go with T^power, z would go with T^((1 - power) / 2).
    columns = np.stack([np.ones(len(lengths)), np.log(lengths) - np.log(lengths).mean()], axis=-1)
    level, slope = np.linalg.lstsq(columns / error[:, None], ratio / error, rcond=None)[0]
    power = 1 - 2 * slope / level
    seeds = seed_block(block, _MOST)
    steps = [np.median(stage1(two_token_task(T), _batch(T), _LR, seeds[: _RUNS[T]], random_V).steps) for T in lengths]
    said = [float(theory.escape_time(LEVEL, _LR, two_token_task(T).K_Q, T)) for T in lengths]
    longer, said_longer = (np.polyfit(np.log(lengths), np.log(times), 1)[0] for times in (steps, said))
    return result(
        Part("power of T in the batch for the true sign, T = 64 to 512", power, 1.0, 0.4, drift=0.02),
        Part("power of T that the steps of Stage 1 add to it", longer, said_longer, 0.05, drift=0.02),
        seeds=seeds,
    )


@claim(
    "SCB-17",
    where=r"Beyond the paper; against the conjecture that $\mathrm{poly}(T)$ samples are needed in Stage 1",
    says="Up to the mirror, the useful positions can be read off when Stage 1 ends, after a number of samples that "
    r"grows only like $\ln T$. Only the sign costs samples in proportion to $T$.",
    control={"model": TwinTokens},
    breaks="tokens come in pairs of equals, so that a useful position and its neighbour look the same",
)
def _check_17(model: type | None = None, block: int = 0) -> Result:
    """Model: what is trained on the task; None for the linear transformer on its tokens."""
    batch, lr, lengths = 48, 0.05, (512, 4096)
    seeds, parts, samples, said = seed_block(block, 8), [], [], []
    for T in lengths:
        task = scb.ring_task(T, rng=0)
        found = stage1(task, batch, lr, seeds, model=model)
        samples.append(batch * np.median(found.steps))
        said.append(batch * float(theory.escape_time(LEVEL, lr, task.K_Q, T)))
        name = f"share of runs that show the support, up to the mirror, T = {T}, batch 48, lr 0.05"
        parts.append(Part(name, found.support.mean(), 0.75, 0, "at least", 1 / len(seeds)))
    (few, many), (said_few, said_many) = samples, said
    return result(
        *parts,
        Part("samples until then (median), T = 4096", many, said_many, 0.3, "relative", 2 * batch),
        Part("times more than at T = 512", many / few, said_many / said_few, 0.2, "relative", 0.05),
        seeds=seeds,
    )
