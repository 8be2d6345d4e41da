"""Claims SCB-35 to SCB-38: what the page computes, and the optimisers of the library.

Chapter `scb`, our own code. The page runs a textbook in plain Python, translated; these claims hold it, and the theory
it draws, to the library's models and formulas, and the library's optimisers to those of PyTorch.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy import integrate, special, stats

from hal.chapters.scb.claims._measure import Array, largest
from hal.chapters.scb.runs.replay import replay, samples, task_of
from hal.claims import Part, Result, claim, relative_error, result, seed_block
from lib import optim
from lib.models import scb
from lib.models.scb import textbook_pair, textbook_sign, textbook_stages, textbook_transfer
from lib.models.scb.textbook import Settings
from lib.models.scb.textbook_ring import skewed_law
from lib.optim import apply_updates
from lib.portable import chances, explicit, finish, numbers, random_numbers, small, stiff, tokens
from lib.portable import optimisers as portable_optimisers
from lib.theory import scb as theory
from lib.theory.scb import portable, portable_closure, portable_constants

_SETTINGS = Settings(T=24, N=4, Q=2, c=0.75, skew=0.7, lr=0.1, batch=8, threshold=0.01, stage1=60, stage2=20, stage3=16)
_ONE_STEP = textbook_transfer.OneStep(T=24, mu=skewed_law(4, 0.7), Q=2, c=0.75, rho=0.5, samples=1024)


def _stages_off(seed: int, late: int) -> tuple[float, float, float]:
    """Textbook minus fast model: measures at all records, |Delta| of the flow, and both matrices at every record."""
    state = textbook_stages.start(_SETTINGS, seed)
    while not textbook_stages.done(state):
        textbook_stages.step(state)
    shown = {name: np.array(values) for name, values in textbook_stages.read(state).items()}
    steps, places = np.unique(shown["steps"].astype(int), return_inverse=True)
    fast = replay(_SETTINGS, seed, steps, late)
    task = task_of(state.run.task, _SETTINGS.T)
    names = ("alpha_V", "alpha_A", "distance_V", "distance_A", "rounded_A")
    off = largest(np.array([shown[name] - fast.arrays[name][places] for name in names]))
    off = max(off, largest(np.array(finish(textbook_sign, _SETTINGS, seed)["alpha_V"]) - shown["alpha_V"]))
    last = shown["attention"].reshape(-1, _SETTINGS.N, _SETTINGS.T)[-1]
    outputs = shown["outputs"].reshape(-1, _SETTINGS.N, _SETTINGS.N)[-1]
    marks = [
        (shown["useful"].reshape(task.Q.shape) > 0) != (task.Q > 0),
        shown["likeliest"].reshape(task.P.shape) != (task.P.T.max(axis=1, keepdims=True) == task.P.T),
    ]
    matrices = max(largest(last - fast.params.A[0]), largest(outputs.T - fast.params.V[0]), *map(np.sum, marks))
    return off, largest(shown["off_flow"] - fast.arrays["off_flow"][places]), matrices


def _pair_off(seed: int, late: int) -> float:
    """The same for SGD and proximal descent side by side, V mu kept: their distances at all records."""
    settings = _SETTINGS
    state = textbook_pair.start(settings, seed)
    while not textbook_pair.done(state):
        textbook_pair.step(state)
    shown = {name: np.array(values) for name, values in textbook_pair.read(state).items()}
    steps, places = np.unique(shown["steps"].astype(int), return_inverse=True)
    off = []
    for name, own in (("sgd", settings._replace(threshold=0.0)), ("prox", settings)):
        fast = replay(own, seed, steps, late, keep_mean=True)
        turned = fast.arrays["alpha_A"] < 0
        task = task_of(state.sgd.task, settings.T)
        for field in ("V", "A"):
            found = (
                shown[f"{name}_{field}"][~turned[places]] - fast.arrays[f"distance_{field}"][places][~turned[places]]
            )
            off.append(largest(np.append(found, 0.0)))
        upright = scb.unmirror(fast.params, task, turned[-1:])
        ends = (scb.distance_V(upright, task)[0], scb.distance_A(upright, task)[0])
        off += [abs(shown[f"{name}_{field}"][-1] - end) for field, end in zip("VA", ends, strict=True)]
    return max(off)


def _transfer_off(seed: int, late: int) -> float:
    """Textbook minus fast model and theory: the transferred start, the scores of one attention step, their margin."""
    state = textbook_transfer.start(_ONE_STEP, seed)
    task, V = task_of(state.run.task, _ONE_STEP.T), np.array(state.run.V).T
    strength = theory.start_alpha_V(V, task.P, task.mu), scb.mu_norm(V - task.mu[:, None], task.mu) ** 2 / task.K_P
    (batch,) = samples(_SETTINGS._replace(batch=_ONE_STEP.samples), seed, 1, late)
    start = scb.Params(V[None], np.full((1, task.N, task.T), 1 / task.T))
    raw = scb.loss_and_gradient(start, batch, np.float64)[1].A[0] / task.mu[:, None]
    score = -(raw - raw.mean(axis=1, keepdims=True))
    size = np.abs(score)
    useful = task.Q > 0
    margin = min(row[mark].min() / row[~mark].max() for row, mark in zip(size, useful, strict=True))
    while not textbook_transfer.done(state):
        textbook_transfer.step(state)
    shown = textbook_transfer.read(state)
    frame = np.array(shown["scores"]).reshape(-1, task.N, task.T)[-1]
    return max(
        largest(np.array(strength) - [_ONE_STEP.rho, 1.0]),
        largest(np.array(textbook_transfer.scores(state)) - score),
        largest(frame - size / size.max(axis=1, keepdims=True)),
        abs(shown["margin"][-1] - margin),
        abs(shown["found"][-1] - float(margin > 1)),
    )


@claim(
    "SCB-35",
    where="our own code; Algorithm 1",
    says="The program that the page runs is the model of the library: trained on the same samples, both take the same "
    "path through all three stages, with and without threshold, and the same single step from a related task.",
    control={"late": 1},
    breaks="the library's model sees each sample with the label of the one before",
)
def _check_35(late: int = 0, block: int = 0) -> Result:
    """`late`: by how many samples the labels come late."""
    (seed,) = seed_block(block, 1)
    measures, flow, matrices = _stages_off(seed, late)
    state = textbook_stages.start(_SETTINGS, seed)
    task, built = task_of(state.run.task, _SETTINGS.T), scb.ring_task(24, 4, 0.75, scb.even_weights(2), 0.7)
    constants = [largest(task.mu - built.mu), largest(task.P - built.P)]
    constants += [state.run.task.K_P - float(built.K_P), state.run.task.K_Q - float(built.K_Q)]
    begun = textbook_stages.start(_SETTINGS._replace(start_V=0.3, start_A=-0.6), seed).run
    lines = scb.Params(np.array(begun.V).T[None], np.array(begun.A)[None])
    constants += [scb.alpha_V(lines, task)[0] - 0.3, scb.alpha_A(lines, task)[0] + 0.6]
    return result(
        Part(
            "mu, P, K_P, K_Q of the task and a start on the lines, largest difference",
            largest(np.array(constants)),
            1e-12,
            kind="rounding",
        ),
        Part("signals and distances on the way, largest difference", measures, 1e-9, kind="rounding"),
        Part("distance to the plane of the flow, largest difference", flow, 1e-6, kind="rounding"),
        Part("V and A after Stage 3, largest difference", matrices, 1e-9, kind="rounding"),
        Part("SGD and soft threshold side by side, distances", _pair_off(seed, late), 1e-9, kind="rounding"),
        Part("one step from a related task: start, scores, margin", _transfer_off(seed, late), 1e-9, kind="rounding"),
        seeds=(seed,),
    )


def _reaction(t: float, y: list[float], out: list[float], k: list[float]) -> None:
    """Robertson's chemical reaction, the usual stiff example."""
    out[0] = -k[0] * y[0] + k[1] * y[1] * y[2]
    out[1] = k[0] * y[0] - k[1] * y[1] * y[2] - k[2] * y[1] * y[1]
    out[2] = k[2] * y[1] * y[1]


def _integrators_off() -> float:
    """Both integrators of the page against SciPy's Radau method on Robertson's reaction, at three times."""
    rates, times, worst = [0.04, 1e4, 3e7], (0.1, 2.0, 40.0), []

    def slope(t: float, y: Array) -> list[float]:
        _reaction(t, y.tolist(), out, rates)
        return list(out)

    out = [0.0] * 3
    wanted = integrate.solve_ivp(
        slope, (0.0, times[-1]), [1.0, 0.0, 0.0], "Radau", t_eval=times, rtol=1e-10, atol=1e-14
    ).y.T
    for follow, tolerance, ends in ((explicit.flow_to, 1e-8, 1), (stiff.stiff_flow_to, 1e-7, 3)):
        path = explicit.flow_from(0.0, [1.0, 0.0, 0.0])
        for time, said in zip(times[:ends], wanted, strict=False):
            follow(time, path, _reaction, rates, tolerance)
            worst.append(relative_error(path.y, said))
    return max(worst)


def _law_distance(drawn: Array, law: Callable) -> float:
    """Kolmogorov's distance of draws to a continuous law, times the square root of their number."""
    return float(stats.kstest(drawn, law).statistic * np.sqrt(len(drawn)))


@claim(
    "SCB-36",
    where="our own code",
    says="The arithmetic that the page brings along is that of the library: its exponential, logarithm and normal "
    "distribution to the last digits, its random numbers in distribution, its integrators, its optimisers step by "
    "step.",
    control={"skips": True},
    breaks="of two random numbers the larger is kept, of two gradients the first",
)
def _check_36(skips: bool = False, block: int = 0) -> Result:
    """`skips`: whether the larger of two random numbers is kept, and the first of two gradients given twice."""
    (seed,) = seed_block(block, 1)
    rng = np.random.default_rng(seed)
    x, s = rng.uniform(-700, 700, 300), np.append(rng.uniform(-0.3, 0.3, 100), 10.0 ** rng.uniform(-12, 0, 100))
    elementary = [
        relative_error([numbers.exp(v) for v in x.tolist()], np.exp(x)),
        relative_error([numbers.log(v) for v in np.exp(x).tolist()], np.log(np.exp(x))),
        relative_error([small.expm1(v) for v in s.tolist()], np.expm1(s)),
        relative_error([small.log1p(v) for v in s.tolist()], np.log1p(s)),
        largest(np.array([chances.normal_cdf(v) for v in (x / 70).tolist()]) - special.ndtr(x / 70)),
    ]
    state = random_numbers.generator(seed, 1)
    flat = np.array([random_numbers.uniform(state) for _ in range(20_000)])
    normal = [0.0] * 20_000
    random_numbers.normals(state, normal)
    bell = np.array(normal)
    if skips:
        flat, bell = flat.reshape(-1, 2).max(axis=1), bell.reshape(-1, 2).max(axis=1)
    law = np.array([0.55, 0.3, 0.15])
    table, drawn = tokens.token_table(law.tolist()), [0] * 60_000
    tokens.draw_tokens(table, state, drawn)
    one_by_one = [tokens.draw(state, law.tolist()) for _ in range(60_000)]
    off = max(largest(np.bincount(each, minlength=3) / 60_000 - law) for each in (drawn, one_by_one))
    below = np.bincount([random_numbers.below(state, 7) for _ in range(60_000)], minlength=7) / 60_000
    return result(
        Part("exp, log, expm1, log1p, normal law: largest relative error", max(elementary), 4e-15, kind="rounding"),
        Part("uniform numbers: Kolmogorov's statistic", _law_distance(flat, stats.uniform.cdf), 2.2, 0, "at most"),
        Part("normal numbers: Kolmogorov's statistic", _law_distance(bell, stats.norm.cdf), 2.2, 0, "at most"),
        Part("tokens, drawn by table and one by one: frequencies against the law", off, 0.01, 0, "at most"),
        Part("whole numbers below 7: frequencies against 1/7", largest(below - 1 / 7), 0.007, 0, "at most"),
        Part("a stiff reaction by both integrators: largest relative error", _integrators_off(), 2e-4, 0, "at most"),
        Part(
            "momentum, Adam, threshold, sums kept: largest difference",
            _optimisers_off(rng, skips),
            1e-12,
            kind="rounding",
        ),
        seeds=(seed,),
    )


class _Point(NamedTuple):
    """Parameters of one run."""

    x: Array  #: (1, 2, 5)


def _optimisers_off(rng: np.random.Generator, skips: bool) -> float:
    """Portable optimisers against those of the library, over ten steps; `skips` repeats every second gradient."""
    start, gradients = rng.normal(size=10), rng.normal(size=(10, 10))
    worst = 0.0
    for name, ours in (("momentum", optim.momentum(0.1, 0.8)), ("adam", optim.adam(0.1, 0.9, 0.99, 1e-3))):
        flat, memory, trace = start.tolist(), portable_optimisers.adam_memory(10), [0.0] * 10
        point = _Point(start.reshape(1, 2, 5))
        state = ours.init(point)
        for i, gradient in enumerate(gradients):
            given = gradients[i - i % 2] if skips else gradient
            if name == "adam":
                portable_optimisers.adam(flat, memory, given.tolist(), 0.1, 0.9, 0.99, 1e-3)
            else:
                portable_optimisers.momentum(flat, trace, given.tolist(), 0.1, 0.8)
            update, state = ours.update(_Point(gradient.reshape(1, 2, 5)), state, point)
            point = apply_updates(point, update)
        worst = max(worst, largest(np.array(flat) - point.x.ravel()))
    shrunk, prox = start.tolist(), optim.prox_l1(0.3, keep_sums=-1)
    portable_optimisers.soft_threshold(shrunk, 0.3)
    portable_optimisers.restore_sum(shrunk, float(start.sum()))
    point = _Point(start.reshape(1, 1, 10))
    update, _ = prox.update(_Point(np.zeros((1, 1, 10))), prox.init(point), point)
    worst = max(worst, largest(np.array(shrunk) - apply_updates(point, update).x.ravel()))
    moved, gradient = start.tolist(), gradients[0].tolist()
    portable_optimisers.keep_sum(gradient)
    portable_optimisers.sgd(moved, gradient, 0.3)
    portable_optimisers.restore_sum(moved, 1.0)
    kept = optim.chain(optim.project_affine(-1), optim.sgd(0.3), optim.restore_affine(1.0, -1))
    update, _ = kept.update(_Point(gradients[0].reshape(1, 1, 10)), kept.init(point), point)
    return max(worst, largest(np.array(moved) - apply_updates(point, update).x.ravel()))


def _even_ring(T: int, N: int, c: float, w: list[float]) -> tuple[Array, Array, Array]:
    """mu, P, Q of the ring task with uniform tokens."""
    task = scb.ring_task(T, N, c, w)
    return task.mu, task.P, task.Q


@claim(
    "SCB-37",
    where="our own code; equation (8) and what is beyond the paper",
    says="The theory that the page draws while a slider moves is the theory of the library, at any setting.",
    control={"longer": 1},
    breaks="the page's theory is that of a context one token longer",
)
def _check_37(longer: int = 0, block: int = 0) -> Result:
    """`longer`: by how many tokens the page's context is longer than the library's."""
    flow, sums, closed = [], [], []
    for seed in seed_block(block, 8):
        rng = np.random.default_rng(seed)
        T, N, Q, batch = int(rng.integers(100, 400)), int(rng.integers(3, 8)), int(rng.integers(1, 5)), 64
        c, skew, eta = (float(v) for v in rng.uniform((0.3, 0.0, 0.01), (1.0, 1.0, 0.05)))
        task, w = scb.ring_task(T, N, c, scb.even_weights(Q), skew), scb.even_weights(Q).tolist()
        said, smallest = theory.constants(task.mu, task.P, task.Q), (task.mu.min(), min(w))
        page = portable_constants.constants(task.mu.tolist(), task.P.T.tolist(), w, T + longer)
        d = portable.drift_number(portable.attention_signal(w, T + longer), float(T + longer))
        even = theory.constants(*_even_ring(T, N, c, w))
        ring = theory.ring_constants(N, T, c, w)
        sums += [
            relative_error(getattr(ring, name), getattr(even, name)) for name in ("K_P", "K_Q", "s2", "c2", "tr_S")
        ]
        sums.append(
            relative_error(
                [page.K_P, page.K_Q, page.c1, page.c2, page.s2, page.tr_S, page.q_norm2, page.mu_min, page.q_min],
                [said.K_P, said.K_Q, said.c1, said.c2, said.s2, said.tr_S, w @ np.array(w), *smallest],
            )
        )
        run = portable.population_run(d, eta, 0.1, -0.05, 400, 8)
        path = theory.population_run(task.K_P, task.K_Q, T, eta, 400, (0.1, -0.05), record_at=range(0, 401, 50))
        flow.append(
            relative_error(run["alpha_V"][1:], path.alpha_V[1:]) + relative_error(run["alpha_A"][1:], path.alpha_A[1:])
        )
        curve = portable_closure.closure_run(page, eta, batch, 400, 8)
        whole = theory.closure(said, eta, batch, 400, record_at=range(0, 401, 50))
        closed.append(
            relative_error(curve["distance_V"], whole.error_V) + relative_error(curve["distance_A"], whole.error_A)
        )
    return result(
        Part("constants of the task, largest relative error", max(sums), 1e-9, kind="rounding"),
        Part("population flow, largest relative error", max(flow), 1e-8, kind="rounding"),
        Part("closure of SGD, largest relative error", max(closed), 1e-8, kind="rounding"),
        seeds=seed_block(block, 8),
    )


class _Case(NamedTuple):
    """An optimiser of ours, and how to make PyTorch's."""

    name: str
    ours: optim.Transform
    theirs: Callable  # of torch.optim and the parameters
    clip: float = 0.0  # norm that PyTorch clips gradients to; 0 for none
    schedule: Callable | None = None  # of torch.optim.lr_scheduler and the optimiser


def _cases() -> list[_Case]:
    warm = optim.sgd(optim.cosine(0.1, 12, 0.01, 3))
    steps = optim.momentum(optim.piecewise_constant([3, 7], [0.1, 0.05, 0.025]), 0.7)
    decayed = optim.chain(optim.scale_by_adam(), optim.add_decayed_weights(0.3), optim.scale_by_learning_rate(0.1))
    clipped = optim.chain(optim.clip_by_global_norm(2.0), optim.sgd(0.1))
    return [
        _Case("SGD", optim.sgd(0.1), lambda o, p: o.SGD(p, 0.1)),
        _Case("momentum", optim.momentum(0.1, 0.7), lambda o, p: o.SGD(p, 0.1, momentum=0.7)),
        _Case("Nesterov", optim.momentum(0.1, 0.7, True), lambda o, p: o.SGD(p, 0.1, momentum=0.7, nesterov=True)),
        _Case("Adam", optim.adam(0.1, 0.5, 0.9, 1e-2), lambda o, p: o.Adam(p, 0.1, betas=(0.5, 0.9), eps=1e-2)),
        _Case("AdamW", decayed, lambda o, p: o.AdamW(p, 0.1, weight_decay=0.3)),
        _Case("clipping", clipped, lambda o, p: o.SGD(p, 0.1), clip=2.0),
        _Case(
            "SGD, cosine after a warm-up",
            warm,
            lambda o, p: o.SGD(p, 0.1),
            schedule=lambda s, o: s.SequentialLR(
                o, [s.LinearLR(o, 0.25, total_iters=3), s.CosineAnnealingLR(o, 9, eta_min=0.01)], [3]
            ),
        ),
        _Case(
            "momentum, rates that step down",
            steps,
            lambda o, p: o.SGD(p, 0.1, momentum=0.7),
            schedule=lambda s, o: s.MultiStepLR(o, [3, 7], gamma=0.5),
        ),
        _Case(
            "Adam, exponential rate",
            optim.adam(optim.exponential(0.1, 0.5, 4)),
            lambda o, p: o.Adam(p, 0.1),
            schedule=lambda s, o: s.ExponentialLR(o, 0.5**0.25),
        ),
    ]


def _torch_path(case: _Case, start: Array, gradients: Array, stale: bool) -> Array:
    """Parameters after the steps of one of PyTorch's optimisers."""
    import torch

    x = torch.tensor(start, requires_grad=True)
    optimiser = case.theirs(torch.optim, [x])
    schedule = None if case.schedule is None else case.schedule(torch.optim.lr_scheduler, optimiser)
    for i in range(len(gradients)):
        x.grad = torch.tensor(gradients[max(i - stale, 0)])
        if case.clip:
            torch.nn.utils.clip_grad_norm_([x], case.clip)
        optimiser.step()
        if schedule is not None:
            schedule.step()
    return np.asarray(x.detach().numpy())


@claim(
    "SCB-38",
    where="our own code; Polyak 1964, Nesterov 1983, Kingma, Ba 2015, Loshchilov, Hutter 2019, Pascanu et al. 2013",
    says="The optimisers and schedules of the library are those of the literature: step by step they move as "
    "PyTorch's do.",
    control={"stale": True},
    breaks="PyTorch's optimisers get the gradient of the step before",
)
def _check_38(stale: bool = False, block: int = 0) -> Result:
    """`stale`: whether the other optimisers get each gradient one step late."""
    seeds = seed_block(block, 3)
    parts = []
    for case in _cases():
        # together, as three runs of one call; the other way one by one
        starts = np.stack([np.random.default_rng(seed).normal(size=(2, 5)) for seed in seeds])
        gradients = np.stack([np.random.default_rng([seed, 1]).normal(size=(12, 2, 5)) for seed in seeds], axis=1)
        point = _Point(starts)
        state = case.ours.init(point)
        for gradient in gradients:
            update, state = case.ours.update(_Point(gradient), state, point)
            point = apply_updates(point, update)
        wanted = [_torch_path(case, starts[r], gradients[:, r], stale) for r in range(len(seeds))]
        bound = 1e-5 if case.clip else 1e-11  # PyTorch adds 1e-6 to the norm that it clips
        name = f"{case.name}: largest difference after 12 steps"
        parts.append(Part(name, largest(point.x - np.stack(wanted)), bound, kind="rounding"))
    return result(*parts, seeds=seeds)
