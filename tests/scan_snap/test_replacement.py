"""The replacement gradient of Lemma 3: against its definition, against known runs, and against plain training."""

import numpy as np
import pytest

from hal.chapters.scan_snap.runs.learning import learn, rates
from hal.chapters.scan_snap.runs.replacement import learn_replaced, times_seen
from hal.chapters.scan_snap.runs.transforms import decoder_inputs, replace_gradient
from lib import optim
from lib.errors import InputError
from lib.models import scan_snap as ss
from lib.theory import scan_snap as theory


def random_task(K=3, C=7, M=12, seed=0):
    P = np.random.default_rng(seed).dirichlet(np.ones(C), size=K)
    return ss.Task(P, np.zeros(K, dtype=int), M, None)


def test_replaced_gradient_is_that_of_the_lemma():
    task = random_task()
    rng = np.random.default_rng(1)
    params = ss.Params(rng.standard_normal((2, task.C, task.M)), rng.standard_normal((2, task.Q, task.C)))
    _, true = ss.loss_and_gradient(params, ss.population(task), task)
    transform = replace_gradient(task)
    found, _ = transform.update(true, transform.init(params), params)
    for r in range(2):
        f = theory.decoder_inputs(task.P, params.Z[r], task.query)
        E_prime = theory.modified_overlaps(theory.correlations(f))
        logits = f @ params.Y[r]
        alpha = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
        delta = np.eye(task.K, task.M) - alpha
        expected = -sum(np.outer(f[n] - f.T @ E_prime[:, n], delta[n]) for n in range(task.K)) / task.K
        np.testing.assert_allclose(found.Y[r], expected, atol=1e-12)
    np.testing.assert_array_equal(found.Z, true.Z)


def test_one_example_moves_the_row_of_its_class_alone():
    task = random_task(K=4)
    run = learn_replaced(task, [5], optimiser=rates(0.5, 0.0, optim.sgd), steps=1, one_by_one=True)
    W = decoder_inputs(ss.zero_start(task), task)[0] @ run["Y"][0, -1]
    seen = times_seen(task, [5], 1)[0, -1]
    assert seen.sum() == 1
    np.testing.assert_allclose(np.abs(W).max(axis=1) > 1e-12, seen == 1)


def test_joint_runs_on_data_that_obey_the_assumption():
    """Common logit after 5 K ln M / lr_Y steps, against a second implementation (notes of the chapter)."""
    task = ss.single_common_task(2, 0.3, 1000)
    steps = round(5 * 2 * np.log(1000) / 0.1)
    replaced, plain = (
        learn_replaced(task, optimiser=rates(0.1, 0.05, optim.sgd), steps=steps, replaced=which)["Z"][0, -1, 0, 0]
        for which in (True, False)
    )
    assert replaced == pytest.approx(-0.454, abs=1e-3)
    assert plain == pytest.approx(-0.025, abs=1e-3)


def test_without_replacement_it_is_the_plain_run():
    task = ss.base_task(L=None)
    ours = learn_replaced(task, optimiser=rates(0.5, 0.5, optim.sgd), steps=30, replaced=False)
    plain = learn(task, [0], rates(0.5, 0.5, optim.sgd), 30, record={"Z": lambda p: p.Z}, record_at=[0, 30])
    np.testing.assert_allclose(ours["Z"], plain["Z"], atol=1e-13)


def test_counts_of_classes_are_those_of_the_run():
    task, seeds, steps = ss.base_task(K=4), [0, 9], 50
    run = learn_replaced(task, seeds, optimiser=rates(0.2, 0.0, optim.sgd), steps=steps, one_by_one=True)
    seen = times_seen(task, seeds, steps)
    assert seen.shape == (2, steps + 1, 4)
    assert (seen.sum(axis=-1) == np.arange(steps + 1)).all()
    f = decoder_inputs(ss.zero_start(task), task)[0]
    gap = np.einsum("rnn->rn", (f @ run["Y"][:, -1])[..., :4])  # the right token's logit
    order = np.argsort(seen[:, -1], axis=1)
    assert (np.diff(np.take_along_axis(gap, order, axis=1), axis=1) >= 0).all()


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: learn_replaced(ss.base_task(), optimiser=rates(np.nan)), "lr_Y: .*finite"),
        (lambda: learn_replaced(ss.base_task(), []), "seeds: .*at least one"),
        (lambda: learn_replaced(ss.base_task(), optimiser=rates(1.0, -1.0)), "lr_Z: .*at least 0"),
        (lambda: learn_replaced(ss.Task(np.full((2, 3), 1 / 3), np.zeros(2, dtype=int), 4), steps=1), "task: .*indep"),
        (lambda: replace_gradient(ss.Task(np.full((1, 2, 3), 1 / 3), np.zeros(2, dtype=int), 4)), "task: .*shape"),
    ],
)
def test_bad_input_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
