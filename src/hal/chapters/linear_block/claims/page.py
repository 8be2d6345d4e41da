"""Claim LTB-40: what the page computes is the library's.

Chapter `linear_block`, our own code. The page trains a textbook in plain Python, translated, and draws portable theory;
this claim holds both to the fast model and to the theory in NumPy.
"""

import numpy as np

from hal.claims import Part, Result, claim, relative_error, result, seed_block
from lib import optim
from lib.models import linear_block as lb
from lib.models.linear_block import textbook, textbook_block
from lib.portable.vectors import scaled
from lib.theory import linear_block as theory
from lib.theory.linear_block import portable, portable_attention, portable_flow
from lib.train import GivenBatches, train

_SMALL = textbook.Settings(d=3, M=5, sigma=0.4, norm=1.5, decay=0.7, batch=6, lr=0.02, start=0.1, steps=12)


def _replayed(settings: textbook.Settings, seed: int, late: int) -> list[lb.Prompts]:
    """The batches that the textbook's run draws, for the fast model, each hidden label `late` prompts late."""
    state, found = textbook.start(settings, seed), []
    for _ in range(settings.steps):
        rows, queries = [], []
        for _ in range(settings.batch):
            textbook.draw_prompt(state)
            rows.append([row[:] for row in state.Z])
            queries.append(state.query[:])
        Z, query = np.array(rows)[None], np.array(queries)[None]
        found.append(lb.Prompts(Z[..., :-1], Z[..., -1], query[..., :-1], np.roll(query[..., -1], late, axis=1)))
    return found


def _block_of(block: textbook_block.Block) -> lb.EffectiveParams:
    return lb.EffectiveParams(*(np.array(x)[None] for x in (block.alpha, block.v, block.c, block.Q, block.q)))


def _training_off(adam: int, seed: int, late: int) -> tuple[float, float]:
    """Textbook minus fast model after one training on the same prompts: the parameters, and the risk at the end."""
    settings = _SMALL._replace(kind=textbook_block.BLOCK, adam=adam)
    state = textbook.start(settings, seed)
    task = lb.power_task(settings.d, settings.M, settings.sigma, settings.norm, settings.decay)

    def rate(step: int) -> float:
        return settings.lr if 10 * step < 7 * settings.steps else 0.1 * settings.lr

    fixed = GivenBatches(lb.EffectiveBlock(task), _replayed(settings, seed, late))
    ends = train(fixed, _block_of(state.block), (optim.adam if adam else optim.sgd)(rate), settings.steps).params
    while not textbook.done(state):
        textbook.step(state)
    off = max(float(np.abs(mine - other).max()) for mine, other in zip(_block_of(state.block), ends, strict=True))
    risk, _ = theory.block_risk_and_gradient(task, theory.Effective(*ends))
    return off, abs(textbook.read(state)["risk"][-1] - float(risk[0]))


def _theory_off(seed: int, late: int) -> tuple[float, float]:
    """Largest relative differences of the page's theory at eight random tasks, the page's contexts `late` longer, from
    what the library computes in another way: risks; slopes of the flow.
    """
    rng, risks, slopes = np.random.default_rng(seed), [], []
    for _ in range(8):
        d, M = int(rng.integers(2, 7)), int(np.exp(rng.uniform(0, 5)))
        sigma, norm = float(rng.uniform(0.1, 3)), float(np.exp(rng.uniform(-3, 3)))
        decay, psi = float(rng.uniform(0, 2)), float(rng.uniform(0.2, 2))
        task, own = lb.power_task(d, M, sigma, norm, decay, psi), float(M + late)
        h, mean = np.diag(task.H).tolist(), task.mean.tolist()
        phi, gains, best = scaled(h, psi), portable.best_gains(h, psi, sigma, own), theory.best_step(task)
        beta, Gamma = rng.standard_normal(d), rng.standard_normal((d, d))
        risks += [
            relative_error(mine, other)
            for mine, other in (
                (portable.best_risk(phi, sigma, own), theory.step_risk(task, task.mean, best)),
                (portable.best_risk_from(h, psi, mean, sigma, own, [0.0] * d), theory.zero_start_risk(task)),
                (
                    portable.step_risk(h, psi, mean, sigma, own, beta.tolist(), Gamma.tolist()),
                    theory.step_risk(task, beta, Gamma),
                ),
                (portable.long_risk(h, psi, sigma, gains), theory.long_risk(task, task.mean, best)),
                (portable.trap_risk(phi, sigma, own), theory.block_risk(task, theory.trap_block(task))),
                (portable_attention.best_attention_risk(h, psi, mean, sigma, own), theory.best_attention(task).risk),
            )
        ]
        y, out = rng.standard_normal(d + d * d), [0.0] * (d + d * d)
        portable_flow.step_slope(0.0, y.tolist(), out, portable_flow.step_law(h, psi, mean, sigma, own))
        known = np.concatenate([x.ravel() for x in theory.flow_slopes(task, y[:d], y[d:].reshape(d, d))])
        slopes.append(float(np.abs(out - known).max() / np.abs(known).max()))
    return max(risks), max(slopes)


@claim(
    "LTB-40",
    where="our own code",
    says="The program that the page runs is the model of the library: trained on the same prompts both go the same "
    "way, with SGD and with Adam. The theory that the page draws is that of the library.",
    control={"late": 1},
    breaks="the library sees each hidden label one prompt late, and the page's theory is that of one example more",
)
def _check_40(late: int = 0, block: int = 0) -> Result:
    """The library sees labels `late` prompts late, and the page's theory has as many examples more."""
    (seed,) = seed_block(block, 1)
    trained = np.array([_training_off(adam, seed, late) for adam in (0, 1)])
    risks, slopes = _theory_off(seed, late)
    return result(
        Part("parameters after twelve steps, largest difference", trained[:, 0].max(), 1e-9, kind="rounding"),
        Part("exact risk of the block after them, largest difference", trained[:, 1].max(), 1e-9, kind="rounding"),
        Part("risks of all rules, largest relative difference", risks, 1e-8, kind="rounding"),
        Part("slopes of the flow, largest relative difference", slopes, 1e-9, kind="rounding"),
        seeds=(seed,),
    )
