"""The residual connection: gradients against autograd, theory against training, its limits, bad input."""

import numpy as np
import pytest
import torch

from hal.chapters.scan_snap.runs import local_run, local_task, rates, start_inputs
from hal.chapters.scan_snap.runs.residual import first_drift, reference_start, tracked
from lib.errors import InputError
from lib.models import scan_snap as ss
from lib.models.scan_snap.residual import ResidualTransformer
from lib.theory import scan_snap as theory
from lib.train import train

TASK = local_task()
INPUTS = start_inputs(TASK)


def random_params(task, runs, rng, columns=None):
    shape = (runs, task.C + task.Q, task.M if columns is None else columns)
    return ss.Params(rng.normal(size=shape), rng.normal(size=(runs, task.Q, task.C)))


def autograd(params, tokens, query, label, weight):
    """Loss and gradient of one run by autograd on one-hot sequences; the query is a token after the contextual ones."""
    Y, Z = (torch.tensor(x[0], requires_grad=True) for x in params)
    C, wide = Z.shape[1], Y.shape[0]
    query = torch.tensor(query)
    X = torch.nn.functional.one_hot(torch.tensor(tokens), wide).double()
    b = torch.softmax(torch.gather(Z[query], 1, torch.tensor(tokens)), dim=1)
    c = torch.einsum("blc,bl->bc", X, b)
    seen = c / c.norm(dim=1, keepdim=True) + weight * torch.nn.functional.one_hot(C + query, wide)
    loss = torch.nn.functional.cross_entropy(seen / seen.norm(dim=1, keepdim=True) @ Y, torch.tensor(label))
    loss.backward()
    return loss.item(), Y.grad.numpy(), Z.grad.numpy()


def sequences(batch, r, L):
    """The tokens of each sample of run r in some order, (B, L)."""
    return np.stack([np.repeat(np.arange(len(row)), row.astype(int)) for row in batch.counts[r]])


@pytest.mark.parametrize(("K", "queries", "batch"), [(4, "own", 12), (4, "shared", 12), (4, 2, 12), (10, 5, 80)])
@pytest.mark.parametrize("weight", [1.0, 2.5])
def test_gradient_equals_autograd_on_sequences(K, queries, batch, weight):
    rng = np.random.default_rng(0)
    task = ss.base_task(K=K, common=3, distinct=4, queries=queries, L=25)
    model, params = ResidualTransformer(task, weight), random_params(task, 2, rng)
    samples = model.sample(batch, rng.spawn(2))
    loss, grad = model.loss_and_gradient(params, samples)
    for r in range(2):
        one = ss.Params(*(x[[r]] for x in params))
        expected = autograd(one, sequences(samples, r, 25), samples.query[r], samples.label[r], weight)
        assert loss[r] == pytest.approx(expected[0], abs=1e-13)
        np.testing.assert_allclose(grad.Y[r], expected[1], atol=1e-14)
        np.testing.assert_allclose(grad.Z[r], expected[2], atol=1e-14)


def test_weight_zero_is_the_plain_model():
    rng = np.random.default_rng(1)
    task = ss.base_task(K=4, queries=2, L=None)
    params = random_params(task, 3, rng)
    loss, grad = ResidualTransformer(task, 0.0).loss_and_gradient(params, ss.population(task))
    plain = ss.Params(params.Y[:, : task.C], params.Z)
    expected, slope = ss.loss_and_gradient(plain, ss.population(task), task)
    np.testing.assert_allclose(loss, expected, rtol=1e-13)
    np.testing.assert_allclose(grad.Y[:, : task.C], slope.Y, atol=1e-15)
    assert not grad.Y[:, task.C :].any()
    np.testing.assert_allclose(grad.Z, slope.Z, atol=1e-15)


@pytest.mark.parametrize("M", [3, 4, 50])
def test_folded_decoder_trains_like_the_full_one(M):
    task = ss.base_task(K=3, M=M, L=None)
    model, folded = ResidualTransformer(task), ResidualTransformer(task).init()
    full = ss.Params(np.zeros((1, task.C + task.Q, M)), folded.Z)
    ends = [train(model, p, rates(), 30) for p in (full, folded)]
    np.testing.assert_allclose(ends[0]["loss"], ends[1]["loss"], rtol=1e-9)
    np.testing.assert_allclose(ends[0].params.Z, ends[1].params.Z, atol=1e-11)


def test_training_keeps_its_laws_and_wild_logits_stay_finite():
    model = ResidualTransformer(TASK)
    run = train(model, model.init(2), rates(), 60)
    assert run["loss"][0, -1] < 1e-3
    np.testing.assert_allclose(run.params.Z.sum(axis=-1), 0, atol=1e-11)  # no logit is gained, only moved
    z = run.params.Z[0]
    np.testing.assert_allclose(z[0, 0], z[0, 1], atol=1e-12)  # mirror images
    np.testing.assert_allclose(z[0, 2:4], z[1, 4:6], atol=1e-12)
    wild = run.params.Z.copy()
    wild[:, :, -1] = 2000.0  # absent from three of the four classes
    loss, grad = model.loss_and_gradient(ss.Params(run.params.Y, wild), ss.population(TASK))
    assert np.isfinite(loss).all()
    assert np.isfinite(grad.Z).all()


@pytest.mark.parametrize("weight", [0.0, 1.0, 3.0])
def test_first_drift_is_that_of_theory(weight):
    found = first_drift(TASK, weight)
    np.testing.assert_allclose(found, theory.first_drift(INPUTS, TASK.query, TASK.M, weight), rtol=1e-4, atol=1e-9)
    np.testing.assert_allclose(found * (1 + weight**2), first_drift(TASK, 0.0), rtol=1e-4, atol=1e-9)


def test_overlaps_of_the_inputs():
    seen = theory.residual_inputs(INPUTS, TASK.query, 2.0)
    same = (TASK.query[:, None] == TASK.query) & ~np.eye(4, dtype=bool)
    np.testing.assert_allclose(theory.correlations(seen), (theory.correlations(INPUTS) + 4 * same) / 5, atol=1e-14)


@pytest.mark.parametrize("weight", [1.0, 2.0])
def test_reference_motion_is_the_gradient_of_the_model_at_the_decoder_of_lemma_3(weight):
    """With Y = F' (I - E') W and W = zeta, as the replacement gradient leaves it, the model's gradient is Lemma 4's."""
    seen = theory.residual_inputs(INPUTS, TASK.query, weight)
    rest = np.eye(4) - theory.modified_overlaps(theory.correlations(seen))
    step = 1e-7  # logits so small that the errors are (M - 1) / M zeta
    params = ss.Params((step * seen.T @ rest @ theory.zeta(4, TASK.M))[None], np.zeros((1, 2, TASK.C)))
    _, grad = ResidualTransformer(TASK, weight).loss_and_gradient(params, ss.population(TASK))
    motion = -grad.Z[0] / step * TASK.M / (TASK.M - 1)
    np.testing.assert_allclose(
        motion, theory.residual_velocity(INPUTS, TASK.query, TASK.M, weight), rtol=1e-5, atol=1e-9
    )


def test_without_weight_the_reference_is_lemma_4():
    np.testing.assert_allclose(
        reference_start(TASK, 0.0), theory.logit_velocity(INPUTS, TASK.query, TASK.M), atol=1e-15
    )


@pytest.mark.parametrize("lr", [0.1, 10.0])
def test_locality_does_not_hang_on_the_ratio_of_rates(lr):
    """Claim SNAP-39 has rates 1."""
    bare, run = (local_run(w, time=100.0, lr=lr).token[-1] for w in (0.0, 1.0))
    assert bare < 0 < run


def test_the_task():
    task = local_task(common=3, distinct=1)
    assert (task.C, task.M) == (2 + 2 * 3 + 4, 18)
    assert task.common[:8].all()
    first, common, distinct = tracked(task)
    np.testing.assert_array_equal(task.P[:, first] > 0, [True, False, True, False])
    np.testing.assert_array_equal(task.P[:, common] > 0, [True, True, False, False])
    np.testing.assert_array_equal(task.distinct[:, distinct], [True, False, False, False])
    assert task.P[0, first] == task.P[0, distinct]


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: ResidualTransformer(ss.base_task(), -1.0), "weight: .*at least 0"),
        (lambda: ResidualTransformer(ss.base_task(), np.nan), "weight: .*finite"),
        (lambda: train(ResidualTransformer(TASK), None, rates(), 1, 5), "batch: .*draws nothing, got 5"),
        (lambda: ResidualTransformer(TASK).init(0), "runs: .*at least 1"),
        (
            lambda: ResidualTransformer(TASK).loss_and_gradient(ss.zero_start(TASK), ss.population(TASK)),
            r"Y: .*C \+ Q = 28 rows",
        ),
        (lambda: local_task(common=0), "common: .*at least 1"),
        (lambda: local_task(distinct=0), "distinct: .*at least 1"),
        (lambda: local_run(time=0.0), "time: .*positive"),
        (lambda: local_run(step=np.inf), "step: .*positive"),
        (lambda: theory.residual_inputs(np.ones((2, 3)), [0, 1]), "f: .*length 1"),
        (lambda: theory.residual_inputs(np.eye(2), [0, 1], -1.0), "weight"),
    ],
)
def test_bad_input_is_refused(make, words):
    with pytest.raises(InputError, match=words):
        make()
