"""Claims LTB-33 to LTB-36: another mean at test time, noise with heavy tails, many steps from zero.

Chapter `linear_block`. Source: ours, beyond arXiv 2402.14951.
"""

from functools import partial

import numpy as np

from hal.chapters.linear_block.runs import EXCESS, query_errors
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import linear_block as lb
from lib.sampling import generators
from lib.theory import linear_block as theory


@claim(
    "LTB-33",
    where="beyond the paper",
    says=(
        "If the prior mean moves by s after training, the best block pays $s^\\top K(\\Gamma^*)s$; the Bayes rule for "
        "the old mean pays what a context leaves of s; attention alone has the polynomial of its block at the new mean."
    ),
    control={"told": True},
    breaks="rules that are told the new mean",
)
def _check_33(told: bool = False, block: int = 0) -> Result:
    (seed,) = seeds = seed_block(block, 1)
    rng = generators([seed], 1)[0]
    old = lb.random_task(rng, norm=2.0)
    shift = rng.standard_normal(4)
    shift *= 1.5 / np.sqrt(shift @ old.H @ shift)
    new = old.but(mean=old.mean + shift)
    known = new if told else old
    step = lb.Step(known.mean[None], theory.best_step(known)[None])
    alone = theory.as_block(old, theory.best_attention(old))
    other = theory.as_block(known, theory.best_attention(known)) if told else alone
    params = lb.EffectiveParams(*(np.asarray(x)[None] for x in other))
    normals = rng.standard_normal((20_000, old.M, old.d))
    paid = theory.best_risk(old) + theory.shift_cost(old, shift)
    outputs = {
        "the best step": (partial(lb.step_output, step), paid),
        "Bayes for the old mean": (partial(lb.bayes_output, known), theory.shifted_bayes_risk(old, shift, normals)),
        "attention alone": (partial(lb.block_output, params), float(theory.block_risk(new, alone))),
    }
    return result(
        *(
            Part(f"risk of {name} on 200,000 prompts over theory", query_errors(f, new, 200_000, seed).mean() / r, 1, t)
            for (name, (f, r)), t in zip(outputs.items(), (0.03, 0.03, 0.05), strict=True)
        ),
        seeds=seeds,
    )


@claim(
    "LTB-34",
    where="beyond the paper",
    says=(
        "Noise with heavier tails and the same variance changes no risk of a rule that is linear in the labels; "
        "a block with labels in its keys and values pays $\\lVert cq\\rVert_H^2\\sigma^4/M$ times the excess kurtosis."
    ),
    control={"heavy": False},
    breaks="normal noise",
)
def _check_34(heavy: bool = True, block: int = 0) -> Result:
    (seed,) = seeds = seed_block(block, 1)
    rng = generators([seed], 1)[0]
    task = lb.power_task(d=2, M=4, sigma=1.5, norm=1.0)
    step = lb.Step(task.mean[None], theory.best_step(task)[None])
    key = rng.standard_normal(2)
    key *= 0.5 / np.sqrt(key @ task.H @ key)
    one = theory.Effective(task.mean, -task.mean, np.array(1.0), theory.best_step(task).T, key)
    params = lb.EffectiveParams(*(np.asarray(x)[None] for x in one))
    plain, paid = float(theory.block_risk(task, one)), float(theory.heavy_noise_risk(task, one, EXCESS))
    bayes = theory.bayes_risk(task, rng.standard_normal((100_000, task.M, task.d)))
    keyed = "a block with labels in its keys"
    outputs = {
        "the best step": (partial(lb.step_output, step), theory.best_risk(task)),
        "ridge regression around the mean": (partial(lb.bayes_output, task), bayes),
        keyed: (partial(lb.block_output, params), paid),
    }
    found = {name: query_errors(f, task, 400_000, seed, heavy=heavy).mean() for name, (f, _) in outputs.items()}
    return result(
        *(
            Part(f"risk of {name} on 400,000 prompts over theory", found[name] / risk, 1, 0.04)
            for name, (_, risk) in outputs.items()
        ),
        Part("added to that block, over theory", (found[keyed] - plain) / (paid - plain), 1, 0.15),
        seeds=seeds,
    )


@claim(
    "LTB-35",
    where="beyond the paper",
    says=(
        "k gradient steps from zero have the risk that the eigenvalues of Wishart matrices give (d = 8, M = 32), and "
        "match one step from the learned start after as many steps of one size as these say: 4 at a mean of length 6, "
        "3 at one of length 10 with M = 128."
    ),
    control={"learned": True},
    breaks="steps that begin at the learned start",
)
def _check_35(learned: bool = False, block: int = 0) -> Result:
    (seed,) = seeds = seed_block(block, 1)
    rng = generators([seed], 1)[0]
    parts = []
    for M, norm, counts in ((32, 3.0, (1, 2, 5)), (32, 6.0, (3, 4)), (128, 10.0, (2, 3))):
        task = lb.power_task(d=8, M=M, norm=norm)
        start = task.mean if learned else None
        spectra = theory.context_spectra(task, rng.standard_normal((4000, M, 8)))
        risks = []
        for k in counts:
            rates = np.full(k, theory.shared_rate(task, k, spectra))
            output = partial(lb.descent_output, rates, start=start)
            risks.append(query_errors(output, task, 40_000, seed).mean())
            name = f"risk of {k} steps on 40,000 prompts over theory, M = {M}, mean {norm:g}"
            parts.append(Part(name, risks[-1] / theory.steps_risk(task, rates, spectra), 1, 0.05))
        if norm > 3:
            step = lb.Step(task.mean[None], theory.best_step(task)[None])
            goal = query_errors(partial(lb.step_output, step), task, 40_000, seed).mean()
            enough = next((k for k, risk in zip(counts, risks, strict=True) if risk <= goal), np.inf)
            said = theory.steps_to_match(task, spectra, shared=True)
            parts.append(Part(f"steps that match the learned start on these prompts, M = {M}", enough, said))
    return result(*parts, seeds=seeds)


@claim(
    "LTB-36",
    where="beyond the paper",
    says=(
        "A learned start is worth few steps where examples are many: with four a feature three quarters of random "
        "tasks match it in 3 steps from zero or fewer. With half an example a feature at least half of them never do "
        "(d = 2 to 12, means up to length 6, noise 0.1 to 3)."
    ),
    control={"mean": 0.0},
    breaks="tasks that share no mean",
)
def _check_36(mean: float = 6.0, block: int = 0) -> Result:
    seeds, counts = seed_block(block, 40), {}
    for ratio in (0.5, 4.0):
        counts[ratio] = [_match(rng, ratio, mean) for rng in generators(seeds, 1)]
    never = float(np.mean(np.isinf(counts[0.5])))
    return result(
        Part("steps that three quarters need, four examples a feature", _quantile(counts[4.0], 0.75), 3, 0, "at most"),
        Part("share that never match, half an example a feature", never, 0.5, 0, "at least", drift=0.03),
        seeds=seeds,
    )


def _match(rng: np.random.Generator, ratio: float, mean: float) -> float:
    """Steps from zero that match the learned start, on a random task with so many examples a feature."""
    d, norm, sigma = int(rng.integers(2, 13)), float(rng.uniform(0, mean)), float(10 ** rng.uniform(-1, 0.5))
    task = lb.power_task(d=d, M=max(1, round(ratio * d)), norm=norm, sigma=sigma)
    return theory.steps_to_match(task, theory.context_spectra(task, rng.standard_normal((1000, task.M, d))))


def _quantile(counts: list[float], level: float) -> float:
    return float(np.quantile(counts, level, method="inverted_cdf"))
