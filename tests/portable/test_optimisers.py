"""Every portable optimiser makes the steps of its counterpart in `lib.optim`, and the same bits in the page."""

from typing import NamedTuple

import numpy as np
import pytest

from lib import optim
from lib.portable import optimisers
from lib.portable.primitives import zeros
from tests.portable.engine import bits, page_of

STEPS, COUNT = 30, 7


class Params(NamedTuple):
    x: np.ndarray


def gradients():
    return np.random.default_rng(3).normal(size=(STEPS, COUNT)).tolist()


START = np.random.default_rng(4).normal(size=COUNT).tolist()


def counterpart(transform):
    params = Params(np.array([START]))
    state = transform.init(params)
    for g in gradients():
        updates, state = transform.update(Params(np.array([g])), state, params)
        params = optim.apply_updates(params, updates)
    return params.x[0]


# name -> what to do with x and the gradient g, Python and JavaScript alike, and the same by `lib.optim`
CASES = {
    "sgd": ("optimisers.sgd(x, g, 0.1)", optim.sgd(0.1)),
    "momentum": ("optimisers.momentum(x, trace, g, 0.1, 0.8)", optim.momentum(0.1, 0.8)),
    "adam": ("optimisers.adam(x, memory, g, 0.1, 0.9, 0.99, 1e-8)", optim.adam(0.1, b2=0.99)),
    "soft threshold": (
        "optimisers.sgd(x, g, 0.1); optimisers.soft_threshold(x, 0.03)",
        optim.chain(optim.sgd(0.1), optim.prox_l1(0.03)),
    ),
    "projection": (
        "optimisers.keep_sum(g); optimisers.sgd(x, g, 0.1)",
        optim.chain(optim.project_affine(-1), optim.sgd(0.1)),
    ),
    "threshold, then projection": (
        "optimisers.keep_sum(g); optimisers.sgd(x, g, 0.1); optimisers.soft_threshold(x, 0.03);"
        " optimisers.restore_sum(x, 1.0)",
        optim.chain(optim.project_affine(-1), optim.sgd(0.1), optim.prox_l1(0.03), optim.restore_affine(1.0, -1)),
    ),
}


@pytest.mark.parametrize(("code", "transform"), CASES.values(), ids=CASES)
def test_same_steps_as_optim_and_as_the_page(code, transform):
    x, trace, memory = list(START), zeros(COUNT), optimisers.adam_memory(COUNT)
    for g in gradients():
        exec(code, {"optimisers": optimisers, "x": x, "g": g, "trace": trace, "memory": memory})
    np.testing.assert_allclose(x, counterpart(transform), rtol=1e-12, atol=1e-14)
    page = page_of(optimisers, checked=True)
    page.do(f"""
        const optimisers = portable["lib.portable.optimisers"];
        const x = Float64Array.from({START}), trace = new Float64Array({COUNT});
        const memory = optimisers.adam_memory({COUNT});
        for (const row of {gradients()}) {{ const g = Float64Array.from(row); {code}; }}""")
    assert bits(page.run("x")) == bits(x)


def test_soft_threshold_makes_exact_zeros():
    x = [0.5, -0.5, 0.1, -0.1, 0.0]
    optimisers.soft_threshold(x, 0.1)
    assert x == [0.4, -0.4, 0.0, 0.0, 0.0]


def test_adam_leaves_an_entry_alone_that_never_had_a_gradient():
    x, memory = [1.0, 2.0], optimisers.adam_memory(2)
    optimisers.adam(x, memory, [0.0, 1.0], 0.1, 0.9, 0.999, 0.0)
    assert x[0] == 1.0
    assert x[1] == pytest.approx(1.9)
