"""Every line and bar of the chapter's figures, at random positions of the sliders, against the same found another way.

What is drawn is `Computed(module).compute(...)`; the other way is here: moments by Wick's rule and linear systems in
NumPy, the library's search and its integrator, and training by the fast model or by hand on the same prompts.
"""

import numpy as np
import pytest

from hal.chapters.linear_block.figures import flow, prompts, risk, sees, training
from hal.chapters.linear_block.runs import end_to_end
from hal.chapters.linear_block.runs.training import PopulationBlock
from hal.explorer import Computed, Small
from lib import optim
from lib.models import linear_block as lb
from lib.models.linear_block import textbook, textbook_contexts, textbook_descent, textbook_population
from lib.theory import linear_block as theory
from lib.theory.linear_block import portable_attention, portable_flow
from lib.theory.linear_block.portable_curves import attention_by_length
from lib.train import train
from tests.linear_block.rows import needs_of, task_of


def positions(figure, count, seed, **narrow):
    """Random positions of all sliders, ends and odd values among them; `narrow` puts a range in place of a slider's."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        found = {}
        for name, control in figure.controls_by_name.items():
            low, high = narrow.get(name, (control.low, control.high))
            value = rng.choice([low, high]) if rng.uniform() < 0.25 else rng.uniform(low, high)
            found[name] = round(value) if control.integer or isinstance(control.default, int) else float(value)
        yield found


def moments(task, A, noise):
    """E[s s'] and E[s t'] of s = S t + g for a vector t with second moment A, where rows have the covariance H."""
    H, M = task.H, task.M
    pairs = np.einsum("ij,kl->ijkl", H, H)
    wick = pairs + pairs.transpose(0, 2, 1, 3) + pairs.transpose(0, 3, 2, 1)  # E x_i x_j x_k x_l
    square = (M - 1) / M * H @ A @ H + np.einsum("ijkl,jk->il", wick, A) / M
    return square + noise / M * H, H @ A


def risk_of(task, start, Gamma):
    """The risk of one step: the quadratic in its matrix, by these moments."""
    away = task.mean - start
    A = task.Psi + np.outer(away, away)
    square, cross = moments(task, A, task.sigma**2)
    label = task.sigma**2 + np.trace(task.H @ A)
    return label - 2 * np.trace(task.H @ Gamma @ cross) + np.trace(task.H @ Gamma @ square @ Gamma.T)


def best_of(task, start):
    """Matrix and risk of the best step from a start, by a linear system."""
    away = task.mean - start
    square, cross = moments(task, task.Psi + np.outer(away, away), task.sigma**2)
    Gamma = np.linalg.lstsq(square, cross, rcond=None)[0].T
    return Gamma, risk_of(task, start, Gamma)


def test_risks_over_length_are_minima():
    """The lines of `risk` but for Bayes: to 1e-8, the search for attention to 0.5 % (it may miss a valley)."""
    figure = Computed(risk)
    for point in positions(figure, 5, 1, d=(2, 5)):
        drawn, task = figure.compute(point, runs=0).theory, task_of(point)
        zero, noise = np.zeros(task.d), task.sigma**2
        for i, M in enumerate(drawn["laws.M"]):
            at = task.but(M=int(M))
            assert drawn["laws.step"][i] + noise == pytest.approx(best_of(at, task.mean)[1], rel=1e-8)
            assert drawn["laws.zero"][i] + noise == pytest.approx(best_of(at, zero)[1], rel=1e-8)
        ignored = risk_of(task, task.mean, np.zeros((task.d, task.d)))
        assert drawn["laws.prior"][0] + noise == pytest.approx(ignored, rel=1e-12)
        gap, bound = drawn["now.gap"][0], task.mean @ task.H @ task.mean / 33
        assert gap == pytest.approx(max(0, drawn["now.attention"][0] - drawn["now.block"][0]), abs=1e-12)
        assert not bound or drawn["now.times"][0] == pytest.approx(gap / bound, rel=1e-9)
        for i in (1, 8):
            found = theory.best_attention(task.but(M=int(drawn["laws.M"][i]))).risk
            assert drawn["alone.risk"][i] + noise == pytest.approx(found, rel=0.005)


@pytest.mark.parametrize(
    ("d", "M", "norm", "sigma", "decay"), [(11, 16, 16, 4, 2), (4, 16, 6.8, 3.17, 2), (8, 91, 15.6, 2.33, 2)]
)
def test_attention_finds_the_lower_of_its_valleys(d, M, norm, sigma, decay):
    """Settings at which two valleys lie 0.1 to 0.2 % apart, along lengths and alone."""
    task = lb.power_task(d, M, sigma, norm, decay)
    h, mean, known = np.diag(task.H).tolist(), task.mean.tolist(), theory.best_attention(task).risk
    lengths = textbook_contexts.lengths()
    along = attention_by_length(h, 1.0, mean, sigma, lengths)[lengths.index(M)]
    single = portable_attention.best_attention_risk(h, 1.0, mean, sigma, float(M))
    assert max(along, single) <= known * (1 + 1e-7)
    assert min(along, single) > 0.99 * known


def test_bayes_is_drawn_within_the_spread_of_its_contexts(monkeypatch):
    """A run of 12 contexts, against as many thousands of the library's, within five standard errors at every length."""
    monkeypatch.setattr(risk, "CONTEXTS", 12)
    figure = Computed(risk)
    for point in positions(figure, 3, 2, d=(2, 5)):
        shown, task = figure.compute(point, seed=4), task_of(point)
        (run,), lengths = shown.runs, [int(M) for M in shown.theory["laws.M"]]
        contexts = np.random.default_rng(3).standard_normal((1500, lengths[-1], task.d))
        for i in (0, 3, 6, 9, 12):
            risks = theory.bayes_risks(task.but(M=lengths[i]), contexts[:, : lengths[i]])
            error = risks.std() * (1 / 12 + 1 / 1500) ** 0.5
            assert run["bayes"][i] + task.sigma**2 == pytest.approx(risks.mean(), abs=5 * error + 1e-9)


def test_least_squares_is_the_mean_over_contexts():
    """By drawn contexts, where the mean of few is steady: 3 %."""
    point = {"d": 4, "norm": 2.0, "sigma": 0.7, "decay": 1.1}
    drawn, task = Computed(risk).compute(point, runs=0).theory, task_of(point)
    for M, known in zip(drawn["laws.M"], drawn["laws.squares"], strict=True):
        if not 20 <= M <= 100:
            continue
        X = np.random.default_rng(8).standard_normal((3000, int(M), 4)) @ task.H_root
        paid = np.einsum("ij,rji->r", task.H, np.linalg.inv(X.swapaxes(1, 2) @ X))
        assert known == pytest.approx(task.sigma**2 * paid.mean(), rel=0.05)


def test_start_and_step_at_their_best_and_the_rate_at_random_positions():
    """Ends by linear systems, the rate by NumPy's eigenvalues."""
    figure = Computed(flow)
    for point in positions(figure, 6, 5, d=(2, 5)):
        drawn, task = figure.compute(point, runs=0).theory, task_of(point)
        Gamma, least = best_of(task, task.mean)
        np.testing.assert_allclose(drawn["laws.cells"], np.vstack([task.mean, Gamma]).ravel(), rtol=1e-7, atol=1e-9)
        assert drawn["laws.goal"][0] == pytest.approx(np.trace(Gamma) / task.d, rel=1e-7)
        assert drawn["laws.best"][0] == pytest.approx(least, rel=1e-8)
        assert drawn["laws.stuck"][0] == pytest.approx(best_of(task, np.zeros(task.d))[1], rel=1e-8)
        square = moments(task, task.Psi + np.outer(task.mean, task.mean), task.sigma**2)[0]
        rate = 1 / (np.linalg.eigvalsh(task.H)[-1] * np.linalg.eigvalsh(square)[-1])
        assert drawn["laws.share"][0] == pytest.approx(drawn["laws.lr"][0] / rate, rel=1e-12)


def test_the_stable_rate_is_exact_for_any_mean_and_every_length(rng):
    for _ in range(200):
        d, M = int(rng.integers(1, 9)), int(rng.choice([1, 2, 64, 256]))
        task = lb.power_task(d, M, float(rng.choice([0, 0.1, 4])), 1.0, float(rng.choice([0, 1e-9, 2])))
        task = task.but(mean=rng.normal(size=d) * rng.integers(0, 2, d) * 10.0 ** rng.uniform(-6, 1.2))
        found = portable_flow.stable_rate(np.diag(task.H).tolist(), 1.0, task.mean.tolist(), task.sigma, float(M))
        assert found == pytest.approx(theory.stable_rate(task), rel=1e-12)


def descended(settings, seed, at):
    """Both descents of `flow`, by hand: start and matrix at these steps, on all prompts and on the run's own."""
    s, d = settings, settings.d
    task = lb.power_task(d, s.M, s.sigma, s.norm, s.decay)
    source = textbook.start(
        textbook.Settings(3, d, s.M, s.sigma, s.norm, s.decay, s.batch, s.lr, 0, 0.0, s.steps), seed
    )
    exact, drawn, found = [np.zeros(d), np.zeros((d, d))], [np.zeros(d), np.zeros((d, d))], {}
    for step in range(int(at[-1]) + 1):
        if np.abs(drawn[1]).max() > 1e3:
            return task, found  # it blows up
        if step in at:
            found[step] = [(b.copy(), G.copy()) for b, G in (exact, drawn)]
        slopes = theory.flow_slopes(task, *exact)
        ways = [np.zeros(d), np.zeros((d, d))]
        for _ in range(s.batch):
            textbook.draw_prompt(source)
            Z, (*x, label) = np.array(source.Z), source.query
            X, y, x, (b, G) = Z[:, :-1], Z[:, -1], np.array(x), drawn
            pull = X.T @ (X @ b - y) / s.M
            error = 2 * (x @ (b - G @ pull) - label) / s.batch
            ways[0] += error * (x - X.T @ (X @ (G.T @ x)) / s.M)
            ways[1] -= error * np.outer(x, pull)
        exact = [p + s.lr * way for p, way in zip(exact, slopes, strict=True)]
        drawn = [p - s.lr * way for p, way in zip(drawn, ways, strict=True)]
    return task, found


def test_descent_on_all_and_on_drawn_prompts_is_that_by_hand(monkeypatch):
    """To 1e-8 as long as neither has blown up."""
    monkeypatch.setattr(flow, "WORK", 4e3)
    figure, tried = Computed(flow), 0
    for point in positions(figure, 8, 6, d=(2, 4), lr=(0.005, 0.1), batch=(1, 6), M=(2, 20)):
        settings = figure.settings_of(**figure.check(point))
        (run,) = figure.compute(point, seed=7).runs
        at = [step for step in textbook_descent.record_steps(settings.steps) if step <= 40]
        task, found = descended(settings, 7, at)
        u = np.full(task.d, task.d**-0.5)
        for k, step in enumerate(at):
            if k >= len(run["risk"]) or step not in found:
                break
            exact, drawn = found[step]
            along = u @ exact[1] @ u
            known = {"risk": risk_of(task, *exact), "beta": exact[0] @ u, "along": along}
            known |= {"across": (np.trace(exact[1]) - along) / (task.d - 1), "drawn_risk": risk_of(task, *drawn)}
            for name, value in known.items():
                assert run[name][k] == pytest.approx(value, rel=1e-8, abs=1e-9), name
            size = task.d * (task.d + 1)
            cells = run["cells"][size * k : size * (k + 1)]
            np.testing.assert_allclose(cells, np.vstack(exact).ravel(), rtol=1e-8, atol=1e-9)
            if run["along"][k] == max(run["along"]):
                assert run["corner"] == cells
            tried += k > 5
    assert tried > 20


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_training_is_the_fast_model_s_from_the_same_start(kind, monkeypatch):
    """Whole lines of 30 steps to 1e-6: risk by the general formula, alpha, gain and length of q from the matrices."""
    monkeypatch.setattr(training, "STEPS", 30)
    monkeypatch.setattr(training, "LONG", 30)
    figure = Computed(training)
    for point in positions(figure, 3, 30 + kind, kind=(kind, kind), scale=(0.05, 0.3), norm=(0, 3), sigma=(0.1, 2)):
        settings = figure.settings_of(**figure.check(point))
        (run,), task = figure.compute(point, seed=3).runs, task_of(point)
        n, mlp = task.d + 1, kind != 2
        weights = lb.Weights(*np.array(textbook_population.start(settings, 3).W).reshape(6, 1, n, n))
        problem, u = PopulationBlock(task, mlp), np.full(task.d, task.d**-0.5)

        def read(params, task=task, mlp=mlp, u=u):
            alpha, _, c, Q, q = block = theory.Effective(*lb.effective_of(params, mlp))
            gain = c * np.einsum("i,rij,j->r", u, Q, u)
            return np.stack([theory.block_risk(task, block), alpha @ u, gain, np.linalg.norm(q, axis=1)], axis=-1)

        optimiser = (optim.adam if settings.adam else optim.sgd)(settings.lr)
        path = train(problem, weights, optimiser, 30, record={"read": read}, record_at=list(range(31)))["read"][0]
        for j, name in enumerate(("risk", "alpha", "along", "labels")):
            found = np.array(run[name])
            steps = np.array(run["steps"][: len(found)], dtype=int)
            np.testing.assert_allclose(found, path[steps, j], rtol=1e-6, atol=1e-7, err_msg=name)


def test_levels_of_training_at_random_positions():
    figure = Computed(training)
    for point in positions(figure, 8, 40, d=(2, 4)):
        drawn, task = figure.compute(point, runs=0).theory, task_of(point)
        Gamma, least = best_of(task, task.mean)
        u = np.full(task.d, task.d**-0.5)
        known = {"best": least, "prior": risk_of(task, task.mean, 0 * Gamma), "gain": u @ Gamma @ u}
        known |= {"mean": point["norm"], "alone": theory.best_attention(task).risk}
        keyed = theory.block_risk(task, theory.trap_block(task))
        own = point["kind"] != 2
        if own and theory.trap_criterion(task) > 1:
            known["trap"] = float(keyed)
        else:
            assert np.isnan(drawn["laws.trap"]).all()
        for name, value in known.items():
            assert set(drawn[f"laws.{name}"]) == {drawn[f"laws.{name}"][0]}
            assert drawn[f"laws.{name}"][0] == pytest.approx(value, rel=1e-6, abs=1e-9), name
        assert drawn["laws.goal"][0] == drawn["laws.best" if own else "laws.alone"][0]


def spread(counts, means):
    """The mean of all, and its standard error by the blocks between records, of running means (K, ...) at counts."""
    totals = np.array(means) * np.reshape(counts, (-1, *[1] * (np.ndim(means) - 1)))
    blocks = np.diff(totals, axis=0) / np.reshape(np.diff(counts), (-1, *[1] * (np.ndim(means) - 1)))
    return np.array(means[-1]), blocks.std(axis=0) / len(blocks) ** 0.5


def test_prompts_pay_what_theory_says_of_a_cut_block():
    """480 prompts a run: its error and the squares of its parts within six standard errors; other levels otherwise."""
    figure = Computed(sees)
    for point in positions(figure, 6, 50, d=(2, 4), M=(2, 20)):
        shown, task = figure.compute(point, seed=1), task_of(point)
        (run,), known = shown.runs, np.array(shown.theory["laws.sizes"])
        found, error = spread(run["prompts"], run["risk"])
        assert abs(found - shown.theory["laws.own"][0]) < 6 * error
        found, error = spread(run["prompts"], np.reshape(run["sizes"], (-1, 5)) ** 2)
        assert (np.abs(found - known**2) <= 6 * error + 1e-12).all()
        assert shown.theory["laws.best"][0] == pytest.approx(best_of(task, task.mean)[1], rel=1e-9)
        assert shown.theory["laws.left"][0] >= shown.theory["laws.best"][0] * (1 - 1e-9) or not point["mask"]
        if point["mask"]:
            alive = point["residual"] and point["mlp"]
            left = best_of(task, task.mean)[1] if alive else theory.best_attention(task).risk
            assert shown.theory["laws.left"][0] == pytest.approx(left, rel=1e-6)
        by_mean = {name: shown.theory[f"by_mean.{name}"] for name in ("norm", "best", "left", "cut")}
        assert np.ptp(by_mean["best"]) == 0
        for i in (0, 4, 12):
            moved = sees.settings(
                point["residual"], point["mlp"], point["mask"], 1, task.M, task.d, by_mean["norm"][i], task.sigma
            )
            here = sees.laws(moved)
            assert by_mean["cut"][i] == pytest.approx(here["own"][0], rel=1e-9)
            assert by_mean["left"][i] == pytest.approx(here["left_now"][0], rel=1e-9)


@pytest.mark.parametrize("point", [(size, 2) for size in range(5)] + [(2, other) for other in range(9) if other != 2])
def test_prompts_and_what_they_cost_are_the_recorded_ones(point):
    """The lines, bands and dashes of `prompts`, and where they come to a tenth."""
    setting, row, needs = needs_of(dict(zip(("size", "other"), point, strict=True)))
    figure = Small(prompts)
    drawn = {
        key.removeprefix("risks."): value for key, value in figure.drawn({"size": point[0], "other": point[1]}).items()
    }
    np.testing.assert_array_equal(drawn["n"], row["counts"])
    best = best_of(end_to_end.task_of(setting), end_to_end.task_of(setting).mean)[1]
    for way, told in zip(end_to_end.WAYS, row["predicted"], strict=True):
        low, middle, high = np.quantile(np.array(row[way], float) / best, [0.25, 0.5, 0.75], axis=1)
        for name, known in ((way, middle), (f"{way}_low", low), (f"{way}_high", high)):
            np.testing.assert_allclose(drawn[name], known, rtol=2e-3)
        if way == "block" and setting.width < setting.d:
            assert np.isnan(drawn["told_block"]).all()
        else:
            np.testing.assert_allclose(drawn[f"told_{way}"] * row["counts"] * best, told, rtol=0.06)
    step, block = (need if np.isfinite(need) else np.nan for need in needs)
    np.testing.assert_allclose([drawn["needs_step"][0], drawn["needs"][0]], [step, block], rtol=2e-3)
    np.testing.assert_array_equal([drawn["ends"], drawn["level"]], [[12, 10000], [0.1, 0.1]])
