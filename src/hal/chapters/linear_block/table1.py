"""`python -m hal.chapters.linear_block.table1`: Table 1 of the paper at its own scale, for one GPU.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1. Four models, side by side; a command that was stopped goes on
from its last checkpoints when it is given again. `--device cpu` would take days.
"""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from hal.chapters.linear_block.runs import table1
from hal.results.rows import record_rows

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> str:
    """Train the models, write the record, and print how many it holds.

    Args:
        arguments: of the command; default those it was given.

    Raises:
        InputError: see `runs.table1.train_models`; a GPU must be there, or `--device cpu` given.
    """
    parser = argparse.ArgumentParser(description="Train the models of Table 1 (arXiv 2402.14951) at their own scale.")
    parser.add_argument("--device", default="cuda", help="of torch: cuda, cuda:1, cpu; default cuda")
    parser.add_argument("--record", type=Path, default=table1.RECORD, help="the JSON file that the page shows")
    parser.add_argument("--checkpoints", type=Path, default=Path(".cache", "table1"), help="folder of checkpoints")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="after which to leave off, and record that")
    for name, value in table1.Settings()._asdict().items():
        parser.add_argument(f"--{name}", type=type(value), default=value, help=f"default {value}")
    args = parser.parse_args(arguments)
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it products on a GPU are not repeatable
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel

    settings = table1.Settings(**{name: getattr(args, name) for name in table1.Settings._fields})
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)  # with several a sum may be cut differently; a GPU does not need them
    with sdpa_kernel(SDPBackend.MATH):  # its gradient is repeatable, and at 41 tokens it is the fastest
        found = table1.train_models(settings, args.device, args.checkpoints, limit=60 * args.minutes, say=print)
    settings = settings._replace(steps=min(one["steps"][-1] for one in found.values()))
    standard = table1.Settings()._asdict()
    changed = " ".join(f"--{name}={value}" for name, value in settings._asdict().items() if value != standard[name])
    models = [{**settings._asdict(), "mean": mean, "mlp": mlp} for mean, mlp in table1.MODELS]
    said = record_rows(
        args.record, f"{table1.COMMAND} {changed}".strip(), models, lambda one: found[one["mean"], one["mlp"]]
    )
    return f"{args.record}: {said}"


if __name__ == "__main__":
    print(main())
