"""One model of Table 1 with all that a step depends on, and a step of it: on a GPU one launch.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1, at its own scale.

A step is some five hundred kernels that take less time than it takes to launch them. So on a GPU the first steps are
taken one kernel at a time, and the next is captured as a graph, draws, gradients and Adam alike; from then on a step
replays it. Each model has a stream of its own: models that are stepped in turns run side by side.
What is out of range, or is not there, raises InputError.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import numpy as np

from hal.chapters.linear_block.models.gpt import GptBlocks
from lib.errors import require, whole
from lib.models import linear_block as lb
from lib.sampling import generators

__all__ = ["PRODUCTS", "Settings", "Trainer", "check"]

PRODUCTS = ("single", "tf32")
EAGER = 3  #: steps before the capture, in which compilers and Adam do what they do but once
AT_ONCE = 1600  #: test prompts that are computed at once


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
    seeds: int = 1  #: runs, trained in the same products
    products: str = "single"  #: precision of a step's products on a GPU, "tf32" rounds what enters them to 10 bits
    compiled: int = 0  #: 1 to have torch fuse the kernels of a step


def check(settings: Settings, device: str) -> None:
    """Refuse settings that are out of range."""
    for name, value in settings._asdict().items():
        if name not in ("lr", "products"):
            whole(name, value, 0 if name == "compiled" else 1)
    require(np.isfinite(settings.lr) and settings.lr > 0, "lr", "a finite number above 0", settings.lr)
    require(settings.steps % settings.every == 0, "every", f"a divisor of steps = {settings.steps}", settings.every)
    require(settings.products in PRODUCTS, "products", f"one of {PRODUCTS}", repr(settings.products))
    here = settings.products == "single" or device != "cpu"
    require(here, "products", "single, where the device is cpu", repr(settings.products))


class Trainer:
    """Parameters, Adam and the generators of the prompts of one model, for `Settings.seeds` runs.

    Args:
        settings: see `Settings`.
        mean: every entry of the prior mean.
        mlp: with MLPs.
        device: of torch, "cpu", "cuda" or "cuda:1".
        graph: on a GPU, capture a step; without it every kernel is launched by itself.
    """

    def __init__(self, settings: Settings, mean: float, mlp: bool, device: str, graph: bool = True) -> None:
        import torch

        check(settings, device)
        task = lb.Task(np.eye(settings.d), np.eye(settings.d), np.full(settings.d, mean), 0.0, settings.M)
        problem = GptBlocks(task, mlp, settings.width, settings.layers, settings.heads, device)
        self.settings, self.mean, self.device, self.forward = settings, mean, device, problem.forward
        fused = settings.compiled
        self.predict = torch.compile(self.forward, fullgraph=True, dynamic=False) if fused else self.forward
        self.drawn, tested = ([_generator(device, 2 * s + i) for s in range(settings.seeds)] for i in (0, 1))
        self.leaves = problem.tensors(problem.init(settings.seeds, generators(range(settings.seeds), 2)))
        on_gpu = device != "cpu"
        # one launch for all leaves, and a count of steps that a graph can advance
        self.adam = torch.optim.Adam(self.leaves, lr=settings.lr, fused=on_gpu, capturable=on_gpu)
        self.tests = prompts(settings, mean, settings.tests, tested, device)
        self.stream = torch.cuda.Stream(device) if on_gpu else None
        self.graph: Any = None
        self.eager = EAGER if on_gpu and graph else -1  # steps left until the capture; below 0, never
        self.at = 0  # steps taken
        self._wait()

    def step(self) -> None:
        """Take one step; on a GPU it may still be running when this returns."""
        self.at += 1
        if self.stream is None:
            return self._step()
        import torch

        with torch.cuda.stream(self.stream):
            if self.eager:
                self.eager -= 1
                self._step()
                return None
            if self.graph is None:
                self.adam.zero_grad(set_to_none=True)
                self.graph = torch.cuda.CUDAGraph()
                for generator in self.drawn:
                    self.graph.register_generator_state(generator)
                with torch.cuda.graph(self.graph, stream=self.stream):  # records, and runs nothing
                    self._step()
            self.graph.replay()
        return None

    def error(self) -> list[float]:
        """Mean squared errors (R,) of the query's label on the test prompts, in single precision."""
        import torch

        self._wait()
        with torch.no_grad():
            parts = zip(*(x.split(AT_ONCE, dim=1) for x in self.tests), strict=True)
            squares = [((self.forward(self.leaves, x) - y) ** 2).double().sum(dim=1) for x, y in parts]
        return [float(x) for x in sum(squares) / self.tests[1].shape[1]]

    def state(self) -> dict[str, Any]:
        """All that a step depends on, to be kept and given to `load`."""
        self._wait()
        states = [generator.get_state() for generator in self.drawn]
        params = [leaf.detach() for leaf in self.leaves]
        return {"at": self.at, "params": params, "adam": self.adam.state_dict(), "generators": states}

    def load(self, found: dict[str, Any]) -> None:
        """Go on from what `state` gave, before the first step of this trainer."""
        import torch

        self.at = found["at"]
        self.adam.load_state_dict(found["adam"])
        with torch.no_grad():
            for leaf, kept in zip(self.leaves, found["params"], strict=True):
                leaf.copy_(kept)
        for generator, kept in zip(self.drawn, found["generators"], strict=True):
            generator.set_state(kept)
        self._wait()

    def _step(self) -> None:
        import torch

        own = self.settings
        tokens, targets = prompts(own, self.mean, own.batch, self.drawn, self.device)  # always in single precision
        with _precision(own.products):
            losses = ((self.predict(self.leaves, tokens) - targets) ** 2).mean(dim=1)
            slopes = torch.autograd.grad(losses.sum(), self.leaves, materialize_grads=True)  # runs share nothing
        for leaf, slope in zip(self.leaves, slopes, strict=True):
            leaf.grad = slope
        self.adam.step()

    def _wait(self) -> None:
        """Until all steps are done: what reads the parameters runs on another stream than they."""
        if self.stream is not None:
            import torch

            torch.cuda.synchronize(self.device)


@contextmanager
def _precision(products: str) -> Iterator[None]:
    import torch

    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("highest" if products == "single" else "high")
    try:
        yield
    finally:
        torch.set_float32_matmul_precision(before)


def _generator(device: str, seed: int) -> Any:
    import torch

    return torch.Generator(device).manual_seed(seed)


def prompts(settings: Settings, mean: float, count: int, rngs: Sequence[Any], device: str) -> tuple[Any, Any]:
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
