"""Table 1 of the paper at its own scale: a GPT-2 of six layers, with and without MLPs, at two prior means.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1 and Appendix I. Stated there: 6 layers, 4 heads, the tokens,
the loss on the query, Adam, fresh prompts each step, how matrices start. Its numbers for the rest are not readable in
the copies that we have: those of `Settings` are assumed, from the public code of Garg et al. 2022, which it follows.

Parameters, optimiser and prompts stay on the device, in single precision throughout; what `lib.train.train` does, which
works on arrays, would wait for copies. torch's Adam is the library's (tested), and a checkpoint holds all that a step
depends on, so that a run that was stopped ends at the numbers of one that was not.
"""

import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from hal.results import path_of, read
from lib.errors import InputError, require, whole
from lib.models import linear_block as lb
from lib.sampling import generators

__all__ = ["MODELS", "PUBLISHED", "RECORD", "Settings", "recorded_table1", "train_model"]

COMMAND = "python -m hal.chapters.linear_block.table1"
RECORD = path_of("linear_block", "table1")
MODELS = tuple((mean, mlp) for mean in (0.0, 10.0) for mlp in (True, False))  # every entry of the mean; with MLPs
#: Losses of Table 1, by mean (its far mean is not readable either, 10 assumed) and whether there are MLPs.
PUBLISHED = {(0.0, True): 0.003, (0.0, False): 0.024, (10.0, True): 0.013, (10.0, False): 8.871}


class Settings(NamedTuple):
    """What a model is trained with; layers and heads are the paper's, the others assumed."""

    layers: int = 6
    heads: int = 4
    width: int = 128
    d: int = 20
    M: int = 40
    steps: int = 500_000
    batch: int = 64
    lr: float = 1e-4
    tests: int = 6400  #: fresh prompts that measure
    every: int = 5000  #: steps between two measurements, with a checkpoint each
    seeds: int = 1  #: runs, trained side by side


def train_model(
    settings: Settings, mean: float, mlp: bool, device: str, checkpoint: Path, stop: int | None = None
) -> dict[str, Any]:
    """Train one model from its checkpoint, or from the start if there is none.

    Args:
        settings: see `Settings`.
        mean: every entry of the prior mean.
        mlp: with MLPs.
        device: of torch, "cpu", "cuda" or "cuda:1".
        checkpoint: the file that is written at each measurement, in one piece; the one before stays beside it, with
            ".before" at its end, and is taken, and said, where this one cannot be read.
        stop: a step at which to leave off, for an interruption on purpose.

    Returns:
        steps (K,) and error (R, K), the mean squared error of the query's label on the test prompts; lists.

    Raises:
        InputError: if a setting is out of range, the device is absent or has too little memory, or the checkpoint is of
            other settings or of another kind of device, or if neither of the two can be read.
    """
    import torch

    _checked(settings)
    try:
        return _trained(settings, mean, mlp, device, checkpoint, stop)
    except torch.OutOfMemoryError as error:
        asked = f"batch = {settings.batch}, seeds = {settings.seeds}"
        raise InputError(f"batch: expected a step that fits the memory of {device}, got {asked}: {error}") from error


def _trained(
    settings: Settings, mean: float, mlp: bool, device: str, checkpoint: Path, stop: int | None
) -> dict[str, Any]:
    import torch

    task = lb.Task(np.eye(settings.d), np.eye(settings.d), np.full(settings.d, mean), 0.0, settings.M)
    problem = lb.GptBlocks(task, mlp, settings.width, settings.layers, settings.heads, device)
    mine = {**settings._asdict(), "mean": mean, "mlp": mlp, "device": device.partition(":")[0]}
    drawn, tested = ([_generator(device, 2 * s + i) for s in range(settings.seeds)] for i in (0, 1))
    leaves = problem.tensors(problem.init(settings.seeds, generators(range(settings.seeds), 2)))
    adam = torch.optim.Adam(leaves, lr=settings.lr, fused=device != "cpu")  # one launch for all leaves
    tests = _prompts(settings, mean, settings.tests, tested, device)
    steps: list[int] = []
    errors: list[list[float]] = []
    if found := _found(checkpoint, mine):
        steps, errors = found["steps"], found["errors"]
        adam.load_state_dict(found["adam"])
        with torch.no_grad():
            for leaf, kept in zip(leaves, found["params"], strict=True):
                leaf.copy_(kept)
        for generator, kept in zip(drawn, found["generators"], strict=True):
            generator.set_state(kept)
    last = settings.steps if stop is None else min(stop, settings.steps)
    for step in range(steps[-1] if steps else 0, last + 1):
        if step % settings.every == 0 and step not in steps[-1:]:
            steps.append(step)
            errors.append(_error(problem, leaves, tests, settings.batch))
            kept = {"params": [leaf.detach() for leaf in leaves], "adam": adam.state_dict(), "settings": mine}
            states = [generator.get_state() for generator in drawn]
            _keep(checkpoint, {**kept, "steps": steps, "errors": errors, "generators": states})
        if step == last:
            break
        tokens, targets = _prompts(settings, mean, settings.batch, drawn, device)
        adam.zero_grad(set_to_none=True)
        losses = ((problem.forward(leaves, tokens) - targets) ** 2).mean(dim=1)
        losses.sum().backward()  # runs share nothing: each has its own gradient
        adam.step()
    return {"steps": steps, "error": np.transpose(errors).tolist()}


def recorded_table1(path: str | Path = RECORD) -> dict[tuple[float, bool], np.ndarray] | None:
    """Errors (R, K) of the record by model, or None if there is no record or it is not whole: it has not been run.

    Raises:
        InputError: if the record holds runs of other settings than `Settings()`.
    """
    if not Path(path).is_file():
        return None
    rows = read(path, "the record of Table 1", COMMAND)["runs"]
    found: dict[tuple[float, bool], np.ndarray] = {}
    for row in rows:
        own = {name: row["setting"][name] for name in Settings._fields}
        require({**own, "seeds": 1} == Settings()._asdict(), "path", f"runs of {Settings()}", own)
        found[row["setting"]["mean"], row["setting"]["mlp"]] = np.array(row["error"])
    return found if set(found) == set(MODELS) else None


def _checked(settings: Settings) -> None:
    for name, value in settings._asdict().items():
        if name != "lr":
            whole(name, value, 1)
    require(np.isfinite(settings.lr) and settings.lr > 0, "lr", "a finite number above 0", settings.lr)
    require(settings.steps % settings.every == 0, "every", f"a divisor of steps = {settings.steps}", settings.every)


def _generator(device: str, seed: int) -> Any:
    import torch

    return torch.Generator(device).manual_seed(seed)


def _prompts(settings: Settings, mean: float, count: int, rngs: Sequence[Any], device: str) -> tuple[Any, Any]:
    """Tokens (R, B, M + 1, d + 1) and targets (R, B) of fresh prompts, run r from rngs[r] alone; H = Psi = I, no noise.

    The law of `lib.models.linear_block.Task`, drawn where it is used.
    """
    import torch

    d, M = settings.d, settings.M
    tasks = torch.stack([torch.randn(count, d, 1, generator=rng, device=device) for rng in rngs]) + mean
    features = torch.stack([torch.randn(count, M + 1, d, generator=rng, device=device) for rng in rngs])
    labels = features @ tasks
    targets = labels[:, :, -1, 0].clone()
    labels[:, :, -1] = 0.0
    return torch.cat([features, labels], dim=-1), targets


def _error(problem: lb.GptBlocks, leaves: list[Any], tests: tuple[Any, Any], batch: int) -> list[float]:
    """Mean squared errors (R,) on the test prompts, a batch at a time."""
    import torch

    with torch.no_grad():
        parts = zip(*(x.split(batch, dim=1) for x in tests), strict=True)
        squares = [((problem.forward(leaves, tokens) - targets) ** 2).double().sum(dim=1) for tokens, targets in parts]
    return [float(x) for x in sum(squares) / tests[1].shape[1]]


def _before(path: Path) -> Path:
    return path.with_name(f"{path.name}.before")


def _keep(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint in one piece; the one that stood there becomes the one before."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.new")
    torch.save(content, temporary)
    if path.is_file():
        path.replace(_before(path))
    temporary.replace(path)


def _found(path: Path, mine: dict[str, Any]) -> dict[str, Any] | None:
    """The last checkpoint that can be read, or None if there is none."""
    wrong: _Unreadable | None = None
    for one in (path, _before(path)):
        if one.is_file():
            try:
                found = _loaded(one, mine)
            except _Unreadable as error:
                wrong = wrong or error
                continue
            if wrong:
                warnings.warn(f"{wrong}; going on from {one}", stacklevel=4)
            return found
    if wrong:
        raise wrong
    return None


class _Unreadable(InputError):
    """A file that is no checkpoint, or no whole one."""


def _loaded(path: Path, mine: dict[str, Any]) -> dict[str, Any]:
    import torch

    try:
        # to the processor: Adam moves to the device what belongs there, and generators take their states from here
        found = torch.load(path, map_location="cpu", weights_only=True)
        theirs = found["settings"]
    except Exception as error:  # whatever torch finds wrong with a file: it has many kinds of errors for it
        raise _Unreadable(f"checkpoint: expected a checkpoint of this command, got {path}: {error}") from error
    other = {name: theirs.get(name) for name, value in mine.items() if theirs.get(name) != value}
    require(not other, "checkpoint", f"one with { ({name: mine[name] for name in other}) } (or another folder)", other)
    return dict(found)
