"""What `scb-sign` draws of runs: marbles on the landscape of the two signals, and the recorded points of the cloud."""

from typing import Any

from hal import results
from hal.chapters.scb.models.textbook_measures import skewed_law
from hal.chapters.scb.runs.sign_share import recorded_shares
from hal.figure import Heights, Path, Recorded, plane
from lib.models.scb.textbook import even_weights, ring_transition
from lib.theory.scb.portable import constants, control_number, noise_loop

ROLL = "A marble a run (dark: low loss)"
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
        ylim=(-1.8, 1.8), equal=False, title=title, xlabel="signal α_V of V (no unit)",
        ylabel="signal α_A of attention (no unit)", height=330,
    )  # fmt: skip


def recorded() -> list[Recorded]:
    """The recorded settings of the law's range, r below 1/2, as points; where every run diverged there is no share."""
    points = recorded_shares(results.path_of("scb", "sign_share"))
    kept = [point for point in points if point["lost"] < point["runs"] and loop(**point["settings"]) < 0.5]
    shares = [point["upright"] / (point["runs"] - point["lost"]) for point in kept]
    return [Recorded(point["ratio"], share, point["settings"]) for point, share in zip(kept, shares, strict=True)]


def loop(T: int, N: int, skew: float, c: float, lr: float, batch: int) -> float:
    """r, how fast noise feeds itself at a recorded setting."""
    mu = skewed_law(N, skew)
    task = constants(mu, ring_transition(mu, c), even_weights(2), T)
    return noise_loop(control_number(float(batch), lr, float(T)), task.T, float(N), task.K_P, task.K_Q, task.tr_S2)
