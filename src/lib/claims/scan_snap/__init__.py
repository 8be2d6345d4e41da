"""The claims of the chapter on scan and snap (arXiv 2305.16380), in the order of their ids."""

from importlib import import_module

from lib.claims.base import Claim

PARTS: tuple[str, ...] = (
    "model",
    "decoder",
    "reference",
    "slips",
    "joint",
    "solvable",
    "fates",
    "timing",
    "small",
    "figure6",
    "speed",
    "text",
    "residual",
)

CLAIMS: list[Claim] = sorted(
    (claim for part in PARTS for claim in import_module(f"lib.claims.scan_snap.{part}").CLAIMS),
    key=lambda claim: int(claim.id.removeprefix("SNAP-")),
)
