"""The Python that a figure copies gives all that the page draws, to the last bit: all figures, and toys."""

import numpy as np
import pytest

from hal.engine import ScriptError
from hal.explorer import Small, figure_of
from hal.explorer.facts import Result, middle_run
from lib.errors import InputError
from tests.explorer import toy_side
from tests.explorer.engine import engine, page_value
from tests.explorer.test_pairs import code
from tests.explorer.toy_computed import explorer
from tests.explorer.toy_smalls import SMALLS, small
from tests.in_page import InPage
from tests.portable.engine import bits
from tests.rows import figures, short_runs, smalls
from tests.sentences.positions import positions

CASES = {f"toy-{name}": lambda name=name: small(name) for name in SMALLS}
CASES |= {"toy-computed": explorer, "toy-side": lambda: figure_of(toy_side)}
CASES |= {name: lambda module=module: figure_of(module) for name, (module, _) in figures().items()}
CASES |= {name: lambda module=module: Small(module) for name, (module, _) in smalls().items()}
PAGE = engine("python")


def copied(figure, point, seed, runs):
    """The names that the copied text defines, run in a namespace of its own."""
    point = figure.check(point)
    given = figure.settings_of(**point)
    now = {"settings": point, "seed": seed, "given": {k: getattr(given, k) for k in given._fields}}
    space = {}
    exec(page_value(PAGE, f"pythonOf({code(figure.spec())}, {code(now)}, {runs})"), space)
    return space


def same(figure, point, seed, runs):
    """Whether it is what the page has there, and all that its panels, its sentences and its time bar show."""
    space, there = copied(figure, point, seed, runs), InPage(figure).result(figure.check(point), seed, runs)
    assert bits(space["theory"]) == bits(there.theory)
    found = [{key: list(values) for key, values in one.items()} for one in space.get("runs", [])]
    assert [bits(one) for one in found] == [bits(one) for one in there.runs]
    if "facts" in space:
        assert bits({k: [v] for k, v in space["facts"].items()}) == bits({k: [v] for k, v in there.facts.items()})
    if runs or figure.run is None:
        facts = space.get("facts", there.facts)
        ours = figure.draw(Result(space["theory"], found, facts, middle_run(found, figure.middle)))
        drawn = figure.draw(there._replace(shown=middle_run(there.runs, figure.middle)))
        assert ours.reading == drawn.reading
        assert ours.items.keys() == drawn.items.keys()
        for role, array in drawn.items.items():
            np.testing.assert_array_equal(ours.items[role], array, role)


@pytest.mark.parametrize("name", CASES)
def test_the_copied_python_gives_what_is_drawn(name):
    figure = CASES[name]()
    same(figure, {}, 0, 0)
    for point in positions(figure, np.random.default_rng(6), 4):
        try:
            figure.settings_of(**figure.check(point))
            InPage(figure).choose(point)
        except (InputError, ScriptError):
            continue  # refused, as the figure says itself
        same(figure, point, 5, 0)
        break
    else:
        pytest.fail("none of four positions is taken")
    if figure.run is not None:
        same(figure, short_runs(name) if name in figures() else {}, 2, min(2, figure.runs))
