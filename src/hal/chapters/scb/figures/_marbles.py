"""What `scb-sign` draws of runs: marbles on the landscape of the two signals, and the recorded points of the cloud."""

from typing import Any

from hal import results
from hal.chapters.scb.runs.sign_share import recorded_shares
from hal.figure import Heights, Path, Recorded, plane

ROLL = "Marbles leaving zero"
BOUNDS = (0.8, 0.5, 0.2, 0.05)  # of the excess loss, as a fraction of that at zero
EVEN = 1000.0  # far outside the picture: the asinh axes are linear


def marbles(title: str = ROLL) -> Any:
    """Every run as a marble that leaves its start and rolls into one of the two valleys."""
    ways = [
        Path("upright", "alpha_A", "true sign", idea="attention"),
        Path("mirrored", "alpha_A", "mirrored", idea="mirror"),
    ]
    names = [(1.15, 1.45, "true"), (-1.15, -1.45, "mirror")]
    return plane(
        ways, heights=Heights("scene.x", "scene.y", "scene.z", BOUNDS, names), asinh=EVEN, xlim=(-1.4, 1.4),
        ylim=(-1.8, 1.8), equal=False, title=title, xlabel="transition signal α_V (no unit)",
        ylabel="attention signal α_A (no unit)", height=330,
    )  # fmt: skip


def recorded() -> list[Recorded]:
    """The recorded settings as points; those of which every run diverged have no share."""
    points = recorded_shares(results.path_of("scb", "sign_share"))
    kept = [point for point in points if point["lost"] < point["runs"]]
    shares = [point["upright"] / (point["runs"] - point["lost"]) for point in kept]
    return [Recorded(point["ratio"], share, point["settings"]) for point, share in zip(kept, shares, strict=True)]
