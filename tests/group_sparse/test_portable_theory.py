"""The theory of the page: speeds by another quadrature, what the laws refuse, the same bits in the page.

That its flow, its late laws and its losses over the sizes are the library's is claim GS-21.
"""

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.special import expit
from scipy.stats import norm

from hal.chapters.group_sparse import runs
from hal.chapters.group_sparse.figures import selection
from lib.errors import InputError
from lib.models import group_sparse as gs
from lib.models.group_sparse import textbook
from lib.sampling import generators
from lib.theory import group_sparse as theory
from lib.theory.group_sparse import portable, portable_arrows, portable_downstream, portable_sizes, portable_trap
from tests.portable.engine import bits, literal, page_of


@pytest.mark.parametrize(("D", "sigma", "alpha", "b"), [(4, 1.0, 0.7, 1.0), (6, 2.0, 1.0, 3.0), (16, 0.5, 20.0, 6.0)])
def test_speeds_and_loss_are_those_of_the_pair(D, sigma, alpha, b):
    pair, law, out = gs.PairTransformer(D, sigma), portable.law_of(D, sigma), [0.0, 0.0]
    portable.push(0.0, [alpha, b], out, law)
    loss, slope = pair.loss_and_gradient(gs.Pair(np.array([alpha]), np.array([b])))
    assert portable.loss_at([alpha, b], law) == pytest.approx(loss[0], rel=1e-3)
    assert out[0] == pytest.approx(-slope.alpha[0], rel=1e-3, abs=1e-5)
    assert out[1] == pytest.approx(-slope.b[0] * pair.rates["b"], rel=1e-3, abs=1e-5)


def flow_by_gauss(D, sigma, flips, times):
    """Attention and loss of the flow, by Gauss' rules and another integrator."""
    xi, share = np.polynomial.hermite_e.hermegauss(61)
    nodes, weight = np.polynomial.legendre.leggauss(200)
    g = 8 * ((nodes + 1) / 2) ** 2.5
    both = (2 * norm.pdf(g) * weight * 10 * ((nodes + 1) / 2) ** 1.5)[:, None] * share / share.sum()

    def margin(alpha, b):
        s = expit(b - np.log(D - 1))
        tau = (1 - s) / np.sqrt(D - 1)
        return s, tau, alpha * D * sigma * (s * g[:, None] + tau * xi)

    def speed(_, place):
        s, tau, m = margin(*place)
        p = both * (expit(-m) - flips)
        signal, noise = (p * g[:, None]).sum(), tau * (p * xi).sum()
        front = ((D + 1) / 2) ** 2 * D / (D - 1) * place[0] * s * sigma
        return D * sigma * (s * signal + noise), front * ((1 - s) * signal - noise)

    found = solve_ivp(speed, (0, times[-1]), [0, 0], t_eval=times, rtol=1e-8, atol=1e-10, method="LSODA").y.T
    ends = [margin(*place) for place in found]
    return np.array([s for s, _, _ in ends]), np.array(
        [(both * (np.logaddexp(0, -m) + flips * m)).sum() for _, _, m in ends]
    )


def test_the_population_beside_a_run_at_any_sliders():
    rng = np.random.default_rng(7)
    chosen = [(int(rng.integers(2, 9)), rng.uniform(0.02, 2), 2 ** rng.uniform(-1, 1), q) for q in (0, 0.2)]
    for D, lr, sigma, flips in [*chosen, (8, 2.0, 2.0, 0.4)]:
        settings = selection.settings(D, 3, 100, lr, sigma, flips)
        drawn = selection.flow(settings)
        attention, loss = flow_by_gauss(D, sigma, flips, lr * np.array(textbook.steps_of(settings)))
        np.testing.assert_allclose(drawn["attention"], attention, atol=0.01, err_msg=str(settings))
        np.testing.assert_allclose(drawn["loss"], loss, rtol=0.005, err_msg=str(settings))


def test_the_laws_of_the_new_task_at_any_sliders():
    rng, at, seeds = np.random.default_rng(5), np.array([0, 8, 32, 128]), range(96)
    for _ in range(6):
        task = gs.Task(D=int(rng.integers(2, 11)), d=int(rng.integers(1, 11)))
        gamma, attention, lr = rng.uniform(0, 1), rng.uniform(0.05, 0.99), 10 ** rng.uniform(-2, 0.3)
        model, start = gs.GroupTransformer(task), runs.looking(task, attention, len(seeds))
        given, fresh = (gs.downstream(task, n, generators(seeds, n), gamma=gamma) for n in (128, 500))
        read = [gs.attended(model, start, examples) for examples in (given, fresh)]
        flat = [gs.flattened(examples) for examples in (given, fresh)]
        layer = portable_downstream.layer_of(task.D, task.d, attention, lr)
        regression = portable_downstream.regression_of(task.D * task.d, 0.1)
        for learner, features, rate in ((layer, read, lr / task.D**2), (regression, flat, 0.1)):
            found = runs.regression_errors(*features, rate, at).mean(axis=0)
            law = portable_downstream.error_path(learner, gamma, [8.0, 32.0, 128.0])
            np.testing.assert_allclose(law, found, atol=0.035, err_msg=f"{task.D, task.d, gamma, learner}")


def test_a_rough_rule_draws_the_same_landscape():
    rng = np.random.default_rng(7)
    for D in (2, 7, 40):
        rough, dense = portable.rough_law_of(D, 1.0), portable_trap.dense_law(D)
        for _ in range(12):
            place = [rng.uniform(-2, 6), rng.uniform(-12, 8)]
            assert abs(np.log(portable.loss_at(place, rough) / portable.loss_at(place, dense))) < 0.05, (D, place)


def test_examples_until_a_level_are_those_of_single_steps():
    rng, n = np.random.default_rng(6), np.arange(1.0, 600.0)
    sizes = [*rng.integers(2, 9, (3, 2)).tolist(), (16, 13), (14, 4)]  # the last are stiff in the bias
    for D, d in sizes:
        gamma, level = rng.uniform(0.05, 1), rng.uniform(0.03, 0.2)
        layer = portable_downstream.layer_of(D, d, rng.uniform(0.6, 1), rng.uniform(1, 3.2) / (d + 0.5 * (D + 1)))
        for learner in (layer, portable_downstream.regression_of(D * d, rng.uniform(1, 3.2) / (D * d))):
            path = np.array(portable_downstream.error_path(learner, gamma, n.tolist()))
            after = int(np.argmax(path <= level))
            share = np.log(path[after - 1] / level) / np.log(path[after - 1] / path[after]) if after else 0.0
            found = portable_downstream.examples_until(learner, gamma, level, 600)
            assert found == pytest.approx(n[after] - 1 + share, rel=0.01), (D, d, gamma, level)
    assert np.isnan(portable_downstream.examples_until(portable_downstream.regression_of(64, 0.05), 0.1, 0.05, 20))


def test_examples_after_wide_steps_are_those_of_single_steps_to_half_an_example():
    learner, n = portable_downstream.regression_of(64, 0.05), np.arange(1.0, 600.0)
    path = np.array(portable_downstream.error_path(learner, 0.2, n.tolist()))
    single = np.interp(-np.log(0.05), -np.log(path), n)
    assert single > 200
    assert portable_downstream.examples_until(learner, 0.2, 0.05, 1000) == pytest.approx(single, abs=0.5)


def test_what_the_laws_of_the_new_task_refuse():
    with pytest.raises(InputError, match="D: expected at least 2 groups, got 1"):
        portable_downstream.layer_of(1, 2, 0.5, 0.1)
    with pytest.raises(InputError, match="d: expected at least 1 variable, got 0"):
        portable_downstream.layer_of(2, 0, 0.5, 0.1)
    with pytest.raises(InputError, match="attention: expected a share above 0, got 0"):
        portable_downstream.layer_of(2, 1, 0.0, 0.1)
    with pytest.raises(InputError, match="variables: expected at least 1, got 0"):
        portable_downstream.regression_of(0, 0.1)


def test_the_cycle_turns_the_value_over():
    for lr, D in ((1.25, 16), (0.6, 24)):
        pair, k = gs.PairTransformer(D), theory.cycle_strength(lr, D)
        at = gs.Pair(np.array([k * np.sqrt(D - 1) / D]), np.array([-30.0]))
        _, slope = pair.loss_and_gradient(at)
        assert at.alpha[0] - lr * slope.alpha[0] == pytest.approx(-at.alpha[0], rel=1e-4)


@pytest.mark.parametrize("D", [16, 32])
def test_the_gap_after_three_steps(D):
    found = runs.learn_pair(D, 22 / D, 3)["b"][0, -1]
    assert theory.third_gap(22 / D, D) == pytest.approx(found, rel=1e-3)


@pytest.mark.parametrize(
    ("law", "given", "message"),
    [
        (theory.late_loss, (0.0, 4), r"time: expected finite values > 0, got 0\.0"),
        (theory.late_leak, ([1.0, np.inf], 4), "time: expected finite values > 0"),
        (theory.time_to_loss, (-0.1, 4), r"loss: expected finite values > 0, got -0\.1"),
        (theory.late_loss, (3.0, [4, 1]), "D: expected at least 2 groups, got 1"),
        (theory.leak_constant, (2.5,), r"D: expected whole numbers, got 2\.5"),
        (theory.largest_rate, (0,), "D: expected at least 1 group, got 0"),
        (theory.late_strength, (3.0, 1), "D: expected "),
        (theory.cycle_strength, (0.4, 16), r"lr: expected above 0\.469, where the cycle begins, got 0\.4"),
        (theory.return_time, (1.0, 1, -5.0), "D: expected "),
        (theory.third_gap, (1.0, 1), "D: expected "),
        (theory.largest_population_rate, (8, 600), "D: expected from 12 to 40 groups, got 8"),
        (theory.largest_population_rate, (16, 99), "steps: expected "),
    ],
)
def test_what_the_laws_refuse(law, given, message):
    with pytest.raises(InputError, match=message):
        law(*given)


def test_numbers_read_off_a_path():
    times, losses = [0.0, 1.0, 100.0], [0.7, 0.4, 0.1]
    assert portable_sizes.value_at(10.0, times, losses) == pytest.approx(0.2)
    assert np.isnan(portable_sizes.value_at(0.5, times, losses))
    assert np.isnan(portable_sizes.value_at(101.0, times, losses))
    assert portable_sizes.time_of(0.2, times, losses) == pytest.approx(10)
    assert np.isnan(portable_sizes.time_of(0.05, times, losses))
    assert [portable_sizes.size(i) for i in range(5)] == [4, 8, 16, 32, 64]


def test_no_index_and_no_divisor_is_out_of_range_and_the_page_has_the_same_bits():
    page, settings = page_of(portable, portable_sizes, checked=True), portable_sizes.Settings(D=8, lr=0.35, level=0.045)
    page.do('const P = portable["lib.theory.group_sparse.portable"];')
    times = [0.0, 1.5, 30.5, 1000.5]
    here = [*portable.path(portable.law_of(5, 0.75), times, 1e-3), portable.largest_rate(6)]
    assert bits(page.run(f"[...P.path(P.law_of(5, 0.75), {literal(times)}, 1e-3), P.largest_rate(6)]")) == bits(here)
    state = portable_sizes.start(settings, 0)
    portable_sizes.step(state)
    page.do('const Z = portable["lib.theory.group_sparse.portable_sizes"];')
    page.do(f"const settings = {literal(settings)}, z = Z.start(settings, 0); Z.step(z);")
    here = [portable_sizes.read(state), portable_sizes.over_time(settings), portable_sizes.over_sizes(settings)]
    assert bits(page.run("[Z.read(z), Z.over_time(settings), Z.over_sizes(settings)]")) == bits(here)


@pytest.mark.parametrize(("D", "by_D"), [(8, 20), (16, 22), (32, 26)])
def test_the_page_s_way_back_is_the_library_s(D, by_D):
    law = portable_trap.dense_law(D)
    lr = by_D / D
    assert portable_trap.swing(lr * D * D / (D - 1), law) == pytest.approx(theory.cycle_strength(lr, D), rel=2e-3)
    assert portable_trap.way_back(lr, -6.0, law) == pytest.approx(theory.return_time(lr, D, -6.0), rel=4e-3)
    place, room = [0.0, 0.0], [0.0, 0.0]
    for _ in range(3):
        portable_trap.descend(place, lr, law, room)
    assert place[1] == pytest.approx(theory.third_gap(lr, D), abs=0.02)


def test_largest_rate_leaves_the_steps_after_the_third_for_the_way_back():
    lr = theory.largest_population_rate(16, 100)
    assert 3 + theory.return_time(lr, 16, theory.third_gap(lr, 16)) == pytest.approx(100)


def test_an_arrow_ends_at_its_step_or_at_the_edge():
    x, y = portable_arrows.arrows([0.0, 1.0, 2.0], [0.0, 0.0, -4.0], 2, -2.0, 100.0, 50.0)
    assert [x[1], x[3], y[1], y[3]] == [1.0, 1.0, 0.0, 0.0]
    assert [x[7], y[7]] == [1.5, -2.0]
    assert x[2] == x[4] == pytest.approx(1 - 9 / 100)
    assert y[2] == -y[4] == pytest.approx(4.5 / 50)
    assert np.isnan(x[5])
    assert portable_arrows.second([0.0, 1.0, 2.0, 3.0, 4.0], 1) == [1.0, 3.0]
