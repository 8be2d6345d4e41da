"""The textbooks that train: the library's numbers on the same prompts and matrices, exact risks, optima as ends."""

import numpy as np
import pytest

from lib.models import linear_block as lb
from lib.models.linear_block import textbook, textbook_block, textbook_population, textbook_prompts
from lib.models.linear_block.textbook import Settings
from lib.portable import run
from lib.theory import linear_block as theory

KINDS = (textbook_block.BLOCK, textbook_block.ATTENTION, textbook_block.STEP, textbook_block.ZERO)
SMALL = Settings(d=3, M=5, sigma=0.4, norm=1.5, decay=0.7, batch=6, lr=0.02, start=0.1, steps=12)
EXACT = textbook_population.Settings(d=2, M=5, sigma=0.4, norm=1.5, decay=0.7, scale=0.3, lr=0.02, steps=9)


def arrays(block):
    """A textbook block as the library's, one run."""
    return lb.EffectiveParams(*(np.array(x)[None] for x in (block.alpha, block.v, block.c, block.Q, block.q)))


def random_block(d, rng):
    block = textbook_block.new_block(d)
    textbook_block.unpack(textbook_block.BLOCK, rng.standard_normal(3 * d + 1 + d * d).tolist(), block)
    return block


def test_loss_and_gradient_are_the_library_s_on_the_same_prompts(rng):
    state = textbook.start(SMALL, 3)
    state.block = random_block(3, rng)
    rows, queries, loss = [], [], 0.0
    for _ in range(SMALL.batch):
        textbook.draw_prompt(state)
        rows.append([row[:] for row in state.Z])
        queries.append(state.query[:])
        loss += textbook.add_prompt(state, 1 / SMALL.batch) / SMALL.batch
    Z, query = np.array(rows)[None], np.array(queries)[None]
    prompts = lb.Prompts(Z[..., :-1], Z[..., -1], query[..., :-1], query[..., -1])
    expected, gradient = lb.block_loss_and_gradient(arrays(state.block), prompts)
    assert loss == pytest.approx(expected[0], rel=1e-10)
    for name, known in gradient._asdict().items():
        np.testing.assert_allclose(np.array(getattr(state.gradient, name)), known[0], rtol=1e-10, atol=1e-10)
    textbook_block.restrict(textbook_block.STEP, state.gradient)
    tied = state.block
    tied.v, tied.c, tied.q = [-a for a in tied.alpha], 1.0, [0.0] * 3
    textbook_block.clear(state.gradient)
    for z, x in zip(rows, queries, strict=True):
        state.Z, state.query = z, x
        textbook.add_prompt(state, 1 / SMALL.batch)
    textbook_block.restrict(textbook_block.STEP, state.gradient)
    step = lb.Step(np.array([tied.alpha]), np.array([tied.Q]).swapaxes(1, 2))
    _, known = lb.OneStep(lb.power_task()).loss_and_gradient(step, prompts)
    np.testing.assert_allclose(state.gradient.alpha, known.beta[0], rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(np.array(state.gradient.Q).T, known.Gamma[0], rtol=1e-10, atol=1e-10)


def test_the_risk_of_all_prompts_is_the_theory_s(rng):
    for _ in range(20):
        d, M = int(rng.integers(1, 7)), int(rng.integers(1, 60))
        sigma, norm, decay, psi = rng.uniform(0, 3, 4).tolist()
        law, task = textbook_prompts.law_of(d, M, sigma, norm, decay, psi), lb.power_task(d, M, sigma, norm, decay, psi)
        block, gradient = random_block(d, rng), textbook_block.new_block(d)
        risk = textbook_block.population_risk(law, block, gradient)
        known, slopes = theory.block_risk_and_gradient(task, theory.Effective(*arrays(block)))
        assert risk == pytest.approx(known[0], rel=1e-9)
        for name in slopes._fields:
            value = np.array(getattr(slopes, name))[0]
            np.testing.assert_allclose(
                getattr(gradient, name), value, rtol=1e-9, atol=1e-9 * max(1, np.abs(value).max())
            )


def test_prompts_have_the_task_s_law():
    state = textbook.start(SMALL._replace(M=1), 5)
    rows = []
    for _ in range(8000):
        textbook.draw_prompt(state)
        rows.append(state.Z[0] + state.query)
    found, task = np.array(rows), lb.power_task(3, 1, 0.4, 1.5, 0.7)
    np.testing.assert_allclose(np.cov(found[:, :3].T), task.H, atol=0.06)
    beyond = found[:, 7] - found[:, 4:7] @ task.mean
    assert beyond.var() == pytest.approx(theory.label_variance(task), rel=0.06)
    # the query shares the task vector: the product of the two deviations goes with that of the features
    shared = np.mean((found[:, 3] - found[:, :3] @ task.mean) * beyond * found[:, 0] * found[:, 4])
    assert shared == pytest.approx((task.H @ task.Psi @ task.H)[0, 0], rel=0.25)


def test_kinds_keep_what_they_are(rng):
    for kind in KINDS:
        state = textbook.start(SMALL._replace(kind=kind, steps=9), 1)
        while not textbook.done(state):
            textbook.step(state)
        block = state.block
        assert any(block.alpha) == (kind in (textbook_block.BLOCK, textbook_block.STEP))
        if kind >= textbook_block.STEP:
            assert (block.c, block.q) == (1.0, [0.0] * 3)
            np.testing.assert_array_equal(block.v, -np.array(block.alpha))
        else:
            assert any(block.q)


def test_training_falls_to_the_best_risk():
    found = run(textbook, 0, kind=textbook_block.STEP, d=2, M=10, norm=1.0, batch=16, lr=0.03, adam=0, steps=300)
    task = lb.power_task(2, 10, 0.5, 1.0)
    best = theory.best_risk(task)
    assert found["risk"][0] == pytest.approx(theory.label_variance(task) + 1.0)
    assert best <= found["risk"][-1] < best + 0.1
    assert found["alpha"][-1] == pytest.approx(1.0, abs=0.25)
    np.testing.assert_array_equal(found["alpha"], found["start"])
    assert np.isnan(found["loss"][0])
    assert np.mean(found["loss"][-10:]) == pytest.approx(best, rel=0.2)


def test_short_runs_fill_their_records_with_repeats():
    for module in (textbook, textbook_population):
        found = run(module, 0, d=2, M=3, steps=12)
        np.testing.assert_array_equal(found["steps"], np.ceil(np.arange(61) / 5))
        assert len(set(found["risk"])) == 13


@pytest.mark.parametrize("mlp", [True, False])
def test_the_gradient_through_the_matrices_is_the_library_s(mlp):
    kind = textbook_block.BLOCK if mlp else textbook_block.ATTENTION
    state = textbook_population.start(EXACT._replace(d=4, kind=kind, scale=0.6), 2)
    slope = textbook_population.gradient(state)
    weights = lb.Weights(*np.array(state.W).reshape(6, 1, 5, 5))
    known, slopes = theory.block_risk_and_gradient(
        lb.power_task(4, 5, 0.4, 1.5, 0.7), theory.Effective(*lb.effective_of(weights, mlp))
    )
    gradient = lb.weight_gradient(weights, lb.EffectiveParams(*slopes), mlp)
    assert state.risk == pytest.approx(known[0], rel=1e-10)
    np.testing.assert_allclose(np.array(slope).reshape(6, 5, 5), np.array(gradient)[:, 0], atol=1e-10)


def test_near_identity_is_the_library_s():
    state = textbook_population.start(EXACT._replace(near=1, scale=0.0), 0)
    problem = lb.LinearBlock(lb.power_task(2), start="near identity", scale=1e-12)
    known = np.array(problem.init(1, [np.random.default_rng(0)]))[:, 0]
    np.testing.assert_allclose(np.array(state.W).reshape(6, 3, 3), known, atol=1e-10)


def test_each_kind_ends_at_its_optimum():
    task = lb.power_task(2, 10, 0.5, 1.0)
    ends = {
        textbook_block.BLOCK: theory.best_risk(task),
        textbook_block.ATTENTION: theory.best_attention(task).risk,
        textbook_block.STEP: theory.best_risk(task),
        textbook_block.ZERO: theory.zero_start_risk(task),
    }
    assert ends[textbook_block.BLOCK] + 0.1 < ends[textbook_block.ATTENTION] < ends[textbook_block.ZERO]
    for kind, best in ends.items():
        given = dict(kind=kind, d=2, M=10, norm=1.0, near=1, scale=0.02, lr=0.02, adam=int(kind < 2), steps=1200)
        found = run(textbook_population, 0, **given)
        assert found["risk"][-1] == pytest.approx(best, abs=2e-3), kind
        assert found["risk"][-1] >= best - 1e-9


def test_a_step_follows_gradient_descent_of_the_risk():
    given = dict(kind=textbook_block.STEP, d=2, M=5, norm=1.5, decay=0.7, lr=0.05, adam=0, steps=3)
    found = run(textbook_population, 0, **given)
    task = lb.power_task(2, 5, 0.5, 1.5, 0.7)
    beta, Gamma = np.zeros(2), np.zeros((2, 2))
    for risk in found["risk"][::20]:
        assert risk == pytest.approx(float(theory.step_risk(task, beta, Gamma)), rel=1e-12)
        slopes = theory.flow_slopes(task, beta, Gamma)
        beta, Gamma = beta + 0.05 * slopes[0], Gamma + 0.05 * slopes[1]
