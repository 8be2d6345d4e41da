"""Where a control enters the textbook: what its help names is there."""

import inspect
import re
from pathlib import Path
from types import ModuleType

import pytest

from hal.chapters.scb.figures import flow
from hal.explorer import figure_of
from hal.explorer.used import fields_of, help_of, uses
from lib.models.linear_block import textbook_descent
from lib.models.scb import textbook
from tests.rows import figures

#: Their settings are made by functions of other modules, where no line is looked for.
BY_ANOTHER_WAY = {"scb-sign"}


@pytest.mark.parametrize("name", figures())
def test_every_line_that_a_help_names_reads_what_the_control_moves(name):
    figure = figure_of(figures()[name][0])
    named = 0
    for control in figure.spec()["controls"]:
        if not control["help"]:
            continue
        file, places = re.fullmatch(r"In (\w+\.py): (.+?)(?: and \d+ more)?", control["help"]).groups()
        path = Path(inspect.getsourcefile(figure.textbook))
        assert path.name == file
        lines, fields = path.read_text().splitlines(), fields_of(figure.settings_of, control["name"])
        for function, line in re.findall(r"(\w+), line (\d+)", places):
            found = lines[int(line) - 1]
            assert any(f"settings.{field}" in found for field in fields), (control["name"], found)
            start = max(i for i, text in enumerate(lines[: int(line)]) if text.startswith("def "))
            assert lines[start].startswith(f"def {function}(")
            named += 1
    assert named or name in BY_ANOTHER_WAY, "none of its controls enters its textbook"


def test_a_setting_is_followed_from_the_slider_to_the_line():
    said = help_of(textbook, flow.settings, "T")
    assert said.startswith("In textbook.py: ")
    first = next(use for use in uses(textbook) if use.field == "T")
    assert f"{first.function}, line {first.line}" in said


def test_what_is_made_of_a_control_on_the_way_counts():
    from hal.chapters.linear_block.figures import flow as of_block

    assert fields_of(of_block.settings, "batch") == {"batch", "steps"}
    assert "steps" in fields_of(of_block.settings, "lr")
    assert fields_of(of_block.settings, "norm") == {"norm"}
    assert help_of(textbook_descent, of_block.settings, "nobody") == ""


def test_a_figure_without_a_run_names_no_line():
    assert isinstance(textbook, ModuleType)
    assert help_of(None, flow.settings, "T") == ""
