"""Optimisers: laws over runs and time, and what is refused. `test_optim_peers.py` holds them to PyTorch's."""

import pickle

import numpy as np
import pytest

from lib import optim
from lib.errors import InputError
from lib.optim import chain
from tests.core.optim_cases import OPTIMISERS, RATES, Params, draw, same, steps, take
from tests.refusals import refused

# --- laws


@pytest.mark.parametrize("name", OPTIMISERS)
def test_many_runs_equal_single_runs_bit_for_bit(name, rng):
    start, gradients = draw(rng), [draw(rng) for _ in range(7)]
    together, _ = steps(OPTIMISERS[name](RATES), start, gradients)
    for r, rate in enumerate(RATES):
        alone, _ = steps(OPTIMISERS[name](float(rate)), take(start, r), [take(g, r) for g in gradients])
        for a, b in zip(alone, together, strict=True):
            assert same(a, take(b, r))


@pytest.mark.parametrize("name", OPTIMISERS)
def test_stopped_saved_and_resumed_equals_uninterrupted(name, rng):
    start, gradients = draw(rng), [draw(rng) for _ in range(7)]
    whole, _ = steps(OPTIMISERS[name](RATES), start, gradients)
    first, state = steps(OPTIMISERS[name](RATES), start, gradients[:3])
    middle, state = pickle.loads(pickle.dumps((first[-1].V, first[-1].A))), pickle.loads(pickle.dumps(state))
    second, _ = steps(OPTIMISERS[name](RATES), Params(*middle), gradients[3:], state)
    assert same(second[-1], whole[-1])


@pytest.mark.parametrize("name", OPTIMISERS)
def test_update_writes_to_nothing_it_is_given(name, rng):
    start, gradient = draw(rng), draw(rng)
    optimiser = OPTIMISERS[name](RATES)
    _, state = steps(optimiser, start, [draw(rng)])
    before = pickle.dumps((tuple(start), tuple(gradient), state))
    first, _ = optimiser.update(gradient, state, start)
    again, _ = optimiser.update(gradient, state, start)
    assert pickle.dumps((tuple(start), tuple(gradient), state)) == before
    assert same(first, again)


# --- refusals

REFUSED = {
    "negative rate": (lambda: optim.sgd(-0.1), "lr: expected a finite number >= 0, got -0.1"),
    "NaN rate": (lambda: optim.adam(np.nan), "lr: .*got nan"),
    "matrix of rates": (lambda: optim.sgd(np.ones((2, 2))), r"lr: .*\(2, 2\)"),
    "text": (lambda: optim.sgd("fast"), "lr: expected a finite number >= 0, .*lr=0.1, got 'fast'"),
    "decay of one": (lambda: optim.momentum(0.1, 1.0), r"decay: expected a number in \[0, 1\), got 1.0"),
    "b2 of one": (lambda: optim.adam(0.1, b2=1.0), "b2: "),
    "negative eps": (lambda: optim.adam(0.1, eps=-1e-8), "eps: "),
    "scheduled b1": (lambda: optim.adam(0.1, b1=optim.constant(0.9)), "b1: .*a schedule"),
    "negative decay of weights": (lambda: optim.add_decayed_weights(-0.1), "decay: expected a finite number >= 0"),
    "positive axis of sums": (lambda: optim.prox_l1(0.1, keep_sums=1), "axis: expected a negative integer"),
    "negative norm": (lambda: optim.clip_by_global_norm(-1.0), "max_norm: "),
    "infinite total": (lambda: optim.restore_affine(np.inf, -1), "total: "),
    "infinite multiplier": (lambda: optim.precondition([1.0, np.inf]), "multiplier: "),
    "empty chain": (lambda: chain(), "transforms: expected at least one"),
    "not a transform": (lambda: chain(optim.sgd(0.1), 0.5), r"transforms\[1\]: .*float"),
    "per_field of a number": (lambda: optim.per_field(V=0.1), "V: .*float"),
    "boundaries fall": (lambda: optim.piecewise_constant([5, 3], [1, 2, 3]), "boundaries: expected increasing"),
    "values missing": (lambda: optim.piecewise_constant([3], [1]), "values: expected 2 values, got 1"),
    "warm-up too long": (lambda: optim.cosine(1.0, 10, warmup=10), "warmup: "),
    "negative decay rate": (lambda: optim.exponential(1.0, -0.5), "rate: "),
    "no transition": (lambda: optim.exponential(1.0, 0.5, 0), "transition_steps: "),
}


test_refused_when_made = refused(REFUSED)


REFUSED_LATER = {
    "rates for other runs": (optim.sgd([0.1, 0.2]), r"lr: expected one value a run \(3\), got 2"),
    "schedule turns negative": (optim.sgd(lambda step: -1.0), "lr: .*got -1.0"),
    "schedule turns NaN": (optim.prox_l1(lambda step: np.full(3, np.nan)), "threshold: "),
    "the runs' axis": (optim.project_affine(-3), "axis: expected a model axis"),
    "multiplier too large": (optim.precondition(np.ones((4, 3, 2, 1))), "multiplier: .*broadcast"),
    "unknown field": (optim.per_field(V=optim.sgd(0.1), W=optim.sgd(0.1)), "W: expected one of the fields V, A"),
    "field forgotten": (optim.per_field(V=optim.sgd(0.1)), "A: expected a transform"),
}


@pytest.mark.parametrize(("optimiser", "message"), REFUSED_LATER.values(), ids=REFUSED_LATER.keys())
def test_refused_when_used(optimiser, message, rng):
    with pytest.raises(InputError, match=message):
        steps(optimiser, draw(rng), [draw(rng)])


def test_an_optimiser_does_not_change_with_the_array_it_was_made_from(rng):
    rates, start, gradient = RATES.copy(), draw(rng), draw(rng)
    optimiser = optim.sgd(rates)
    rates[:] = 0.0
    (moved,), _ = steps(optimiser, start, [gradient])
    assert not same(moved, start)
