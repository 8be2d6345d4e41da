"""Table 1 of the paper at its own scale: a GPT-2 of six layers, with and without MLPs, at two prior means.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1 and Appendix I. Stated there: 6 layers, 4 heads, the tokens,
the loss on the query, Adam, fresh prompts each step, how matrices start. Its numbers for the rest are not readable in
the copies that we have: those of `Settings` are assumed, from the public code of Garg et al. 2022, which it follows.

Parameters, optimiser and prompts stay on the device; what `lib.train.train` does, which works on arrays, would wait for
copies. torch's Adam is the library's (tested), and a checkpoint holds all that a step depends on, so that a run that
was stopped ends at the numbers of one that was not.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np

from hal.chapters.linear_block.runs.trainer import Settings, Trainer
from hal.results import path_of, read
from lib.errors import InputError, require

__all__ = ["MODELS", "PUBLISHED", "RECORD", "Settings", "recorded_table1", "train_models"]

COMMAND = "python -m hal.chapters.linear_block.table1"
RECORD = path_of("linear_block", "table1")
MODELS = tuple((mean, mlp) for mean in (0.0, 10.0) for mlp in (True, False))  # every entry of the mean; with MLPs
#: Losses of Table 1, by mean (its far mean is not readable either, 10 assumed) and whether there are MLPs.
PUBLISHED = {(0.0, True): 0.003, (0.0, False): 0.024, (10.0, True): 0.013, (10.0, False): 8.871}


def train_models(
    settings: Settings,
    device: str,
    folder: Path,
    *,
    models: Sequence[tuple[float, bool]] = MODELS,
    stop: int | None = None,
    limit: float = np.inf,
    say: Callable[[str], Any] = lambda line: None,
) -> dict[tuple[float, bool], dict[str, Any]]:
    """Train models side by side from their checkpoints, or from the start if there are none.

    Args:
        settings: see `Settings`.
        device: of torch, "cpu", "cuda" or "cuda:1".
        folder: of the checkpoints, one a model, written at each measurement.
        models: (mean, mlp) of each: every entry of the prior mean, and whether there are MLPs.
        stop: a step at which to leave off, for an interruption on purpose.
        limit: seconds after which to leave off, at the next measurement.
        say: told a line at each measurement.

    Returns:
        By (mean, mlp): steps (K,) and error (R, K), the mean squared error of the query's label on the test prompts, as
        lists; seconds, the model's share of the time that all took together.

    Raises:
        InputError: if a setting is out of range, the device is absent or has too little memory, or a checkpoint is of
            other settings or of another kind of device, or cannot be read.
    """
    import torch

    last = settings.steps if stop is None else min(stop, settings.steps)
    try:
        trained = {model: _Measured(settings, *model, device, folder) for model in models}
        _train(list(trained.values()), last, limit, say)
    except torch.OutOfMemoryError as error:
        asked = f"batch = {settings.batch}, seeds = {settings.seeds}"
        raise InputError(f"batch: expected a step that fits the memory of {device}, got {asked}: {error}") from error
    return {
        model: {"steps": one.steps, "error": np.transpose(one.errors).tolist(), "seconds": round(one.seconds, 1)}
        for model, one in trained.items()
    }


def _keep(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint; the one that stood there stays until this one is whole."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f"{path.name}.new")
    torch.save(content, temporary)
    temporary.replace(path)


def _find(path: Path, mine: dict[str, Any]) -> dict[str, Any] | None:
    """The checkpoint, or None if there is none."""
    import torch

    if not path.is_file():
        return None
    try:
        # to the processor: Adam moves to the device what belongs there, and generators take their states from here
        found = torch.load(path, map_location="cpu", weights_only=True)
        theirs = found["settings"]
    except Exception as error:  # whatever torch finds wrong with a file: it has many kinds of errors for it
        raise InputError(f"checkpoint: expected a checkpoint of this command, got {path}: {error}") from error
    other = {name: theirs.get(name) for name, value in mine.items() if theirs.get(name) != value}
    require(not other, "checkpoint", f"one with { ({name: mine[name] for name in other}) } (or another folder)", other)
    return dict(found)


class _Measured(Trainer):
    """A model with its measurements and its checkpoint."""

    def __init__(self, settings: Settings, mean: float, mlp: bool, device: str, folder: Path) -> None:
        super().__init__(settings, mean, mlp, device)
        self.path = folder / f"mean{mean:g}-{'mlp' if mlp else 'plain'}.pt"
        self.mine = {**settings._asdict(), "mean": mean, "mlp": mlp, "device": device.partition(":")[0]}
        del self.mine["steps"]  # a longer run goes on from a shorter one
        self.steps: list[int] = []
        self.errors: list[list[float]] = []
        self.seconds = 0.0
        if found := _find(self.path, self.mine):
            self.steps, self.errors, self.seconds = found["steps"], found["errors"], found["seconds"]
            self.load(found)
        else:
            self.measure()

    def measure(self) -> None:
        self.steps.append(self.at)
        self.errors.append(self.error())

    def keep(self) -> None:
        own = {"settings": self.mine, "steps": self.steps, "errors": self.errors, "seconds": self.seconds}
        _keep(self.path, {**self.state(), **own})


def _train(trainers: Sequence[_Measured], last: int, limit: float, say: Callable[[str], Any]) -> None:
    """Step all in turns, from one measurement to the next; one that is ahead waits."""
    begun = perf_counter()
    while (at := min(one.at for one in trainers)) < last and perf_counter() - begun < limit:
        live, since = [one for one in trainers if one.at == at], perf_counter()
        every = live[0].settings.every
        for _ in range(min(every, last - at)):
            for one in live:
                one.step()
        if live[0].at % every:
            return  # stopped between two measurements: what was done since the last is lost
        for one in live:
            one.measure()
        for one in live:
            one.seconds += (perf_counter() - since) / len(live)
            one.keep()
        errors = " ".join(f"{error:.4g}" for one in live for error in one.errors[-1])
        say(f"step {live[0].at} of {last} after {perf_counter() - begun:.0f} s, errors {errors}")


def recorded_table1(path: str | Path = RECORD) -> tuple[int, dict[tuple[float, bool], np.ndarray]] | None:
    """Steps and errors (R, K) by model of the longest recorded run, or None where no record holds all models.

    Raises:
        InputError: if the record holds runs that differ from `Settings()` in more than their steps, seeds and speed.
    """
    if not Path(path).is_file():
        return None
    found: dict[int, dict[tuple[float, bool], np.ndarray]] = {}
    for row in read(path, "the record of Table 1", COMMAND)["runs"]:
        setting = row["setting"]
        free = {name: setting[name] for name in ("steps", "seeds", "products", "compiled")}
        own = Settings(**{name: setting[name] for name in Settings._fields})
        require(own == Settings()._replace(**free), "path", f"runs of {Settings()}", own)
        found.setdefault(own.steps, {})[setting["mean"], setting["mlp"]] = np.array(row["error"])
    whole = [steps for steps, errors in found.items() if set(errors) == set(MODELS)]
    return (max(whole), found[max(whole)]) if whole else None
