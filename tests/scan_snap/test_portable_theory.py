"""The theory and the flow that pages draw: the numbers of `lib.theory.scan_snap` and `lib.train.flow`."""

import numpy as np
import pytest

from lib.chapters.scan_snap.runs.joint_flow import flow
from lib.errors import InputError
from lib.models import scan_snap as ss
from lib.models.scan_snap import textbook_flow, textbook_kinds
from lib.models.scan_snap.textbook_flow import Settings
from lib.theory import scan_snap as theory
from lib.theory.scan_snap import portable, portable_reference
from lib.theory.scan_snap.portable_reference import Reference, reference_path
from tests.portable.engine import bits, literal, page_of


def some_settings(count=200, seed=5):
    """(t, K, M, lr_Y, lr_Z, rho, C0, kappa) over the ranges of the sliders and beyond."""
    rng = np.random.default_rng(seed)
    for _ in range(count):
        K = int(rng.integers(2, 21))
        M = max(4, K) + round(1e6 ** rng.uniform()) - 1
        numbers = 10 ** rng.uniform([-3, -2, -2, -1.3], [7, 1.5, 1.5, 1])
        t, lr_Y, lr_Z, C0 = numbers.tolist()
        yield t, K, M, lr_Y, lr_Z, float(rng.uniform(0.01, 0.95)), C0, float(rng.uniform(1, 8))


def everything(t, K, M, lr_Y, lr_Z, rho, C0, kappa):
    del kappa
    x = portable.logit_gap(t, K, M, lr_Y)
    Gamma = portable.operational_time(x, K, M, lr_Y, lr_Z)
    B = portable.reduced_B(Gamma, C0)
    return {
        "x": x,
        "residual": portable.residual(x, M),
        "speed": portable.speed(x, M),
        "scan": portable.scan_end(K, M, lr_Y),
        "snap": portable.snap_start(K, M, lr_Y),
        "Gamma": Gamma,
        "B": B,
        "coupling": portable.coupling(K, rho, M),
        "drive": portable.drive(K, rho, M),
        "lower": portable.lower_bound(rho, B),
        "upper": portable.upper_bound(B),
        "own": portable.kappa_star(rho, False),
        "shared": portable.kappa_star(rho, True),
    }


def test_same_numbers_at_200_settings():
    for t, K, M, lr_Y, lr_Z, rho, C0, kappa in some_settings():
        ours = everything(t, K, M, lr_Y, lr_Z, rho, C0, kappa)
        scan, snap = theory.transition_times(K, M, lr_Y)
        B = float(theory.reduced_B(t, K, M, lr_Y, lr_Z, C0))
        lower, upper = theory.growth_bounds(rho, B)
        # two classes of overlap rho, and K of them: rows of a matrix with that Gram matrix
        f = np.linalg.cholesky(np.full((K, K), rho) + (1 - rho) * np.eye(K))
        wanted = {
            "x": theory.logit_gap(t, K, M, lr_Y),
            "residual": theory.residual(t, K, M, lr_Y),
            "speed": theory.speed(t, K, M, lr_Y),
            "scan": scan,
            "snap": snap,
            "Gamma": theory.operational_time(t, K, M, lr_Y, lr_Z),
            "B": B,
            "coupling": theory.drive_coefficients(f, M).beta[0, 1],
            "drive": theory.equal_class_drive(K, rho, M),
            "lower": lower,
            "upper": upper,
            "own": theory.kappa_star(rho, shared=False),
            "shared": theory.kappa_star(rho, shared=True),
        }
        assert ours == pytest.approx({name: float(value) for name, value in wanted.items()}, rel=1e-9)
        allowed = theory.assumption_2(np.full((K, K), rho) - rho * np.eye(K), M).holds
        assert portable.obeys_assumption_2(K, rho, M) == bool(allowed)
    assert portable.kappa_star(0.0, True) == np.inf


def some_tasks(count, seed):
    """A task of the library and the settings of the flow for the same, over the ranges of the sliders."""
    rng = np.random.default_rng(seed)
    for i in range(count):
        lr_Y, lr_Z = (10 ** rng.uniform(-1.3, 1, 2)).tolist()
        rates = dict(lr_Y=lr_Y, lr_Z=lr_Z, first=0.3, last=float(10 ** rng.uniform(1, 5)), points=12)
        M = 20 + round(1e5 ** rng.uniform())
        if i % 3 == 0:
            K, sharing = [(2, 1), (2, 2), (4, 2), (6, 1), (5, 5)][int(rng.integers(5))]
            common, distinct = int(rng.integers(0, 30)), int(rng.integers(2, 11))
            task = ss.base_task(K, common, distinct, K // sharing, M, None)
            yield task, Settings(K, sharing, M, common, 1.0, distinct, 0.1, **rates)
        elif i % 3 == 1:
            K, rho = int(rng.integers(2, 9)), float(rng.uniform(0.05, 0.6))
            weight = textbook_kinds.single_common_weight(rho, 5, 0.2)
            yield ss.single_common_task(K, rho, M), Settings(K, K, M, 1, weight, 5, 0.2, **rates)
        else:
            kappa, shared, common = float(rng.uniform(1, 8)), bool(rng.integers(2)), int(rng.integers(1, 40))
            task = ss.partly_common_task(kappa, 0.5, common, 10, "shared" if shared else "own", M)
            yield task, Settings(2, 2 if shared else 1, M, common, 1.0, 10, 0.1, 0.5, kappa, **rates)


def rows_of(task, settings):
    """Where the kinds of token stand in the task, the first of each; -1 where there is none."""
    start = 2 if settings.partly else 0
    first = [0, 1] if settings.partly else [-1, -1]
    return [*first, start if settings.common else -1, *np.flatnonzero(task.distinct[0]).tolist()]


def reference_of(settings):
    kinds = textbook_kinds.token_kinds(*settings[3:7], settings.partly, settings.kappa)
    return Reference(
        kinds.law, kinds.many, kinds.twin, settings.K, settings.M, settings.sharing, [0.0] * len(kinds.law)
    )


def test_kinds_have_the_laws_of_the_tasks():
    for task, settings in some_tasks(30, 2):
        kinds, rows = reference_of(settings), rows_of(task, settings)
        for i, row in enumerate(rows):
            assert kinds.law[i] == pytest.approx(task.P[0, row] if row >= 0 else 0, rel=1e-12)
            twin = kinds.twin[i]
            assert (kinds.law[twin] if twin >= 0 else 0) == pytest.approx(task.P[1, row] if row >= 0 else 0, rel=1e-12)
        assert np.dot(kinds.law, kinds.many) == pytest.approx(1, rel=1e-12)


def test_the_reference_dynamics_are_the_librarys():
    moved = 0.0
    for task, settings in some_tasks(21, 3):
        times = textbook_flow.record_times(settings)
        found = np.array(reference_path(reference_of(settings), settings.lr_Y, settings.lr_Z, times, 1e-8))
        path = theory.reference_run(task.P, task.query, task.M, settings.lr_Y, settings.lr_Z, times)
        for i, row in enumerate(rows_of(task, settings)):
            if row >= 0:
                np.testing.assert_allclose(found[:, i], path.z[:, 0, row], atol=1e-6, rtol=1e-6)
        np.testing.assert_allclose(found[:, -1], path.B[:, 0], atol=1e-6, rtol=1e-6)
        check_measures(task, settings, found, path)
        moved = max(moved, found[-1, -2])
    assert moved > 1


def check_measures(task, settings, found, path):
    """Speed and entropy of the reference dynamics, at the last time."""
    reference, last = reference_of(settings), found[-1].tolist()
    motion = settings.lr_Z * path.gamma[-1] * theory.logit_velocity(path.inputs[-1], task.query, task.M)
    speed = portable_reference.row_speed(reference, last, float(path.x[-1]), settings.lr_Z)
    assert speed == pytest.approx(np.linalg.norm(motion[0]), rel=1e-4, abs=1e-12)
    entropy = ss.entropy_of(path.attention[-1:], task)[0]
    assert portable_reference.own_entropy(reference, last) == pytest.approx(entropy, abs=1e-5)
    assert portable_reference.column(found.tolist(), 2) == found[:, 2].tolist()


def test_the_flow_is_the_whole_models():
    """To 2e-5 of a nat, with a tolerance of 1e-6 a step; speeds to 2 %, where a slow decoder makes attention stiff."""
    close = dict(rtol=2e-5, atol=2e-5)
    for task, settings in some_tasks(12, 4):
        shown = textbook_flow.run(**settings._asdict())
        assert np.isnan(shown["diverged_at"][0])
        t = np.array(shown["steps"])
        assert t[[0, -1]] == pytest.approx([settings.first, settings.last])
        run = flow(task, settings.lr_Y, settings.lr_Z, t, tolerance=1e-7)
        z, rows = run.params.Z[:, 0], rows_of(task, settings)
        np.testing.assert_allclose(shown["loss"], run.loss, **close)
        np.testing.assert_allclose(np.array(shown["distinct"]).reshape(12, -1), z[:, rows[3:]], **close)
        np.testing.assert_allclose(shown["top"], z[:, task.leader[0]], **close)
        np.testing.assert_allclose(shown["entropy"], ss.entropy(run.params, task), **close)
        length = np.linalg.norm(run.speed[:, 0], axis=-1)
        np.testing.assert_allclose(shown["speed"], length, rtol=2e-2, atol=1e-4 * length.max())
        named = {"partly": rows[0], "mirror": rows[1], "common": rows[2]}
        for name, row in named.items():
            if row >= 0:
                np.testing.assert_allclose(shown[name], z[:, row], **close)
        assert settings.common or np.isnan(shown["common"]).all()
        f = theory.decoder_inputs(task.P, run.params.Z, task.query)
        np.testing.assert_allclose(shown["overlap"], np.sum(f[:, 0] * f[:, 1], axis=-1), **close)
        if settings.partly:
            np.testing.assert_allclose(shown["kappa"], f[:, 0, 0] / f[:, 1, 0], **close)
        check_drive_and_growth(shown, task, run, f)


def check_drive_and_growth(shown, task, run, f):
    """Pull, its mean, growth and leads against what they are by definition."""
    own = np.flatnonzero(task.distinct[0])
    outputs = ss.output_weights(run.params.Y.shape[-1], task)
    logits = np.einsum("tc,tcm->tm", f[:, 0], run.params.Y)
    alpha = np.exp(logits - logits.max(axis=-1, keepdims=True))
    delta = -alpha / np.sum(alpha * outputs, axis=-1, keepdims=True)
    delta[:, 0] -= np.sum(delta * outputs, axis=-1)
    g = np.einsum("tcm,tm->tc", run.params.Y, delta * outputs)
    mean = np.sum(f[:, 0] * g, axis=-1)[:, None]
    pull = np.array(shown["pull"]).reshape(len(f), -1)
    np.testing.assert_allclose(pull[:, 1:], g[:, own] / f[:, 0][:, own] / mean, rtol=1e-3, atol=1e-3)
    chi = theory.growth_factor(run.params.Z[:, 0, own[-1]], 0.0)
    np.testing.assert_allclose(shown["growth"], chi, rtol=1e-4)
    r0 = theory.relative_gain(task.P, task.leader)[0, own[:-1]]
    r = theory.relative_gain(theory.scores(task.P, run.params.Z, task.query), task.leader)[:, 0, own[:-1]]
    seen = chi > 1.0011
    lead = np.array(shown["lead"]).reshape(len(f), -1)
    np.testing.assert_allclose(lead[seen], (r / r0 / chi[:, None])[seen], rtol=1e-3)


@pytest.fixture(scope="module")
def page():
    page = page_of(portable_reference, textbook_flow)
    page.do("""
        const T = portable["lib.theory.scan_snap.portable"], M = portable["lib.models.scan_snap.textbook_flow"];
        const everything = (t, K, N, lr_Y, lr_Z, rho, C0) => {
          const x = T.logit_gap(t, K, N, lr_Y), Gamma = T.operational_time(x, K, N, lr_Y, lr_Z);
          const B = T.reduced_B(Gamma, C0);
          return {x, residual: T.residual(x, N), speed: T.speed(x, N), scan: T.scan_end(K, N, lr_Y),
            snap: T.snap_start(K, N, lr_Y), Gamma, B, coupling: T.coupling(K, rho, N), drive: T.drive(K, rho, N),
            lower: T.lower_bound(rho, B), upper: T.upper_bound(B),
            own: T.kappa_star(rho, false), shared: T.kappa_star(rho, true)};
        };
        const run = (settings) => {
          const state = M.start(settings, 0);
          M.advance(state, M.steps_of(settings));
          return [M.read(state), state.flow.y];
        };
        const path = (r, lr_Y, lr_Z, times) =>
          portable["lib.theory.scan_snap.portable_reference"].reference_path(r, lr_Y, lr_Z, times, 1e-4);""")
    return page


def test_same_bits_in_the_page_at_200_settings(page):
    for case in some_settings():
        arguments = ", ".join(map(repr, case))
        assert bits(page.run(f"everything({arguments})")) == bits(everything(*case))


def extreme(settings, i):
    """Some settings at the ends of their ranges: no attention, M = K, rates far apart."""
    changed = [{}, {}, {"lr_Z": 0.0}, {"M": settings.K}, {"lr_Y": 0.05, "lr_Z": 20.0}, {"lr_Y": 20.0, "lr_Z": 0.05}]
    return settings._replace(**changed[i % len(changed)])


def test_same_bits_of_flow_and_reference_in_the_page(page):
    """At 24 tasks: each has five records, some hundred evaluations."""
    for i, (_, settings) in enumerate(some_tasks(24, 6)):
        settings = extreme(settings, i)._replace(last=300.0, points=5)
        state = textbook_flow.start(settings, 0)
        textbook_flow.advance(state, 5)
        ours = [textbook_flow.read(state), state.flow.y]
        assert bits(page.run(f"run({literal(settings)})")) == bits(ours), settings
        times, reference = textbook_flow.record_times(settings), reference_of(settings)
        fields = ", ".join(f"{name}: {literal(value)}" for name, value in vars(reference).items())
        found = page.run(f"path({{{fields}}}, {settings.lr_Y!r}, {settings.lr_Z!r}, {literal(times)})")
        wanted = reference_path(reference_of(settings), settings.lr_Y, settings.lr_Z, times, 1e-4)
        assert bits(found) == bits(wanted), settings


def test_an_unfinished_flow_gives_what_it_has():
    state = textbook_flow.start(Settings(distinct=7, last=10.0, points=6), 0)
    textbook_flow.advance(state, 2)
    count, ours = state.record.count, textbook_flow.read(state)
    assert 0 < count < 6
    sizes = {name: len(ours[name]) / count for name in ("steps", "top", "distinct", "lead", "pull")}
    assert sizes == {"steps": 1, "top": 1, "distinct": 7, "lead": 6, "pull": 8}


def test_nothing_of_the_flow_is_read_outside_its_bounds_or_divided_by_zero():
    checked = page_of(textbook_flow, checked=True)
    for i, (_, settings) in enumerate(some_tasks(12, 7)):
        settings = extreme(settings, i)._replace(last=30.0, points=4)
        script = (
            f"(() => {{ const M = portable['lib.models.scan_snap.textbook_flow'], s = M.start({literal(settings)}, 0);"
        )
        found = checked.run(script + " M.advance(s, 9); return M.read(s); })()")
        assert bits(found) == bits(textbook_flow.run(**settings._asdict())), settings


@pytest.mark.parametrize(
    ("M", "rates", "task"),
    [
        (100_000, (20.0, 20.0), dict(K=20)),
        (20, (0.05, 20.0), dict(K=20, sharing=20, common=1)),
        (20, (20.0, 0.05), dict(K=2, sharing=2, partly=0.5, kappa=8.0, common=60)),
        (100_000, (0.05, 20.0), dict(K=2, partly=0.5, kappa=8.0, common=60)),
    ],
)
def test_the_flow_reaches_every_edge_of_the_sliders(M, rates, task):
    shown = textbook_flow.run(M=M, lr_Y=rates[0], lr_Z=rates[1], points=9, last=3e3, **task)
    assert np.isnan(shown["diverged_at"][0])
    assert np.isfinite(shown["loss"]).all()
    assert shown["steps"][-1] == pytest.approx(3e3)


def test_without_common_tokens_nothing_moves():
    shown = textbook_flow.run(common=0, points=7)
    assert not np.any(shown["distinct"])
    assert not np.any(shown["speed"])
    assert np.isnan(shown["common"]).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (dict(K=1), "K: expected at least 2 classes, got 1"),
        (dict(K=4, sharing=3), "sharing: expected a divisor of K, got 3"),
        (dict(K=5, M=4), "M: expected at least K outputs, got 4"),
        (dict(K=3, partly=0.5), "partly: expected 0, unless there are 2 classes, got 0.5"),
        (dict(partly=-1.0), "partly: expected a weight of at least 0"),
        (dict(kappa=0.5), "kappa: expected a ratio of at least 1, got 0.5"),
        (dict(common=-1), "common: expected at least 0 tokens, got -1"),
        (dict(weight=0.0), "weight: expected a positive number"),
        (dict(distinct=0), "distinct: expected at least 1 token a class, got 0"),
        (dict(lowest=0.0), "lowest: expected a weight above 0, at most 1"),
        (dict(lr_Y=0.0), "lr_Y: expected a finite positive rate"),
        (dict(lr_Z=-1.0), "lr_Z: expected a finite rate of at least 0"),
        (dict(first=0.0), "first: expected a positive time"),
        (dict(last=0.1), "last: expected a time after the first, got 0.1"),
        (dict(points=1), "points: expected at least 2 records, got 1"),
    ],
)
def test_bad_settings_are_refused_alike(page, settings, message):
    with pytest.raises(InputError, match=message):
        textbook_flow.start(Settings(**settings), 0)
    with pytest.raises(Exception, match=f"InputError: {message}"):
        page.run(f"M.start({literal(Settings(**settings))}, 0)")
