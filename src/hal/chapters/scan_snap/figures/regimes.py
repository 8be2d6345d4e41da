"""How the figures of the chapter tell its six regimes apart: by the dash of the line, in all of them alike."""

from typing import Any

from hal.palette import REGIMES


def dashes(regime: str) -> dict[str, Any]:
    """The keyword of a Matplotlib line that draws a regime.

    Args:
        regime: "finite", "infinite", "joint", "replaced", "reference" or "reduced".
    """
    return {"ls": (0, REGIMES[regime]) if REGIMES[regime] else "-"}
