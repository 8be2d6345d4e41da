"""The theory of the page: the library's at random settings, and the same bits in the page."""

import math

import numpy as np
import pytest

from lib.models import linear_block as lb
from lib.portable import check
from lib.theory import linear_block as theory
from lib.theory.linear_block import portable, portable_attention, portable_bayes, portable_flow
from tests.portable.engine import bits, page_of


def settings(count):
    rng = np.random.default_rng(0)
    for _ in range(count):
        d, M = int(rng.integers(2, 7)), int(np.exp(rng.uniform(0, 5)))
        sigma, norm = float(rng.uniform(0.1, 3)), float(np.exp(rng.uniform(-3, 3)))
        decay, psi = float(rng.choice([0.0, rng.uniform(0, 2)])), float(rng.uniform(0.2, 2))
        yield lb.power_task(d, M, sigma, norm, decay, psi), psi, rng


def vectors(task):
    return np.diag(task.H).tolist(), task.mean.tolist()


def test_risks_are_the_library_s():
    for task, psi, rng in settings(200):
        h, mean = vectors(task)
        sigma, M, d = task.sigma, float(task.M), task.d
        same = {"rel": 1e-9, "abs": 1e-12}
        assert portable.label_variance(h, psi, sigma) == pytest.approx(theory.label_variance(task), **same)
        assert portable.square_variance(h, psi, sigma, M) == pytest.approx(theory.square_variance(task), **same)
        gains = portable.best_gains(h, psi, sigma, M)
        np.testing.assert_allclose(np.diag(gains), theory.best_step(task), rtol=1e-9, atol=1e-12)
        assert portable.best_risk(h, psi, sigma, M) == pytest.approx(theory.best_risk(task), **same)
        zero = portable.best_risk_from(h, psi, mean, sigma, M, [0.0] * d)
        assert zero == pytest.approx(theory.zero_start_risk(task), **same)
        assert portable.bayes_floor(h, psi, sigma, M) == pytest.approx(theory.bayes_floor(task), **same)
        beta, Gamma = rng.standard_normal(d), rng.standard_normal((d, d))
        found = portable.step_risk(h, psi, mean, sigma, M, beta.tolist(), Gamma.tolist())
        assert found == pytest.approx(float(theory.step_risk(task, beta, Gamma)), **same)
        longer = task.but(M=3 * task.M)
        known = theory.step_risk(longer, task.mean, np.diag(gains))
        assert portable.gains_risk(h, psi, sigma, 3 * M, gains) == pytest.approx(float(known), **same)
        known = theory.long_risk(task, task.mean, np.diag(gains))
        assert portable.long_risk(h, psi, sigma, gains) == pytest.approx(known, **same)
        assert portable.trap_risk(h, psi, sigma, M) == pytest.approx(theory.trap_risk(task), **same)
        criterion = theory.trap_criterion(task)
        assert portable.trap_criterion(h, psi, sigma, M) == pytest.approx(criterion, rel=1e-7)
        if task.M - d >= -1 or h == [1.0] * d:
            own = portable.least_squares_risk(h, psi, mean, sigma, task.M)
            assert own == pytest.approx(theory.least_squares_risk(task), **same)
        else:
            assert math.isnan(portable.least_squares_risk(h, psi, mean, sigma, task.M))


def test_the_best_attention_is_the_library_s():
    for task, psi, _ in settings(60):
        h, mean = vectors(task)
        found = portable_attention.best_attention_risk(h, psi, mean, task.sigma, float(task.M))
        assert found == pytest.approx(theory.best_attention(task).risk, rel=1e-9)
    zero = portable_attention.best_attention_risk([1.0, 0.5], 1.0, [0.0, 0.0], 0.5, 7.0)
    known = theory.best_attention(lb.Task(np.diag([1.0, 0.5]), np.eye(2), np.zeros(2), 0.5, 7)).risk
    assert zero == pytest.approx(known, rel=1e-12)


def test_the_flow_s_slope_and_path_are_the_library_s():
    for task, psi, rng in settings(200):
        h, mean = vectors(task)
        d = task.d
        law = portable_flow.step_law(h, psi, mean, task.sigma, float(task.M))
        y, out = rng.standard_normal(d + d * d), [0.0] * (d + d * d)
        portable_flow.step_slope(0.0, y.tolist(), out, law)
        known = np.concatenate([x.ravel() for x in theory.flow_slopes(task, y[:d], y[d:].reshape(d, d))])
        np.testing.assert_allclose(out, known, rtol=1e-9, atol=1e-9 * np.abs(known).max())
    task = lb.power_task(2, 10, 0.5, 2.0, 1.0)
    law = portable_flow.step_law(*([1.0, 0.5], 1.0, task.mean.tolist(), 0.5, 10.0))
    found = np.array(portable_flow.step_path(law, [0.0] * 6, [0.2, 3.0], 1e-6))
    path = theory.step_flow(task, [0.2, 3.0])
    np.testing.assert_allclose(found[:, :2], path.beta, atol=1e-5)
    np.testing.assert_allclose(found[:, 2:], path.Gamma.reshape(2, 4), atol=1e-5)


def test_bayes_over_the_same_contexts_is_the_library_s():
    h, psi, sigma, lengths = [1.0, 0.5, 0.25], 0.7, 0.6, [0, 1, 3, 8]
    state = portable_bayes.contexts_of(h, psi, sigma, lengths, 4)
    portable_bayes.add_contexts(state, 1)
    portable_bayes.add_contexts(state, 29)
    from lib.portable.random_numbers import generator, normals

    random, rows = generator(4, 3), np.zeros((30, 8, 3))
    for context in rows:
        for i in range(8):
            row = [0.0] * 3
            normals(random, row)
            context[i] = row
    for M, found in zip(lengths[1:], portable_bayes.bayes_means(state)[1:], strict=True):
        task = lb.Task(np.diag(h), psi * np.eye(3), np.zeros(3), sigma, M)
        risks = theory.bayes_risks(task, rows[:, :M])
        assert found == pytest.approx(risks.mean(), rel=1e-9)
        error = portable_bayes.bayes_errors(state)[lengths.index(M)]
        assert error == pytest.approx(risks.std(ddof=1) / math.sqrt(30), rel=1e-6)
    assert portable_bayes.bayes_means(state)[0] == pytest.approx(portable.label_variance(h, psi, sigma))


def test_the_same_bits_in_the_page():
    h, mean, Gamma = [1.0, 0.625, 0.3], [0.5, -1.25, 2.0], [[0.5, 0.1, 0.0], [-0.2, 0.4, 0.3], [0.0, 0.7, 0.6]]
    calls = (
        (portable, "best_risk", h, 0.75, 0.5, 12.0),
        (portable, "best_gains", h, 0.75, 0.5, 12.0),
        (portable, "step_risk", h, 0.75, mean, 0.5, 12.0, [0.1, 0.2, 0.3], Gamma),
        (portable, "best_risk_from", h, 0.75, mean, 0.5, 12.0, [0.0, 0.5, 0.0]),
        (portable, "least_squares_risk", h, 0.75, mean, 0.5, 12),
        (portable, "trap_criterion", h, 0.75, 0.5, 12.0),
        (portable, "long_risk", h, 0.75, 0.5, [0.5, 0.75, 1.0]),
        (portable, "gains_risk", h, 0.75, 0.5, 9.0, [0.5, 0.75, 1.0]),
        (portable_attention, "best_attention_risk", h, 0.75, mean, 0.5, 12.0),
    )
    for module in (portable, portable_attention, portable_bayes, portable_flow):
        check(module)
    page = page_of(portable, portable_attention, portable_bayes, portable_flow, checked=True)
    for module, name, *arguments in calls:
        assert bits(page.call(module.__name__, name, *arguments)) == bits(getattr(module, name)(*arguments)), name
    state = portable_bayes.contexts_of(h, 0.75, 0.5, [1, 4, 9], 2)
    portable_bayes.add_contexts(state, 20)
    page.do(f'const B = portable["{portable_bayes.__name__}"];')
    page.do("const b = B.contexts_of(Float64Array.of(1, 0.625, 0.3), 0.75, 0.5, Int32Array.of(1, 4, 9), 2);")
    page.do("B.add_contexts(b, 20);")
    assert bits(page.run("B.bayes_means(b)")) == bits(portable_bayes.bayes_means(state))
    assert bits(page.run("B.bayes_errors(b)")) == bits(portable_bayes.bayes_errors(state))
    law = portable_flow.step_law([1.0, 0.5], 1.0, [0.75, -0.5], 0.5, 10.0)
    page.do(f'const F = portable["{portable_flow.__name__}"];')
    page.do("const f = F.step_law(Float64Array.of(1, 0.5), 1, Float64Array.of(0.75, -0.5), 0.5, 10);")
    found = page.run("F.step_path(f, new Float64Array(6), Float64Array.of(0.2, 5), 1e-4)")
    assert bits(found) == bits(portable_flow.step_path(law, [0.0] * 6, [0.2, 5.0], 1e-4))
