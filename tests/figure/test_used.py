"""Where a control enters the textbook: what its help names is there."""

from hal.chapters.linear_block.models import descent as textbook_descent
from hal.figure.used import fields_of, help_of
from tests.figure import toy_flow as flow


def test_what_is_made_of_a_control_on_the_way_counts():
    from hal.chapters.linear_block.figures import flow as of_block

    assert fields_of(of_block.settings, "batch") == {"batch", "steps"}
    assert "steps" in fields_of(of_block.settings, "lr")
    assert fields_of(of_block.settings, "norm") == {"norm"}
    assert help_of(textbook_descent, of_block.settings, "nobody") == ""


def test_a_figure_without_a_run_names_no_line():
    assert help_of(None, flow.settings, "T") == ""
