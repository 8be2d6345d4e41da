"""A reader's own run and the comparison with the fast library, without a browser."""

import base64
import importlib
import inspect
import linecache
import math
import re
import signal

import numpy as np
import pytest

from hal.chapters.scb.figures import stages
from hal.figure import show
from hal.figure.kernel_runs import KernelRuns
from hal.figure.page import STATIC
from hal.figure.reader_run import READING
from lib.errors import InputError
from lib.models.scb import textbook
from lib.portable import OutsideSubset
from lib.portable.textbooks import PROTOCOL
from tests.figure import toy_flow as flow
from tests.figure.engine import engine
from tests.figure.toy_flow import MEASURES
from tests.in_page import InPage
from tests.portable.engine import bits, literal

SMALL = {"T": 16, "N": 3, "Q": 2, "skew": 0.3, "lr": 0.2}
ALL = {**show(flow).default, **SMALL}
# Two cells of a notebook: the second uses what the first imported and set.
IMPORTS = """
from lib.models.scb.textbook import State, count_step, descend, done, gradient, start, steps_of
TIMES = 2
"""
OWN = """
import numpy as np

def step(state: State) -> None:
    gradient(state)
    if state.diverged_at >= 0:
        return
    for _again in range(TIMES):
        descend(state)
    count_step(state)
"""


def notebook(*cells):
    """What a kernel's namespace holds after these cells, and their sources where Python looks for them."""
    space = {"__name__": "__main__"}
    for i, cell in enumerate(cells):
        file = f"<test cell {i} {hash(cell)}>"
        linecache.cache[file] = len(cell), None, cell.splitlines(keepends=True), file
        exec(compile(cell, file, "exec", dont_inherit=True), space)
    return space


def own(space):
    """The functions of a run among those of a notebook."""
    return {name: space[name] for name in (*PROTOCOL, *READING) if name in space}


def in_the_page(figure, seed):
    """The readings of a figure's run in the page."""
    page = InPage(figure)
    page.choose(ALL)
    return page.train(seed)


def of_cell(cell, step="step"):
    """The run of a cell that follows the imports, with a function of it as its step."""
    space = notebook(IMPORTS, cell)
    return {**own(space), "step": space[step]}


TEXT = inspect.getsource(textbook)
MORE = OWN.replace("import numpy as np", "from lib.portable.numbers import exp\nMORE = 2 * TIMES")
TWICE = OWN.replace("def step", "def twice") + "\ndef step(state: State) -> None:\n    count_step(state)\n"
RUNS = {
    "functions of a cell": lambda: of_cell(OWN),
    "constants of other cells": lambda: of_cell(MORE.replace("range(TIMES)", "range(MORE)")),
    "functions of other names": lambda: of_cell(TWICE, "twice"),
    "changed text of a textbook": lambda: TEXT.replace(
        "settings.lr * settings.ratio", "2.0 * settings.lr * settings.ratio"
    ),
}


@pytest.mark.parametrize("made", RUNS.values(), ids=RUNS)
def test_a_reader_s_run_trains_in_the_page_and_is_another(made):
    figure = show(flow, run=made())
    ours, theirs = (one.compute(SMALL, seed=3).runs[0] for one in (figure, show(flow)))
    assert bits(in_the_page(figure, 3)) == bits(ours)
    assert ours["steps"] == theirs["steps"][: len(ours["steps"])]  # one of them diverges
    assert ours["alpha_A"] != theirs["alpha_A"]
    assert figure.widget.in_kernel == ""


def test_the_text_of_the_textbook_and_the_textbook_itself_are_the_book_s_run():
    assert bits(show(flow, run=TEXT).compute(SMALL).runs[0]) == bits(show(flow).compute(SMALL).runs[0])
    assert show(flow, run=textbook).program == show(flow).program


def test_a_changed_figure_says_so_in_its_title():
    book = show(flow).title
    assert show(flow, run=textbook).title == show(flow, run=textbook).spec()["title"] == f"{book} (changed)"
    assert show(flow, run=textbook, title="Twice as fast").spec()["title"] == "Twice as fast"
    assert show(flow).title == book
    for wrong in ({"title": "Mine"}, {"run": textbook, "title": " "}):
        with pytest.raises(InputError, match="title: expected words, of a figure with a run, got"):
            show(flow, **wrong)


def test_a_reader_s_module_is_checked_too(tmp_path, monkeypatch):
    (tmp_path / "my_run.py").write_text(TEXT)
    monkeypatch.syspath_prepend(tmp_path)
    figure = show(flow, run=importlib.import_module("my_run"))
    assert "$index" in figure.program["own_run"]
    assert "$index" in figure.program["lib.portable.vectors"]
    assert figure.run.file == str(tmp_path / "my_run.py")
    assert bits(figure.compute(SMALL).runs[0]) == bits(show(flow).compute(SMALL).runs[0])
    assert "$index" not in show(flow).program["lib.portable.vectors"]


def test_a_run_that_does_not_return_what_the_figure_draws_is_refused_by_name():
    lost = TEXT.replace(', "off_flow": [distance_to_flow(state.V, state.A, state.task, x, y)]', "")
    with pytest.raises(InputError, match=r"run: expected a run that reads out alpha_A, .*, got no off_flow"):
        show(flow, run=lost)


def stopped(figure):
    """What the trainer of the page sends of a figure's run that goes wrong."""
    modules = ", ".join(f'["{name}", {text}]' for name, text in figure.program.items())
    context = engine("trainer")
    context.eval(f"""
      globalThis.performance ??= {{ now: () => 0 }};
      const sent = [], waiting = [];
      const program = makeProgram([{modules}]);
      const run = recorded(program(), "own_run", {figure.spec()["computes"]["probe"]});
      const trainer = makeTrainer(run, (message) => sent.push(message), (f) => waiting.push(f));
      trainer.start({{ id: 4, settings: {literal(figure.settings_of(**ALL))}, seed: 0, run: 0, runs: 1 }});
      while (waiting.length) waiting.shift()();
    """)
    return context.value("sent")[-1]


def test_what_the_page_would_compute_otherwise_ends_the_run_with_its_line():
    """What else is thrown at is asked in tests/portable/test_language.py."""
    cell = OWN.replace(
        "    count_step", "    if state.step == 1:\n        state.h[0 - 4 * state.step] = 1.0\n    count_step"
    )
    line = 1 + cell[: cell.index("state.h[")].count("\n")
    figure = show(flow, run=own(notebook(IMPORTS, cell)))
    found = stopped(figure)
    assert found["job"] == 4
    assert re.fullmatch(rf"index -4 of 3.*, line {line} of {re.escape(figure.run.file)}", found["error"])


def test_what_is_not_portable_runs_in_the_kernel_and_says_why():
    cell = OWN.replace("    gradient(state)", "    np.sum(gradient(state))")
    figure = show(flow, run=own(notebook(IMPORTS, cell)))
    line = 1 + cell[: cell.index("np.sum")].count("\n")
    with pytest.raises(OutsideSubset, match=rf":{line}: argument 1 of sum must be a list"):
        _ = figure.program
    assert f":{line}: argument 1 of sum must be a list of numbers" in figure.widget.in_kernel
    assert "const PROGRAM" in figure.widget._esm
    assert "own_run" not in figure.widget._esm


def messages(figure, job):
    """What the kernel answers until the job's run is finished."""
    runs, found = KernelRuns(figure), []
    while not found or not (found[-1].get("finished") or "error" in found[-1]):
        found.append(runs.slice(job))
    return found


def job_of(figure, **more):
    return {"id": 1, "settings": figure.settings_of(**ALL)._asdict(), "seed": 5, "run": 1, "runs": 3, **more}


def test_the_kernel_s_slices_are_the_run(monkeypatch):
    monkeypatch.setattr("hal.figure.kernel_runs.SLICE", 0.005)
    figure = show(flow, run=own(notebook(IMPORTS, OWN)))
    found = messages(figure, job_of(figure))
    assert len(found) > 1
    assert [(one["job"], one["run"]) for one in found] == [(1, 1)] * len(found)
    readings = {k: np.frombuffer(base64.b64decode(v), "<f8").tolist() for k, v in found[-1]["readings"].items()}
    assert bits(readings) == bits(figure.compute(SMALL, seed=6).runs[0])


@pytest.mark.parametrize(
    ("raised", "said"),
    [
        ("os.kill(os.getpid(), 2)", "it was interrupted; move a slider to start again"),
        ("int('x')", "ValueError: invalid literal for int() with base 10: 'x', line 3 of <test cell 2"),
        ("generator(-1, 0)", "seed: expected"),
    ],
)
def test_a_run_that_is_interrupted_or_fails_is_said(raised, said):
    space = notebook(
        IMPORTS, OWN, f"from lib.portable.random_numbers import *; import os\ndef step(state):\n    {raised}\n"
    )
    figure = show(flow, run=own(space))
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)  # as in a kernel, outside its cells
    try:
        (found,) = messages(figure, job_of(figure))
        assert signal.getsignal(signal.SIGINT) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)
    assert found["error"].startswith(said)


def test_a_late_answer_of_the_browser_moves_nothing_back():
    """It answers what a slider is given with its own rounding; in a queue of cells only after all of them."""
    figure = show(flow)
    rate, skew = figure.sliders["lr"], figure.sliders["skew"]
    figure.set(lr=0.15)
    figure.set(lr=0.0173)
    for given in (0.1, 0.15, 0.0173, 0.0173):
        rate.value = 10 ** (round(math.log10(given), 3) + 1e-16)
        assert (figure.settings["lr"], rate.value) == (0.0173, pytest.approx(0.0173, rel=1e-2))
    assert rate.value != 0.0173  # the last answer is not answered in turn, for ever
    rate.value = 10 ** round(math.log10(0.1), 3)  # the reader's own hand, back to where it was
    assert figure.settings["lr"] == rate.value == pytest.approx(0.1, rel=1e-2)
    figure.set(skew=0.5)
    skew.value = 0.0  # not rounded, so no answer
    assert figure.settings["skew"] == 0.0


def test_a_hand_that_passes_where_the_slider_stood_is_followed():
    figure = show(flow)
    rate = figure.sliders["lr"]
    figure.set(lr=0.15)
    for value in (0.12, 0.11, 0.1005, 0.10005, 0.05):
        rate.value = value
        assert figure.settings["lr"] == value


def test_other_runs_and_figures_are_refused_by_name():
    with pytest.raises(InputError, match="run: expected a textbook with start, step, done, steps_of, got no done"):
        show(flow, run={name: f for name, f in own(notebook(IMPORTS, OWN)).items() if name != "done"})
    with pytest.raises(InputError, match="run: expected a textbook with start, step"):
        show(flow, run=np)
    with pytest.raises(InputError, match="functions of one cell or file"):
        show(flow, run=own(vars(textbook)))
    assert show(stages).name == "scb-stages"


def test_the_figure_is_compared_at_the_settings_of_its_sliders(monkeypatch):
    figure = show(flow)
    figure.set(**SMALL)
    found = figure.compare(runs=5, Q=1)
    assert found.settings == figure.settings == {**ALL, "Q": 1}
    found = figure.compare(runs=5, Q=2)
    assert {name: values.shape for name, values in found.arrays.items()} == dict.fromkeys(MEASURES, (5, 49))
    assert re.match(r"5 runs of the fast library in \d+\.\d\d s, where ", repr(found))
    with monkeypatch.context() as built:
        built.setenv(STATIC, "1")
        assert repr(found).startswith("5 runs of the fast library, where ")  # a page does not tell how long it took
    labels = [series["label"] for panel in figure.widget.spec["panels"] for series in panel.get("series", [])]
    assert "α_V, fast library" in labels
    assert figure.widget.compared["runs"] == 5
    apart = found.apart(figure.compute(SMALL, runs=8).runs)
    assert 0 < apart["alpha_V"][0] < 2 * apart["alpha_V"][1]
    slower = found.apart(figure.compute({**SMALL, "lr": 0.1}, runs=8).runs)  # control: another setting lies further off
    assert slower["alpha_V"][0] > 1.5 * apart["alpha_V"][0]
    with pytest.raises(InputError, match="runs: expected a whole number"):
        figure.compare(runs=0)
    figure.fast = None
    with pytest.raises(InputError, match="fast: expected a figure that knows the fast model"):
        figure.compare()


def test_where_pages_are_built_a_comparison_makes_no_widget(monkeypatch):
    monkeypatch.setenv(STATIC, "1")
    figure = show(flow)
    assert figure.compare(runs=2, **SMALL).settings == ALL
    assert "widget" not in vars(figure)
