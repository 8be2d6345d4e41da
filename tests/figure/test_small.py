"""What cannot be a small figure or a scene: refused by its name; what holds of all is in test_figures."""

import numpy as np
import pytest

from hal.figure import Path as Curve
from hal.figure import Small, arcs, area, arrows, columns, grid, ink, landscape, points, ring, stems
from hal.figure.facts import Numbers, Result
from lib.errors import InputError
from tests.figure.toy_smalls import SMALLS, small


@pytest.mark.parametrize(
    ("name", "names", "message"),
    [
        ("columns", {"TITLE": "One two three four five six seven"}, "TITLE: expected at most 6 words"),
        ("columns", {"AGAIN": "Again"}, "AGAIN: expected a function of settings and seed"),
        ("columns", {"picture": lambda: (SMALLS["columns"].picture(),) * 4}, "picture: expected one panel, or a tuple"),
        ("stems", {"picture": lambda: stems(values="net.values", alt=" ")}, "alt of stems: expected what"),
    ],
)
def test_what_cannot_be_a_small_figure_is_refused(name, names, message):
    with pytest.raises(InputError, match=message):
        small(name, **names)


@pytest.mark.parametrize("lacking", ["settings", "picture", "SLIDERS", "say", "TITLE", "HINT", "IDEA"])
def test_what_is_missing_is_named(lacking):
    kept = {name: value for name, value in vars(SMALLS["columns"]).items() if name != lacking}
    with pytest.raises(InputError, match=f"^{lacking}: expected in the module of the small figure"):
        Small(type("M", (), kept))


A = {"alt": "a"}
SQUARE = {"xlim": (0, 1), "ylim": (0, 1), **A}
AXES = {"xlabel": "x (no unit)", "ylabel": "y (no unit)", **A}


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: arcs(weights="w", tokens="t", letters="", **A), "letters: expected names of the kinds"),
        (lambda: arcs(weights="w", tokens="t", letters="a", spoils=True, **A), "spoils: expected an answer to hide"),
        (lambda: arcs(weights="w", tokens="t", letters="a", rows="n", asks="k", **A), "rows: expected no `asks`"),
        (lambda: columns(heights="w", line="x", **A), "line: expected both ends in ylim"),
        (lambda: landscape(x="x", y="y", z="z", xlabel="x", ylabel="y (no unit)", **A), "xlabel"),
        (lambda: grid(cells="z", rows=2, columns=2, idea="nobody", **A).spec(), "idea: expected one of"),
        (lambda: ink(weights="w", tokens="t", words="ab", places="p", **A), "places: expected with"),
        (lambda: ink(weights="w", tokens="t", words=[], **A), "words: expected what the kinds"),
        (lambda: ink(weights="w", tokens="t", words="ab", group_names="xy", **A), "group_names: expected at most 1"),
        (lambda: arrows(angles="a", names=[], **A), "names: expected a name for each arrow"),
        (lambda: arrows(angles="a", names="x", span=(90, 0), **A), "span: expected an arc"),
        (lambda: points(x="x", y="y", **{**SQUARE, "xlim": (1, 1)}), "xlim: expected .low, high."),
        (lambda: points(x="x", y="y", ground="g", across=4, **SQUARE), "across, deep: expected at least 2"),
        (lambda: points(x="x", y="y", query=("a", "b"), **SQUARE), "at_x, at_y: expected the keys"),
        (lambda: ring(walk="w", nodes=2, **A), "nodes: expected at least 3"),
    ],
)
def test_what_cannot_be_a_scene_is_refused(build, message):
    with pytest.raises(InputError, match=message):
        build()


NUMBERS = {"one": np.ones(1), "two": np.arange(2.0), "three": np.arange(3.0), "six": np.arange(6.0)}


@pytest.mark.parametrize(
    ("scene", "message"),
    [
        (arcs(weights="six", tokens="three", letters="abc", **A), "'six' of whole parts of 3 numbers, got 6"),
        (arcs(weights="six", tokens="three", letters="a", rows="two", **A), "rows: expected from 1 to 1, each"),
        (arcs(weights="three", tokens="three", letters="ab", **A), "kinds from 0 to 1, got 0 to 2"),
        (arcs(weights="three", tokens="three", letters="abc", asks="two", **A), "'two' of 1 numbers, as one token"),
        (grid(cells="six", rows=2, columns=2, **A), "'six' of whole parts of 2 x 2 numbers, got 6"),
        (grid(cells="six", rows=2, columns=3, outline="two", **A), "'two' of 6 numbers, as the cells, got 2"),
        (area(x="two", y="three", track="two", here="two", corner="c", **A), "'three' of 2 numbers, as 'two', got 3"),
        (stems(values="six", true="two", **A), "'six' of whole parts of 2 numbers, got 6"),
        (columns(heights="six", widths="two", kinds="three", **A), "'three' of 2 numbers, as the bars, got 3"),
        (landscape(x="two", y="three", z="three", **AXES), "'three' of 6 numbers, as 'two' times 'three', got 3"),
        (stems(values="nobody", **A), "numbers 'nobody'"),
        (ink(weights="one", tokens="two", words="abc", places="two", chances="two", size="one", **A), "places below 1"),
        (ink(weights="three", tokens="three", words="ab", **A), "tokens from 0 to 1, got 0 to 2"),
        (ink(weights="three", tokens="three", words="abc", rows=2, **A), "3 words in rows of one length, got 2 rows"),
        (ink(weights="three", tokens="three", words="abc", groups="three", **A), "groups from 0 to 0, got 0 to 2"),
        (arrows(angles="three", names="ab", **A), "'three' of whole parts of 2 numbers, got 3"),
        (points(x="two", y="three", **SQUARE), "'three' of 2 numbers, as 'two', got 3"),
        (points(x="two", y="two", kinds="two", **SQUARE), "kinds from 0 to 0, got 0 to 1"),
        (points(x="two", y="two", lines=[Curve("two", "three", "")], **SQUARE), "'two' and 'three' of one size, got 3"),
        (ring(walk="six", nodes=3, **A), "nodes of 'six' from 0 to 2, got 0 to 5"),
    ],
)
def test_arrays_whose_sizes_disagree_are_refused_by_name(scene, message):
    with pytest.raises(InputError, match=message):
        scene.check(Numbers(Result(NUMBERS, [], {}), "a"))
