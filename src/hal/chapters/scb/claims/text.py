"""Claim SCB-43: text that feeds on itself, pieces of the recorded frequencies, signs and generations on other seeds.

Chapter `scb`. Beyond arXiv 2410.23438, whose Sections 2.1 and 6 name the extension.
"""

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scb.runs import generations, own_text, text_sign
from hal.chapters.scb.runs.algorithm import stack
from hal.claims import Part, Result, claim, result, seed_block
from lib.models import scb
from lib.sampling import generators
from lib.theory import scb as theory

_TEXTS, _TASKS, _SIGNS = 8000, 16, 200


def _tasks(T: int, N: int, seeds: range) -> list[scb.Task]:
    return [own_text.some_task("random", T, N, 2, 1.0, seed) for seed in seeds]


def _distance(task: scb.Task, rng: np.random.Generator, fresh: bool) -> float:
    """L1 distance from mu of the frequencies of the 32 tokens that follow the first four contexts."""
    later = own_text.written(task, _TEXTS, 4 * task.T + 32, rng, fresh)[4 * task.T :]
    return float(sum(abs((later == n).mean() - task.mu[n]) for n in range(task.N)))


def _distances(tasks: list[scb.Task], seeds: range, fresh: bool) -> NDArray[np.float64]:
    return np.array([_distance(task, rng, fresh) for task, rng in zip(tasks, generators(seeds), strict=True)])


def _exact(task: scb.Task) -> float:
    """The same distance by the exact laws."""
    laws = theory.fed_back_laws(task.mu, task.P, task.Q, 4 * task.T + 32)[4 * task.T :]
    return float(np.abs(laws.mean(axis=0) - task.mu).sum())


def _heirs(method: str, seeds: range, count: int) -> dict[str, NDArray]:
    """What layers have learned of which each read the text of the one before; the first read that of the task."""
    task = stack(_tasks(32, 3, seeds))
    writer: scb.Params = generations.truth(task)
    told: dict[str, NDArray] = {}
    for g in range(count):
        writer, told = generations.train_reader(task, writer, method, [seed + 1000 * g for seed in seeds])
    return told


@claim(
    "SCB-43",
    where="Beyond the paper (Sections 2.1 and 6 name the extension)",
    says="Where the task's labels are fed back as tokens, their frequencies leave $\\mu$, by less the longer the "
    "context is, as the exact distributions say at $T=8$. On such text runs take the true sign as often as the sign "
    "law says for the spread of frequencies that text has. Where each layer learns from the text of the one before, "
    "all three stages keep the signal for four generations; without the third it fades.",
    control={"fresh": True},
    breaks="a token drawn from $\\mu$ in place of the label, so that nothing is fed back",
)
def _check_43(fresh: bool = False, block: int = 0) -> Result:
    """`fresh`: append a token drawn from mu."""
    seeds, many = seed_block(block, _TASKS), seed_block(block, _SIGNS)
    small = _tasks(8, 3, seeds)
    short, long = (_distances(tasks, seeds, fresh) for tasks in (small, _tasks(128, 3, seeds)))
    said = float(np.mean([_exact(task) for task in small]))
    signs = text_sign.cell("ring", 128, 2, 0.0, 0.8, 0.04, 2, many)
    heirs, faded = (_heirs(method, seeds, 4) for method in ("three stages", "soft threshold"))
    return result(
        Part("distance of frequencies from mu, T = 8, mean, over the exact laws'", short.mean() / said, 1.0, 0.1),
        Part("median distance at T = 128, over that at T = 8", np.median(long) / np.median(short), 0.6, 0, "at most"),
        Part("share with the true sign on text, two tokens", signs["upright"] / _SIGNS, signs["told"], 0.09),
        Part("fourth layer in a row, share that finds its positions", heirs["support"].mean(), 0.85, 0, "at least"),
        Part("its signal, median", np.median(heirs["signal"]), 0.93, 0, "at least"),
        Part("the same without the third stage", np.median(faded["signal"]), 0.9, 0, "at most"),
        seeds=seeds,
    )
