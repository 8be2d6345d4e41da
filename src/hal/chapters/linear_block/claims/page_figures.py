"""Claim LTB-41: what the chapter's other figures compute in the page is the library's too.

Chapter `linear_block`, our own code. Beside the training of claim LTB-40 the page trains six matrices on all prompts,
averages the Bayes risk over contexts, searches the best block with a part cut out, and follows the flow.
"""

import numpy as np

from hal.claims import Part, Result, claim, relative_error, result, seed_block
from lib.models import linear_block as lb
from lib.models.linear_block import textbook, textbook_block, textbook_contexts, textbook_parts, textbook_population
from lib.portable import finish
from lib.portable.random_numbers import generator, normals
from lib.theory import linear_block as theory
from lib.theory.linear_block import portable, portable_cut, portable_flow


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


def _bayes_off(seed: int, late: int) -> float:
    """Relative difference of the mean risks over the same contexts, the library's `late` rows longer."""
    settings = textbook_contexts.Settings(d=3, M=8, sigma=0.6, decay=0.7, contexts=30)
    shown, lengths = finish(textbook_contexts, settings, seed), textbook_contexts.lengths(settings.M)
    random, rows, row = generator(seed, 3), np.zeros((30, lengths[-1], 3)), [0.0] * 3
    for context in rows:
        for i in range(lengths[-1]):
            normals(random, row)
            context[i] = row
    task = lb.power_task(3, 8, 0.6, decay=0.7)
    known = [theory.bayes_risk(task.but(M=M + late), rows[:, : M + late]) for M in lengths[:8]]
    return relative_error(shown["bayes"][:8], known)


def _effective(block: textbook_block.Block) -> theory.Effective:
    return theory.Effective(*(np.asarray(x) for x in (block.alpha, block.v, block.c, block.Q, block.q)))


def _theory_off(seed: int, late: int) -> tuple[float, float, float]:
    """Relative differences at random tasks, the page's contexts `late` longer, from what the library finds another way:
    risks of cut and of lengthened blocks; parts of any block's output; the stable rate and the flow's path.
    """
    rng, risks, parts, paths = np.random.default_rng(seed), [], [], []
    for _ in range(3):
        d, M = int(rng.integers(2, 7)), int(rng.integers(2, 40))
        sigma, norm, psi = float(rng.uniform(0.2, 2)), float(rng.uniform(0.2, 4)), float(rng.uniform(0.2, 2))
        even = lb.power_task(d, M, sigma, norm)
        for alpha, mask in ((1, 0), (0, 1), (0, 0)):
            found = portable_cut.best_cut(d, float(M + late), 1.0, sigma, norm, alpha, mask)
            block = _effective(textbook_parts.symmetric_block(d, found.numbers))
            known = theory.block_risk(even, block) + (0.0 if mask else theory.unmasked_cost(even, block))
            risks.append(relative_error(found.risk, known))
            if mask:
                risks.append(relative_error(found.risk, theory.best_attention(even).risk))
        task = lb.power_task(d, M, sigma, norm, 0.8, psi)
        h, mean, own = np.diag(task.H).tolist(), task.mean.tolist(), float(M + late)
        gains = np.diag(theory.best_step(task))
        longer = float(theory.step_risk(task.but(M=3 * M), task.mean, np.diag(gains)))
        risks.append(relative_error(portable.gains_risk(h, psi, sigma, 3 * own, gains.tolist()), longer))
        shapes = ((d,), (d,), (), (d, d), (d,))
        block = theory.Effective(*(0.7 * rng.standard_normal(shape) for shape in shapes))
        given = (h, psi, mean, sigma, own, *(np.asarray(x).tolist() for x in block))
        parts.append(relative_error(portable_cut.part_squares(*given), theory.part_squares(task, block)))
        cost = theory.unmasked_cost(task, block)
        parts.append(relative_error(portable_cut.unmasked_cost(*given), cost))
        paths.append(relative_error(portable_flow.stable_rate(h, psi, mean, sigma, own), theory.stable_rate(task)))
    task = lb.power_task(2, 10, 0.5, 2.0, 1.0)
    law, times = portable_flow.step_law([1.0, 0.5], 1.0, task.mean.tolist(), 0.5, 10.0 + late), [0.2, 1.0, 3.0]
    found_path, path = np.array(portable_flow.step_path(law, [0.0] * 6, times, 1e-6)), theory.step_flow(task, times)
    states = np.concatenate([path.beta, path.Gamma.reshape(3, 4)], axis=1)
    paths.append(float(np.abs(found_path - states).max() / np.abs(states).max()))
    return max(risks), max(parts), max(paths)


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
    "the Bayes risk over contexts, the best block with a part cut out, the parts of an output, the flow, what a run "
    "records. The prompts of the page have the law of the task.",
    control={"late": 1},
    breaks="the page's prompts have one example more, the library's contexts one row more",
)
def _check_41(late: int = 0, block: int = 0) -> Result:
    """The page's prompts have `late` examples more, the library's contexts as many rows."""
    (seed,) = seed_block(block, 1)
    risks, parts, paths = _theory_off(seed, late)
    return result(
        Part("six matrices: risk, gradient, start, largest difference", _matrices_off(seed, late), 1e-9,
             kind="rounding"),
        Part("Bayes risk over the same contexts, relative difference", _bayes_off(seed, late), 1e-8, kind="rounding"),
        Part("risks of cut and lengthened blocks, relative difference", risks, 1e-8, kind="rounding"),
        Part("parts of an output, relative difference", parts, 1e-8, kind="rounding"),
        Part("stable rate and path of the flow, relative difference", paths, 1e-5, kind="rounding"),
        Part("what a run records, largest difference", _recorded_off(seed), 1e-9, kind="rounding"),
        Part("mean square of drawn labels over the law's", _label_square(seed), 1.0, 0.1),
        seeds=(seed,),
    )  # fmt: skip
