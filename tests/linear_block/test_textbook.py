"""The textbook: the library's numbers on the same prompts, exact risk and gradients, and the same bits in the page."""

import numpy as np
import pytest

from lib.errors import InputError
from lib.models import linear_block as lb
from lib.models.linear_block import textbook, textbook_block, textbook_prompts
from lib.models.linear_block.textbook import Settings
from lib.theory import linear_block as theory
from tests.portable.engine import bits, literal, page_of

KINDS = (textbook_block.BLOCK, textbook_block.ATTENTION, textbook_block.STEP, textbook_block.ZERO)
SMALL = Settings(d=3, M=5, sigma=0.4, norm=1.5, decay=0.7, batch=6, lr=0.02, start=0.1, steps=12)


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


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bits_in_the_page(kind):
    settings = SMALL._replace(kind=kind, adam=kind % 2)
    here = textbook.start(settings, 3)
    textbook.advance(here, textbook.steps_of(settings))
    page = page_of(textbook, checked=True)
    page.do(f'const T = portable["{textbook.__name__}"]; const s = T.start({literal(settings)}, 3); T.advance(s, 13);')
    assert bits(page.run("T.read(s)")) == bits(textbook.read(here))
    assert bits(textbook.run(3, **settings._asdict())) == bits(textbook.read(here))
    assert len(textbook.read(here)["steps"]) == 61  # a short run fills its records with repeats


def test_kinds_keep_what_they_are(rng):
    for kind in KINDS:
        state = textbook.start(SMALL._replace(kind=kind), 1)
        textbook.advance(state, 9)
        block = state.block
        assert any(block.alpha) == (kind in (textbook_block.BLOCK, textbook_block.STEP))
        if kind >= textbook_block.STEP:
            assert (block.c, block.q) == (1.0, [0.0] * 3)
            np.testing.assert_array_equal(block.v, -np.array(block.alpha))
        else:
            assert any(block.q)


def test_training_falls_to_the_best_risk():
    found = textbook.run(0, kind=textbook_block.STEP, d=2, M=10, norm=1.0, batch=16, lr=0.03, adam=0, steps=300)
    task = lb.power_task(2, 10, 0.5, 1.0)
    best = theory.best_risk(task)
    assert found["risk"][0] == pytest.approx(theory.label_variance(task) + 1.0)
    assert best <= found["risk"][-1] < best + 0.1
    assert found["alpha"][-1] == pytest.approx(1.0, abs=0.25)
    np.testing.assert_array_equal(found["alpha"], found["start"])
    assert np.isnan(found["loss"][0])
    assert np.mean(found["loss"][-10:]) == pytest.approx(best, rel=0.2)


def test_a_run_that_diverges_says_when():
    found = textbook.run(0, d=3, M=5, lr=1.0, adam=0, batch=4, steps=400)
    assert 0 < found["diverged_at"][0] < 400
    assert np.all(np.isfinite(found["risk"]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": 4}, "kind: expected one of 0 to 3, got 4"),
        ({"d": 0}, "d: expected at least 1 feature, got 0"),
        ({"M": 0}, "M: expected at least 1 example, got 0"),
        ({"sigma": -1}, r"sigma: expected a number of at least 0, got -1\.0"),
        ({"norm": -1}, r"norm: expected a number of at least 0, got -1\.0"),
        ({"decay": -1}, r"decay: expected a number of at least 0, got -1\.0"),
        ({"batch": 0}, "batch: expected at least 1 prompt, got 0"),
        ({"lr": -1}, r"lr: expected a number of at least 0, got -1\.0"),
        ({"start": -1}, r"start: expected a number of at least 0, got -1\.0"),
        ({"steps": -1}, "steps: expected at least 0 steps, got -1"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        textbook.run(0, **settings)
