"""Sentences of the chapter, and of its figures' tours, that say what comes out: quoted as they stand, and computed."""

import numpy as np
import pytest

from hal.chapters.linear_block import runs
from hal.chapters.linear_block.figures import flow, guess, risk, sees, training
from hal.chapters.linear_block.runs import ingredients, starts, table1
from hal.explorer import Computed
from lib.models import linear_block as lb
from lib.models.linear_block import textbook_descent, textbook_parts, textbook_population
from lib.portable import finish
from lib.portable.chances import share_interval
from lib.theory import linear_block as theory
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
    says("with three points its line is little more than half as steep as that of Bayes")
    drawn = [guess.prompt(number, 2.0, 1.0) for number in range(300)]
    slopes = [guess.answers(list(one["x"])[:3], list(one["y"])[:3], 2.0, 1.0)["slopes"] for one in drawn]
    middle = np.abs(slopes).mean(axis=0)
    assert 0.5 < middle[2] / middle[0] < 0.6


def test_the_first_figure():
    known = (theory.best_risk(BASE), theory.best_attention(BASE).risk, theory.zero_start_risk(BASE), bayes(BASE))
    says("At 32 examples the best block has the risk {}, attention alone {}, one step from zero {}", *known[:3])
    says("Bayes {}; the noise is {} of it", known[3], BASE.sigma**2)
    says("At the setting of the first figure that is {} against {}", *known[1:3])
    says("Move ‖β\\*‖: the block and Bayes stay where they are, the other two rise.")
    for norm in (0.0, 5.0):
        moved = lb.power_task(d=8, M=32, norm=norm)
        assert theory.best_risk(moved) == pytest.approx(known[0])
        assert bayes(moved) == pytest.approx(known[3])
    assert theory.best_attention(moved).risk > known[1]
    assert theory.zero_start_risk(moved) > known[2]


def test_the_edges_of_the_first_figure_and_its_tour():
    shown = risk.laws(default(risk))
    assert all((np.diff(shown[name]) < 0).all() for name in ("step", "attention", "zero"))
    says("[A mean of zero](#linear_block-risk:norm=0) makes block and attention one")
    by_mean = risk.by_mean(default(risk, norm=10.0))
    assert np.ptp(by_mean["step"]) == 0
    assert by_mean["attention"][-1] > 20 > by_mean["step"][-1]
    for name in ("attention", "zero"):
        assert by_mean[name][0] == pytest.approx(by_mean["step"][0], rel=1e-9)
    says("from 10 examples on least squares lies below it, and goes down to the noise")
    calm = risk.laws(default(risk, sigma=0.2))
    M, least, step = (np.array(calm[name]) for name in ("M", "squares", "step"))
    assert (least[M >= 10] < step[M >= 10]).all()
    assert least[-1] == pytest.approx(0.04, rel=0.05)
    assert theory.best_risk(BASE.but(sigma=0.2)) > 20 * bayes(BASE.but(sigma=0.2), 500)
    says("[Much noise](#linear_block-risk:sigma=4) lets it come near Bayes")
    loud = BASE.but(sigma=4.0)
    assert theory.best_risk(loud) < 1.05 * bayes(loud)
    says("tell little: Bayes has {}, where the mean alone has {}", bayes(BASE.but(M=2)), theory.prior_risk(BASE))
    says("[Falling variances](#linear_block-risk:decay=2) lower all of them")
    falling = lb.power_task(decay=2.0)
    for rule in (theory.best_risk, theory.zero_start_risk, bayes, lambda task: theory.best_attention(task).risk):
        assert rule(falling) < rule(BASE)
    other = risk.elsewhere(default(risk))
    assert other["summed"][-1] > 100
    assert (np.diff(other["kept"]) < 0).all()


def test_the_flow():
    found = flow.flow(default(flow))
    says("Γ grows along it until {}, where {} is best", found["top"][0], found["goal_now"][0])
    says("across the mean it does not overshoot")
    assert 0.1 < found["top_at"][0] < 0.5
    assert max(found["across"]) < found["goal"][0] + 0.002
    stuck = found["stuck"][0]
    says("The risk first falls to that of the best step from zero, {}, and passes it as β comes along.", stuck)
    beta, at, falls = (np.array(found[name]) for name in ("beta", "time", "risk"))
    there = np.argmax(falls < stuck)
    assert at[there] < 0.5
    assert beta[there] < 0.1 * 4
    assert beta[at < 0.1].max() < 0.5
    assert beta[at > 8].min() > 3.8
    assert falls[-1] == pytest.approx(found["best"][0], rel=1e-3)


def test_the_edges_of_the_flow_and_its_tour():
    says("[Four times the rate that is safe](#linear_block-flow:lr=0.21): descent blows up within a few steps")
    high = default(flow, lr=0.21)
    assert flow.flow(high)["share"][0] == pytest.approx(4, abs=0.1)
    assert 0 < finish(textbook_descent, high, 0)["diverged_at"][0] < 10
    says("[At ten times](#linear_block-flow:lr=0.5) it lands well by luck, after one leap")
    lucky = default(flow, lr=0.5)
    assert flow.flow(lucky)["share"][0] == pytest.approx(10, abs=0.6)
    run = finish(textbook_descent, lucky, 0)
    assert run["risk"][1] > 10 * run["risk"][0]
    assert run["risk"][-1] == pytest.approx(flow.flow(lucky)["least"][0], rel=1e-6)
    rates = [flow.flow(default(flow, norm=norm))["rate"][0] for norm in (4.0, 6.0)]
    says("the safe one is {} here, {} at length 6", *rates)
    says("[Two prompts a step](#linear_block-flow:batch=2,lr=0.1) blow up at a rate that all prompts together stand")
    for seed in range(6):
        few = finish(textbook_descent, default(flow, batch=2, lr=0.1), seed)
        assert few["drawn_lost"] == [1.0]
        assert np.isnan(few["diverged_at"][0])
        assert few["risk"][-1] < 2
    assert flow.flow(default(flow, norm=0.0, lr=0.1))["over"][0] < 0.02  # one phase only
    slow = default(flow, norm=1.0, decay=1.5)
    last = np.array(finish(textbook_descent, slow, 0)["gains"]).reshape(-1, 5)[-1]
    share = last / np.array(flow.flow(slow)["gains"])
    assert share[0] > 0.95
    assert share[-1] < 0.6


def trained(count=16, **changed):
    """The theory of the training's figure, and the runs of its fast twin."""
    settings = default(training, **changed)
    return training.laws(settings), runs.fast_population(settings, range(count))


def test_the_block_itself():
    says("All end at the best risk: α goes to the length of the mean, the step to the best one, and the labels leave")
    law, run = trained()
    for name, known in (("risk", law["best"][0]), ("alpha", 2.0), ("along", law["gain"][0]), ("labels", 0.0)):
        np.testing.assert_allclose(run[name][:, -1], known, atol=0.01)
    says("the risk stays at {}, which is that of the mean alone, until the reading begins", law["prior"][0])
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
    says("lay a trap: some starts end in it, labels in their keys, α at the mean")
    law, caught = trained(24, **training.TRAP)
    there = np.abs(caught["risk"][:, -1] - law["trapped"][0]) < 0.01
    assert 2 <= there.sum() <= 16
    assert caught["labels"][there, -1].min() > 0.1
    np.testing.assert_allclose(caught["alpha"][there, -1], 1.0, atol=0.02)
    says("decay=2) none does")
    law, none = trained(24, kind=1, scale=0.02, **training.TRAP)
    np.testing.assert_allclose(none["risk"][:, -1], law["best"][0], rtol=1e-3)


def test_the_paper_s_figure():
    task = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)
    best = {True: theory.best_risk(task), False: theory.best_attention(task).risk}
    says("Both end at their best risk, which theory knows: {} with the MLP, {} without (LTB-24)", *best.values())
    for mlp, known in best.items():
        run = runs.train_on_prompts(task, range(2), 1500, 64, mlp=mlp)
        np.testing.assert_allclose(run["risk"][:, -1], known, rtol=0.02)


def test_table_1():
    ends = {key: runs.recorded_errors(*key)[:, -1] for key in ((0.0, True), (0.0, False), (10.0, True), (10.0, False))}
    says("| ours, one layer, median of five runs | {} | {} | {} | {} |", *map(np.median, ends.values()))
    assert {len(end) for end in ends.values()} == {5}
    near, far = ends[10.0, True], ends[10.0, False]
    says("at the far mean the medians part by {}, not by hundreds (LTB-28)", np.median(far) / np.median(near))
    says("is one of two at the size that we could run")
    says("One run of five with an MLP ended at {}, which is reading nothing.", near.max())
    assert np.sum(near < far.min()) == 4
    assert max(ends[0.0, True].max(), ends[0.0, False].max()) < 1
    says("one block with softmax attention parts by ten (LTB-27)")
    assert measured("LTB-27", "softmax: error without an MLP over") == pytest.approx(10, abs=1)


def test_where_measurement_and_statements_part():
    calm = BASE.but(sigma=0.1)
    known = theory.best_risk(calm), bayes(calm)
    says("With $\\sigma=0.1$ at $d=8$, $M=32$ the best block has the risk {}, Bayes {}", *known)
    made = theory.best_step(BASE)
    known = theory.step_risk(BASE.but(M=4), BASE.mean, made), theory.long_risk(BASE, BASE.mean, made)
    says("A step made for 32 examples has the risk {} at 4 examples, where reading nothing has 9, and {} on", *known)


def test_what_the_ledger_has_is_quoted():
    caught = measured("LTB-26", "random starts of 24")
    says("On a task with such a trap {} of 24 random starts end there, of those near identity none (LTB-26)", caught)
    assert measured("LTB-26", "largest risk from near identity") < 2.72 < measured("LTB-26", "their median risk")
    share = measured("LTB-30", "share in the trap, criterion above 1.05")
    says("with a criterion above 1.05 some {} % of random starts were caught, with one below 0.6", 100 * share)
    assert measured("LTB-30", "share at the best risk, criterion below 0.6") == 1
    says("goes down a stair: the mean first, and long after it the reading (LTB-25)")
    assert measured("LTB-25", "median risk at step 500") == pytest.approx(5.25, abs=0.02)
    assert measured("LTB-25", "median risk at step 4000") == pytest.approx(1.44, abs=0.02)


def cut(**changed):
    """The numbers of the figure of what is cut."""
    return sees.laws(default(sees, **changed))


def test_what_dies_when_something_is_cut():
    says("The first row is blank on every prompt: α is dead. The other rows are what they were, and the risk rises by")
    found, whole = cut(), cut(mlp=1)
    says("rises by the square of the mean, from {} to {}", whole["own"][0], found["own"][0])
    assert found["own"][0] - whole["own"][0] == pytest.approx(2.0**2)
    assert whole["sizes"][0] > 1
    np.testing.assert_allclose(found["sizes"], [0, *whole["sizes"][1:]])
    run = finish(textbook_parts, default(sees), 0)
    assert set(run["shown"][: textbook_parts.SHOWN]) == {0.0}
    says("[Cut the residual instead](#linear_block-sees:mlp=1,residual=0): the same row dies, since α needs both")
    np.testing.assert_allclose(cut(mlp=1, residual=0)["sizes"], found["sizes"])
    says("[Without the MLP](#linear_block-sees:kind=0) labels twice, which a gradient step has no use for, stand in")
    anew = cut(kind=0)
    assert (whole["sizes"][3], anew["sizes"][0]) == (0, 0)
    assert anew["sizes"][3] > 0.5
    assert found["own"][0] > 4 > anew["own"][0]
    says("[Random matrices](#linear_block-sees:kind=2) show that the row dies whatever the weights are")
    for kind in (2, 3):
        rows = cut(kind=kind)["sizes"]
        assert (rows[0], rows[4]) == (0, 0)
        assert min(rows[1:4]) > 0.1


def test_the_cut_mask():
    finished, so = (cut(mlp=1, mask=0, M=6, kind=kind) for kind in (1, 0))
    says("[Without the mask](#linear_block-sees:mlp=1,mask=0,kind=0,M=6) α grows longer.")
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
    says("a cut mask even helps, since a query that is its own example carries a makeshift start")
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
    says("| batch, rate, steps | 64, $10^{-4}$, 500,000 | *assumed* |")
    assert max(mean for mean, _ in table1.MODELS) == 10
    says("**It has not been run**")
    assert runs.recorded_table1() is None


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
        "Bayes for the old mean": lambda moved, shift: theory.shifted_bayes_risk(BASE, shift, contexts),
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
    says("and at the first figure's setting pays {} at $\\kappa={}$", paid, runs.EXCESS)
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
    says("three quarters match it in {} steps or fewer; with half an example a feature {} of 40 never do", most, never)


def test_which_ingredient_makes_the_mlp_matter():
    errors = runs.recorded_ingredients()
    assert {len(found) for found in errors.values()} == {10}
    middle = {key: np.median(found) for key, found in errors.items()}
    for sentence, added in (
        ("{} with it and {} without (medians)", "read-out, softmax"),
        ("gains little by MLPs: {} and {}", "read-out, two layers"),
        ("at the end {} with MLPs and {} without", "read-out, LayerNorm at the end"),
        ("at both places {} and {}", "read-out, LayerNorm at both"),
        ("it does less, {} and {}", "read-out, LayerNorm inside"),
        ("with all parts together it is {} and {}", "all of them"),
    ):
        says(sentence, middle[added, True], middle[added, False])
    plain = [middle["a read-out", False], middle["the linear block", False]]
    says("both end at {}, where without either it ends at {}", *plain)
    for added in ("a read-out", "the linear block"):
        assert middle[added, True] == pytest.approx(plain[0], abs=0.005)
    says("no run with MLPs is as bad as the best without (LTB-37)")
    for where in ("at the end", "at both"):
        assert errors[f"read-out, LayerNorm {where}", True].max() < errors[f"read-out, LayerNorm {where}", False].min()
    nothing = theory.prior_risk(ingredients.TASK)
    says("the median of no stack without MLPs is below {}, which is reading nothing", nothing)
    ended = ("read-out, LayerNorm at the end", "read-out, LayerNorm at both", "all of them")
    assert min(middle[added, False] for added in ended) > nothing


def test_which_starts_reach_the_best_step():
    found = runs.recorded_starts()
    criteria = {setting: theory.trap_criterion(starts.task_of(setting)) for setting in found}

    def counts(low, high, end):
        return np.sum([found[one][end] for one, value in criteria.items() if low < value < high], axis=0)

    above, below, between = (sum(lo < c < hi for c in criteria.values()) for lo, hi in ((1, 99), (0, 0.45), (0.45, 1)))
    best = counts(1, 99, "best")
    shares = [(n / (24 * above), *share_interval(float(n), 24.0 * above)) for n in best[:3]]
    small, middling, large = (100 * np.array(one) for one in shares)
    says("**Above 1** ({} tasks) {} % of the random starts with entries of 0.1 reach the best risk", above, small[0])
    says("(95 % interval {} to {} %), {} % with 0.3 ({} to {} %)", *small[1:], *middling)
    says("and {} % with 0.6 ({} to {} %)", *large)
    says("Those with small entries that do not are all in the trap.")
    assert not counts(1, 99, "elsewhere")[:2].any()
    says("From near identity {} of {} arrive; two of eight features were caught", best[3], 24 * above)
    assert sum(ends["trap"][3] for one, ends in found.items() if one.d == 8) == 2
    arrived = counts(0, 0.45, "best")
    left = 100 * (1 - arrived[2] / (24 * below))
    says("**Below 0.45** ({} tasks) all small random starts arrive (LTB-38). Of the large ones {} % have", below, left)
    assert arrived[[0, 1, 3]].tolist() == [24 * below] * 3
    says("**Between 0.45 and 1** ({} tasks, all of two features) no start is in the trap, and yet 18 % with", between)
    assert {one.d for one, value in criteria.items() if 0.45 < value < 1} == {2}
    assert not counts(0.45, 1, "trap").any()
    lost = 1 - counts(0.45, 1, "best")[:2] / (24 * between)
    says("{} % with entries of 0.1 and {} % with 0.3 do not arrive", *(100 * lost))
    assert measured("LTB-39", "random starts of 24 between best risk and trap, d = 4") >= 3
