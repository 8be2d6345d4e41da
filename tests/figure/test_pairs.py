"""What stands in Python and in JavaScript alike, run on both sides on many inputs."""

import json
import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from hal.figure import Step
from hal.figure.comparison import Comparison
from hal.site.phrases import fault
from lib.errors import InputError
from tests.figure import toy_computed
from tests.figure.engine import engine, page_value

PAGE = engine("links", "controls", "notebook")
MANY = settings(max_examples=150, deadline=None)
NAN = float("nan")


# How far two models lie apart.


@pytest.mark.parametrize("seed", range(10))
def test_how_far_medians_lie_apart(seed):
    rng = np.random.default_rng(seed)
    count, length = int(rng.integers(3, 8)), int(rng.integers(1, 9))
    runs = [{"a": rng.normal(size=length), "diverged_at": [3.0 if k == 1 else NAN]} for k in range(count + 1)]
    found = Comparison({}, {"a": rng.normal(size=(4, length))}, 0.1)
    (expected,) = found.apart(runs).values()
    kept = [run["a"].tolist() for run in runs if run["diverged_at"] != [3.0]]
    band = {"a": {"middle": np.asarray(found.bands()["a"][1]).tolist()}}
    made = f"{kept}.map((one) => ({{ readings: {{ a: Float64Array.from(one) }} }}))"
    ((name, most, width),) = page_value(PAGE, f"mediansApart({json.dumps(band)}, {made})")
    assert (name, most, width) == ("a", pytest.approx(expected[0]), pytest.approx(expected[1]))


# What settings a figure takes: typed, in a link, as weights.

TOY = toy_computed.explorer(TOUR=[Step("Look.")] * 4)
SPEC = TOY.spec()
DIGITS = st.text("0123456789", max_size=4)
TYPED = st.one_of(
    st.builds("".join, st.tuples(st.sampled_from(["", "-", "+"]), DIGITS, st.sampled_from(["", ".", "e"]), DIGITS)),
    st.sampled_from(["", " 3", "3 ", "0x3", "1_0", "nan", "NaN", "inf", "Infinity", "1e999", "٣", "3e0", "True"]),
    st.integers(-2, 7).map(str), st.integers(0, 2500).map(str), st.floats(-3, 3).map(repr),
)  # fmt: skip


@MANY
@given(st.sampled_from(["N", "T", "lr", "start_V", "seed", "run", "t", "tour", "nobody"]), TYPED)
@example("tour", "4")
@example("tour", "5")
@example("N", "2.5")
def test_what_a_link_may_set(name, text):
    found = page_value(PAGE, f"settingsFrom({json.dumps(SPEC)}, [[{json.dumps(name)}, {json.dumps(text)}]])")
    taken = {**found["settings"], **{key: value for key, value in found.items() if key not in ("settings", "remark")}}
    assert (taken == {}) == bool(fault(SPEC, name, text))
    assert (found["remark"] == "") == bool(taken)
    if taken:
        assert taken == {name: float(text)}


@MANY
@given(st.lists(st.integers(-1, 6), min_size=1, max_size=4), st.sampled_from(["", "/", "/x", "/1e-4", "/1e-3"]))
def test_what_weights_a_link_may_set(parts, more):
    total = sum(parts) or 1
    text = "/".join(repr(part / total) for part in parts) + more
    found = page_value(PAGE, f"settingsFrom({json.dumps(SPEC)}, [['mu', {json.dumps(text)}]])")["settings"]
    assert bool(found) == (fault(SPEC, "mu", text) == "")
    if not more:
        weights = [part / total for part in parts]
        refused = any(weight < 0 for weight in weights) or abs(math.fsum(weights) - 1) > 1e-4
        assert bool(found) != refused
        if found:
            assert TOY.controls_by_name["mu"].check(found["mu"]) == weights


@MANY
@given(
    st.sampled_from(["N", "T", "lr", "start_V"]),
    st.integers(-3, 9)
    | st.integers(0, 2500)
    | st.floats(-4, 4)
    | st.sampled_from([NAN, math.inf, 0.01, 3.0, 0.0099, 3.0001]),
)
def test_what_a_slider_takes(name, value):
    controls, asked = json.dumps(SPEC["controls"]), json.dumps({**TOY.default, name: value})
    refused = page_value(PAGE, f"refusalOf({controls}, {asked})")
    if refused is None:
        fitted = page_value(PAGE, f"makeFitting({controls})({asked})")  # as many weights as the sliders say
        assert TOY.check(fitted)[name] == value
        return
    assert refused[0] == name
    with pytest.raises(InputError, match=f"^{name}: expected a"):
        TOY.check({name: value})
