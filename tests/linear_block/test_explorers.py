"""The chapter's explorers: what they draw is the library's, what their sentences and tours say is true."""

import itertools

import numpy as np
import pytest

from lib.chapters.linear_block.explorers import flow, guess, risk, training
from lib.chapters.linear_block.runs import textbook_contexts, textbook_descent
from lib.chapters.linear_block.runs.textbook_twin import fast_population
from lib.errors import InputError
from lib.explorer.sentences import say
from lib.models import linear_block as lb
from lib.models.linear_block import textbook_population
from lib.models.linear_block.textbook_block import STEP
from lib.theory import linear_block as theory
from lib.theory.linear_block.portable_attention import best_attention_risk
from lib.theory.linear_block.portable_rate import stable_rate
from lib.theory.linear_block.portable_sweep import risks_by_length, risks_by_mean
from tests.portable.engine import bits, literal, page_of

MADE = {"risk": risk, "flow": flow, "training": training}
ENDS = [
    ("risk", {"M": 2, "d": 2, "norm": 0.0, "sigma": 0.1, "decay": 0.0}),
    ("risk", {"M": 256, "d": 4, "norm": 16.0, "sigma": 4.0, "decay": 2.0}),
    ("flow", {"M": 2, "d": 2, "norm": 0.0, "sigma": 0.1, "decay": 0.0, "lr": 0.8, "batch": 1}),
    ("flow", {"M": 64, "d": 3, "norm": 6.0, "sigma": 4.0, "decay": 2.0, "lr": 0.8, "batch": 64}),
    ("flow", {"M": 9, "d": 2, "norm": 1.0, "sigma": 0.5, "decay": 2.0, "lr": 0.05, "batch": 2}),
    ("training", {"kind": 0, "adam": 1, "M": 2, "d": 2, "norm": 0.0, "sigma": 4.0, "decay": 2.0, "scale": 0.01}),
    ("training", {"kind": 2, "adam": 0, "M": 64, "d": 2, "norm": 6.0, "sigma": 0.1, "decay": 0.0, "scale": 0.6}),
    ("training", {"kind": 1, "adam": 1, "M": 64, "d": 3, "norm": 6.0, "sigma": 0.1, "decay": 2.0, "scale": 0.6}),
]


def tasks(count):
    """Random settings of the sliders, and the task of each."""
    rng = np.random.default_rng(7)
    for _ in range(count):
        d, M = int(rng.integers(2, 6)), int(rng.integers(2, 257))
        norm, sigma, decay = rng.uniform(0, 16), rng.uniform(0.1, 4), rng.choice([0, rng.uniform(0, 2)])
        yield (M, d, norm, sigma, decay), lb.power_task(d, M, sigma, norm, decay)


@pytest.fixture
def less_work(monkeypatch):
    monkeypatch.setattr(risk, "CONTEXTS", 12)
    monkeypatch.setattr(flow, "WORK", 1e3)
    monkeypatch.setattr(training, "STEPS", 61)
    monkeypatch.setattr(training, "LONG", 61)


@pytest.mark.parametrize(("name", "settings"), ENDS, ids=lambda value: str(value)[:40])
def test_every_end_of_the_sliders_is_drawn_and_said(name, settings, less_work):
    figure = MADE[name].explorer()
    found = figure.compute(settings, seed=1, runs=1)
    drawn = figure.draw(found)
    traps = {f"0.y{i}" for i, line in enumerate(figure.panels[0].series) if line.name == "laws.trap"}
    text = say(figure.reading, found.facts)
    assert len(text) > 40
    assert "nan" not in text.lower()
    for key, item in drawn.items.items():
        drawn_of = (found.facts["runs"] > 0, key not in traps)  # a run that diverged at once leaves nothing
        assert np.isfinite(item.array).any() or not all(drawn_of), key


@pytest.mark.parametrize("name", MADE)
def test_the_program_is_portable_and_the_tour_has_room(name):
    figure = MADE[name].explorer()
    assert figure.program
    assert 4 <= len(figure.tour) <= 7


def test_risks_over_the_length_are_the_library_s():
    for settings, task in tasks(4):
        drawn = risk.laws(risk.settings(*settings))
        for i in (0, 5, 11, 16):
            at = task.but(M=int(drawn["M"][i]))
            assert drawn["step"][i] == pytest.approx(theory.best_risk(at), rel=1e-9)
            assert drawn["zero"][i] == pytest.approx(theory.zero_start_risk(at), rel=1e-9)
            assert drawn["attention"][i] == pytest.approx(theory.best_attention(at).risk, rel=1e-6)
            assert drawn["gap"][i] >= drawn["bound"][i]
        np.testing.assert_allclose(drawn["prior"], theory.prior_risk(task), rtol=1e-12)
        np.testing.assert_allclose(drawn["floor"], theory.bayes_floor(task), rtol=1e-9)
        assert drawn["M"][drawn["M"].index(task.M)] == drawn["now"][0]


def test_curves_of_the_best_attention_are_those_of_single_searches():
    for (M, d, _, sigma, _), task in tasks(12):
        h, mean = np.diag(task.H).tolist(), task.mean.tolist()
        at = [2.0, 5.0, 18.0, 77.0, 256.0]
        alone = [best_attention_risk(h, 1.0, mean, sigma, m) for m in at]
        np.testing.assert_allclose(risks_by_length(h, 1.0, mean, sigma, at), alone, rtol=1e-9)
        norms = [0.0, 2.0, 6.0, 16.0]
        alone = [best_attention_risk(h, 1.0, [n * d**-0.5] * d, sigma, float(M)) for n in norms]
        found = risks_by_mean(h, 1.0, [d**-0.5] * d, norms, sigma, float(M))
        np.testing.assert_allclose(found, alone, rtol=1e-9)


def test_least_squares_is_drawn_where_it_has_a_mean():
    drawn = risk.laws(risk.settings(32, 8, 3.0, 1.0, 0.0))
    for M, value in zip(drawn["M"], drawn["squares"], strict=True):
        known = theory.least_squares_risk(lb.power_task(d=8, M=int(M)))
        assert value == pytest.approx(known) if np.isfinite(known) else np.isnan(value)
    assert np.isnan(drawn["squares"]).any()


def test_other_lengths_are_the_library_s():
    M, task = 11, lb.power_task(3, 11, 0.7, 2.0, 0.8)
    drawn, made = risk.elsewhere(risk.settings(M, 3, 2.0, 0.7, 0.8)), theory.best_step(task)
    lengths = textbook_contexts.lengths(M)
    for i in (0, 7, 16):
        at = task.but(M=lengths[i])
        assert drawn["kept"][i] == pytest.approx(theory.step_risk(at, task.mean, made), rel=1e-9)
        assert drawn["summed"][i] == pytest.approx(theory.step_risk(at, task.mean, lengths[i] / M * made), rel=1e-9)
        assert drawn["anew"][i] == pytest.approx(theory.best_risk(at), rel=1e-9)
    assert drawn["floor"][0] == pytest.approx(theory.long_risk(task, task.mean, made), rel=1e-9)


@pytest.mark.parametrize("M", [2, 3, 5, 17, 100, 250, 255, 256])
def test_every_length_is_one_of_those_drawn(M):
    found = textbook_contexts.lengths(M)
    assert (len(found), found[0], found[-1]) == (textbook_contexts.LENGTHS, 2, 256)
    assert all(a < b for a, b in itertools.pairwise(found))
    assert found[textbook_contexts.place_of(M, found)] == M


def test_the_bayes_risk_is_the_library_s():
    run = textbook_contexts.run(3, d=4, M=10, sigma=0.8, decay=0.5, contexts=1500)
    last = np.array(run["bayes"])
    lengths = np.array(textbook_contexts.lengths(10))
    task = lb.power_task(4, 10, 0.8, 3.0, 0.5)
    normals = np.random.default_rng(0).standard_normal((4000, 60, 4))
    for i in np.flatnonzero(lengths <= 60)[::3]:
        known = theory.bayes_risk(task.but(M=int(lengths[i])), normals[:, : lengths[i]])
        assert last[i] == pytest.approx(known, rel=0.03)
    assert run["contexts"] == textbook_contexts.records(1500)
    assert len(run["here"]) == textbook_contexts.RECORDS
    assert run["here"][-1] == last[textbook_contexts.place_of(10, lengths.tolist())]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"M": 1}, "M: expected from 2 to 256 examples, got 1"),
        ({"d": 0}, "d: expected at least 1 feature"),
        ({"sigma": 0.0}, "sigma: expected a number above 0"),
        ({"contexts": 3}, "contexts: expected at least 12"),
    ],
)
def test_contexts_that_cannot_be_drawn(settings, message):
    with pytest.raises(InputError, match=message):
        textbook_contexts.run(0, **settings)


def test_the_flow_is_the_library_s():
    drawn = flow.flow(flow.settings(11, 3, 2.5, 0.7, 0.8, 0.05, 4))
    task = lb.power_task(3, 11, 0.7, 2.5, 0.8)
    known, u = theory.step_flow(task, drawn["time"]), np.full(3, 3**-0.5)
    np.testing.assert_allclose(drawn["beta"], known.beta @ u, atol=2e-3)
    np.testing.assert_allclose(drawn["along"], np.einsum("i,tij,j->t", u, known.Gamma, u), atol=2e-3)
    risks = [theory.step_risk(task, b, G) for b, G in zip(known.beta, known.Gamma, strict=True)]
    np.testing.assert_allclose(drawn["risk"], risks, rtol=2e-3)
    assert drawn["best"][0] == pytest.approx(theory.best_risk(task), rel=1e-9)
    assert drawn["stuck"][0] == pytest.approx(theory.zero_start_risk(task), rel=1e-9)
    assert drawn["rate"][0] == pytest.approx(theory.stable_rate(task), rel=1e-9)
    np.testing.assert_allclose(drawn["gains"], np.diag(theory.best_step(task)), rtol=1e-9)


def test_the_stable_rate_is_the_library_s():
    for (M, _, _, sigma, _), task in tasks(20):
        h, mean = np.diag(task.H).tolist(), task.mean.tolist()
        assert stable_rate(h, 1.0, mean, sigma, float(M)) == pytest.approx(theory.stable_rate(task), rel=1e-6)


def test_descent_is_that_of_the_textbook_on_all_prompts():
    given = {"d": 3, "M": 9, "sigma": 0.6, "norm": 2.0, "decay": 0.5, "lr": 0.05, "steps": 60}
    own = textbook_descent.run(0, batch=2, **given)
    known = textbook_population.run(0, kind=STEP, adam=0, **given)
    at = [int(t / 0.05 + 0.5) for t in own["time"]]
    for name, other in (("risk", "risk"), ("beta", "alpha"), ("along", "along"), ("across", "across")):
        np.testing.assert_allclose(own[name], [known[other][i] for i in at], rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("steps", [1, 5, 60, 61, 200, 4000])
def test_records_rise_to_the_end(steps):
    due = textbook_descent.record_steps(steps)
    assert (due[0], due[-1]) == (0, steps)
    assert all(a < b and b == int(b) for a, b in itertools.pairwise(due))
    assert len(due) <= textbook_descent.RECORDS + 1


def test_drawn_prompts_that_blow_up_are_not_drawn_on():
    run = textbook_descent.run(0, lr=0.1, batch=2, steps=100)
    assert (run["drawn_lost"], run["diverged_at"]) == ([1.0], [-1.0])
    assert np.isnan(run["drawn_risk"][-1])
    assert np.isfinite(run["risk"]).all()
    gone = textbook_descent.run(0, lr=0.3, batch=2, steps=100)
    assert gone["diverged_at"][0] > 0


@pytest.mark.parametrize(
    ("module", "settings"),
    [
        (textbook_contexts, textbook_contexts.Settings(d=3, M=7, sigma=0.6, decay=0.7, contexts=15)),
        (textbook_descent, textbook_descent.Settings(d=3, M=5, norm=1.5, decay=0.7, lr=0.07, batch=3, steps=25)),
        (textbook_descent, textbook_descent.Settings(d=3, M=5, lr=0.9, batch=3, steps=40)),
    ],
)
def test_the_same_bits_in_the_page(module, settings):
    here = module.start(settings, 3)
    module.advance(here, module.steps_of(settings))
    page = page_of(module, checked=True)
    page.do(f'const T = portable["{module.__name__}"]; const s = T.start({literal(settings)}, 3); T.advance(s, 99);')
    assert bits(page.run("T.read(s)")) == bits(module.read(here))
    assert bits(module.run(3, **settings._asdict())) == bits(module.read(here))


def test_what_the_tour_of_the_risk_says():
    default = risk.laws(risk.settings(32, 8, 3.0, 1.0, 0.0))
    for name in ("step", "attention", "zero"):
        assert (np.diff(default[name]) < 0).all()
    by_mean = risk.by_mean(risk.settings(32, 8, 10.0, 1.0, 0.0))
    assert np.ptp(by_mean["step"]) == 0
    assert by_mean["attention"][-1] > 20 > by_mean["step"][-1]
    np.testing.assert_allclose(by_mean["attention"][0], by_mean["step"][0], rtol=1e-9)
    np.testing.assert_allclose(by_mean["zero"][0], by_mean["step"][0], rtol=1e-9)
    normals, ratio = np.random.default_rng(1).standard_normal((500, 32, 8)), []
    for sigma in (0.2, 4.0):
        task = lb.power_task(8, 32, sigma, 3.0)
        ratio.append(theory.best_risk(task) / theory.bayes_risk(task, normals))
    assert ratio[0] > 20
    assert ratio[1] < 1.05
    other = risk.elsewhere(risk.settings(32, 8, 3.0, 1.0, 0.0))
    assert other["summed"][-1] > 100
    assert (np.diff(other["kept"]) < 0).all()


def test_what_the_tour_of_the_flow_says():
    found = flow.flow(flow.settings(20, 5, 4.0, 0.7, 0.0, 0.02, 8))
    assert found["over"][0] > 0.1
    assert 0.1 < found["top_at"][0] < 0.5
    time, beta = np.array(found["time"]), np.array(found["beta"])
    assert beta[time < 0.1].max() < 0.5
    assert beta[time > 8].min() > 3.8
    assert flow.flow(flow.settings(20, 5, 0.0, 0.7, 0.0, 0.1, 8))["over"][0] < 0.02
    given = {"M": 20, "d": 5, "norm": 4.0, "sigma": 0.7, "decay": 0.0, "batch": 8}
    blown = flow.settings(**given, lr=0.21)
    assert flow.flow(blown)["share"][0] == pytest.approx(4, abs=0.1)
    assert textbook_descent.run(0, **blown._asdict())["diverged_at"][0] < 10
    slow = flow.settings(20, 5, 1.0, 0.7, 1.5, 0.02, 8)
    last = np.array(textbook_descent.run(0, **slow._asdict())["gains"]).reshape(-1, 5)[-1]
    share = last / np.array(flow.flow(slow)["gains"])
    assert share[0] > 0.95
    assert share[-1] < 0.6


def trained(count=16, **changed):
    """Settings of the training, and its fast twin's runs."""
    settings = training.settings(**{**training.explorer().default, **changed})
    return settings, fast_population(settings, range(count))


def test_laws_of_the_training_are_the_library_s():
    for (M, d, norm, sigma, decay), task in tasks(6):
        found = training.laws(training.settings(0, 1, M, d, norm, sigma, decay, 0.3))
        assert found["best"][0] == pytest.approx(theory.best_risk(task), rel=1e-9)
        assert found["alone"][0] == pytest.approx(theory.best_attention(task).risk, rel=1e-6)
        assert found["prior"][0] == pytest.approx(theory.prior_risk(task), rel=1e-9)
        criterion = theory.trap_criterion(task)
        assert found["criterion"][0] == pytest.approx(criterion, rel=1e-9)
        if criterion > 1:
            assert found["trap"][0] == pytest.approx(theory.trap_risk(task), rel=1e-9)
        else:
            assert np.isnan(found["trap"][0])
        u = np.full(d, d**-0.5)
        assert found["gain"][0] == pytest.approx(u @ theory.best_step(task) @ u, rel=1e-9)


def test_what_the_tour_of_the_training_says():
    settings, run = trained()
    best = training.laws(settings)["best"][0]
    np.testing.assert_allclose(run["risk"][:, -1], best, rtol=1e-3)
    np.testing.assert_allclose(run["alpha"][:, -1], settings.norm, rtol=0.01)
    settings, stair = trained(adam=0, scale=0.05, norm=1.0)
    middle = np.median(stair["risk"], axis=0)
    flat = np.abs(middle - training.laws(settings)["prior"][0]) < 0.05
    assert flat.sum() >= 6
    assert np.median(stair["alpha"], axis=0)[flat][-1] == pytest.approx(1, abs=0.05)
    assert middle[-1] == pytest.approx(best, rel=1e-2)
    settings, alone = trained(kind=2)
    np.testing.assert_allclose(alone["risk"][:, -1], training.laws(settings)["goal"][0], rtol=0.01)
    settings, some = trained(24, **training.TRAP)
    caught = np.abs(some["risk"][:, -1] - training.laws(settings)["trapped"][0]) < 0.01
    assert 2 <= caught.sum() <= 16
    _, none = trained(24, kind=1, scale=0.02, **training.TRAP)
    np.testing.assert_allclose(none["risk"][:, -1], training.laws(settings)["best"][0], rtol=1e-3)


def attention_line(number, mean, sigma, count):
    """The library's best attention on a prompt of the poke: its slope."""
    drawn = guess.prompt(number, mean, sigma)
    task = lb.Task([[1.0]], [[1.0]], [mean], sigma, count)
    block = theory.as_block(task, theory.best_attention(task))
    x, y = np.array(drawn["x"])[:count], np.array(drawn["y"])[:count]
    prompts = lb.Prompts(x[None, None, :, None], y[None, None], np.ones((1, 1, 1)), np.zeros((1, 1)))
    return prompts, task, block


@pytest.mark.parametrize(("mean", "sigma", "count"), [(2.0, 1.0, 3), (-3.2, 0.4, 7), (0.7, 2.5, 1), (4.0, 0.1, 12)])
def test_the_lines_of_the_poke_are_the_library_s(mean, sigma, count):
    prompts, task, block = attention_line(2, mean, sigma, count)
    x, y = prompts.X[0, 0, :, 0].tolist(), prompts.y[0, 0].tolist()
    slopes = guess.answers(x, y, mean, sigma)["slopes"]
    step = lb.Step(task.mean[None], theory.best_step(task)[None])
    zero = lb.Step(np.zeros((1, 1)), theory.zero_start_step(task)[None])
    stacked = lb.EffectiveParams(*(np.asarray(part)[None] for part in block))
    known = [
        lb.bayes_output(task, prompts),
        lb.step_output(step, prompts),
        lb.block_output(stacked, prompts),
        lb.step_output(zero, prompts),
        lb.ridge_output(prompts, sigma**2 / (1 + mean**2)),
        lb.least_squares_output(prompts),
    ]
    np.testing.assert_allclose(slopes, [float(np.squeeze(value)) for value in known], rtol=1e-5)


def test_the_poke_s_prompts_have_their_law():
    drawn = [guess.prompt(number, 2.0, 0.5) for number in range(300)]
    x, y = (np.array([one[key] for one in drawn]) for key in ("x", "y"))
    slope = (x * y).sum(axis=1) / (x * x).sum(axis=1)
    assert slope.mean() == pytest.approx(2.0, abs=0.2)
    assert slope.std() == pytest.approx(1.0, abs=0.15)
    assert (y - slope[:, None] * x).std() == pytest.approx(0.5, abs=0.05)
    assert np.array_equal(guess.prompt(5, 3.0, 0.5)["x"], drawn[5]["x"])
