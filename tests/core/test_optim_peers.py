"""The library's optimisers step as PyTorch's do, and the page's step as the library's."""

from typing import NamedTuple

import numpy as np
import pytest
import torch
from torch.optim import lr_scheduler as rates

from lib import optim
from lib.portable import optimisers as portable
from tests.core.optim_cases import steps


class Point(NamedTuple):
    """Parameters of some runs."""

    x: np.ndarray


ADAMW = optim.chain(optim.scale_by_adam(), optim.add_decayed_weights(0.3), optim.scale_by_learning_rate(0.1))
WARM = [lambda o: rates.LinearLR(o, 0.25, total_iters=3), lambda o: rates.CosineAnnealingLR(o, 9, eta_min=0.01)]
STEPS = optim.piecewise_constant([3, 7], [0.1, 0.05, 0.025])
SGD, MOMENTUM = (lambda p: torch.optim.SGD(p, 0.1)), (lambda p: torch.optim.SGD(p, 0.1, momentum=0.7))
CASES = {  # ours, PyTorch's, its schedule, the norm that it clips gradients to
    "SGD": (optim.sgd(0.1), SGD),
    "momentum": (optim.momentum(0.1, 0.7), MOMENTUM),
    "Nesterov": (optim.momentum(0.1, 0.7, True), lambda p: torch.optim.SGD(p, 0.1, momentum=0.7, nesterov=True)),
    "Adam": (optim.adam(0.1, 0.5, 0.9, 1e-2), lambda p: torch.optim.Adam(p, 0.1, betas=(0.5, 0.9), eps=1e-2)),
    "AdamW": (ADAMW, lambda p: torch.optim.AdamW(p, 0.1, weight_decay=0.3)),
    "clipping": (optim.chain(optim.clip_by_global_norm(2.0), optim.sgd(0.1)), SGD, None, 2.0),
    "cosine after a warm-up": (optim.sgd(optim.cosine(0.1, 12, 0.01, 3)), SGD,
                               lambda o: rates.SequentialLR(o, [made(o) for made in WARM], [3])),
    "rates that step down": (optim.momentum(STEPS, 0.7), MOMENTUM, lambda o: rates.MultiStepLR(o, [3, 7], gamma=0.5)),
    "exponential rate": (optim.adam(optim.exponential(0.1, 0.5, 4)), lambda p: torch.optim.Adam(p, 0.1),
                         lambda o: rates.ExponentialLR(o, 0.5**0.25)),
}  # fmt: skip


def theirs(start, gradients, make, schedule=None, clip=0.0):
    """Parameters after the steps of one of PyTorch's optimisers."""
    x = torch.tensor(start, requires_grad=True)
    optimiser = make([x])
    rate = schedule and schedule(optimiser)
    for gradient in gradients:
        x.grad = torch.tensor(gradient)
        if clip:
            torch.nn.utils.clip_grad_norm_([x], clip)
        optimiser.step()
        if rate:
            rate.step()
    return x.detach().numpy()


@pytest.mark.parametrize("name", CASES)
def test_an_optimiser_steps_as_pytorch_s_does(name):
    """Twelve steps of three runs in one call, against PyTorch's one by one."""
    ours, *peer = CASES[name]
    rng = np.random.default_rng(0)
    starts, gradients = rng.normal(size=(3, 2, 5)), rng.normal(size=(12, 3, 2, 5))
    point = steps(ours, Point(starts), map(Point, gradients))[0][-1]
    wanted = [theirs(starts[r], gradients[:, r], *peer) for r in range(3)]
    np.testing.assert_allclose(point.x, wanted, rtol=0, atol=1e-5 if name == "clipping" else 1e-11)


def stepped(ours, start, gradients):
    """A row of parameters after steps of an optimiser of the library."""
    path, _ = steps(ours, Point(start[None, None]), (Point(gradient[None, None]) for gradient in gradients))
    return path[-1].x.ravel()


def test_the_page_s_optimisers_step_as_the_library_s():
    rng = np.random.default_rng(1)
    start, gradients = rng.normal(size=10), rng.normal(size=(10, 10))
    moved, trace, adam, memory = start.tolist(), [0.0] * 10, start.tolist(), portable.adam_memory(10)
    for gradient in gradients:
        portable.momentum(moved, trace, gradient.tolist(), 0.1, 0.8)
        portable.adam(adam, memory, gradient.tolist(), 0.1, 0.9, 0.99, 1e-3)
    np.testing.assert_allclose(moved, stepped(optim.momentum(0.1, 0.8), start, gradients), rtol=0, atol=1e-12)
    np.testing.assert_allclose(adam, stepped(optim.adam(0.1, 0.9, 0.99, 1e-3), start, gradients), rtol=0, atol=1e-12)
    shrunk, plain, slope = start.tolist(), start.tolist(), gradients[0].tolist()
    portable.soft_threshold(shrunk, 0.3)
    portable.restore_sum(shrunk, float(start.sum()))
    np.testing.assert_allclose(shrunk, stepped(optim.prox_l1(0.3, keep_sums=-1), start, [0 * start]), atol=1e-12)
    portable.keep_sum(slope)
    portable.sgd(plain, slope, 0.3)
    portable.restore_sum(plain, 1.0)
    kept = optim.chain(optim.project_affine(-1), optim.sgd(0.3), optim.restore_affine(1.0, -1))
    np.testing.assert_allclose(plain, stepped(kept, start, gradients[:1]), rtol=0, atol=1e-12)
