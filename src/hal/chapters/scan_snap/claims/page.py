"""Claims SNAP-41 and SNAP-42: the program and the theory that the page runs are those of the library.

Chapter `scan_snap`, our own code. The page runs a textbook in plain Python, translated; `lib.models.scan_snap` and
`lib.theory.scan_snap` compute the same another way.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from hal.chapters.scan_snap.claims._measure import largest
from hal.chapters.scan_snap.runs import flow, rates
from hal.chapters.scan_snap.runs.learning import OPTIMISERS, task_of
from hal.chapters.scan_snap.runs.reference import reference_of
from hal.claims import Part, Result, claim, result, seed_block
from lib.attention import softmax
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook, textbook_flow, textbook_kinds
from lib.portable import finish
from lib.portable.random_numbers import below
from lib.portable.tokens import draw_tokens
from lib.theory import scan_snap as theory
from lib.theory.scan_snap import portable
from lib.theory.scan_snap.portable_reference import reference_path
from lib.train import GivenBatches, train

Array = NDArray[np.float64]
_STEPS = 20


def _batches(settings: textbook.Settings, seed: int, task: ss.Task, late: int) -> list[ss.Batch]:
    """The textbook's batches, drawn again by a second generator; each label comes `late` samples late."""
    shadow, batches = textbook.start(settings, seed), []
    for _ in range(settings.steps):
        counts, labels = np.zeros((settings.batch, task.C)), []
        for row in counts:
            labels.append(below(shadow.random, settings.K))
            draw_tokens(shadow.words, shadow.random, shadow.X)
            np.add.at(row, np.array(shadow.task.tokens[labels[-1]])[shadow.X], 1.0)
        label = np.roll(np.array(labels), late)
        batches.append(ss.Batch(counts[None], task.query[label][None], label[None]))
    return batches


def _off(settings: textbook.Settings, seed: int, late: int) -> float:
    """Textbook minus fast model, trained on the same sequences from the same start: parameters and readings."""
    task = task_of(settings)
    state = textbook.start(settings, seed)
    start = ss.Params(np.reshape(state.Y, (1, task.C, -1)), np.reshape(state.Z, (1, task.Q, task.C)))
    model: Any = ss.Transformer(task)
    if task.L is not None:
        model = GivenBatches(model, _batches(settings, seed, task, late))
    while not textbook.done(state):
        textbook.step(state)
    shown = {name: np.array(values) for name, values in textbook.read(state).items()}
    record = {
        "entropy": lambda p: ss.entropy(p, task),
        "common_mass": lambda p: ss.mass_on(ss.attention(p, task), task.common),
        "attention": lambda p: ss.attention(p, task),
    }
    optimiser = rates(settings.lr_Y, settings.lr_Z, OPTIMISERS[settings.optimiser])
    run = train(model, start, optimiser, settings.steps, None, None, record, shown["steps"].astype(int))
    ends = largest(state.Y - run.params.Y.ravel(), state.Z - run.params.Z.ravel())
    return max(ends, *(largest(shown[name] - run[name][0].ravel()) for name in record))


def _start_law(seed: int) -> float:
    """Kolmogorov's distance of the page's random start to the uniform law on +-1/sqrt(M), times sqrt of the count."""
    settings = textbook.Settings(K=6, queries=3, common=20, distinct=40, M=300, spread=1.0)
    state = textbook.start(settings, seed)
    Y = np.reshape(state.Y, (-1, state.columns))[:, : settings.K]
    values = np.concatenate([Y.ravel(), state.Z]) * np.sqrt(settings.M)
    return float(stats.kstest(values, stats.uniform(-1, 2).cdf).statistic * np.sqrt(len(values)))


@claim(
    "SNAP-41",
    where="our own code; Section 3 and Lemma 1",
    says=(
        "The program that the page runs is the model of the library: trained on the same sequences, both take the same "
        "steps, with gradient descent, momentum and Adam, from zeros and from a random initialisation."
    ),
    control={"late": 1},
    breaks="the library's model sees each sequence with the next token of the one before",
)
def _check_41(late: int = 0, block: int = 0) -> Result:
    """Trained on the same sequences; in the library's the next tokens come `late` sequences late."""
    (seed,) = seed_block(block, 1)
    common: dict[str, Any] = {"lr_Y": 0.7, "lr_Z": 0.4, "batch": 6, "steps": _STEPS}
    cases = {
        "gradient descent": textbook.Settings(T=20, K=4, queries=2, common=3, distinct=4, M=60, optimiser=0, **common),
        "momentum, random start": textbook.Settings(
            T=16, K=6, queries=3, common=2, distinct=3, M=40, optimiser=1, spread=1.0, **common
        ),
        "Adam": textbook.Settings(T=30, K=2, queries=1, common=3, distinct=5, M=34, optimiser=2, **common),
    }
    unlimited = [
        textbook.Settings(T=0, K=4, queries=2, common=2, distinct=3, M=50, optimiser=i, **common) for i in range(3)
    ]
    return result(
        *(Part(f"{name}: largest difference", _off(s, seed, late), 1e-9, kind="rounding") for name, s in cases.items()),
        Part(
            "infinitely long sequences: largest difference",
            max(_off(settings, seed, late) for settings in unlimited),
            1e-9,
            kind="rounding",
        ),
        Part("the random start: Kolmogorov's statistic", _start_law(seed), 2.2, 0, "at most"),
        seeds=(seed,),
    )


def _closed_off(seed: int, extra: int) -> float:
    """Largest relative error of the closed forms that the page draws, each computed another way, at one setting."""
    rng = np.random.default_rng(seed)
    K, (t, lr_Y) = int(rng.integers(2, 12)), (10 ** rng.uniform([-1, -1], [5, 1])).tolist()
    M, rho = K + int(rng.integers(3, 2000)), float(rng.uniform(0.05, 0.9))
    x, own = portable.logit_gap(t, K, M + extra, lr_Y), np.eye(K)
    Y = theory.decoder_weights(own, M, float(theory.h(t, K, M, lr_Y)))
    delta = np.eye(K, M) - softmax(own @ Y)  # of the decoder itself, for classes that share no token
    f = np.linalg.cholesky(np.full((K, K), rho) + (1 - rho) * np.eye(K))
    turns = [portable.kappa_star(rho, shared) for shared in (False, True)]
    pairs = [
        (x, theory.logit_gap(t, K, M, lr_Y)),
        (portable.residual(x, M + extra), delta[0, 0]),
        (portable.speed(x, M + extra), (delta @ Y.T)[0, 0] * (M - 1) / M),
        (theory.early_gap(portable.scan_end(K, M + extra, lr_Y), K, lr_Y), np.log(M)),
        (portable.snap_start(K, M + extra, lr_Y), 2 * K * theory.line_roots(M)[1] / lr_Y),
        (portable.coupling(K, rho, M + extra), theory.drive_coefficients(f, M).beta[0, 1]),
        (portable.drive(K, rho, M + extra), theory.class_drive(f, M)[0]),
        (1.0 + theory.partly_common_push(rho, turns[0], shared=False), 1.0),
        (1.0 + theory.partly_common_push(rho, turns[1], shared=True), 1.0),
    ]
    found, said = (np.array(side, dtype=float) for side in zip(*pairs, strict=True))
    return largest(found / said - 1)


def _flow_cases() -> list[tuple[ss.Task, textbook_flow.Settings]]:
    """Tasks of the library, and the settings of the page's flow for the same: common tokens, one, partly common."""
    times: dict[str, Any] = {"lr_Y": 0.7, "lr_Z": 0.9, "first": 0.3, "last": 3000.0, "points": 9}
    one = textbook_kinds.single_common_weight(0.3, 5, 0.2)
    return [
        (ss.base_task(4, 3, 4, 2, 60, None), textbook_flow.Settings(4, 2, 60, 3, 1.0, 4, 0.1, **times)),
        (ss.single_common_task(3, 0.3, 200), textbook_flow.Settings(3, 3, 200, 1, one, 5, 0.2, **times)),
        (
            ss.partly_common_task(3.0, 0.5, 6, 10, "shared", 80),
            textbook_flow.Settings(2, 2, 80, 6, 1.0, 10, 0.1, 0.5, 3.0, **times),
        ),
    ]


def _rows(task: ss.Task, settings: textbook_flow.Settings) -> NDArray[np.int64]:
    """Where common and distinct tokens stand in the task."""
    return np.array([2 if settings.partly else 0, *np.flatnonzero(task.distinct[0])])


def _reference_off(task: ss.Task, settings: textbook_flow.Settings) -> float:
    """Logits and growth exponent of the page's reference dynamics minus those of the library, nats."""
    reference, times = reference_of(settings), textbook_flow.steps_of(settings)
    found = np.array(reference_path(reference, settings.lr_Y, settings.lr_Z, times, 1e-8))
    path = theory.reference_run(task.P, task.query, task.M, settings.lr_Y, settings.lr_Z, times)
    rows = _rows(task, settings)
    logits = found[:, 2 : 3 + settings.distinct] - path.z[:, 0][:, rows]
    return largest(logits, found[:, -1] - path.B[:, 0], np.array(reference.law)[2:] - task.P[0, rows])


def _flow_off(task: ss.Task, settings: textbook_flow.Settings) -> float:
    """Loss, logits, entropy and overlap of the page's flow minus those of the whole model's, nats."""
    shown = {name: np.array(values) for name, values in finish(textbook_flow, settings).items()}
    run = flow(task, settings.lr_Y, settings.lr_Z, shown["steps"], tolerance=1e-8)
    z, f = run.params.Z[:, 0], theory.decoder_inputs(task.P, run.params.Z, task.query)
    common, *own = _rows(task, settings)
    growth = theory.growth_factor(z[:, own[-1]], 0.0)
    scores = theory.scores(task.P, run.params.Z, task.query)
    first, gain = (theory.relative_gain(c, task.leader)[..., 0, own[:-1]] for c in (task.P[None], scores))
    grown = growth > 1.01  # before that a lead is a quotient of two numbers near 0
    lead = shown["lead"].reshape(len(z), -1)[grown] - (gain / first / growth[:, None])[grown]
    return largest(
        lead,
        shown["steps"][[0, -1]] / [settings.first, settings.last] - 1,
        shown["loss"] - run.loss,
        shown["common"] - z[:, common],
        shown["distinct"].reshape(len(z), -1) - z[:, own],
        shown["top"] - z[:, task.leader[0]],
        shown["entropy"] - ss.entropy(run.params, task),
        shown["overlap"] - np.sum(f[:, 0] * f[:, 1], axis=-1),
        shown["growth"] / growth - 1,
    )


@claim(
    "SNAP-42",
    where="our own code; Lemma 6, Theorems 2 to 4",
    says=(
        "The theory and the flow that the page computes while a slider moves are those of the library: closed forms, "
        "reference dynamics, and the joint gradient flow of a whole model followed by one class."
    ),
    control={"extra": 1},
    breaks="the page's decoder has one output more",
)
def _check_42(extra: int = 0, block: int = 0) -> Result:
    """The page's decoder has `extra` outputs that the library's has not."""
    seeds = seed_block(block, 20)
    cases = [(task, settings._replace(M=settings.M + extra)) for task, settings in _flow_cases()]
    reference, joint = (max(off(*case) for case in cases) for off in (_reference_off, _flow_off))
    return result(
        Part("closed forms, largest relative error", max(_closed_off(s, extra) for s in seeds), 1e-9, kind="rounding"),
        Part("reference dynamics: largest difference of a logit, nats", reference, 1e-5, kind="rounding"),
        Part("joint flow: largest difference of a reading", joint, 2e-4, kind="rounding"),
        seeds=seeds,
    )
