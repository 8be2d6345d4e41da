"""Training on all prompts: exact gradients through six matrices, optima as ends, the same bits in the page."""

import numpy as np
import pytest

from lib.errors import InputError
from lib.models import linear_block as lb
from lib.models.linear_block import textbook_block, textbook_population
from lib.models.linear_block.textbook_population import Settings
from lib.theory import linear_block as theory
from tests.portable.engine import bits, literal, page_of

SMALL = Settings(d=2, M=5, sigma=0.4, norm=1.5, decay=0.7, scale=0.3, lr=0.02, steps=9)
KINDS = (textbook_block.BLOCK, textbook_block.ATTENTION, textbook_block.STEP, textbook_block.ZERO)


@pytest.mark.parametrize("mlp", [True, False])
def test_the_gradient_through_the_matrices_is_the_library_s(mlp):
    kind = textbook_block.BLOCK if mlp else textbook_block.ATTENTION
    state = textbook_population.start(SMALL._replace(d=4, kind=kind, scale=0.6), 2)
    risk = textbook_population.risk_gradient(state)
    weights = lb.Weights(*np.array(state.W).reshape(6, 1, 5, 5))
    known, slopes = theory.block_risk_and_gradient(
        lb.power_task(4, 5, 0.4, 1.5, 0.7), theory.Effective(*lb.effective_of(weights, mlp))
    )
    gradient = lb.weight_gradient(weights, lb.EffectiveParams(*slopes), mlp)
    assert risk == pytest.approx(known[0], rel=1e-10)
    np.testing.assert_allclose(np.array(state.slope).reshape(6, 5, 5), np.array(gradient)[:, 0], atol=1e-10)


def test_near_identity_is_the_library_s():
    state = textbook_population.start(SMALL._replace(near=1, scale=0.0), 0)
    problem = lb.LinearBlock(lb.power_task(2), start="near identity", scale=1e-12)
    known = np.array(problem.init(1, [np.random.default_rng(0)]))[:, 0]
    np.testing.assert_allclose(np.array(state.W).reshape(6, 3, 3), known, atol=1e-10)


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_bits_in_the_page(kind):
    settings = SMALL._replace(kind=kind, adam=kind % 2, near=kind // 2)
    here = textbook_population.start(settings, 3)
    textbook_population.advance(here, textbook_population.steps_of(settings))
    page = page_of(textbook_population, checked=True)
    page.do(f'const T = portable["{textbook_population.__name__}"];')
    page.do(f"const s = T.start({literal(settings)}, 3); T.advance(s, 10);")
    assert bits(page.run("T.read(s)")) == bits(textbook_population.read(here))
    assert bits(textbook_population.run(3, **settings._asdict())) == bits(textbook_population.read(here))


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
        found = textbook_population.run(
            0, kind=kind, d=2, M=10, norm=1.0, near=1, scale=0.02, lr=0.02, adam=int(kind < 2), steps=1200
        )
        assert found["risk"][-1] == pytest.approx(best, abs=2e-3), kind
        assert found["risk"][-1] >= best - 1e-9


def test_a_step_follows_gradient_descent_of_the_risk():
    found = textbook_population.run(
        0, kind=textbook_block.STEP, d=2, M=5, norm=1.5, decay=0.7, lr=0.05, adam=0, steps=3
    )
    task = lb.power_task(2, 5, 0.5, 1.5, 0.7)
    beta, Gamma = np.zeros(2), np.zeros((2, 2))
    for risk in found["risk"][::20]:
        assert risk == pytest.approx(float(theory.step_risk(task, beta, Gamma)), rel=1e-12)
        slopes = theory.flow_slopes(task, beta, Gamma)
        beta, Gamma = beta + 0.05 * slopes[0], Gamma + 0.05 * slopes[1]


def test_too_large_a_rate_blows_up():
    found = textbook_population.run(0, kind=textbook_block.STEP, d=3, norm=4.0, lr=3.0, adam=0, steps=200)
    assert 0 < found["diverged_at"][0] < 200


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"kind": -1}, "kind: expected one of 0 to 3, got -1"),
        ({"scale": -1}, r"scale: expected a number of at least 0, got -1\.0"),
        ({"lr": -1}, r"lr: expected a number of at least 0, got -1\.0"),
        ({"steps": -1}, "steps: expected at least 0 steps, got -1"),
        ({"M": 0}, "M: expected at least 1 example, got 0"),
    ],
)
def test_bad_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        textbook_population.run(0, **settings)
