"""The first gradient of attention in four tasks, where every token still reads alike.

Chapter `atlas`. Source: our own; Lemma 1.
"""

from typing import Any

import numpy as np

from lib.models import group_sparse as gs
from lib.models import random_walk as rw
from lib.models import scan_snap as ss
from lib.models import scb
from lib.sampling import generators

__all__ = ["attention_gradients"]


def attention_gradients(seed: int, noise: float = 0.0) -> dict[str, float]:
    """Largest entry of attention's gradient at initialisation, of a batch, in the tasks whose values are learned.

    Args:
        seed: of the samples, and of what is added to the read-out.
        noise: standard deviation of numbers that are added to every entry of the read-out first; no unit.

    Returns:
        Slug -> size, for scb, scan_snap, group_sparse and random_walk.
    """
    rng = np.random.default_rng(seed)

    def shaken(array: np.ndarray) -> np.ndarray:
        return array + noise * rng.standard_normal(array.shape)

    found: dict[str, Any] = {}
    task = scb.ring_task(T=128, N=3)
    model = scb.LinearTransformer(task)
    start = model.init(1)
    _, slope = model.loss_and_gradient(start._replace(V=shaken(start.V)), model.sample(64, generators([seed])))
    found["scb"] = slope.A - slope.A.mean(axis=-1, keepdims=True)  # rows keep their sum

    texts = ss.Transformer(ss.base_task())
    first = texts.init(1)
    _, words = texts.loss_and_gradient(first._replace(Y=shaken(first.Y)), texts.sample(64, generators([seed])))
    found["scan_snap"] = words.Z

    groups = gs.GroupTransformer(gs.Task(D=6, d=4))
    zero = groups.init(1)
    _, whole = groups.loss_and_gradient(zero._replace(v=shaken(zero.v)), groups.sample(200, generators([seed])))
    found["group_sparse"] = whole.W

    layer, walks = rw.MinimalTransformer(K=6, N=25, M=25), rw.Walk(6, 25, 0.5).sample(200, generators([seed]))
    blank = layer.init(1)
    _, moved = layer.loss_and_gradient(blank._replace(V=shaken(blank.V)), walks)
    found["random_walk"] = np.concatenate([moved.g.ravel(), moved.u.ravel()])
    return {slug: float(np.abs(size).max()) for slug, size in found.items()}
