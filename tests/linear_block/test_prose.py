"""Sentences of the chapter, and of its figures' tours, that say what comes out: quoted as they stand, and computed."""

import itertools
import json

import numpy as np
import pytest

from hal.chapters.linear_block import runs
from hal.chapters.linear_block.figures import (
    flow,
    guess,
    head_start,
    longer,
    plane,
    price,
    prompts,
    risk,
    sees,
    stair,
    step,
    training,
)
from hal.chapters.linear_block.runs import end_to_end, ingredients, starts, table1
from hal.chapters.linear_block.runs.tasks_needed import excess_of_fitted_step
from hal.explorer import Computed, figure_of
from lib.models import linear_block as lb
from lib.models.linear_block import (
    textbook_carried,
    textbook_contexts,
    textbook_descent,
    textbook_parts,
    textbook_population,
)
from lib.portable import finish
from lib.portable.chances import share_interval
from lib.theory import linear_block as theory
from lib.theory.linear_block.portable_prompts import costs
from tests.prose import Prose

PROSE = Prose("linear_block")
says, measured = PROSE.says, PROSE.measured
BASE = lb.power_task(d=8, M=32, sigma=1.0, norm=3.0)


def bayes(task, contexts=4000):
    return theory.bayes_risk(task, np.random.default_rng(5).standard_normal((contexts, task.M, task.d)))


def default(module, **changed):
    """The settings of a figure at its default and what is changed."""
    figure = Computed(module)
    return figure.settings_of(**figure.check(changed))


def test_the_poke():
    says("with three points its line is little more than half as steep as that of the Bayes predictor")
    drawn = [guess.prompt(number, 2.0, 1.0) for number in range(300)]
    slopes = [guess.answers(list(one["x"])[:3], list(one["y"])[:3], 2.0, 1.0)["slopes"] for one in drawn]
    middle = np.abs(slopes).mean(axis=0)
    assert 0.5 < middle[2] / middle[0] < 0.6


def test_the_first_figure():
    known = (theory.best_risk(BASE), theory.best_attention(BASE).risk, theory.zero_start_risk(BASE), bayes(BASE))
    above = [value - BASE.sigma**2 for value in known]
    says("At 32 examples the best block is {} above the noise, attention alone {}, one step from zero {}", *above[:3])
    says("and the Bayes predictor {}.", above[3])
    says("beats one step from zero, {} against {} above the noise in the next figure", *above[1:3])
    for norm in (0.0, 5.0):
        moved = lb.power_task(d=8, M=32, norm=norm)
        assert theory.best_risk(moved) == pytest.approx(known[0])
        assert bayes(moved) == pytest.approx(known[3])
    assert theory.best_attention(moved).risk > known[1]
    assert theory.zero_start_risk(moved) > known[2]


def test_the_edges_of_the_first_figure_and_its_tour():
    shown, run = risk.laws(default(risk)), finish(textbook_contexts, default(risk), 0)
    says("As prompts get longer, the columns of the Bayes predictor shrink sooner.")
    assert all((np.diff(shown[name]) < 0).all() for name in ("step", "zero"))
    assert (np.diff(risk.alone(default(risk))["risk"]) < 0).all()
    block, best = (np.square(run[name]).reshape(13, 40).mean(axis=1) for name in ("block_miss", "bayes_miss"))
    assert (block[6:] > 2 * best[6:]).all()
    says("[A mean of zero](#linear_block-risk:norm=0) makes block and attention one")
    even = risk.now(default(risk, norm=0.0))
    assert even["attention"][0] == pytest.approx(even["block"][0], rel=1e-9)
    assert even["zero"][0] == pytest.approx(even["block"][0], rel=1e-9)
    says("With 11 examples or more least squares lies below it, and falls towards zero")
    calm = risk.laws(default(risk, sigma=0.2))
    M, least, step = (np.array(calm[name]) for name in ("M", "squares", "step"))
    assert (least[M >= 11] < step[M >= 11]).all()
    assert least[-1] < 0.01 * step[-1]
    assert theory.best_risk(BASE.but(sigma=0.2)) > 20 * bayes(BASE.but(sigma=0.2), 500)
    says("[Much noise](#linear_block-risk:sigma=4) lets it come near the Bayes predictor")
    loud = BASE.but(sigma=4.0)
    assert theory.best_risk(loud) < 1.05 * bayes(loud)
    says(
        "lowers the risk from {}, which is what the mean alone achieves, to {}",
        theory.prior_risk(BASE),
        bayes(BASE.but(M=2)),
    )
    says("[Falling variances](#linear_block-risk:decay=2) lower all of them")
    falling = lb.power_task(decay=2.0)
    for rule in (theory.best_risk, theory.zero_start_risk, bayes, lambda task: theory.best_attention(task).risk):
        assert rule(falling) < rule(BASE)


def test_the_flow():
    run, found = finish(textbook_descent, default(flow), 0), flow.laws(default(flow))
    cells, corner = (np.array(part).reshape(-1, 6, 5) for part in (run["cells"], run["corner"]))
    says("the gain along it rises to {}, where {} is best", max(run["along"]), found["goal"][0])
    says("At first the mean looks like one more task and fills all of Γ")
    says("Then β comes, and the cells beside the diagonal fade.")
    beside = ~np.eye(5, dtype=bool)
    assert corner[0, 1:][beside].min() > 0.3 * corner[0, 1:].max()
    assert corner[0, 0].max() < 0.1 * cells[-1, 0].min()
    assert np.abs(cells[-1, 1:][beside]).max() < 0.005
    np.testing.assert_allclose(cells[-1].ravel(), found["cells"], atol=0.005)
    stuck, beta, at, falls = found["stuck"][0], *(np.array(run[name]) for name in ("beta", "time", "risk"))
    says("The risk first falls to that of the best step from zero, {}, and passes it as β comes.", stuck)
    there = np.argmax(falls < stuck)
    assert at[there] < 0.5
    assert beta[there] < 0.1 * 4
    assert beta[at < 0.1].max() < 0.5
    assert beta[at > 8].min() > 3.8
    assert falls[-1] == pytest.approx(found["least"][0], rel=1e-3)


def test_the_edges_of_the_flow_and_its_tour():
    says("[Four times the learning rate that is safe](#linear_block-flow:lr=0.21). Descent blows up within a few steps")
    high = default(flow, lr=0.21)
    assert flow.laws(high)["share"][0] == pytest.approx(4, abs=0.1)
    assert 0 < finish(textbook_descent, high, 0)["diverged_at"][0] < 10
    says("[At ten times](#linear_block-flow:lr=0.5) descent lands well by luck, after one leap")
    lucky = default(flow, lr=0.5)
    assert flow.laws(lucky)["share"][0] == pytest.approx(10, abs=0.6)
    run = finish(textbook_descent, lucky, 0)
    assert run["risk"][1] > 10 * run["risk"][0]
    assert run["risk"][-1] == pytest.approx(flow.laws(lucky)["least"][0], rel=1e-6)
    rates = [0.02 / flow.laws(default(flow, norm=norm))["share"][0] for norm in (4.0, 6.0)]
    says("the safe one is {} here, {} at norm 6", *rates)
    says("[Two prompts per step](#linear_block-flow:batch=2,lr=0.1) blow up at a learning rate that all prompts")
    for seed in range(6):
        few = finish(textbook_descent, default(flow, batch=2, lr=0.1), seed)
        assert few["drawn_lost"] == [1.0]
        assert np.isnan(few["diverged_at"][0])
        assert few["risk"][-1] < 2
    says("Γ is a diagonal from the first step on, and nothing overshoots")
    alone = finish(textbook_descent, default(flow, norm=0.0, lr=0.1), 0)
    assert np.abs(np.array(alone["cells"]).reshape(-1, 6, 5)[:, 1:][:, ~np.eye(5, dtype=bool)]).max() < 1e-12
    assert max(alone["along"]) < flow.laws(default(flow, norm=0.0, lr=0.1))["goal"][0] + 0.001
    slow = default(flow, norm=1.0, decay=1.5)
    last = np.diag(np.array(finish(textbook_descent, slow, 0)["cells"]).reshape(-1, 6, 5)[-1, 1:])
    says("Directions of small variance are slow: the last cells of the diagonal are far from their best.")
    share = last / np.diag(np.array(flow.laws(slow)["cells"]).reshape(6, 5)[1:])
    assert share[0] > 0.95
    assert share[-1] < 0.6


def trained(count=16, **changed):
    """The theory of the training's figure, and the runs of its fast twin."""
    settings = default(training, **changed)
    return training.laws(settings), runs.fast_population(settings, range(count))


def test_the_block_itself():
    says("All end at the best risk: α goes to the norm of the mean, the step to the best one, and the labels leave")
    law, run = trained()
    for name, known in (("risk", law["best"][0]), ("alpha", 2.0), ("along", law["gain"][0]), ("labels", 0.0)):
        np.testing.assert_allclose(run[name][:, -1], known, atol=0.01)
    says("the risk stays at {}, which is that of the mean alone, until the examples are used", law["prior"][0])
    _, stair = trained(adam=0, scale=0.05, norm=1.0)
    middle, alpha = (np.median(stair[name], axis=0) for name in ("risk", "alpha"))
    flat = np.abs(middle - 3.25) < 0.05
    assert flat.sum() >= 6
    assert alpha[flat][-1] == pytest.approx(1, abs=0.05)
    assert middle[-1] == pytest.approx(law["best"][0], rel=1e-2)
    says("[Attention alone](#linear_block-training:kind=2) keeps α at zero and ends above")
    law, alone = trained(kind=2)
    assert np.abs(alone["alpha"]).max() == 0
    np.testing.assert_allclose(alone["risk"][:, -1], law["goal"][0], rtol=0.01)
    assert alone["risk"][:, -1].min() > run["risk"][:, -1].max()
    says("[Large matrices](#linear_block-training:adam=0,scale=0.6,norm=6) blow up under descent")
    for seed in range(4):
        large = default(training, adam=0, scale=0.6, norm=6.0)
        assert finish(textbook_population, large, seed)["diverged_at"][0] >= 0


def test_the_trap():
    says("set the trap: some runs end in it, labels in their keys, α at the mean")
    law, caught = trained(24, **training.TRAP)
    there = np.abs(caught["risk"][:, -1] - law["trapped"][0]) < 0.01
    assert 2 <= there.sum() <= 16
    assert caught["labels"][there, -1].min() > 0.1
    np.testing.assert_allclose(caught["alpha"][there, -1], 1.0, atol=0.02)
    says("decay=2) none does")
    law, none = trained(24, kind=1, scale=0.02, **training.TRAP)
    np.testing.assert_allclose(none["risk"][:, -1], law["best"][0], rtol=1e-3)


def test_the_criterion_is_the_one_that_is_written():
    says("\\underbrace{\\frac{\\gamma^2}M\\Big(V_\\xi-\\frac2M\\phi_1^2\\Big)}")
    says("\\gamma=\\frac{M\\phi_1}{\\tau+(M+1)\\phi_1}")
    says("V_\\xi=2\\sum_i\\phi_i^2+\\frac2M\\big(\\tau^2+2\\sum_i\\phi_i^2\\big)")
    task = lb.power_task(d=3, M=6, sigma=1.4, decay=2.0)
    phi, tau, M = theory.signal_spectrum(task), theory.label_variance(task), task.M
    step, squares = M * phi[0] / (tau + (M + 1) * phi[0]), np.sum(phi**2)
    spread = 2 * squares + 2 / M * (tau**2 + 2 * squares)
    error, benefit = step**2 / M * (spread - 2 / M * phi[0] ** 2), np.sum(phi[1:] ** 2)
    assert theory.trap_criterion(task) == pytest.approx(error / benefit)
    says("the variance of $\\frac1M\\sum_i(y_i-x_i^\\top\\beta^*)^2$")
    prompts = task.sample(200_000, [np.random.default_rng(0)])
    X, y = prompts.X[0], prompts.y[0]
    assert ((y - X @ task.mean) ** 2).mean(axis=1).var() == pytest.approx(spread, rel=0.05)
    says("Falling variances raise it, long prompts bring it to zero")
    for d in (2, 4, 8):
        falling = [theory.trap_criterion(lb.power_task(d=d, M=6, decay=decay)) for decay in (0.0, 1.0, 2.0)]
        longer = [theory.trap_criterion(lb.power_task(d=d, M=M, decay=2.0)) for M in (4, 16, 64, 10**5)]
        assert falling == sorted(falling)
        assert longer == sorted(longer, reverse=True)
        assert longer[-1] < 0.001


def test_the_paper_s_figure():
    task = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)
    best = {True: theory.best_risk(task), False: theory.best_attention(task).risk}
    says("Both end at their best risk, which theory knows: {} with the MLP, {} without (LTB-24)", *best.values())
    for mlp, known in best.items():
        run = runs.train_on_prompts(task, range(2), 1500, 64, mlp=mlp)
        np.testing.assert_allclose(run["risk"][:, -1], known, rtol=0.02)


def test_table_1():
    ends = {key: runs.recorded_errors(*key)[:, -1] for key in ((0.0, True), (0.0, False), (10.0, True), (10.0, False))}
    says("| this page, one layer, median of five runs | {} | {} | {} | {} |", *map(np.median, ends.values()))
    assert {len(end) for end in ends.values()} == {5}
    near, far = ends[10.0, True], ends[10.0, False]
    says("at the far mean the medians part by {}, not by hundreds (LTB-28)", np.median(far) / np.median(near))
    says("at the size that we could run we find a factor of two")
    says("One run of five with an MLP ended at {}, which is ignoring the examples.", near.max())
    assert np.sum(near < far.min()) == 4
    assert max(ends[0.0, True].max(), ends[0.0, False].max()) < 1
    says("one block with softmax attention parts by ten (LTB-27)")
    assert measured("LTB-27", "softmax: error without an MLP over") == pytest.approx(10, abs=1)


def test_where_measurement_and_statements_part():
    calm = BASE.but(sigma=0.1)
    known = theory.best_risk(calm), bayes(calm)
    says("With $\\sigma=0.1$ at $d=8$, $M=32$ the best block has the risk {}, the Bayes predictor {}", *known)
    made = theory.best_step(BASE)
    known = theory.step_risk(BASE.but(M=4), BASE.mean, made), theory.long_risk(BASE, BASE.mean, made)
    says("A step made for 32 examples has the risk {} at 4 examples, where ignoring them has 9, and {} on", *known)


def test_what_the_ledger_has_is_quoted():
    caught = measured("LTB-26", "random starts of 24")
    says("On a task with such a trap {} of 24 random initialisations end there, of those near identity none", caught)
    assert measured("LTB-26", "largest risk from near identity") < 2.72 < measured("LTB-26", "their median risk")
    share = measured("LTB-30", "share in the trap, criterion above 1.05")
    says("with a criterion above 1.05 about {}% of random initialisations were caught, with one below 0.6", 100 * share)
    assert measured("LTB-30", "share at the best risk, criterion below 0.6") == 1
    says("goes down a *staircase*: the mean first, and long after it the examples (LTB-25)")
    assert measured("LTB-25", "median risk at step 500") == pytest.approx(5.25, abs=0.02)
    assert measured("LTB-25", "median risk at step 4000") == pytest.approx(1.44, abs=0.02)


def cut(**changed):
    """The numbers of the figure of what is cut."""
    return sees.laws(default(sees, **changed))


def test_what_dies_when_something_is_cut():
    says("The first row is blank: α is zero. The other rows are what they were, and the risk rises by the square")
    found, whole = cut(), cut(mlp=1)
    says("rises by the square of the mean, from {} to {}", whole["own"][0], found["own"][0])
    assert found["own"][0] - whole["own"][0] == pytest.approx(2.0**2)
    assert whole["sizes"][0] > 1
    np.testing.assert_allclose(found["sizes"], [0, *whole["sizes"][1:]])
    run = finish(textbook_parts, default(sees), 0)
    assert set(run["shown"][: textbook_parts.SHOWN]) == {0.0}
    says("[Cut the residual instead](#linear_block-sees:mlp=1,residual=0). The same row vanishes, because α needs both")
    np.testing.assert_allclose(cut(mlp=1, residual=0)["sizes"], found["sizes"])
    says("[Learn without the MLP](#linear_block-sees:kind=0). Labels twice, which a gradient step has no use for,")
    anew = cut(kind=0)
    assert (whole["sizes"][3], anew["sizes"][0]) == (0, 0)
    assert anew["sizes"][3] > 0.5
    assert found["own"][0] > 4 > anew["own"][0]
    says("[Random matrices](#linear_block-sees:kind=2). The row vanishes whatever the weights are")
    for kind in (2, 3):
        rows = cut(kind=kind)["sizes"]
        assert (rows[0], rows[4]) == (0, 0)
        assert min(rows[1:4]) > 0.1


def test_the_cut_mask():
    finished, so = (cut(mlp=1, mask=0, M=6, kind=kind) for kind in (1, 0))
    says("[Learned without the mask](#linear_block-sees:mlp=1,mask=0,kind=0,M=6) α grows longer.")
    assert so["alpha"][0] > 1.1 * finished["alpha"][0]
    says("on an empty prompt the output bends")
    assert np.abs(np.diff(finished["empty"], 2)).max() > 0.1
    assert np.abs(np.diff(cut(mlp=1, M=6)["empty"], 2)).max() < 1e-12
    says("It has the query three times: on a query of twice the length it is eight times as large, the first part only")
    state = textbook_parts.start(sees.settings(1, 1, 0, 2, 6, 4, 2.0, 0.5), 0)
    textbook_parts.step(state)
    once, twice = (textbook_parts.shown_output(state, 0.0, 0.0, size) for size in (1.0, 2.0))
    assert once == pytest.approx(state.now[0] + state.now[4])
    assert twice == pytest.approx(2 * state.now[0] + 8 * state.now[4])


def test_the_edges_of_what_is_cut():
    says("[A mean of zero](#linear_block-sees:norm=0): there is nothing to hold, and neither cut costs anything.")
    for changed in ({}, {"mlp": 1, "mask": 0}, {"mask": 0}):
        none = cut(norm=0, **changed)
        assert none["own"][0] == pytest.approx(none["best_now"][0], rel=1e-9)
    says("one example too many hardly matters")
    many = cut(mlp=1, mask=0, M=64)
    assert 1 < many["own"][0] / many["best_now"][0] < 1.1
    says("a cut mask even helps, because a query that is its own example imitates a start")
    assert cut(mask=0, kind=0, M=2)["empty"][-1] > 1


@pytest.mark.parametrize(
    ("without", "M", "norm"),
    [("MLP", 20, 2), ("MLP", 20, 6), ("mask", 6, 2), ("mask", 64, 2), ("MLP", 2, 2), ("MLP and mask", 2, 2)],
)
def test_the_risks_with_a_part_cut(without, M, norm):
    parts = {"mlp": int("MLP" not in without), "mask": int("mask" not in without), "M": M, "norm": norm}
    says("at four features and noise 0.5")
    assert (default(sees).d, default(sees).sigma) == (4, 0.5)
    finished, so = cut(**parts), cut(**parts, kind=0)
    risks = [one[0] for one in (finished["best_now"], finished["own"], so["own"])]
    says(f"| {without} | {M} | {norm} | {{}} | {{}} | {{}} |", *risks)


# beyond the paper


def test_table_1_at_its_own_scale():
    known = table1.Settings()
    assert (known.layers, known.heads) == (6, 4)
    says("It leaves a checkpoint every {} steps", known.every)
    says("| width, $d$, $M$, $\\sigma$ | {}, {}, {}, 0 | *assumed* |", known.width, known.d, known.M)
    assert (known.batch, known.lr, known.steps) == (64, 1e-4, 500_000)
    says("| batch, learning rate, steps | 64, $10^{-4}$, 500,000 | *assumed* |")
    assert max(mean for mean, _ in table1.MODELS) == 10
    steps, errors = runs.recorded_table1()
    says(f"for {steps:,} of the {known.steps:,} steps that we assume; one run each")
    says("**It has run for a fifth of its steps**: six minutes of one GPU")
    assert 0.2 <= steps / known.steps < 0.25
    rows = json.loads(table1.RECORD.read_text())["runs"]
    assert 5.5 < sum(row["seconds"] for row in rows) / 60 < 6.5
    assert {row["setting"]["products"] for row in rows} == {"tf32"}
    says("round what enters a product to 10 bits (TF32, `--products tf32 --compiled 1`)")
    ends = {model: float(one[0, -1]) for model, one in errors.items()}
    assert all(len(one) == 1 for one in errors.values())
    says("and the losses part by {}.", ends[0.0, False] / ends[0.0, True])
    says("both are still above the {} of who knows the mean and reads none", float(known.d))
    task = lb.Task(np.eye(known.d), np.eye(known.d), np.full(known.d, 10.0), 0.0, known.M)
    assert theory.prior_risk(task) == pytest.approx(known.d)
    assert min(ends[10.0, True], ends[10.0, False]) > known.d


def test_a_shift_of_the_mean():
    along = BASE.mean / 3
    alone = theory.as_block(BASE, theory.best_attention(BASE))
    wider = BASE.but(Psi=BASE.Psi + np.outer(BASE.mean, BASE.mean), mean=np.zeros(8))
    zero = theory.best_step(wider)  # the best step from zero
    contexts = np.random.default_rng(5).standard_normal((4000, BASE.M, BASE.d))
    rules = {
        "best block": lambda moved, shift: theory.best_risk(BASE) + theory.shift_cost(BASE, shift),
        "attention alone": lambda moved, shift: theory.block_risk(moved, alone),
        "one step from zero": lambda moved, shift: theory.step_risk(moved, np.zeros(8), zero),
        "Bayes predictor for the old mean": lambda moved, shift: theory.shifted_bayes_risk(BASE, shift, contexts),
    }
    shifts = (0 * along, 3 * along, -3 * along)
    for name, rule in rules.items():
        says(f"| {name} | {{}} | {{}} | {{}} |", *(rule(BASE.but(mean=BASE.mean + shift), shift) for shift in shifts))
    says("in whatever direction it is wrong")
    turned = np.eye(8)[0] * 3
    assert theory.shift_cost(BASE, turned) == pytest.approx(theory.shift_cost(BASE, 3 * along))


def test_noise_with_heavy_tails():
    alone = theory.as_block(BASE, theory.best_attention(BASE))
    paid = float(theory.heavy_noise_risk(BASE, alone, runs.EXCESS) - theory.block_risk(BASE, alone))
    says("at the setting of the figure of risks its risk grows by {} at $\\kappa={}$", paid, runs.EXCESS)
    says("its risk is then infinite, where the block with its MLP keeps {}", theory.best_risk(BASE))
    assert float(theory.heavy_noise_risk(BASE, alone, np.inf)) == np.inf


def test_how_many_steps_a_learned_start_is_worth():
    for norm in (3, 10):
        cells = []
        for M in (4, 8, 16, 32, 64, 128):
            task = lb.power_task(d=8, M=M, norm=norm)
            spectra = theory.context_spectra(task, np.random.default_rng(5).standard_normal((4000, M, 8)))
            shared, best = (theory.steps_to_match(task, spectra, shared=one) for one in (True, False))
            assert np.isinf(shared) == np.isinf(best)
            cells.append("never" if np.isinf(best) else f"{shared} / {best}")
            if np.isinf(best):
                assert theory.endless_steps_risk(task, spectra) > 1.02 * theory.best_risk(task)
        says(f"| $\\lVert\\beta^*\\rVert={norm}$ | {' | '.join(cells)} |")
    never = 40 * measured("LTB-36", "share that never match")
    most = measured("LTB-36", "steps that three quarters need")
    says(
        "three quarters match it in {} steps or fewer; with half an example per feature {} of 40 never do", most, never
    )


def test_which_ingredient_makes_the_mlp_matter():
    errors = runs.recorded_ingredients()
    assert {len(found) for found in errors.values()} == {10}
    middle = {key: np.median(found) for key, found in errors.items()}
    for words, added in (
        ("softmax", "read-out, softmax"),
        ("two layers", "read-out, two layers"),
        ("LayerNorm inside", "read-out, LayerNorm inside"),
        ("LayerNorm at the end", "read-out, LayerNorm at the end"),
        ("LayerNorm at both places", "read-out, LayerNorm at both"),
        ("all of them", "all of them"),
        ("nothing", "a read-out"),
    ):
        says(f"| {words} | {{}} | {{}} |", middle[added, True], middle[added, False])
    ended = (middle["read-out, LayerNorm at the end", flag] for flag in (True, False))
    says("with LayerNorm at the end the error is {} with MLPs and {} without", *ended)
    plain = [middle["a read-out", False], middle["the linear block", False]]
    says("Without a read-out and without an MLP the linear block ends at {}", plain[1])
    for added in ("a read-out", "the linear block"):
        assert middle[added, True] == pytest.approx(plain[0], abs=0.005)
    says("no run with MLPs is as bad as the best without (LTB-37)")
    for where in ("at the end", "at both"):
        assert errors[f"read-out, LayerNorm {where}", True].max() < errors[f"read-out, LayerNorm {where}", False].min()
    nothing = theory.prior_risk(ingredients.TASK)
    says("the median of no stack without MLPs is below {}, which is ignoring the examples", nothing)
    ended = ("read-out, LayerNorm at the end", "read-out, LayerNorm at both", "all of them")
    assert min(middle[added, False] for added in ended) > nothing


def test_which_starts_reach_the_best_step():
    found = runs.recorded_starts()
    criteria = {setting: theory.trap_criterion(starts.task_of(setting)) for setting in found}

    def counts(low, high, end):
        return np.sum([found[one][end] for one, value in criteria.items() if low < value < high], axis=0)

    for words, low, high in (("above 1", 1.0, 99.0), ("0.45 to 1", 0.45, 1.0), ("below 0.45", 0.0, 0.45)):
        tasks = sum(low < value < high for value in criteria.values())
        cells = []
        for arrived in map(float, counts(low, high, "best")):
            between = [100 * one for one in share_interval(arrived, 24.0 * tasks)]
            cells += [100 * arrived / (24 * tasks), *between]
        says(f"| {words} | {{}} | {' | '.join(['{}% ({} to {})'] * 4)} |", tasks, *cells)
    says("*Above 1* those with small entries that do not arrive are all in the trap")
    assert not counts(1, 99, "elsewhere")[[0, 1, 3]].any()
    says("so are the two of {} near identity, on tasks of eight features", 24 * sum(c > 1 for c in criteria.values()))
    assert sum(ends["trap"][3] for one, ends in found.items() if one.d == 8) == counts(1, 99, "trap")[3] == 2
    says("*Below 0.45* most large ones that are missing have not arrived in 10,000 steps")
    assert counts(0, 0.45, "elsewhere")[2] > 10 * counts(0, 0.45, "trap")[2]
    says("*In between* all tasks have two features, and no run is in the trap")
    assert {one.d for one, value in criteria.items() if 0.45 < value < 1} == {2}
    assert not counts(0.45, 1, "trap").any()
    says("Above 1 the trap catches many random initialisations, but few near identity")
    assert measured("LTB-39", "random starts of 24 between best risk and trap, d = 4") >= 3


# small figures, and what the text adds to them


def test_the_bowl():
    says("The step goes almost twice as far as the bottom.")
    assert 180 < drawn(step, M=1, x=2.5, y=4.0)["bowl.percent"][0] < 200
    says("The bowl is flat, and the answer is the start.")
    flat = drawn(step, M=1, x=0.0)
    assert flat["bowl.at"][1] == flat["bowl.at"][0] == 2.0
    says("only the Bayes predictor measures the bowl first")
    steep, even = (drawn(step, M=1, x=x, y=2 * x + 2)["bowl.at"] for x in (3.0, 0.5))
    assert steep[1] > 2 + 2 / 3.0 > steep[2]  # the step leaps over the bottom, the Bayes predictor does not
    assert even[1] < 2 + 2 / 0.5


def test_the_price_and_longer_prompts():
    says("A mean over the examples forgives them, a sum does not")
    risks = {M: drawn(longer, M=M) for M in (16, 32, 64)}
    assert all(one["steps.mean"][0] < 1.2 * one["steps.made"][0] for one in risks.values())
    assert risks[64]["steps.sum"][0] > 20 > 5 > risks[32]["steps.sum"][0] - 1
    says("How far above the bound is the truth?")
    assert 1 < drawn(price)["risks.times"][0] < 5


def drawn(module, **changed):
    """Numbers of a small figure's theory."""
    return figure_of(module).compute(changed).theory


def test_the_corner():
    found = drawn(plane)
    x, y = np.array(found["way.x"]), np.array(found["way.y"])
    says("The gain grows first")
    assert x[y.argmax()] < 0.1 * 4
    says("the better it is, the less gain is needed")
    valley = np.array(found["scene.valley"])
    assert (np.diff(valley[: int(4 / 7 * 24) + 1]) < 0).all()
    says("Descent jumps across the valley and still lands.")
    steps = np.array(drawn(plane, lr=0.1)["way.steps_x"])
    assert np.isnan(steps).any()
    assert steps[-1] == pytest.approx(4.0, abs=0.01)
    says("It is lost after a few steps.")
    assert drawn(plane, lr=0.15)["way.lost"][0] < 10
    assert drawn(plane, norm=0.3)["way.over"][0] < 0.02


def test_who_carries_the_mean():
    run = finish(textbook_carried, stair.settings(1.0, 0.03), 0)
    alpha, labels, features, together = (np.array(run[name]) for name in ("alpha", "labels", "features", "sum"))
    says("It is complete after the first drop of the staircase, and falls to about one half when the examples come in.")
    begun = int((labels >= 0.2).argmax())
    assert alpha[:begun].max() > 0.98
    assert 0.35 < alpha[begun:].min() < 0.55
    says("they begin with the wrong sign, and add the mean once more")
    assert features[begun] > 0.03
    says("Then the features take the mean back, and α returns.")
    assert alpha[-1] > 0.98
    assert features[-1] == pytest.approx(-labels[-1], abs=0.02)
    says("together they stay close to one")
    learned = int((alpha > 0.95).argmax())
    assert 0.9 < together[learned:].min() < together[learned:].max() < 1.3


def test_how_many_tasks_it_takes():
    task = lb.power_task(d=4, M=20, sigma=0.5, norm=2.0)
    found = [np.median([excess_of_fitted_step(task, n, seed) for seed in range(8)]) for n in (128, 512, 2048, 8192)]
    says("| risk above the best, $d=4$, $M=20$ | {} | {} | {} | {} |", *found)
    says("Four times as many tasks leave about a quarter of the excess")
    assert all(0.15 < after / before < 0.35 for before, after in itertools.pairwise(found))
    says("A mean of norm 6 costs exactly what a mean of norm 2 does")
    far = excess_of_fitted_step(task.but(mean=3 * task.mean), 512, 0)
    assert far == pytest.approx(excess_of_fitted_step(task, 512, 0), rel=1e-6)
    assert measured("LTB-42", "mean excess over the prediction, prior mean of norm 2") == pytest.approx(1, abs=0.4)


def test_the_bayes_rate_and_newton_s_step():
    says("Among 1000 contexts at least 999 lie within a factor of two of the sum")
    for d in (8, 16):
        assert measured("LTB-43", f"proportion of 4000 contexts within a factor of two, d = {d}") >= 0.999
    says("$\\Gamma^*\\to H^{-1}$ where $H$ and $\\Psi$ are invertible")
    long = lb.power_task(d=4, M=10**7, sigma=1.0, norm=2.0, decay=1.0)
    np.testing.assert_allclose(theory.best_step(long) @ long.H, np.eye(4), atol=1e-4)
    assert theory.best_risk(long) == pytest.approx(1, abs=1e-4)
    says("the step is the number $\\Gamma^*=\\frac M{M+1+\\tau}$")
    np.testing.assert_allclose(theory.best_step(BASE), BASE.M / (BASE.M + 1 + theory.label_variance(BASE)) * np.eye(8))
    says("Its excess over $R^*$ vanishes like $1/M$, so the order of the gap cannot be improved.")
    gaps = [M * (theory.zero_start_risk(long.but(M=M)) - theory.best_risk(long.but(M=M))) for M in (10**4, 10**5)]
    assert gaps[0] == pytest.approx(gaps[1], rel=0.02)


def forgetful(adam: int) -> np.ndarray:
    """Last alpha, risk and gain of the chapter's own step, the medians of four runs."""
    ends = []
    for seed in range(4):
        state = textbook_population.start(default(training, adam=adam), seed)
        while not textbook_population.done(state):
            textbook_population.step(state)
            for row in state.W:
                row[:] = [0.95 * entry for entry in row]
        run = textbook_population.read(state)
        ends.append([run["alpha"][-1], run["risk"][-1], run["along"][-1]])
    return np.median(ends, axis=0)


def test_weight_decay_of_the_reader_s_own():
    best = training.laws(default(training))["best"][0]
    says("In this cell every entry loses a twentieth per step.")
    alpha, risk, gain = forgetful(1)
    says("the risk ends near {} where {} is best, and α near {} where 2 is best", risk, best, alpha)
    plain, high, gone = forgetful(0)
    prior = training.laws(default(training))["prior"][0]
    says("most runs end at a risk of {}, above the {} of β* alone: their step is gone", high, prior)
    assert max(plain, alpha) < 0.7 * default(training).norm  # α falls short, which the cell's title says
    assert high > prior > risk > best
    assert abs(gone) < 0.01 < 0.8 < gain


def test_the_exercises():
    says("$10/13={}$. Without noise", 10 / 13)
    assert theory.best_step(lb.power_task(d=1, M=10, sigma=1.0))[0, 0] == pytest.approx(10 / 13)
    assert theory.best_step(lb.power_task(d=1, M=10, sigma=0.0))[0, 0] == pytest.approx(10 / 12)
    says("\\frac{72}{41}=" + "{}$", theory.best_risk(lb.power_task(d=8, M=32, sigma=0.0)))
    needed = []
    for risk_of in (theory.best_risk, theory.least_squares_risk):
        needed.append(next(M for M in range(10, 5000) if risk_of(lb.power_task(d=8, M=M)) <= 1.1))
    says("{} examples against {}.", *needed)
    prices = [theory.best_attention(t).risk - theory.best_risk(t) for t in (BASE.but(M=1), BASE.but(M=64))]
    says("the price falls from {} at $M=1$ to {} at $M=64$", *prices)
    made = theory.best_step(BASE)
    short = theory.step_risk(BASE.but(M=4), BASE.mean, made)
    says("that is {}, more than the 9 of ignoring the examples, and in the limit {}", short,
         theory.long_risk(BASE, BASE.mean, made))  # fmt: skip


def test_the_figure_of_steps_is_the_table():
    assert head_start.steps_needed(3.0)[1:4] == [15, 3, 2]
    assert np.isinf(head_start.steps_needed(10.0)[:2]).all()


def test_how_many_prompts_training_needs():
    record, best = end_to_end.recorded_needs(), theory.best_risk
    need, row = {}, {one.d: record[one] for one in end_to_end.SWEPT["d"]}
    for way in end_to_end.WAYS:
        for axis in end_to_end.SWEPT:
            sizes, found = end_to_end.along(axis, way, record)
            need[way, axis] = dict(zip(sizes, found, strict=True))
    step, block = need["step", "d"], need["block", "d"]
    says("at $d=4$ {} instead of {} to come within 10% of the best risk (LTB-44)", block[4][0], step[4][0])
    assert end_to_end.SHARE == 0.1
    says("Lines are medians of {} seeds with their quartiles, dashes are theory.", len(end_to_end.SEEDS))
    says(
        "nor does the number of rows, unless [it is below that of the features](#linear_block-prompts:size=2,other=5)."
    )
    assert prompts.settings(5, 2).thin
    says("[with two features](#linear_block-prompts:size=0) or [with eight](#linear_block-prompts:size=4)")
    assert [prompts.settings(2, size).d for size in (0, 4)] == [2, 8]
    for d in (2, 3, 4, 6, 8):
        ratio = block[d] / step[d]
        low, high = np.quantile(ratio[1:], [0.025, 0.975])
        numbers = (step[d][0], block[d][0], ratio[0], low, high, (d + 3) / (d + 1))
        says(f"| {d} | {{}} | {{}} | {{}} ({{}} to {{}}) | {{}} |", *numbers)
        exact = costs(d, 20.0, 0.5)
        assert exact[1] / exact[0] == pytest.approx((d + 3) / (d + 1), rel=0.02)
        told = row[d]["predicted"][1] / row[d]["predicted"][0]
        assert told == pytest.approx((d + 3) / (d + 1), rel=0.02)
    fits = {key: end_to_end.exponent(list(one), np.stack(list(one.values()))) for key, one in need.items()
            if key != ("block", "width")}  # fmt: skip
    tasks = [end_to_end.task_of(one) for one in end_to_end.SWEPT["d"]]
    told = [np.array(row[task.d]["predicted"]) / end_to_end.SHARE / best(task) for task in tasks]
    theirs = np.polyfit(np.log(list(row)), np.log(told), 1)[0]
    says("(exponent {} to {}) and", *fits["step", "d"][1:])
    says("They grow like $d^{1.65}$")
    assert fits["step", "d"][0] == pytest.approx(1.65, abs=0.005)
    says("and $d^{1.30}$ ({} to {}), by theory {} and {}: less than $d^2$", *fits["block", "d"][1:], *theirs)
    assert fits["block", "d"][0] == pytest.approx(1.30, abs=0.005)
    says("In $M$ the exponents are {} ({} to {}) and {} ({} to {})", *fits["step", "M"], *fits["block", "M"])
    wide = need["block", "width"]
    says("With 4, 5, 10 or 20 rows the block needs the same number of prompts, and with 3 rows")
    assert np.ptp([wide[width][0] for width in (4, 5, 10, 20)]) < 1
    assert np.isinf(wide[3]).all()
    thin = record[end_to_end.Setting(4, 20, 3)]
    says("at {} prompts its risk is still {} above the best", thin["counts"][-1], np.median(thin["block"][-1]))
    few = [np.median(one["block"][0]) / np.median(one["step"][0]) for one in row.values()]
    says("With $2(d^2+d)$ the block costs {} to {} times as much as start and step", min(few), max(few))
    says("No run diverged. Of the {} with at least $16(d^2+d)$ prompts and $d$ rows one ended nearer to ignoring", 768)
    assert sum(one["lost"] for one in record.values()) == 0
    caught = {}
    for setting, one in record.items():
        task = end_to_end.task_of(setting)
        gained = theory.prior_risk(task) - best(task)
        if setting.width >= setting.d:
            caught[setting] = np.array(one["block"])[3:] > end_to_end.CAUGHT * gained
    assert sum(runs.size for runs in caught.values()) == 768
    assert {one.M: runs.sum() for one, runs in caught.items() if runs.any()} == {5: 1}
    says("random matrices, 4000 steps of Adam")
    assert end_to_end.STEPS == 4000
    assert (end_to_end.TIMES[0], end_to_end.TIMES[-1], len(end_to_end.TIMES), len(end_to_end.SEEDS)) == (2, 128, 7, 16)
