"""Single numbers of theory and runs, and what sentences say of them: in V8, as in the page."""

import math

import pytest

from hal.figure import Say, figure_of
from hal.figure.sentences import digits, say
from hal.figure.v8 import asked, called
from tests.figure import toy_computed
from tests.figure.changed import changed

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
