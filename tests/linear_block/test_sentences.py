"""What the chapter's figures say at random positions of their sliders, and what their tours say of where they lead."""

from types import SimpleNamespace

import numpy as np
import pytest

from hal.chapters.linear_block.figures import flow, risk, sees, training
from hal.chapters.linear_block.runs import fast_population
from hal.explorer import Computed
from hal.explorer.facts import facts_of
from hal.explorer.sentences import say
from lib.models import linear_block as lb
from lib.theory import linear_block as theory
from tests.linear_block.rows import check_training, task_of
from tests.rows import said


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


def facts_at(figure, point, **more):
    return figure.compute(point, runs=0).facts | more


def trained(point, count=8):
    """The training's figure at some position with runs of its fast twin: theory, runs and facts."""
    figure = Computed(training)
    settings = figure.settings_of(**figure.check(point))
    theory_read = {f"laws.{key}": values for key, values in training.laws(settings).items()}
    read = fast_population(settings, range(count))
    runs = []
    for r in range(count):
        gone = not np.isfinite(read["risk"][r]).all()
        runs.append(
            {name: values[r].tolist() for name, values in read.items()} | {"diverged_at": [1.0 if gone else np.nan]}
        )
    return SimpleNamespace(
        theory=theory_read, runs=runs, facts=facts_of(training.outcome, theory_read, runs, training.summary)
    )


@pytest.mark.parametrize("kind", [0, 1, 2])
def test_what_is_said_of_training_counts_its_runs(kind):
    figure = Computed(training)
    for point in positions(figure, 4, 20 + kind, kind=(kind, kind), adam=(1, 1), d=(2, 4), scale=(0.1, 0.6)):
        shown = trained(point)
        check_training(say(figure.reading, shown.facts), shown, point)


def test_a_tour_of_training_tells_what_its_runs_do():
    step = {one.point + str(i): one for i, one in enumerate(Computed(training).tour)}["Risk3"]
    shown = trained(step.settings)
    text = say([step.say], shown.facts)
    trap = theory.trap_risk(task_of(Computed(training).check(step.settings)))
    ends = np.array([run["risk"][-1] for run in shown.runs])
    caught = int(np.sum(np.abs(ends / trap - 1) < 1e-3))
    assert caught >= 1
    assert f"{caught} of 8 runs end in it" in text
    none = shown.facts | {"sum.keyed": 0.0}
    assert say([step.say], none) == "Few noisy examples, falling variances set a trap."


def test_runs_that_blow_up_on_drawn_prompts_are_counted():
    figure = Computed(flow)
    facts = facts_at(figure, {}, runs=4.0, lost=0.0, end=1.5, gone=0.0, top=0.9, top_at=0.2, left=0.7)
    assert "On drawn prompts 3 of 4 runs have blown up." in say(figure.reading, facts | {"sum.gone": 3.0})
    assert "blown up" not in say(figure.reading, facts | {"sum.gone": 0.0, "drawn_end": 1.6})


def test_below_the_rate_descent_on_all_prompts_is_stable():
    """The rate of which the figure says so, at random positions, at 0.999 of it."""
    for point in positions(Computed(flow), 40, 4):
        task = task_of(point)
        beta, Gamma, rate = np.zeros(task.d), np.zeros((task.d, task.d)), 0.999 * theory.stable_rate(task)
        first = theory.step_risk(task, beta, Gamma)
        for _ in range(150):
            slopes = theory.flow_slopes(task, beta, Gamma)
            beta, Gamma = beta + rate * slopes[0], Gamma + rate * slopes[1]
        assert theory.step_risk(task, beta, Gamma) < first


def test_what_is_said_of_bayes_and_of_the_mlp_depends_on_what_they_are():
    figure = Computed(risk)
    for point in positions(figure, 4, 5, d=(2, 5)):
        facts = facts_at(figure, point, runs=6.0, lost=0.0)
        below, above = (say(figure.reading, facts | {"bayes_now": x * facts["now.block"]}) for x in (0.9, 1.01))
        assert "over 100 contexts a run" in below
        assert ("cannot be told" in below, "cannot be told" in above) == (False, True)
    tiny = say(figure.reading, facts_at(figure, {"norm": 0.01, "d": 3}))
    task = lb.power_task(3, 32, 1.0, 0.01)
    gap = theory.best_attention(task).risk - theory.best_risk(task)
    assert said(tiny, "The MLP is worth") == pytest.approx(gap, rel=0.02)


def test_the_tour_of_risks():
    by = {one.say[-1].text: one.settings for one in Computed(risk).tour}
    figure = Computed(risk)
    little = "With little noise one step stays far above Bayes from M = 11 on: one gain cannot fit all prompts."
    for text, low in ((little, 5.0), ("With much noise one step is almost Bayes.", 1.0)):
        settings = figure.settings_of(**figure.check(by[text]))
        found, noise = risk.laws(settings), settings.sigma**2
        task = lb.power_task(settings.d, 32, settings.sigma, settings.norm)
        for M, step in zip(found["M"][::3], found["step"][::3], strict=True):
            bayes = theory.bayes_risk(task.but(M=int(M)), np.random.default_rng(1).standard_normal((300, int(M), 8)))
            if low == 1.0:
                assert 1 - 1e-3 < (step + noise) / bayes < 1.1
            elif M >= 11:
                assert (step + noise) / bayes > low


def test_parts_are_said_with_digits_that_mean_something():
    figure = Computed(sees)
    for point in positions(figure, 12, 6, d=(2, 4), mlp=(1, 1), residual=(1, 1)):
        facts = facts_at(figure, point, runs=4.0, lost=0.0, end=1.2345)
        text = say(figure.reading, facts)
        assert "on 480 drawn prompts 1.23" in text
        for words, name in (("part has the size", "laws.alpha"), ("a part of size", "laws.cube")):
            if words in text:
                assert said(text, words) == pytest.approx(facts[name], rel=0.006)
