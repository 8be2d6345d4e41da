"""Sentences of the chapter that say what a figure shows: quoted as they stand, and computed."""

import json
import re

import numpy as np
import pytest

from hal import claims
from hal.chapters.linear_block import runs
from hal.chapters.linear_block.figures import flow, guess, risk, sees, training
from hal.chapters.linear_block.runs import fast_population
from hal.explorer import Computed
from hal.results import path_of
from lib.models import linear_block as lb
from lib.models.linear_block import textbook_descent, textbook_parts, textbook_population
from lib.portable import finish
from lib.theory import linear_block as theory
from tests.browser import ROOT

CELLS = json.loads((ROOT / "book" / "linear_block.ipynb").read_text())["cells"]
TEXT = "\n".join("".join(cell["source"]) for cell in CELLS if cell["cell_type"] == "markdown")
BASE = lb.power_task(d=8, M=32, sigma=1.0, norm=3.0)


def bayes(task, contexts=4000):
    return theory.bayes_risk(task, np.random.default_rng(5).standard_normal((contexts, task.M, task.d)))


def quoted(sentence):
    assert sentence in TEXT, sentence


def test_the_poke():
    quoted("with three points its line is little more than half as steep as that of Bayes")
    drawn = [guess.prompt(number, 2.0, 1.0) for number in range(300)]
    slopes = [guess.answers(list(one["x"])[:3], list(one["y"])[:3], 2.0, 1.0)["slopes"] for one in drawn]
    middle = np.abs(slopes).mean(axis=0)
    assert 0.5 < middle[2] / middle[0] < 0.6


def test_the_first_figure():
    quoted("At 32 examples the best block has the risk 2.90, attention alone 4.04, one step from zero 4.41, and Bayes")
    quoted("Bayes 1.33; the noise is 1 of it")
    known = (theory.best_risk(BASE), theory.best_attention(BASE).risk, theory.zero_start_risk(BASE), bayes(BASE))
    assert [f"{value:.2f}" for value in known] == ["2.90", "4.04", "4.41", "1.33"]
    quoted("Move ‖β\\*‖: the block and Bayes stay where they are, the other two rise.")
    for norm in (0.0, 5.0):
        moved = lb.power_task(d=8, M=32, norm=norm)
        assert theory.best_risk(moved) == pytest.approx(known[0])
        assert bayes(moved) == pytest.approx(known[3])
    assert theory.best_attention(moved).risk > known[1]
    assert theory.zero_start_risk(moved) > known[2]


def test_the_edges_of_the_first_figure():
    quoted("[A mean of zero](#linear_block-risk:norm=0) makes block and attention one")
    none = lb.power_task(norm=0.0)
    assert theory.best_attention(none).risk == pytest.approx(theory.best_risk(none))
    quoted("from 10 examples on least squares lies below it, and goes down to the noise")
    calm = risk.laws(risk.settings(32, 8, 3.0, 0.2, 0.0))
    M, least, step = (np.array(calm[name]) for name in ("M", "squares", "step"))
    assert (least[M >= 10] < step[M >= 10]).all()
    assert least[-1] == pytest.approx(0.04, rel=0.05)
    quoted("[Much noise](#linear_block-risk:sigma=4) lets it come near Bayes")
    loud = BASE.but(sigma=4.0)
    assert theory.best_risk(loud) < 1.05 * bayes(loud)
    quoted("tell little: Bayes has 7.3, where the mean alone has 9")
    assert bayes(BASE.but(M=2)) == pytest.approx(7.3, abs=0.05)
    assert theory.prior_risk(BASE) == pytest.approx(9)
    quoted("[Falling variances](#linear_block-risk:decay=2) lower all of them")
    falling = lb.power_task(decay=2.0)
    for rule in (theory.best_risk, theory.zero_start_risk, bayes, lambda task: theory.best_attention(task).risk):
        assert rule(falling) < rule(BASE)


def test_the_flow():
    quoted("Γ grows along it until 0.90, where 0.76 is best; across the mean it does not overshoot")
    quoted("The risk first falls to that of the best step from zero, 4.34, and passes it as β comes along.")
    found = flow.flow(flow.settings(20, 5, 4.0, 0.7, 0.0, 0.02, 8))
    assert [f"{found[name][0]:.2f}" for name in ("top", "goal_now", "stuck")] == ["0.90", "0.76", "4.34"]
    assert max(found["across"]) < found["goal"][0] + 0.002
    beta, at = np.array(found["beta"]), np.array(found["time"])
    falls = np.array(found["risk"])
    there = np.argmax(falls < 4.34)
    assert at[there] < 0.5
    assert beta[there] < 0.1 * 4
    assert falls[-1] == pytest.approx(found["best"][0], rel=1e-3)


def test_the_edges_of_the_flow():
    given = {"M": 20, "d": 5, "norm": 4.0, "sigma": 0.7, "decay": 0.0, "batch": 8}
    quoted("[Four times the rate that is safe](#linear_block-flow:lr=0.21): descent blows up within a few steps")
    high = flow.settings(**given, lr=0.21)
    assert flow.flow(high)["share"][0] == pytest.approx(4, abs=0.1)
    assert 0 < finish(textbook_descent, high, 0)["diverged_at"][0] < 10
    quoted("[At ten times](#linear_block-flow:lr=0.5) it lands well by luck, after one leap")
    lucky = flow.settings(**given, lr=0.5)
    assert flow.flow(lucky)["share"][0] == pytest.approx(10, abs=0.6)
    run = finish(textbook_descent, lucky, 0)
    assert run["risk"][1] > 10 * run["risk"][0]
    assert run["risk"][-1] == pytest.approx(flow.flow(lucky)["least"][0], rel=1e-6)
    quoted("the safe one is 0.053 here, 0.024 at length 6")
    rates = [flow.flow(flow.settings(**{**given, "norm": norm}, lr=0.02))["rate"][0] for norm in (4.0, 6.0)]
    assert [f"{rate:.3f}" for rate in rates] == ["0.053", "0.024"]
    quoted("[Two prompts a step](#linear_block-flow:batch=2,lr=0.1) blow up at a rate that all prompts together stand")
    for seed in range(6):
        few = finish(textbook_descent, flow.settings(**{**given, "batch": 2}, lr=0.1), seed)
        assert few["drawn_lost"] == [1.0]
        assert np.isnan(few["diverged_at"][0])
        assert few["risk"][-1] < 2


def trained(**changed):
    settings = training.settings(**{**Computed(training).default, **changed})
    return fast_population(settings, range(16))


def test_the_block_itself():
    quoted("All end at the best risk: α goes to the length of the mean, the step to the best one, and the labels leave")
    run, law = trained(), training.laws(training.settings(0, 1, 20, 3, 2.0, 0.5, 0.0, 0.3))
    for name, known in (("risk", law["best"][0]), ("alpha", 2.0), ("along", law["gain"][0]), ("labels", 0.0)):
        np.testing.assert_allclose(run[name][:, -1], known, atol=0.01)
    quoted("the risk stays at 3.25, which is that of the mean alone, until the reading begins")
    assert law["prior"] == [3.25] * len(law["prior"])
    stair = np.median(trained(adam=0, scale=0.05, norm=1.0)["risk"], axis=0)
    assert np.sum(np.abs(stair - 3.25) < 0.05) >= 6
    quoted("lay a trap: some starts end in it, labels in their keys, α at the mean")
    task = {"d": 3, "M": 6, "norm": 1.0, "sigma": 1.4, "decay": 2.0}
    caught = trained(**task)
    there = caught["risk"][:, -1] > 2.7
    assert 1 <= there.sum() <= 12
    assert caught["labels"][there, -1].min() > 0.1
    np.testing.assert_allclose(caught["alpha"][there, -1], 1.0, atol=0.02)
    quoted("decay=2) none does")
    assert trained(kind=1, scale=0.02, **task)["risk"][:, -1].max() < 2.66
    quoted("[Attention alone](#linear_block-training:kind=2) keeps α at zero and ends above")
    alone = trained(kind=2)
    assert np.abs(alone["alpha"]).max() == 0
    assert alone["risk"][:, -1].min() > run["risk"][:, -1].max()
    quoted("[Large matrices](#linear_block-training:adam=0,scale=0.6,norm=6) blow up under descent")
    for seed in range(4):
        large = training.settings(**{**Computed(training).default, "adam": 0, "scale": 0.6, "norm": 6.0})
        assert finish(textbook_population, large, seed)["diverged_at"][0] >= 0


def test_the_paper_s_figure():
    quoted("Both end at their best risk, which theory knows: 1.440 with the MLP, 2.100 without (LTB-24)")
    task = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)
    best = {True: theory.best_risk(task), False: theory.best_attention(task).risk}
    assert [f"{best[mlp]:.3f}" for mlp in (True, False)] == ["1.440", "2.100"]
    for mlp, known in best.items():
        run = runs.train_on_prompts(task, range(2), 1500, 64, mlp=mlp)
        np.testing.assert_allclose(run["risk"][:, -1], known, rtol=0.02)


def test_table_1():
    quoted("| ours, one layer, median of five runs | 0.26 | 0.36 | 0.41 | 0.89 |")
    ends = {key: runs.recorded_errors(*key)[:, -1] for key in ((0.0, True), (0.0, False), (10.0, True), (10.0, False))}
    assert [f"{np.median(end):.2f}" for end in ends.values()] == ["0.26", "0.36", "0.41", "0.89"]
    assert {len(end) for end in ends.values()} == {5}
    quoted("at the far mean the medians part by 2.2, not by hundreds (LTB-28)")
    quoted("is one of two at the size that we could run")
    assert f"{np.median(ends[10.0, False]) / np.median(ends[10.0, True]):.1f}" == "2.2"
    quoted("One run of five with an MLP ended at 2.99, which is reading nothing.")
    assert f"{ends[10.0, True].max():.2f}" == "2.99"
    assert np.sum(ends[10.0, True] < ends[10.0, False].min()) == 4
    assert max(ends[0.0, True].max(), ends[0.0, False].max()) < 1
    quoted("one block with softmax attention parts by ten (LTB-27)")
    assert recorded("LTB-27", "softmax attention") == pytest.approx(10, abs=1)


def test_where_measurement_and_statements_part():
    quoted("At the setting of the first figure that is 4.04 against 4.41")
    quoted("With $\\sigma=0.1$ at $d=8$, $M=32$ the best block has the risk 1.77, Bayes 0.013")
    calm = BASE.but(sigma=0.1)
    assert (f"{theory.best_risk(calm):.2f}", f"{bayes(calm):.3f}") == ("1.77", "0.013")
    quoted("A step made for 32 examples has the risk 13.06 at 4 examples, where reading nothing has 9, and 1.454 on")
    made = theory.best_step(BASE)
    assert theory.step_risk(BASE.but(M=4), BASE.mean, made) == pytest.approx(13.06, abs=0.005)
    assert theory.long_risk(BASE, BASE.mean, made) == pytest.approx(1.454, abs=0.0005)


def recorded(one, part):
    found = json.loads(path_of("linear_block", "claims").read_text())["claims"][one]["check"]["parts"]
    return next(p["measured"] for p in found if part in p["name"])


def test_what_the_ledger_has_is_quoted():
    quoted("On a task with such a trap 9 of 24 random starts end there, of those near identity none (LTB-26)")
    assert recorded("LTB-26", "random starts of 24") == 9
    assert recorded("LTB-26", "near identity") < 2.72 < recorded("LTB-26", "median risk")
    quoted("with a criterion above 1.05 some 39 % of random starts were caught, with one below 0.6 none (LTB-30)")
    assert recorded("LTB-30", "in the trap, criterion above 1.05") == pytest.approx(0.39, abs=0.005)
    assert recorded("LTB-30", "criterion below 0.6") == 1
    quoted("goes down a stair: the mean first, and long after it the reading (LTB-25)")
    assert recorded("LTB-25", "step 500") == pytest.approx(5.25, abs=0.02)
    assert recorded("LTB-25", "step 4000") == pytest.approx(1.44, abs=0.02)


def test_every_claim_that_is_named_exists():
    named = set(re.findall(r"LTB-\d+", TEXT))
    assert len(named) > 12
    assert named <= {one.id for one in claims.of("linear_block")}


def cut(**changed):
    """The numbers of the figure of what is cut, at its default and what is changed."""
    figure = Computed(sees)
    return sees.laws(figure.settings_of(**figure.check(changed)))


def test_what_dies_when_something_is_cut():
    quoted(
        "The first row is blank on every prompt: α is dead. The other rows are what they were, and the risk rises by"
    )
    quoted("rises by the square of the mean, from 1.08 to 5.08")
    found, whole = cut(), cut(mlp=1)
    assert [f"{one['own'][0]:.2f}" for one in (whole, found)] == ["1.08", "5.08"]
    assert found["own"][0] - whole["own"][0] == pytest.approx(2.0**2)
    np.testing.assert_allclose(found["sizes"], [0, *whole["sizes"][1:]])
    run = finish(textbook_parts, sees.settings(**Computed(sees).default), 0)
    assert set(run["shown"][: textbook_parts.SHOWN]) == {0.0}
    quoted("[Cut the residual instead](#linear_block-sees:mlp=1,residual=0): the same row dies, since α needs both")
    np.testing.assert_allclose(cut(mlp=1, residual=0)["sizes"], found["sizes"])
    quoted("[Without the MLP](#linear_block-sees:kind=0) labels twice, which a gradient step has no use for, stand in")
    assert (whole["sizes"][3], cut(kind=0)["sizes"][3] > 0.5) == (0, True)
    quoted("[Random matrices](#linear_block-sees:kind=2) show that the row dies whatever the weights are")
    assert [size > 0 for size in cut(kind=2)["sizes"]] == [False, True, True, True, False]


def test_the_cut_mask():
    finished, so = (cut(mlp=1, mask=0, M=6, kind=kind) for kind in (1, 0))
    quoted("[Without the mask](#linear_block-sees:mlp=1,mask=0,kind=0,M=6) α grows longer.")
    assert so["alpha"][0] > 1.1 * finished["alpha"][0]
    quoted("on an empty prompt the output bends")
    assert np.abs(np.diff(finished["empty"], 2)).max() > 0.1
    quoted(
        "It has the query three times: on a query of twice the length it is eight times as large, the first part only"
    )
    state = textbook_parts.start(sees.settings(1, 1, 0, 2, 6, 4, 2.0, 0.5), 0)
    textbook_parts.step(state)
    once, twice = (textbook_parts.shown_output(state, 0.0, 0.0, size) for size in (1.0, 2.0))
    assert once == pytest.approx(state.now[0] + state.now[4])
    assert twice == pytest.approx(2 * state.now[0] + 8 * state.now[4])


def test_the_edges_of_what_is_cut():
    quoted("[A mean of zero](#linear_block-sees:norm=0): there is nothing to hold, and neither cut costs anything.")
    for changed in ({}, {"mlp": 1, "mask": 0}, {"mask": 0}):
        none = cut(norm=0, **changed)
        assert none["own"][0] == pytest.approx(none["best_now"][0], rel=1e-9)
    quoted("one example too many hardly matters")
    many = cut(mlp=1, mask=0, M=64)
    assert 1 < many["own"][0] / many["best_now"][0] < 1.1
    quoted("a cut mask even helps, since a query that is its own example carries a makeshift start")
    assert cut(mask=0, kind=0, M=2)["empty"][-1] > 1


@pytest.mark.parametrize(
    ("without", "M", "norm"),
    [("MLP", 20, 2), ("MLP", 20, 6), ("mask", 6, 2), ("mask", 64, 2), ("MLP", 2, 2), ("MLP and mask", 2, 2)],
)
def test_the_risks_with_a_part_cut(without, M, norm):
    parts = {"mlp": int("MLP" not in without), "mask": int("mask" not in without), "M": M, "norm": norm}
    quoted("at four features and noise 0.5")
    assert (Computed(sees).default["d"], Computed(sees).default["sigma"]) == (4, 0.5)
    finished, so = cut(**parts), cut(**parts, kind=0)
    risks = [f"{value[0]:.2f}" for value in (finished["best_now"], finished["own"], so["own"])]
    quoted(f"| {' | '.join([without, str(M), str(norm), *risks])} |")
