"""What a step of Table 1 takes (chapter `linear_block`): four models of six layers, one kernel at a time or as a graph.

`python benchmarks/table1.py` takes the GPU if there is one, else a processor, and says what the whole table would take.
Nothing here can be missed: times have no target, but a step that was captured must end at the numbers, bit by bit, of
one that was not, and a compiled one near them.
"""

from __future__ import annotations

import os

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # as the command of the table has it

import argparse
import sys
from statistics import median
from time import perf_counter
from typing import Any

import torch
from parts.report import Checks
from torch.nn.attention import SDPBackend, sdpa_kernel

from hal.chapters.linear_block.runs.table1 import MODELS
from hal.chapters.linear_block.runs.trainer import Settings, Trainer

#: name -> changed settings, whether a step is captured, and models at once
WAYS: dict[str, tuple[dict[str, Any], bool, int]] = {
    "one kernel at a time, a model": ({}, False, 1),
    "captured, a model": ({}, True, 1),
    "captured, four models side by side": ({}, True, 4),
    "captured and compiled, four models": ({"compiled": 1}, True, 4),
    "the same with products of 10 bits": ({"compiled": 1, "products": "tf32"}, True, 4),
}
ROUNDS, STEPS, SAME, NEAR = 5, 20, 20, 1e-3  # of timing; steps of a comparison, and how near compiled ones must come


def trainers(device: str, changed: dict[str, Any], graph: bool, count: int) -> list[Trainer]:
    return [Trainer(Settings(**changed), mean, mlp, device, graph) for mean, mlp in MODELS[:count]]


def advance(models: list[Trainer], steps: int) -> None:
    for _ in range(steps):
        for model in models:
            model.step()


def milliseconds(device: str, changed: dict[str, Any], graph: bool, count: int, rounds: int, steps: int) -> list[float]:
    """Of a step of a model, a round: wall-clock time, divided by the models that took it together."""
    torch.compiler.reset()  # each way is compiled by itself: torch keeps few versions of a function
    models = trainers(device, changed, graph, count)
    advance(models, 6)  # compiled, and captured
    found = []
    for _ in range(rounds):
        models[0].state()  # waits for all
        begun = perf_counter()
        advance(models, steps)
        models[0].state()
        found.append(1e3 * (perf_counter() - begun) / steps / count)
    return found


def ends(device: str, changed: dict[str, Any], graph: bool, steps: int) -> list[Any]:
    torch.compiler.reset()
    models = trainers(device, changed, graph, 1)
    advance(models, steps)
    return [x.double().cpu() for x in models[0].state()["params"]]


def apart(one: list[Any], two: list[Any]) -> float:
    """Largest difference of a parameter."""
    return max(float((x - y).abs().max()) for x, y in zip(one, two, strict=True) if x.numel())


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    args = parser.parse_args()
    gpu = args.device != "cpu"
    torch.set_num_threads(1)
    torch.use_deterministic_algorithms(True)
    check = Checks()
    with sdpa_kernel(SDPBackend.MATH):
        for name, (changed, graph, count) in WAYS.items():
            if gpu or not (changed or graph):
                times = milliseconds(
                    args.device, changed, graph, count, ROUNDS, STEPS * 10 if graph else STEPS if gpu else 2
                )
                all_of_it = median(times) * Settings().steps * len(MODELS) / 3.6e6
                spread = f"{median(times):9.3f} ms ({min(times):.3f} to {max(times):.3f})"
                print(f"  {name:<44} {spread}, the table {all_of_it:.2f} h", flush=True)
        plain = ends(args.device, {}, False, SAME)
        check("steps begun again end at the same numbers", apart(plain, ends(args.device, {}, False, SAME)) == 0)
        if gpu:
            check("captured steps end at the same numbers", apart(plain, ends(args.device, {}, True, SAME)) == 0)
            gap = apart(plain, ends(args.device, {"compiled": 1}, True, SAME))
            check(f"compiled steps end within {gap:.1e} of them, at most {NEAR:.0e}", gap <= NEAR)
        check("control: one step more is seen", apart(plain, ends(args.device, {}, False, SAME + 1)) > 0)
    return 0 if check.all() else 1


if __name__ == "__main__":
    sys.exit(main())
