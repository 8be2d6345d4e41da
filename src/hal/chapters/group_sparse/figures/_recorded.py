"""The recorded sweeps as points: of the new task for `group_sparse-counted`, of the edge for `group_sparse-edge`."""

from hal.chapters.group_sparse.runs.cost import recorded_cost
from hal.chapters.group_sparse.runs.edge import interval, recorded_edge
from hal.explorer import Recorded

LEAST = 0.85  # attention that the page's slider has


def costs(name: str) -> list[Recorded]:
    """Predicted and counted examples of the layer that was tuned ("layer") or of regression ("linear").

    Only layers with a given attention of 0.85 or more stand there, as in the page; of regression one of each size and
    margin.
    """
    counted, found = "tuned" if name == "layer" else name, []
    for one, row in recorded_cost().items():
        shown = one.attention >= LEAST if name == "layer" else one.attention == 0.9
        if shown and row[counted][0] is not None:
            chosen = {"D": one.D, "d": one.d, "gamma": one.gamma, "attention": one.attention}
            found.append(Recorded(row["law"][name], row[counted][0], chosen))
    return found


def edges() -> list[Recorded]:
    """Groups, and the largest eta D at which no step of six scalars raises the loss, the mean over samples."""
    return [Recorded(float(one.D), interval(row["edge"])[0], {"D": one.D}) for one, row in recorded_edge().items()]
