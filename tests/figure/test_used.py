"""Where a control enters the textbook: what its help names is there."""

from hal.chapters.linear_block.models import descent as textbook_descent
from hal.figure.used import fields_of, help_of, uses
from lib.models.scb import textbook
from tests.figure import toy_flow as flow


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
    assert help_of(None, flow.settings, "T") == ""
