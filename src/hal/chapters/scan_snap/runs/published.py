"""What the authors of Scan and Snap released: the table behind Figure 6, two training logs, and their runs again.

Chapter `scan_snap`. Source: arXiv 2305.16380, Figures 4 and 6; the numbers are those of the authors' repository,
github.com/facebookresearch/luckmatters, folder ssl/real-dataset/scan_snap (figure_6_data.pkl, figure_4.log,
figure_6.log), whose licence is CC BY-NC 4.0. Only numbers are given here, no code or text of that repository.

Their program draws from three generators; drawing the same numbers in the same order gives the same starts and the same
sequences, so that a run may be compared with the released one and not only its statistics. The order belongs to
Python's `random` and to torch on a processor (confirmed with Python 3.11, torch 2.13): a future change of either would
break the replay, not the statistics. Losses and entropies are in nats; what is out of range is refused with an
`InputError`.
"""

import json
import random
from collections.abc import Sequence
from importlib.resources import files
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from hal.chapters.scan_snap.runs.learning import rates
from lib import optim
from lib.errors import InputError, require, whole
from lib.models import scan_snap as ss
from lib.sampling import Rngs
from lib.train import Trajectory, train

Array = NDArray[np.float64]

# queries, lr_Z and ratios: axes of Figure 6, query tokens (two classes each), rate of attention, rate of the decoder
# over it. mean and std: two rows a number of queries, each with two rates of attention. loss_4 and loss_6: minibatch
# losses at steps 0, 2, .., 98, each to the seven digits of single precision.
_RELEASED = json.loads(files("hal.chapters.scan_snap").joinpath("published.json").read_text(encoding="utf-8"))
QUERIES, LR_Z, RATIOS = (tuple(_RELEASED[name]) for name in ("queries", "lr_Z", "ratios"))
SEEDS = tuple(range(1, 11))
STEPS, BATCH, LENGTH = 100, 128, 127  # updates, sequences a step, contextual tokens of a sequence


def published_figure6() -> tuple[Array, Array]:
    """Mean and sample standard deviation over ten seeds of the entropy of attention on distinct tokens after 100 steps,
    each (queries 4, lr_Z 4, ratio 4), rounded to 0.001. The figure's caption calls the spread a standard error; it is
    not divided by sqrt(10)."""
    mean, std = (np.array(_RELEASED[name]).reshape(4, 4, 4) for name in ("mean", "std"))
    return mean, std


def published_losses() -> tuple[NDArray[np.int64], Array, Array]:
    """Two released logs of the minibatch loss: steps (50,); the losses at these steps of the run of Figure 4 (two
    queries with one class each, zero start, both rates 1, seed 2); and those of the first run of Figure 6 (one query,
    random start, both rates 0.5, seed 1)."""
    small, medium = (np.array(_RELEASED[name]).ravel() for name in ("loss_4", "loss_6"))
    return np.arange(0, 100, 2), small, medium


class Stream(NamedTuple):
    """What one seed draws: the start, and the samples of every step."""

    start: ss.Params  #: one run: Y (1, C, M), Z (1, Q, C)
    others: NDArray[np.float64]  #: (1, Q, M - C) attention logits of tokens that never occur as context: they stay
    counts: NDArray[np.uint8]  #: (steps, B, C) how often each token occurs
    label: NDArray[np.intp]  #: (steps, B) class of each sample


class Replay(ss.Transformer):
    """A task whose samples are those of a `Stream`, in their order, the same for all runs."""

    draws = False

    def __init__(self, task: ss.Task, stream: Stream) -> None:
        super().__init__(task)
        self._stream = stream

    def init(self, runs: int = 1, rngs: Rngs = ()) -> ss.Params:
        """The start that was drawn, for all runs."""
        return ss.Params(*(np.repeat(x, runs, axis=0) for x in self._stream.start))

    def sample(self, batch: int = 0, rngs: Rngs = (), step: int = 0) -> ss.Batch:
        """The samples of the step, as far as the stream reaches."""
        counts, label = self._stream.counts, self._stream.label
        require(step < len(label), "steps", f"at most the {len(label)} steps that were drawn", step + 1)
        here = slice(step, step + 1)
        return ss.Batch(counts[here].astype(np.float64), self.task.query[label[here]], label[here])


def draw_stream(task: ss.Task, seed: int, steps: int = STEPS, batch: int = BATCH) -> Stream:
    """Draw what the released program draws for one seed, a whole number of at least 0.

    Python's generator is seeded with `seed` and draws the classes; torch's is seeded with seed + 2 and draws two
    M x M linear layers (the decoder transposed, then attention; ids ordered context, queries, next tokens), then the
    tokens of each sequence from single-precision weights. NumPy's would get seed + 1 and draws nothing here. The task
    is one of `base_task`, M = C + Q + K, of finite L.
    """
    import torch

    seed, steps, batch = whole("seed", seed), whole("steps", steps, 1), whole("batch", batch, 1)
    K, C, M, L = task.K, task.C, task.M, task.L
    require(C + task.Q + K == M, "task", f"M = C + Q + K = {C + task.Q + K}", M)
    if L is None:
        raise InputError("task: expected a finite length L to sample, got L = None")
    classes, numbers = random.Random(seed), torch.Generator().manual_seed(seed + 2)
    layers = [torch.nn.init.kaiming_uniform_(torch.empty(M, M), a=5**0.5, generator=numbers) for _ in range(2)]
    Y, Z = (layer.numpy().astype(np.float64) for layer in layers)
    Y = np.roll(Y.T[:C], K, axis=1)  # our outputs begin with the next tokens, which are the last ids
    label = np.array([classes.choice(range(K)) for _ in range(steps * batch)], dtype=np.intp)
    tokens = np.stack([np.flatnonzero(row) for row in task.P])  # (K, tokens of a class)
    weights = np.take_along_axis(task.P, tokens, axis=1)
    weights /= weights.max(axis=1, keepdims=True)  # common tokens have weight 1
    law = torch.from_numpy(weights.astype(np.float32))
    # One call for all sequences takes the same numbers as a call for each: claim SNAP-21 holds it to what was released.
    drawn = torch.multinomial(law[torch.from_numpy(label)], L, replacement=True, generator=numbers).numpy()
    found = np.take_along_axis(tokens[label], drawn, axis=1) + np.arange(0, len(label) * C, C)[:, None]
    counts = np.bincount(found.reshape(-1), minlength=len(label) * C).reshape(steps, batch, C)
    Z = Z[None, C : C + task.Q]
    start = ss.Params(Y[None], Z[..., :C])
    return Stream(start, Z[..., C:], counts.astype(np.uint8), label.reshape(steps, batch))


def replay(
    task: ss.Task,
    stream: Stream,
    optimiser: optim.Transform | None = None,
    runs: int = 1,
    random_start: bool = True,
    record_at: Sequence[int] | None = None,
) -> Trajectory:
    """Train R runs on all steps of a stream of the task, all settings at once; the loss at a step is that of the
    minibatch before it.

    Args:
        task, stream: see above.
        optimiser: any, for R runs; default `rates()`, momentum 0.9 with rates 1.
        runs: R.
        random_start: start where the stream says; otherwise from zeros.
        record_at: steps to record the loss at; default the first and the last.
    """
    problem, steps = Replay(task, stream), len(stream.label)
    start = problem.init(whole("runs", runs, 1)) if random_start else ss.zero_start(task, runs)
    at = [0, steps] if record_at is None else record_at
    return train(problem, start, rates() if optimiser is None else optimiser, steps, record_at=at)


class Losses(NamedTuple):
    """A released log of minibatch losses and ours for the same run, nats."""

    steps: NDArray[np.int64]  #: (50,)
    published: NDArray[np.float64]  #: (50,) single precision
    replayed: NDArray[np.float64]  #: (50,)


def replayed_losses(figure: str = "figure4") -> Losses:
    """Replay one of the two runs whose loss log was released, see `published_losses`: "figure4" or "figure6"."""
    require(figure in ("figure4", "figure6"), "figure", '"figure4" or "figure6"', figure)
    steps, small, medium = published_losses()
    first = figure == "figure4"
    task = ss.base_task(queries="own" if first else "shared", L=LENGTH)
    rate = 1.0 if first else 0.5
    # The loss of minibatch s is recorded once its update is made, at s + 1.
    at = [0, *(steps + 1).tolist(), STEPS]
    stream = draw_stream(task, 2 if first else 1, STEPS, BATCH)
    run = replay(task, stream, rates(rate, rate), random_start=not first, record_at=at)
    return Losses(steps, small if first else medium, run["loss"][0, 1:-1])
