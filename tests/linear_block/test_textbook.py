"""The models in plain Python: the exact risk, the fast model's training, the law of drawn prompts, descent."""

import numpy as np
import pytest

from hal.chapters.linear_block.figures import flow, matrices
from hal.chapters.linear_block.models import descent, drawn
from hal.chapters.linear_block.models.one_step import OneStep, Step
from lib.errors import InputError
from lib.models import linear_block as lb
from lib.models.linear_block import textbook
from lib.models.linear_block.textbook import Settings
from lib.portable import finish
from lib.theory import linear_block as theory


def arrays(block):
    """A block as the library's, one run."""
    return lb.EffectiveParams(*(np.array(x)[None] for x in (block.alpha, block.v, block.c, block.Q, block.q)))


def random_block(d, rng):
    block = textbook.new_block(d)
    drawn.unpack(drawn.BLOCK, rng.standard_normal(3 * d + 1 + d * d).tolist(), block)
    return block


def test_the_risk_of_all_prompts_is_the_theory_s(rng):
    for _ in range(20):
        d, M = int(rng.integers(1, 7)), int(rng.integers(1, 60))
        sigma, norm, decay, psi = rng.uniform(0, 3, 4).tolist()
        law, task = textbook.law_of(d, M, sigma, norm, decay, psi), lb.power_task(d, M, sigma, norm, decay, psi)
        block, gradient = random_block(d, rng), textbook.new_block(d)
        risk = textbook.population_risk(law, block, gradient)
        known, slopes = theory.block_risk_and_gradient(task, theory.Effective(*arrays(block)))
        assert risk == pytest.approx(known[0], rel=1e-9)
        for name in slopes._fields:
            value = np.array(getattr(slopes, name))[0]
            close = dict(rtol=1e-9, atol=1e-9 * max(1, np.abs(value).max()))
            np.testing.assert_allclose(getattr(gradient, name), value, **close)


def test_a_start_near_identity_is_the_library_s():
    state = textbook.start(Settings(d=3, near=1, scale=0.0), 0)
    known = lb.LinearBlock(lb.power_task(d=3), start="near identity", scale=1e-12).init(1, [np.random.default_rng(0)])
    np.testing.assert_allclose(np.array(state.W).reshape(6, 1, 4, 4), np.array(known), atol=1e-9)


def test_drawn_prompts_have_the_task_s_law():
    state = drawn.start(drawn.Settings(d=3, M=1, sigma=0.4, norm=1.5, decay=0.7), 5)
    rows = []
    for _ in range(8000):
        drawn.draw_prompt(state)
        rows.append(state.Z[0] + state.query)
    found, task = np.array(rows), lb.power_task(3, 1, 0.4, 1.5, 0.7)
    np.testing.assert_allclose(np.cov(found[:, :3].T), task.H, atol=0.06)
    beyond = found[:, 7] - found[:, 4:7] @ task.mean
    assert beyond.var() == pytest.approx(theory.label_variance(task), rel=0.06)
    # the query shares the task vector: the product of the two deviations goes with that of the features
    shared = np.mean((found[:, 3] - found[:, :3] @ task.mean) * beyond * found[:, 0] * found[:, 4])
    assert shared == pytest.approx((task.H @ task.Psi @ task.H)[0, 0], rel=0.25)


@pytest.mark.parametrize("kind", [drawn.BLOCK, drawn.STEP])
def test_the_gradient_of_drawn_prompts_is_the_fast_model_s(kind, rng):
    settings = drawn.Settings(kind, d=3, M=5, sigma=0.4, norm=1.5, decay=0.7, batch=6)
    state, prompts = drawn.start(settings, 4), drawn.start(settings, 4)
    state.theta[0][:] = rng.standard_normal(len(state.theta[0])).tolist()
    if kind == drawn.STEP:  # c = 1 and q = 0 stay
        state.theta[0][6], state.theta[0][7:10] = 1.0, [0.0] * 3
    drawn.gradient(state)
    Z, query = [], []
    for _ in range(6):
        drawn.draw_prompt(prompts)
        Z.append([row[:] for row in prompts.Z])
        query.append(prompts.query[:])
    Z, query = np.array(Z)[None], np.array(query)[None]
    batch = lb.Prompts(Z[..., :3], Z[..., 3], query[..., :3], query[..., 3])
    if kind == drawn.BLOCK:
        slope = lb.block_loss_and_gradient(arrays(state.block), batch)[1]
        known = [*slope.alpha[0], *slope.v[0], *slope.c, *slope.q[0], *slope.Q[0].ravel()]
    else:
        step = Step(np.array([state.block.alpha]), np.array([state.block.Q]).swapaxes(1, 2))
        slope = OneStep(lb.power_task(3, 5)).loss_and_gradient(step, batch)[1]
        known = [*slope.beta[0], *[0.0] * 7, *slope.Gamma[0].T.ravel()]
    np.testing.assert_allclose(state.slope[0], known, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize(("module", "settings", "message"), [
    (drawn, drawn.Settings(kind=2), "kind: expected 0 or 1, got 2"),
    (drawn, drawn.Settings(batch=0), "batch: expected at least 1 prompt, got 0"),
    (descent, descent.Settings(steps=0), "steps: expected at least 1 step, got 0"),
    (descent, descent.Settings(lr=-1.0), "lr: expected a number of at least 0, got -1"),
])  # fmt: skip
def test_settings_without_meaning_are_refused(module, settings, message):
    with pytest.raises(InputError, match=f"^{message}"):
        module.start(settings, 0)


def test_drawn_prompts_that_blow_up_are_not_drawn_on():
    shown = finish(descent, descent.Settings(lr=0.1, batch=2, steps=100), 0, flow.probe, flow.at_end)
    assert shown["drawn_lost"] == [1.0]
    assert np.isnan([shown["diverged_at"][0], shown["drawn_risk"][-1]]).all()
    assert np.isfinite(shown["risk"]).all()
    gone = finish(descent, descent.Settings(lr=0.3, batch=2, steps=100), 0, flow.probe, flow.at_end)
    assert gone["diverged_at"][0] > 0


def test_cells_keep_the_products_that_the_output_sees(rng):
    block = random_block(3, rng)
    found = np.array(matrices.cells(block)).reshape(6, 4)
    np.testing.assert_allclose(found[0, :3], block.alpha)
    value, score = found[1], np.vstack([found[2:5, :3], found[5:, :3]])
    np.testing.assert_allclose(np.outer(value, score[0]), np.outer([*block.v, block.c], block.Q[0]), rtol=1e-9)
    assert np.linalg.norm(value) == pytest.approx(np.linalg.norm(score))
