"""The claims of the chapter on scan and snap (arXiv 2305.16380), in the order of their ids."""

from lib.claims.base import Claim, gather

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
    "gradients",
    "text",
    "residual",
)

CLAIMS: list[Claim] = gather(__name__, PARTS)
