"""The claims of the chapter on sparse contextual bigrams (arXiv 2410.23438), in the order of their ids."""

from importlib import import_module

from lib.claims.base import Claim

PARTS: tuple[str, ...] = (
    "exact",
    "coordinates",
    "flow",
    "noise",
    "sign",
    "sgd",
    "prox",
    "stage3",
    "transfer",
    "beyond",
    "speed",
)

CLAIMS: list[Claim] = sorted(
    (claim for part in PARTS for claim in import_module(f"lib.claims.scb.{part}").CLAIMS),
    key=lambda claim: int(claim.id.removeprefix("SCB-")),
)
