"""The textbooks of single figures: one step trained twice, contexts of Bayes, a block with switches on prompts."""

import itertools

import numpy as np
import pytest

from hal.chapters.linear_block.figures import sees
from hal.chapters.linear_block.runs import cut_block, told_apart
from lib.models import linear_block as lb
from lib.models.linear_block import (
    textbook_block,
    textbook_contexts,
    textbook_descent,
    textbook_parts,
    textbook_weights,
)
from lib.portable import finish, run
from lib.portable.random_numbers import generator, normals
from lib.theory import linear_block as theory

SMALL = textbook_parts.Settings(d=3, M=5, norm=1.3, sigma=0.7, prompts=48)
SWITCHES = list(itertools.product((0, 1), repeat=3))


def test_lengths_rise_and_have_the_powers_of_two():
    found = textbook_contexts.lengths()
    assert found[::2] == [2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0]
    assert all(a < b for a, b in itertools.pairwise(found))


def test_what_block_and_bayes_miss_is_the_library_s():
    """Prompt by prompt, in units of what the prior mean alone misses: the textbook's prompts made anew, with arrays."""
    settings = textbook_contexts.Settings(d=3, sigma=0.6, norm=0.0, decay=0.7, contexts=50)
    shown, random, labels = run(textbook_contexts, 3, **settings._asdict()), generator(3, 3), generator(3, 2)
    prompts, longest = textbook_contexts.PROMPTS, 128
    (tasks, queries), noise = np.zeros((2, 40, 3)), np.zeros((40, longest))
    rows = np.zeros((50, longest, 3))
    row, one = [0.0] * 3, [0.0]
    for c in range(prompts):
        for into in (tasks, queries):
            normals(labels, row)
            into[c] = row
    for m in range(longest):
        for c in range(50):
            normals(random, row)
            rows[c, m] = row
            if c < prompts:
                normals(labels, one)
                noise[c, m] = one[0]
    base = lb.power_task(3, 2, 0.6, 0.0, 0.7)
    unit = np.sqrt(np.trace(base.H @ base.Psi))
    for k, M in enumerate(textbook_contexts.lengths()):
        task, M = base.but(M=int(M)), int(M)
        X, x = rows[:40, :M] @ task.H_root, queries @ task.H_root
        y = np.einsum("rmd,rd->rm", X, tasks) + 0.6 * noise[:, :M]
        made = lb.Prompts(X[None], y[None], x[None], np.zeros((1, 40)))
        block = lb.step_output(lb.Step(np.zeros((1, 3)), theory.best_step(task)[None]), made)[0]
        ridge = [np.linalg.solve(0.36 * np.eye(3) + A.T @ A, A.T @ b) for A, b in zip(X, y, strict=True)]
        for name, answers in (("block_miss", block), ("bayes_miss", np.sum(np.array(ridge) * x, axis=1))):
            missed = (answers - np.sum(tasks * x, axis=1)) / unit
            np.testing.assert_allclose(shown[name][40 * k : 40 * k + 40], missed, rtol=1e-8, atol=1e-9)
        known = theory.bayes_risk(task, rows[:, :M]) - 0.36
        assert shown["bayes"][k] == pytest.approx(known, rel=1e-8)


@pytest.mark.parametrize("steps", [1, 5, 60, 61, 200, 4000])
def test_records_rise_to_the_end(steps):
    due = textbook_descent.record_steps(steps)
    assert (due[0], due[-1]) == (0, steps)
    assert all(a < b and b == int(b) for a, b in itertools.pairwise(due))
    assert len(due) <= textbook_descent.RECORDS + 1


def test_descent_is_gradient_descent_of_the_exact_risk():
    settings = textbook_descent.Settings(d=3, M=9, sigma=0.6, norm=2.0, decay=0.5, lr=0.05, batch=2, steps=60)
    own, task, u = finish(textbook_descent, settings, 0), lb.power_task(3, 9, 0.6, 2.0, 0.5), np.full(3, 3**-0.5)
    beta, Gamma, at = np.zeros(3), np.zeros((3, 3)), textbook_descent.record_steps(60)
    for step in range(61):
        if step in at:
            k = at.index(step)
            known = (float(theory.step_risk(task, beta, Gamma)), beta @ u, u @ Gamma @ u)
            np.testing.assert_allclose([own[name][k] for name in ("risk", "beta", "along")], known, atol=1e-12)
            np.testing.assert_allclose(own["across"][k], (np.trace(Gamma) - known[2]) / 2, atol=1e-12)
            np.testing.assert_allclose(own["cells"][12 * k : 12 * k + 12], [*beta, *Gamma.ravel()], atol=1e-12)
        slopes = theory.flow_slopes(task, beta, Gamma)
        beta, Gamma = beta + 0.05 * slopes[0], Gamma + 0.05 * slopes[1]


def test_drawn_prompts_that_blow_up_are_not_drawn_on():
    shown = run(textbook_descent, 0, lr=0.1, batch=2, steps=100)
    assert shown["drawn_lost"] == [1.0]
    assert np.isnan([shown["diverged_at"][0], shown["drawn_risk"][-1]]).all()
    assert np.isfinite(shown["risk"]).all()
    gone = run(textbook_descent, 0, lr=0.3, batch=2, steps=100)
    assert gone["diverged_at"][0] > 0


def weights_in(state):
    n = state.settings.d + 1
    return lb.Weights(*np.array(state.W).reshape(6, 1, n, n))


@pytest.mark.parametrize("kind", [0, 1, 2, 3])
@pytest.mark.parametrize("switches", SWITCHES, ids=str)
def test_the_textbook_runs_the_block_of_the_library(kind, switches):
    residual, mlp, mask = switches
    settings = sees.settings(residual, mlp, mask, kind, 5, 3, 1.3, 0.7)
    state = textbook_parts.start(settings, 4)
    weights, Z, now = weights_in(state), [], []
    for _ in range(5):
        textbook_parts.step(state)
        Z.append(np.array(state.Z))
        now.append(state.now[:])
    Z = np.array(Z)[None]
    prompts = lb.Prompts(Z[..., :-1, :-1], Z[..., :-1, -1], Z[..., -1, :-1], Z[..., -1, -1])

    def shown(given):
        return lb.literal_output(weights, given, bool(mlp), bool(mask), bool(residual))

    known = told_apart(shown, prompts)[:, 0].T
    np.testing.assert_allclose(now, known, rtol=1e-10, atol=1e-10 * np.abs(known).max())
    errors = (shown(prompts) - prompts.target) ** 2
    assert state.error == pytest.approx(errors.sum(), rel=1e-10)
    own, wanted = cut_block.seen(settings), lb.effective_of(weights, bool(mlp), bool(residual))
    for name, value in wanted._asdict().items():
        np.testing.assert_allclose(getattr(own, name), value[0], rtol=1e-10, atol=1e-10)


def test_matrices_of_a_block_have_its_parameters(rng):
    block, again, W = textbook_block.new_block(3), textbook_block.new_block(3), [[9.0] * 4 for _ in range(24)]
    textbook_block.unpack(textbook_block.BLOCK, rng.standard_normal(19).tolist(), block)
    textbook_weights.weights_of(block, W)
    textbook_weights.reduce(W, 1, textbook_weights.new_rows(3), again)
    assert vars(again) == vars(block)


def test_records_are_the_means_of_their_prompts():
    found = finish(textbook_parts, SMALL, 2)
    at = textbook_parts.steps_of(SMALL)
    assert (at[0], at[1], at[-1]) == (2, 4, 48)
    assert np.all(np.diff(at) > 0)
    shown = np.array(found["shown"]).reshape(5, 12)
    sizes = np.array(found["sizes"]).reshape(-1, 5)
    for k in (0, 3, 5):
        np.testing.assert_allclose(sizes[k], np.sqrt(np.mean(shown[:, : int(at[k])] ** 2, axis=1)), rtol=1e-12)
