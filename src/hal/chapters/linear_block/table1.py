"""`python -m hal.chapters.linear_block.table1`: Table 1 of the paper at its own scale, for one GPU.

Chapter `linear_block`. Source: arXiv 2402.14951, Table 1. Four models, one after the other; a command that was stopped
goes on from its last checkpoint when it is given again, and finished models stay in the record. `--device cpu` would
take days.
"""

import argparse
import os
from collections.abc import Sequence
from pathlib import Path

from hal.chapters.linear_block.runs import table1
from hal.chapters.linear_block.runs.rows import record_rows

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> str:
    """Train what is missing, write the record after each model, and print how many it holds.

    Args:
        arguments: of the command; default those it was given.

    Raises:
        InputError: see `hal.chapters.linear_block.runs.table1.train_model`; without `--device cpu` a GPU must be there.
    """
    parser = argparse.ArgumentParser(description="Train the models of Table 1 (arXiv 2402.14951) at their own scale.")
    parser.add_argument("--device", default="cuda", help="of torch: cuda, cuda:1, cpu; default cuda")
    parser.add_argument("--record", type=Path, default=table1.RECORD, help="the JSON file that the page shows")
    parser.add_argument("--checkpoints", type=Path, default=Path(".cache", "table1"), help="folder of checkpoints")
    for name, value in table1.Settings()._asdict().items():
        parser.add_argument(f"--{name}", type=type(value), default=value, help=f"default {value}")
    args = parser.parse_args(arguments)
    os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # without it products on a GPU are not repeatable
    import torch
    from torch.nn.attention import SDPBackend, sdpa_kernel

    settings = table1.Settings(**{name: getattr(args, name) for name in table1.Settings._fields})
    models = [{**settings._asdict(), "mean": mean, "mlp": mlp} for mean, mlp in table1.MODELS]
    torch.use_deterministic_algorithms(True)
    torch.set_num_threads(1)  # with several a sum may be cut differently; a GPU does not need them
    with sdpa_kernel(SDPBackend.MATH):  # the one attention whose gradient is repeatable
        said = record_rows(
            args.record,
            table1.COMMAND,
            models,
            lambda one: table1.train_model(
                settings,
                one["mean"],
                one["mlp"],
                args.device,
                args.checkpoints / f"mean{one['mean']:g}-{'mlp' if one['mlp'] else 'plain'}.pt",
            ),
        )
    return f"{args.record}: {said}"


if __name__ == "__main__":
    print(main())
