"""What figures say: digits, alternatives, facts in V8; and that it is true wherever their sliders stand."""

import math

import pytest

from hal.figure import Say, Slider, Step, figure_of
from hal.figure.sentences import digits, say
from hal.figure.v8 import asked, called
from tests.figure import toy_computed
from tests.figure.changed import changed
from tests.rows import Figure, middle, speaking, whole_runs
from tests.sentences.laws import broken
from tests.sentences.trial import toured, tried

FOUND = speaking()
every = pytest.mark.parametrize("name", FOUND)


def found_wrong(found):
    """Where a sentence was wrong: the position, what was said, and why it is wrong."""
    return [(one.point, one.seed, len(one.result.runs), one.text, one.wrong) for one in found if one.wrong]


@pytest.mark.law
@every
def test_sentences_are_true_at_five_random_positions(name):
    assert found_wrong(tried(*FOUND[name], seed=2, count=5)) == []


@pytest.mark.law
@pytest.mark.parametrize("name", [name for name, (module, _) in FOUND.items() if hasattr(module, "TOUR")])
def test_sentences_are_true_along_the_tour(name):
    assert found_wrong(toured(*FOUND[name])) == []


@pytest.mark.deep
@pytest.mark.timeout(3600)
@every
def test_sentences_are_true_at_200_random_positions(name):
    assert found_wrong(tried(*FOUND[name], seed=1, count=200)) == []


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("The loss is 0.000.", "zero with decimals"),
        ("Right in 100.0 % of runs.", "decimals behind 100 %"),
        ("It errs in 100% of cases.", "always, as a percentage"),
        ("It has taken 1 samples.", "1 samples: one of many"),
        ("It is number 9.5 of ten.", "9.5 of ten: half a place"),
        ("The gap is 2.22×10⁻¹⁰⁴.", "×10⁻¹⁰⁴ is rounding"),
        ("The gap is nan.", "a number is missing"),
        (" ", "nothing is said"),
    ],
)
def test_what_no_figure_may_say(text, wrong):
    assert list(broken(text)) == [wrong]


@pytest.mark.parametrize("text", ["The loss is 0.0001, of 100 % and 10.0 %, at 2×10⁻⁷ and 3.0×10⁻⁵; banana."])
def test_what_a_figure_may_say(text):
    assert list(broken(text)) == []


def check(text, shown, point):
    """Of the toy: what its sentence tells, from the runs."""
    ends = [run["V"][-1] for run in whole_runs(shown)]
    lost = len(shown.runs) - len(ends)
    assert text.startswith(f"{sum(end > 0 for end in ends)} of {len(ends)} runs go right, {lost} diverged.")
    end, (half,) = middle(shown, "V"), shown.theory["flow.half"]
    assert ("V ends high" in text) == (end > 0.5)
    assert ("below" in text) == (end <= 0.5 and end < half)


SHORT = {**toy_computed.SLIDERS, "T": Slider("Context length T", "tokens", 12, (6, 40))}
TOY, TOY_ROW = changed(toy_computed, SLIDERS=SHORT), Figure({}, check, gone="No run has come")


def test_a_true_sentence_passes_and_a_false_one_is_found_where_it_is_false():
    right = list(tried(TOY, TOY_ROW, 1, 12))
    assert not any(one.wrong for one in right)
    first, (high, low) = toy_computed.READING
    wrong = changed(TOY, READING=[first, [Say(high.text, "end > -2"), low]])
    found = list(tried(wrong, TOY_ROW, 1, 12))
    assert [one.point for one in found] == [one.point for one in right]
    false = [-2 < one.result.facts.get("end", -3.0) <= 0.5 for one in found]
    assert [bool(one.wrong) for one in found] == false
    assert 0 < sum(false) < 12


def test_a_step_of_a_tour_is_asked_where_it_goes():
    steps = (Step("It begins."), Step("It goes on."), Step("It is 0.000.", lr=0.2, seed=3), Step("It ends."))
    found = list(toured(changed(TOY, TOUR=steps), TOY_ROW))
    assert [one.wrong for one in found] == [[], [], ["the tour: zero with decimals"], []]
    assert (found[2].point["lr"], found[2].seed, len(found[2].result.runs)) == (0.2, 3, toy_computed.RUNS)


NAN = math.nan


@pytest.mark.parametrize(
    ("value", "spread", "text"),
    [
        (0.0414, 0.02, "0.041"), (0.0414, 0.05, "0.04"), (16.9, 2.0, "16.9"), (0.003, 0.5, "0.003"), (0.0, 0.1, "0"),
        (12345.6, NAN, "12,346"), (12345.6, 700.0, "12,300"), (999.5, NAN, "1,000"), (9.995, NAN, "9.99"),
        (9999999.5, NAN, "10,000,000"), (1e7, NAN, "10⁷"), (-2.5e-4, NAN, "−2.5×10⁻⁴"), (1e-16, NAN, "about 0"),
    ],
)  # fmt: skip
def test_digits_stop_where_the_spread_begins(value, spread, text):
    assert digits(value, spread) == text


@pytest.mark.parametrize(
    ("ways", "facts", "expected"),
    [
        ([Say("{a} % and {b} %, {c} nats, {d} %")], {"a": 16.94, "b": 9.16, "c": 16.94, "d": 99.63},
         "17 % and 9.16 %, 16.9 nats, 99.6 %"),
        ([Say("{a:2} %, {b:0}")], {"a": 100.0, "b": -1234.5}, "100 %, −1,235"),
        ([Say("V = {a}")], {"a": 1e-17}, "V ≈ 0"),
        ([Say("{a}")], {"a": 0.5, "spread.a": 0.9}, "0.5"), ([Say("{a}")], {"a": 0.123, "spread.a": 0.5}, "0.1"),
        ([Say("few", "runs < 3"), Say("late", "reached > tau")], {"runs": 2}, "few"),
        ([Say("few", "runs < 3"), Say("late", "reached > tau"), Say("none")], {"runs": 3, "tau": 5}, "none"),
        ([Say("early {tau:0}", "reached <= tau")], {"reached": 5, "tau": 5}, "early 5"),
        ([Say("early", "reached <= tau"), Say("none")], {"reached": 5, "tau": math.inf}, "none"),
        ([Say("low", "a == -2.5")], {"a": -2.5}, "low"), ([Say("high", "a >= 1")], {"a": 0.5}, ""), ([], {}, ""),
    ],
)  # fmt: skip
def test_first_alternative_whose_numbers_are_known_and_conditions_hold_is_said(ways, facts, expected):
    assert say([ways], facts) == expected


@pytest.mark.parametrize(
    ("at", "runs", "expected"),
    [
        ([], 3, ""),
        ([0], 1, "This run diverged at step 0; nothing is drawn from there on. No update had been made: its start is "
                 "too large."),
        ([1], 1, "This run diverged at step 1; nothing is drawn from there on. A smaller start or learning rate may "
                 "help."),
        ([1200, 30000], 4, "2 of 4 runs diverged, the first at step 1,200; from there on they are left out."),
    ],
)  # fmt: skip
def test_runs_that_diverged_are_told(at, runs, expected):
    assert called("saidDivergence", at, runs) == expected


def test_facts_leave_diverged_runs_out():
    figure = figure_of(changed(toy_computed))
    ends = [(1.0, NAN), (-2.0, NAN), (40.0, NAN), (5.0, 12.0)]
    names = figure.compute().runs[0]
    runs = [{**names, "V": [0.1, end], "diverged_at": [at]} for end, at in ends]
    found = figure.built.take({"steps": [0.0, 1.0], "task.N": [3.0], "flow.V": [1.0, 2.0]}, runs).facts
    assert (found["runs"], found["lost"], found["sum.right"], found["end"]) == (3, 1, 2, 1)
    assert found["task.N"] == 3
    assert "flow.V" not in found


def test_sum_and_spread_of_outcomes_and_what_a_summary_makes_of_them():
    own = "{ o: (V) => ({ end: [V[0]] }), s: (runs, sum_end, odd) => ({ now: [sum_end / runs], odd: [odd] }) }"
    spec = '{ metrics: "o", measured: ["V"], summary: "s", summed: ["runs", "sum_end", "nobody"] }'
    runs = "[1, 2, 4, 8, NaN].map((v) => ({ finished: true, lost: false, readings: { V: [v] } }))"
    found = asked(f"factsOf({spec}, {own}, {{}}, {runs})")
    assert (found["end"], found["sum.end"], found["spread.end"], found["s.now"]) == (3, 15, 3.25, 3)
    assert found["s.odd"] is None
