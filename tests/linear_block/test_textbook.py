"""The textbooks that train: exact risk, law of their prompts, optima as ends; the rest is in claims LTB-40 and 41."""

from hal.chapters.linear_block.theory.attention import best_attention
import numpy as np
import pytest

from hal.chapters.linear_block.models import drawn as textbook
from hal.chapters.linear_block.models.drawn import Settings
from lib.models import linear_block as lb
from lib.models.linear_block import textbook as textbook_population
from lib.models.linear_block import textbook_block, textbook_prompts
from lib.models.linear_block.textbook_block import cells, new_block, unpack
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


def test_each_kind_ends_at_its_optimum():
    task = lb.power_task(2, 10, 0.5, 1.0)
    ends = {
        textbook_block.BLOCK: theory.best_risk(task),
        textbook_block.ATTENTION: best_attention(task).risk,
        textbook_block.STEP: theory.best_risk(task),
        textbook_block.ZERO: theory.zero_start_risk(task),
    }
    assert ends[textbook_block.BLOCK] + 0.1 < ends[textbook_block.ATTENTION] < ends[textbook_block.ZERO]
    for kind, best in ends.items():
        given = dict(kind=kind, d=2, M=10, norm=1.0, near=1, scale=0.02, lr=0.02, adam=int(kind < 2), steps=1200)
        found = run(textbook_population, 0, **given)
        assert found["risk"][-1] == pytest.approx(best, abs=2e-3), kind
        assert found["risk"][-1] >= best - 1e-9


def test_cells_keep_the_products_that_the_output_sees():
    rng, block, d = np.random.default_rng(5), new_block(3), 3
    unpack(0, rng.normal(size=3 * d + 1 + d * d).tolist(), block)
    found = np.array(cells(block)).reshape(6, 4)
    np.testing.assert_allclose(found[0, :3], block.alpha)
    value, score = found[1], np.vstack([found[2:5, :3], found[5:, :3]])
    np.testing.assert_allclose(np.outer(value, score[0]), np.outer([*block.v, block.c], block.Q[0]), rtol=1e-9)
    assert np.linalg.norm(value) == pytest.approx(np.linalg.norm(score))
    assert value[3] > 0
