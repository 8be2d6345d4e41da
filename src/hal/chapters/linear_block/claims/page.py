"""Claims LTB-40 and LTB-41: what the page computes is the library's.

Chapter `linear_block`, our own code. The page runs textbooks in plain Python, translated, and draws portable theory;
these claims hold all of it to the fast models and to the theory in NumPy.
"""

import numpy as np

from hal.claims import Part, Result, claim, relative_error, result, seed_block
from lib import optim
from lib.models import linear_block as lb
from lib.models.linear_block import textbook, textbook_block, textbook_population
from lib.portable import finish
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


def _effective(block: textbook_block.Block) -> theory.Effective:
    return theory.Effective(*(np.array(x) for x in (block.alpha, block.v, block.c, block.Q, block.q)))


def _block_of(block: textbook_block.Block) -> lb.EffectiveParams:
    return lb.EffectiveParams(*(x[None] for x in _effective(block)))


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


def _rules_off(seed: int, late: int) -> tuple[float, float]:
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
    (seed,) = seed_block(block, 1)
    trained = np.array([_training_off(adam, seed, late) for adam in (0, 1)])
    risks, slopes = _rules_off(seed, late)
    return result(
        Part("parameters after twelve steps, largest difference", trained[:, 0].max(), 1e-9, kind="rounding"),
        Part("exact risk of the block after them, largest difference", trained[:, 1].max(), 1e-9, kind="rounding"),
        Part("risks of all rules, largest relative difference", risks, 1e-8, kind="rounding"),
        Part("slopes of the flow, largest relative difference", slopes, 1e-9, kind="rounding"),
        seeds=(seed,),
    )


def _matrices_off(seed: int, late: int) -> float:
    """Textbook minus library: risk and its gradient through six matrices, before and after training; the near start."""
    small = textbook_population.Settings(d=3, M=5 + late, sigma=0.4, norm=1.5, decay=0.7, lr=0.02, steps=8)
    task, off = lb.power_task(3, 5, 0.4, 1.5, 0.7), []
    for kind in (textbook_block.BLOCK, textbook_block.ATTENTION):
        state, mlp = textbook_population.start(small._replace(kind=kind), seed), kind == textbook_block.BLOCK
        for _ in range(2):
            slope = textbook_population.gradient(state)
            weights = lb.Weights(*np.array(state.W).reshape(6, 1, 4, 4))
            known, slopes = theory.block_risk_and_gradient(task, theory.Effective(*lb.effective_of(weights, mlp)))
            gradient = lb.weight_gradient(weights, lb.EffectiveParams(*slopes), mlp)
            off += [
                abs(state.risk - known[0]),
                np.abs(np.array(slope).reshape(6, 4, 4) - np.array(gradient)[:, 0]).max(),
            ]
            while not textbook_population.done(state):
                textbook_population.step(state)
    near = textbook_population.start(small._replace(near=1, scale=0.0), seed)
    known = np.array(lb.LinearBlock(task, start="near identity", scale=1e-12).init(1, [np.random.default_rng(seed)]))
    off.append(np.abs(np.array(near.W).reshape(6, 4, 4) - known[:, 0]).max())
    step = finish(textbook_population, small._replace(kind=textbook_block.STEP, adam=0, lr=0.05, steps=1), seed)
    beta, Gamma = theory.flow_slopes(task, np.zeros(3), np.zeros((3, 3)))
    after = theory.step_risk(task, 0.05 * beta, 0.05 * Gamma)
    return float(max(*off, abs(step["risk"][-1] - float(after))))


def _flows_off(seed: int, late: int) -> tuple[float, float]:
    """Relative differences at random tasks, the page's contexts `late` longer, from what the library finds another way:
    risks of lengthened blocks; the stable rate and the flow's path.
    """
    rng, risks, paths = np.random.default_rng(seed), [], []
    for _ in range(3):
        d, M = int(rng.integers(2, 7)), int(rng.integers(2, 40))
        sigma, norm, psi = float(rng.uniform(0.2, 2)), float(rng.uniform(0.2, 4)), float(rng.uniform(0.2, 2))
        task = lb.power_task(d, M, sigma, norm, 0.8, psi)
        h, mean, own = np.diag(task.H).tolist(), task.mean.tolist(), float(M + late)
        gains = np.diag(theory.best_step(task))
        longer = float(theory.step_risk(task.but(M=3 * M), task.mean, np.diag(gains)))
        risks.append(relative_error(portable.gains_risk(h, psi, sigma, 3 * own, gains.tolist()), longer))
        paths.append(relative_error(portable_flow.stable_rate(h, psi, mean, sigma, own), theory.stable_rate(task)))
        rng.standard_normal(3 * d + 1 + d * d)  # passed over, so that the next task is the recorded one
    task = lb.power_task(2, 10, 0.5, 2.0, 1.0)
    law, times = portable_flow.step_law([1.0, 0.5], 1.0, task.mean.tolist(), 0.5, 10.0 + late), [0.2, 1.0, 3.0]
    found_path, path = np.array(portable_flow.step_path(law, [0.0] * 6, times, 1e-6)), theory.step_flow(task, times)
    states = np.concatenate([path.beta, path.Gamma.reshape(3, 4)], axis=1)
    paths.append(float(np.abs(found_path - states).max() / np.abs(states).max()))
    return max(risks), max(paths)


def _recorded_off(seed: int) -> float:
    """What a run records at its end, minus the same from the block's parameters."""
    settings = textbook.Settings(d=3, M=5, norm=1.5, decay=0.7, batch=6, start=0.4, steps=5)
    state = textbook.start(settings, seed)
    while not textbook.done(state):
        textbook.step(state)
    alpha, v, c, Q, q = _effective(state.block)
    u, shown = np.full(3, 3**-0.5), textbook.read(state)
    along = u @ Q @ u
    across = c * (np.trace(Q) - along) / 2
    known = {"alpha": alpha @ u, "start": -v @ u / c, "along": c * along, "across": across}
    known["labels"] = np.linalg.norm(q)
    return max(abs(shown[name][-1] - float(value)) for name, value in known.items())


def _label_square(seed: int) -> float:
    """Mean square of the labels of 3000 drawn prompts over what their law says."""
    settings = textbook.Settings(d=3, M=5, sigma=0.4, norm=1.5, decay=0.7)
    state, squares = textbook.start(settings, seed), []
    for _ in range(3000):
        textbook.draw_prompt(state)
        squares.append(np.mean(np.array(state.Z)[:, -1] ** 2))
    task = lb.power_task(3, 5, 0.4, 1.5, 0.7)
    return float(np.mean(squares) / (theory.label_variance(task) + task.mean @ task.H @ task.mean))


@claim(
    "LTB-41",
    where="our own code",
    says="What the other figures compute in the page is the library's too: training of six matrices on all prompts, "
    "the risk on longer prompts, the flow, what a run records. The prompts of the page have the law of the task.",
    control={"late": 1},
    breaks="the page's prompts have one example more",
)
def _check_41(late: int = 0, block: int = 0) -> Result:
    (seed,) = seed_block(block, 1)
    risks, paths = _flows_off(seed, late)
    return result(
        Part("six matrices: risk, gradient, start, largest difference", _matrices_off(seed, late), 1e-9,
             kind="rounding"),
        Part("risks of lengthened blocks, relative difference", risks, 1e-8, kind="rounding"),
        Part("stable rate and path of the flow, relative difference", paths, 1e-5, kind="rounding"),
        Part("what a run records, largest difference", _recorded_off(seed), 1e-9, kind="rounding"),
        Part("mean square of drawn labels over the law's", _label_square(seed), 1.0, 0.1),
        seeds=(seed,),
    )  # fmt: skip
