"""What holds of every textbook: the page's bits, slices, records, refusals, divergence, another optimiser."""

import inspect
import json
import math
from itertools import pairwise
from types import SimpleNamespace
from typing import get_type_hints

import numpy as np
import pytest

from hal.figure.assets import joined_js
from lib.errors import InputError
from lib.portable import finish, run
from lib.portable.textbooks import recorded
from lib.portable.translation import javascript
from tests.portable.engine import Page, bits, literal
from tests.rows import textbooks

FOUND = textbooks()
#: Those that say what is read of them; what only figures look at has their laws.
READ = {name: one for name, one in FOUND.items() if hasattr(one[0], "measure")}
SETTINGS, CHECKED = 40, 5  # a textbook; of these the last so many with every index and divisor looked at
TRAINED = ("parameters", "gradient", "count_step")
OPTIMISED = {name: one for name, one in READ.items() if all(hasattr(one[0], part) for part in TRAINED)}
DIVERGING = {name: one for name, one in READ.items() if one[1] and one[1].diverges is not None}


def law(found):
    """A test of each of these textbooks."""
    return lambda test: pytest.mark.law(pytest.mark.parametrize(("module", "row"), found.values(), ids=found)(test))


every, optimised, diverging = law(READ), law(OPTIMISED), law(DIVERGING)
WHOLE = """const whole = (settings, seed) => {
  const model = portable["MODULE"], run = recorded(portable, "MODULE", PROBE), state = run.start(settings, seed);
  while (!run.done(state)) run.step(state);
  return [run.read(state), model.parameters ? model.parameters(state.state) : []];
};"""


def whole(module, settings, seed):
    """Readings of a whole run, and its parameters at the end where it has any."""
    run = recorded(module)
    state = run.start(settings, seed)
    while not run.done(state):
        run.step(state)
    return [run.read(state), module.parameters(state.state) if hasattr(module, "parameters") else []]


def page(module, checked=False):
    asked = list(inspect.signature(module.at_end).parameters)[1:] if hasattr(module, "at_end") else []
    names = [name for name in ("measure", "at_end") if hasattr(module, name)]
    probe = [module.__name__, *names, *asked]
    made = Page(
        '"use strict";' + joined_js('import { recorded } from "./trainer.js";\n') + javascript(module, checked=checked)
    )
    made.do(WHOLE.replace("MODULE", module.__name__).replace("PROBE", json.dumps(probe)))
    return made


def settings_of(module, given):
    return get_type_hints(module.start)["settings"](**given)


def test_every_textbook_has_its_row():
    for name, (_, row) in FOUND.items():
        slug, _, leaf = name.partition("-")
        assert row is not None, f"give {leaf} its row in TEXTBOOKS of tests/{slug}/rows.py"
        assert row.refused, f"give {leaf} settings that are refused"


@every
def test_runs_have_the_same_bits_in_the_page_and_records_when_they_were_said_to_come(module, row):
    rng, plain, checked = np.random.default_rng(7), page(module), page(module, checked=True)
    for seed in range(SETTINGS):
        settings = row.draw(rng)
        there = (plain if seed < SETTINGS - CHECKED else checked).run(f"whole({literal(settings)}, {seed})")
        readings, parameters = whole(module, settings, seed)
        assert bits(there) == bits([readings, parameters]), settings
        due, (lost,) = list(module.steps_of(settings)), readings["diverged_at"]
        assert all(a <= b for a, b in pairwise(due))
        times = [values for values in readings.values() if len(values) > 1 and values == due[: len(values)]]
        cut_short = lost >= 0 or due[-1] == due[0]
        assert cut_short or (times and len(times[0]) == len(due)), "no reading is the time of the records"


@every
def test_what_is_read_on_the_way_is_the_beginning_of_what_is_read_at_the_end(module, row):
    settings = row.draw(np.random.default_rng(3))
    run, seen = recorded(module), []
    state = run.start(settings, 3)
    while not run.done(state):
        seen.append(run.read(state))
        for _ in range(1 + len(seen) ** 2):
            if not run.done(state):
                run.step(state)
    seen.append(run.read(state))
    assert bits(seen[-1]) == bits(finish(module, settings, 3))
    for before, after in pairwise(seen):
        assert before.keys() <= after.keys()  # nothing is on record before the first
        assert all(len(before[name]) <= len(after[name]) for name in before)


@every
def test_settings_go_by_name(module, row):
    settings = row.draw(np.random.default_rng(11))
    assert bits(run(module, 5, **settings._asdict())) == bits(finish(module, settings, 5))
    for wrong, message in (
        (module, "settings: expected some of"),
        (math, "textbook: expected a textbook with start, st"),
    ):
        with pytest.raises(InputError, match=message):
            run(wrong, no_such_setting=1)
    name, kind = next((n, k) for n, k in get_type_hints(type(settings)).items() if k in (int, float))
    with pytest.raises(InputError, match=f"{name}: expected a {'whole ' if kind is int else ''}number, got"):
        run(module, **{name: "many"})


CASES = [(name, given) for name, (_, row) in FOUND.items() if row for given in row.refused]


@pytest.mark.law
@pytest.mark.parametrize(("name", "given"), CASES, ids=[f"{name}-{'-'.join(given)}" for name, given in CASES])
def test_bad_settings_are_refused_alike_and_named(name, given):
    module, _ = FOUND[name]
    settings = settings_of(module, given)
    with pytest.raises(InputError) as here:
        module.start(settings, 0)
    named, _, rest = str(here.value).partition(": ")
    lists = any(isinstance(value, list) for value in given.values())  # of which the length may be named
    assert lists or set(named.split(", ")) & set(given), str(here.value)
    assert rest.startswith("expected")
    with pytest.raises(Exception, match="InputError") as there:
        page(module).run(f"whole({literal(settings)}, 0)")
    assert str(there.value).partition("InputError: ")[2].startswith(str(here.value).partition(", got")[0])


@diverging
def test_a_run_that_diverges_says_so_and_ends(module, row):
    settings = settings_of(module, row.diverges)
    readings, due = finish(module, settings, 0), module.steps_of(settings)
    at = readings["diverged_at"][0]
    assert 0 <= at <= due[-1]
    assert not any(math.isnan(v) for values in readings.values() if values == due[: len(values)] for v in values)


@optimised
def test_parameters_and_gradient_are_of_one_shape_and_the_model_s_own(module, row):
    state = module.start(row.draw(np.random.default_rng(13)), 1)
    x, g = module.parameters(state), module.gradient(state)
    assert [len(rows) for rows in x] == [len(rows) for rows in g]
    for r in range(len(x)):
        for i in range(len(x[r])):
            x[r][i] += 0.25
    assert bits(module.parameters(state)) == bits(x)  # what is written stays


@optimised
def test_another_optimiser_can_take_its_place(module, row):
    """Sign descent by the protocol alone: the run goes to its end, and its records are of another run."""
    settings = row.draw(np.random.default_rng(17))

    def step(state):
        x, g = module.parameters(state), module.gradient(state)
        for row_x, row_g in zip(x, g, strict=True):
            for i in range(len(row_x)):
                row_x[i] -= 1e-3 * ((row_g[i] > 0) - (row_g[i] < 0))
        module.count_step(state)

    plain, readings = (finish(one, settings, 2) for one in (module, SimpleNamespace(**{**vars(module), "step": step})))
    assert readings.keys() == plain.keys()
    assert bits(readings) != bits(plain)
