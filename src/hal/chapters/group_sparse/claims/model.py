"""Claims GS-1, GS-2 and GS-4: positions, gradients, and what the symmetry of the data leaves of the parameters.

Chapter `group_sparse`. Source: arXiv 2504.08638, Section 2.
"""

import itertools

import numpy as np

from hal.chapters.group_sparse.models import SymmetricTransformer
from hal.claims import Part, Result, claim, result, seed_block
from lib import optim
from lib.attention import sine_positions
from lib.models import group_sparse as gs
from lib.sampling import generators
from lib.train import GivenBatches, train


@claim(
    "GS-1",
    where="Section 2, positional vectors (their exact form is assumed)",
    says="The sine positions are orthogonal, and all have the squared norm (D + 1)/2.",
    control={"offset": 0.5},
    breaks="positions taken half a step further along their sines",
)
def _check_1(offset: float = 0.0) -> Result:
    errors = []
    for D in (2, 4, 6, 16, 33):
        P = sine_positions(D, D)
        if offset:
            k = np.arange(1, D + 1)
            P = np.sin(np.outer(k + offset, k) * np.pi / (D + 1))
        errors.append(np.abs(P @ P.T - (D + 1) / 2 * np.eye(D)).max())
    return result(Part("largest error of P P' = (D + 1)/2 I", max(errors), 1e-12, kind="rounding"))


@claim(
    "GS-2",
    where="Section 2, gradient by the chain rule",
    says="The closed gradients of value and key-query matrix are the derivatives of the loss.",
    control={"turned": True},
    breaks="the gradient of the key-query matrix has keys and queries in each other's place",
)
def _check_2(turned: bool = False, block: int = 0) -> Result:
    seeds, step = seed_block(block, 4), 1e-5
    task = gs.Task(D=5, d=3, flips=0.1)
    model = gs.GroupTransformer(task)
    batch = task.sample(20, generators(seeds))
    rngs = generators(seeds, 2)
    m = task.d + task.D
    params, way = (
        gs.Params(
            np.stack([rng.standard_normal(m) for rng in rngs]),
            np.stack([rng.standard_normal((m, m)) for rng in rngs]) / 3,
        )
        for _ in range(2)
    )
    _, gradient = model.loss_and_gradient(params, batch)
    by_W = gradient.W.swapaxes(-1, -2) if turned else gradient.W
    slope = (gradient.v * way.v).sum(axis=-1) + (by_W * way.W).sum(axis=(-2, -1))
    up, down = (
        model.loss_and_gradient(gs.Params(params.v + s * way.v, params.W + s * way.W), batch)[0] for s in (step, -step)
    )
    difference = (up - down) / (2 * step)
    off = np.abs(slope - difference).max()
    return result(
        Part("largest difference from a central difference, nats", off, 1e-7, kind="rounding"),
        Part("smallest slope along the direction, nats", np.abs(difference).min(), 1e-4, 0, "at least", drift=np.inf),
        seeds=seeds,
    )


@claim(
    "GS-4",
    where="beyond the paper",
    says=(
        "By symmetry the population moves in six scalars only: on examples with all symmetries of the distribution, "
        "gradient descent of the full matrix equals that of these scalars, and everything else stays zero."
    ),
    control={"images": False},
    breaks="the examples without their mirror images under X -> -X",
)
def _check_4(images: bool = True, block: int = 0) -> Result:
    seeds = seed_block(block, 1)
    task = gs.Task(D=4, d=3)
    examples, lr, d = symmetric(task, seeds, 8, images), 0.5, task.d
    dense, six = gs.GroupTransformer(task), SymmetricTransformer(task)
    full = train(GivenBatches(dense, [examples]), None, optim.sgd(lr), steps=40).params
    small = train(GivenBatches(six, [six.reduce(examples)]), None, six.optimiser(lr), steps=40).params
    W = full.W[0]
    B = dense.positions @ W[d:, d:] @ dense.positions.T
    v = np.abs(full.v[0] - np.concatenate([small.alpha, np.zeros(d + task.D - 1)])).max()
    content = np.abs(W[:d, :d] - np.diag([small.w_par[0], *small.w_perp.repeat(d - 1)])).max()
    mixed = max(np.abs(W[:d, d:]).max(), np.abs(W[d:, :d]).max())
    return result(
        Part("largest error of v = [alpha v*; 0] after 40 steps", v, 1e-9, kind="rounding"),
        Part("largest error of the content block", content, 1e-9, kind="rounding"),
        Part("largest error of the positions' logits", np.abs(B - small.B[0][six.orbits]).max(), 1e-9, kind="rounding"),
        Part("largest entry that mixes content and position", mixed, 1e-9, kind="rounding"),
        Part("largest column sum of the logits", np.abs(B.sum(axis=0)).max(), 1e-9, kind="rounding"),
        seeds=seeds,
    )


def symmetric(task: gs.Task, seeds: range, count: int, images: bool = True) -> gs.Examples:
    """Examples with all images under the law's symmetries: axes across v*, groups that do not decide, and the sign."""
    others = [j for j in range(task.D) if j != task.star]
    found = []
    for x in task.sample(count, generators(seeds)).X[0]:
        for groups, axes in itertools.product(itertools.permutations(others), itertools.permutations(range(1, task.d))):
            for signs in itertools.product((1, -1), repeat=task.d - 1):
                z = x.copy()
                z[others] = x[list(groups)]
                z[:, 1:] = z[:, list(axes)] * signs
                found += [z, -z] if images else [z]
    X = np.array(found)[None]
    return gs.Examples(X, np.sign(X[:, :, task.star] @ task.v_star))
