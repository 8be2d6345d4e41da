"""Numbers in the chapter's text are those of the record, of the theory, or of runs."""

import json
from functools import cache

import numpy as np
import pytest

from hal.chapters.linear_block import runs
from hal.chapters.linear_block.figures import flow, sees, training
from hal.chapters.linear_block.runs import end_to_end, ingredients, starts, table1
from hal.chapters.linear_block.runs.tasks_needed import excess_of_fitted_step
from hal.explorer import Computed
from lib.models import linear_block as lb
from lib.models.linear_block import textbook_descent, textbook_population
from lib.portable import finish
from lib.portable.chances import share_interval
from lib.theory import linear_block as theory
from tests.prose import Prose

PROSE = Prose("linear_block")
measured = PROSE.measured
BASE = lb.power_task(d=8, M=32, sigma=1.0, norm=3.0)
CALM = BASE.but(sigma=0.1)
PAPER = lb.power_task(d=5, M=20, sigma=0.5, norm=2.0)


@cache
def contexts(M, count=4000):
    return np.random.default_rng(5).standard_normal((count, M, 8))


def bayes(task):
    return theory.bayes_risk(task, contexts(task.M))


def above(*risks):
    return [risk - BASE.sigma**2 for risk in risks]


def default(module, **changed):
    """The settings of a figure at its default and what is changed."""
    figure = Computed(module)
    return figure.settings_of(**figure.check(changed))


@cache
def descent():
    return finish(textbook_descent, default(flow), 0), flow.laws(default(flow))


def leap():
    """At ten times the safe rate: one leap, then the least risk."""
    far = default(flow, lr=0.5)
    risk, laws = finish(textbook_descent, far, 0)["risk"], flow.laws(far)
    return abs(laws["share"][0] - 10) < 0.6, risk[1] > 10 * risk[0], risk[-1] == pytest.approx(laws["least"][0])


def cut(**changed):
    """The numbers of the figure of what is cut."""
    return sees.laws(default(sees, **changed))


def risks_of_cut(without, M, norm):
    parts = {"mlp": int("MLP" not in without), "mask": int("mask" not in without), "M": M, "norm": norm}
    one = cut(**parts)
    return one["best_now"][0], one["own"][0], cut(**parts, kind=0)["own"][0]


@cache
def table_1():
    """Last errors by mean and whether there is an MLP, one layer."""
    return {key: runs.recorded_errors(*key)[:, -1] for key in ((0.0, True), (0.0, False), (10.0, True), (10.0, False))}


@cache
def large():
    """Steps, and last error by mean and whether there is an MLP, at the paper's own size; and the settings."""
    steps, errors = runs.recorded_table1()
    return steps, {model: float(one[0, -1]) for model, one in errors.items()}, table1.Settings()


@cache
def shifted():
    """Rules at a mean that has moved: by name the risk at a task and a shift."""
    alone = theory.as_block(BASE, theory.best_attention(BASE))
    zero = theory.best_step(BASE.but(Psi=BASE.Psi + np.outer(BASE.mean, BASE.mean), mean=np.zeros(8)))
    return {
        "best block": lambda moved, shift: theory.best_risk(BASE) + theory.shift_cost(BASE, shift),
        "attention alone": lambda moved, shift: theory.block_risk(moved, alone),
        "one step from zero": lambda moved, shift: theory.step_risk(moved, np.zeros(8), zero),
        "Bayes predictor for the old mean": lambda moved, shift: theory.shifted_bayes_risk(BASE, shift, contexts(32)),
    }


def at_shifts(name):
    shifts = (0 * BASE.mean, BASE.mean, -BASE.mean)
    return [shifted()[name](BASE.but(mean=BASE.mean + shift), shift) for shift in shifts]


def heavy_price():
    alone = theory.as_block(BASE, theory.best_attention(BASE))
    return float(theory.heavy_noise_risk(BASE, alone, runs.EXCESS) - theory.block_risk(BASE, alone)), runs.EXCESS


def steps_worth(norm):
    """Cells of the table of steps, by the number of examples: with one rate for all prompts, and with the best."""
    for M in (4, 8, 16, 32, 64, 128):
        task = lb.power_task(d=8, M=M, norm=norm)
        spectra = theory.context_spectra(task, contexts(M))
        shared, best = (theory.steps_to_match(task, spectra, shared=one) for one in (True, False))
        assert np.isinf(shared) == np.isinf(best)
        if np.isinf(best):
            assert theory.endless_steps_risk(task, spectra) > 1.02 * theory.best_risk(task)
        yield "never" if np.isinf(best) else f"{shared} / {best}"


@cache
def ingredient():
    """Median errors by what is added and whether there are MLPs, and all of them."""
    errors = runs.recorded_ingredients()
    assert {len(found) for found in errors.values()} == {10}
    return {key: np.median(found) for key, found in errors.items()}, errors


def with_and_without(added):
    return ingredient()[0][added, True], ingredient()[0][added, False]


def none_as_bad():
    errors = ingredient()[1]
    return [
        errors[f"read-out, LayerNorm {where}", True].max() < errors[f"read-out, LayerNorm {where}", False].min()
        for where in ("at the end", "at both")
    ]


@cache
def arrived():
    """Recorded starts with the criterion of their task."""
    return {one: (theory.trap_criterion(starts.task_of(one)), ends) for one, ends in runs.recorded_starts().items()}


def ended(low, high, end):
    """How many runs end so, by the kind of start, on tasks whose criterion lies between two numbers; and the tasks."""
    inside = [ends for value, ends in arrived().values() if low < value < high]
    return np.sum([ends[end] for ends in inside], axis=0), len(inside)


def shares_at_the_best(low, high):
    counts, tasks = ended(low, high, "best")
    shares = [[count / (24 * tasks), *share_interval(float(count), 24.0 * tasks)] for count in counts]
    return tasks, *(100 * np.ravel(shares))


def caught_near_identity():
    trapped, tasks = ended(1, 99, "trap")
    wide = sum(ends["trap"][3] for one, (_, ends) in arrived().items() if one.d == 8)
    return 24 * tasks, wide == trapped[3] == 2, not ended(1, 99, "elsewhere")[0][[0, 1, 3]].any()


@cache
def forgetful(adam):
    """Last alpha and risk of the chapter's own step that forgets a twentieth, the medians of four runs."""
    ends = []
    for seed in range(4):
        state = textbook_population.start(default(training, adam=adam), seed)
        while not textbook_population.done(state):
            textbook_population.step(state)
            for row in state.W:
                row[:] = [0.95 * entry for entry in row]
        run = textbook_population.read(state)
        ends.append([run["alpha"][-1], run["risk"][-1]])
    return np.median(ends, axis=0)


def examples_needed(risk_of):
    return next(M for M in range(10, 5000) if risk_of(lb.power_task(d=8, M=M)) <= 1.1)


def excess(n):
    task = lb.power_task(d=4, M=20, sigma=0.5, norm=2.0)
    return np.median([excess_of_fitted_step(task, n, seed) for seed in range(8)])


@cache
def needs():
    """Prompts needed, by the way and the axis: by size the number with its bootstrap; and the record."""
    record, found = end_to_end.recorded_needs(), {}
    for way in end_to_end.WAYS:
        for axis in end_to_end.SWEPT:
            found[way, axis] = dict(zip(*end_to_end.along(axis, way, record), strict=True))
    return found, record


def ratio_of_needs(d):
    step, block = needs()[0]["step", "d"][d], needs()[0]["block", "d"][d]
    ratio = block / step
    return step[0], block[0], ratio[0], *np.quantile(ratio[1:], [0.025, 0.975]), (d + 3) / (d + 1)


def exponents(*key):
    sizes = needs()[0][key]
    return end_to_end.exponent(list(sizes), np.stack(list(sizes.values())))


def exponents_told():
    rows = {end_to_end.task_of(one): needs()[1][one] for one in end_to_end.SWEPT["d"]}
    told = [np.array(row["predicted"]) / end_to_end.SHARE / theory.best_risk(task) for task, row in rows.items()]
    return np.polyfit(np.log([task.d for task in rows]), np.log(told), 1)[0]


def few_prompts():
    rows = [needs()[1][one] for one in end_to_end.SWEPT["d"]]
    return [np.median(one["block"][0]) / np.median(one["step"][0]) for one in rows]


def caught_in_the_end():
    """Runs with enough prompts and rows, and whether just one, at M = 5, ended nearer to ignoring the examples."""
    count, caught = 0, {}
    for setting, one in needs()[1].items():
        if setting.width >= setting.d:
            task = end_to_end.task_of(setting)
            gained = theory.prior_risk(task) - theory.best_risk(task)
            there = np.array(one["block"])[3:] > end_to_end.CAUGHT * gained
            count += there.size
            if there.any():
                caught[task.M] = there.sum()
    return count, caught == {5: 1}, sum(one["lost"] for one in needs()[1].values()) == 0


def thin():
    row = needs()[1][end_to_end.Setting(4, 20, 3)]
    return row["counts"][-1], np.median(row["block"][-1])


# what stands at each {}, then what else must be true
NUMBERS = {
    "At 32 examples the best block is {} above the noise, attention alone {}, one step from zero {}": lambda: above(
        theory.best_risk(BASE), theory.best_attention(BASE).risk, theory.zero_start_risk(BASE)
    ),
    "and the Bayes predictor {}.": lambda: above(bayes(BASE)),
    "beats one step from zero, {} against {} above the noise in the next figure": lambda: above(
        theory.best_attention(BASE).risk, theory.zero_start_risk(BASE)
    ),
    "With 11 examples or more least squares lies below it, and falls towards zero": lambda: [
        theory.least_squares_risk(task) < theory.best_risk(task)
        for task in (BASE.but(M=M, sigma=0.2) for M in range(11, 129))
    ],
    "lowers the risk from {}, which is what the mean alone achieves, to {}": lambda: (
        theory.prior_risk(BASE),
        bayes(BASE.but(M=2)),
    ),
    "the gain along it rises to {}, where {} is best": lambda: (max(descent()[0]["along"]), descent()[1]["goal"][0]),
    "The risk first falls to that of the best step from zero, {}, and passes it as β comes.": lambda: descent()[1][
        "stuck"
    ][0],
    "[Four times the learning rate that is safe](#linear_block-flow:lr=0.21). Descent blows up within a few steps": (
        lambda: (
            abs(flow.laws(default(flow, lr=0.21))["share"][0] - 4) < 0.1,
            0 < finish(textbook_descent, default(flow, lr=0.21), 0)["diverged_at"][0] < 10,
        )
    ),
    "[At ten times](#linear_block-flow:lr=0.5) descent lands well by luck, after one leap": leap,
    "the safe one is {} here, {} at norm 6": lambda: [
        0.02 / flow.laws(default(flow, norm=norm))["share"][0] for norm in (4.0, 6.0)
    ],
    "the risk stays at {}, which is that of the mean alone, until the examples are used": lambda: training.laws(
        default(training)
    )["prior"][0],
    "Both end at their best risk, which theory knows: {} with the MLP, {} without (LTB-24)": lambda: (
        theory.best_risk(PAPER),
        theory.best_attention(PAPER).risk,
    ),
    "| this page, one layer, median of five runs | {} | {} | {} | {} |": lambda: (
        *map(np.median, table_1().values()),
        {len(end) for end in table_1().values()} == {5},
    ),
    "at the far mean the medians part by {}, not by hundreds (LTB-28)": lambda: (
        np.median(table_1()[10.0, False]) / np.median(table_1()[10.0, True])
    ),
    "One run of five with an MLP ended at {}, which is ignoring the examples.": lambda: (
        max(table_1()[10.0, True]),
        sum(table_1()[10.0, True] < min(table_1()[10.0, False])) == 4,
    ),
    "one block with softmax attention parts by ten (LTB-27)": lambda: (
        abs(measured("LTB-27", "softmax: error without an MLP over") - 10) < 1
    ),
    "With $\\sigma=0.1$ at $d=8$, $M=32$ the best block has the risk {}, the Bayes predictor {}": lambda: (
        theory.best_risk(CALM),
        bayes(CALM),
    ),
    "A step made for 32 examples has the risk {} at 4 examples, where ignoring them has {}, and {} on": lambda: (
        *(measured("LTB-21", name) for name in ("theory at 4", "risk of reading nothing", "theory on endless prompts")),
    ),
    "On a task with such a trap {} of 24 random initialisations end there, of those near identity none": lambda: (
        measured("LTB-26", "random starts of 24"),
        measured("LTB-26", "largest risk from near identity") < 2.72 < measured("LTB-26", "their median risk"),
    ),
    "with a criterion above 1.05 about {}% of random initialisations were caught, with one below 0.6": lambda: (
        100 * measured("LTB-30", "share in the trap, criterion above 1.05"),
        measured("LTB-30", "share at the best risk, criterion below 0.6") == 1,
    ),
    "rises by the square of the mean, from {} to {}": lambda: (cut(mlp=1)["own"][0], cut()["own"][0]),
    **{
        f"| {without} | {M} | {norm} | {{}} | {{}} | {{}} |": lambda of=(without, M, norm): risks_of_cut(*of)
        for without, M, norm in (
            ("MLP", 20, 2),
            ("MLP", 20, 6),
            ("mask", 6, 2),
            ("mask", 64, 2),
            ("MLP", 2, 2),
            ("MLP and mask", 2, 2),
        )
    },
    "at four features and noise 0.5": lambda: (default(sees).d, default(sees).sigma) == (4, 0.5),
    "It leaves a checkpoint every {} steps": lambda: large()[2].every,
    "| width, $d$, $M$, $\\sigma$ | {}, {}, {}, 0 | *assumed* |": lambda: (
        large()[2].width,
        large()[2].d,
        large()[2].M,
    ),
    "| batch, learning rate, steps | {}, $10^{-4}$, {} | *assumed* |": lambda: (
        *(large()[2].batch, large()[2].steps),
        large()[2].lr == 1e-4,
    ),
    "for {} of the {} steps that we assume; one run each": lambda: (large()[0], large()[2].steps),
    "round what enters a product to 10 bits (TF32, `--products tf32 --compiled 1`)": lambda: (
        {row["setting"]["products"] for row in json.loads(table1.RECORD.read_text())["runs"]} == {"tf32"}
    ),
    "and the losses part by {}.": lambda: large()[1][0.0, False] / large()[1][0.0, True],
    "both are still above the {} of who knows the mean and reads none": lambda: (
        theory.prior_risk(lb.Task(np.eye(large()[2].d), np.eye(large()[2].d), np.full(large()[2].d, 10.0), 0.0, 20)),
        min(large()[1][10.0, mlp] for mlp in (True, False)) > large()[2].d,
    ),
    **{f"| {name} | {{}} | {{}} | {{}} |": lambda name=name: at_shifts(name) for name in shifted()},
    "at the setting of the figure of risks its risk grows by {} at $\\kappa={}$": heavy_price,
    "its risk is then infinite, where the block with its MLP keeps {}": lambda: theory.best_risk(BASE),
    "three quarters match it in {} steps or fewer; with half an example per feature {} of 40 never do": lambda: (
        measured("LTB-36", "steps that three quarters need"),
        40 * measured("LTB-36", "share that never match"),
    ),
    **{
        f"| {words} | {{}} | {{}} |": lambda added=added: with_and_without(added)
        for words, added in (
            ("softmax", "read-out, softmax"),
            ("two layers", "read-out, two layers"),
            ("LayerNorm inside", "read-out, LayerNorm inside"),
            ("LayerNorm at the end", "read-out, LayerNorm at the end"),
            ("LayerNorm at both places", "read-out, LayerNorm at both"),
            ("all of them", "all of them"),
            ("nothing", "a read-out"),
        )
    },
    "with LayerNorm at the end the error is {} with MLPs and {} without": lambda: with_and_without(
        "read-out, LayerNorm at the end"
    ),
    "Without a read-out and without an MLP the linear block ends at {}": lambda: with_and_without("the linear block")[
        1
    ],
    "no run with MLPs is as bad as the best without (LTB-37)": none_as_bad,
    "the median of no stack without MLPs is below {}, which is ignoring the examples": lambda: (
        theory.prior_risk(ingredients.TASK),
        *(
            with_and_without(added)[1] > theory.prior_risk(ingredients.TASK)
            for added in ("read-out, LayerNorm at the end", "read-out, LayerNorm at both", "all of them")
        ),
    ),
    **{
        f"| {words} | {{}} | {' | '.join(['{}% ({} to {})'] * 4)} |": lambda ends=ends: shares_at_the_best(*ends)
        for words, ends in (("above 1", (1.0, 99.0)), ("0.45 to 1", (0.45, 1.0)), ("below 0.45", (0.0, 0.45)))
    },
    "so are the two of {} near identity, on tasks of eight features": caught_near_identity,
    "*In between* all tasks have two features, and no run is in the trap": lambda: (
        {one.d for one, (value, _) in arrived().items() if 0.45 < value < 1} == {2},
        not ended(0.45, 1, "trap")[0].any(),
    ),
    "| risk above the best, $d=4$, $M=20$ | {} | {} | {} | {} |": lambda: [excess(n) for n in (128, 512, 2048, 8192)],
    "Among 1000 contexts at least 999 lie within a factor of two of the sum": lambda: [
        measured("LTB-43", f"proportion of 4000 contexts within a factor of two, d = {d}") >= 0.999 for d in (8, 16)
    ],
    "the risk ends near {} where {} is best, and α near {} where 2 is best": lambda: (
        *(forgetful(1)[1], training.laws(default(training))["best"][0], forgetful(1)[0]),
        default(training).norm == 2,
    ),
    "most runs end at a risk of {}, above the {} of β* alone: their step is gone": lambda: (
        *(forgetful(0)[1], training.laws(default(training))["prior"][0]),
    ),
    "$10/13={}$. Without noise": lambda: (
        10 / 13,
        theory.best_step(lb.power_task(d=1, M=10, sigma=1.0))[0, 0] == pytest.approx(10 / 13),
    ),
    "\\frac{72}{41}={}$": lambda: theory.best_risk(lb.power_task(d=8, M=32, sigma=0.0)),
    "{} examples against {}.": lambda: [
        examples_needed(risk_of) for risk_of in (theory.best_risk, theory.least_squares_risk)
    ],
    "the price falls from {} at $M=1$ to {} at $M=64$": lambda: [
        theory.best_attention(task).risk - theory.best_risk(task) for task in (BASE.but(M=1), BASE.but(M=64))
    ],
    "that is {}, more than the 9 of ignoring the examples, and in the limit {}": lambda: [
        measured("LTB-21", name) for name in ("theory at 4", "theory on endless prompts")
    ],
    "at $d=4$ {} instead of {} to come within 10% of the best risk (LTB-44)": lambda: (
        *(needs()[0][way, "d"][4][0] for way in ("block", "step")),
        end_to_end.SHARE == 0.1,
    ),
    "Lines are medians of {} seeds with their quartiles, dashes are theory.": lambda: len(end_to_end.SEEDS),
    **{f"| {d} | {{}} | {{}} | {{}} ({{}} to {{}}) | {{}} |": lambda d=d: ratio_of_needs(d) for d in (2, 3, 4, 6, 8)},
    "(exponent {} to {}) and": lambda: exponents("step", "d")[1:],
    "They grow like $d^{{}}$": lambda: exponents("step", "d")[0],
    "and $d^{{}}$ ({} to {}), by theory {} and {}: less than $d^2$": lambda: (
        *exponents("block", "d"),
        *exponents_told(),
    ),
    "In $M$ the exponents are {} ({} to {}) and {} ({} to {})": lambda: (
        *exponents("step", "M"),
        *exponents("block", "M"),
    ),
    "With 4, 5, 10 or 20 rows the block needs the same number of prompts, and with 3 rows": lambda: (
        np.ptp([needs()[0]["block", "width"][width][0] for width in (4, 5, 10, 20)]) < 1,
        np.isinf(needs()[0]["block", "width"][3]).all(),
    ),
    "at {} prompts its risk is still {} above the best": thin,
    "With $2(d^2+d)$ the block costs {} to {} times as much as start and step": lambda: (
        min(few_prompts()),
        max(few_prompts()),
    ),
    "No run diverged. Of the {} with at least $16(d^2+d)$ prompts and $d$ rows one ended nearer to ignoring": (
        caught_in_the_end
    ),
    "random matrices, {} steps of Adam": lambda: end_to_end.STEPS,
}


@pytest.mark.parametrize("sentence", NUMBERS)
def test_number_in_text_is_what_is_computed(sentence):
    PROSE.holds(sentence, NUMBERS[sentence]())


@pytest.mark.parametrize("norm", [3, 10])
def test_table_of_steps_is_what_is_computed(norm):
    PROSE.says(f"| $\\lVert\\beta^*\\rVert={norm}$ | {' | '.join(steps_worth(norm))} |")
