"""What stands in Python and in JavaScript alike, run on both sides on many inputs."""

import json
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hal.explorer import (
    Field,
    Line,
    Mark,
    Path,
    Recorded,
    Say,
    arcs,
    arrows,
    bars,
    cloud,
    columns,
    grid,
    heatmap,
    ink,
    landscape,
    lines,
    picture,
    plane,
    points,
    ring,
    stems,
)  # fmt: skip
from hal.explorer.binding import shaped
from hal.explorer.comparison import Comparison
from hal.explorer.facts import Result, divergence, facts_of, middle_run
from hal.explorer.sentences import digits, say, shown
from hal.site.phrases import fault
from lib.errors import InputError, shortened
from tests.explorer import toy_computed
from tests.explorer.engine import engine, page_value

PAGE = engine("facts", "binding", "links", "controls", "notebook", "plane")
MANY = settings(max_examples=150, deadline=None)
AXES = {"xlabel": "x (no unit)", "ylabel": "y (no unit)"}
MAP = {**AXES, "clabel": "z (no unit)"}
NAN = float("nan")


def code(value):
    """A value as JavaScript, numbers to the last bit."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)}: {code(one)}" for key, one in value.items()) + "}"
    if isinstance(value, np.ndarray):
        return f"Float64Array.of({', '.join(map(code, value.tolist()))})"
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(code, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if value != value else f"{'-' if value < 0 else ''}Infinity"
    return json.dumps(value)


# Sentences and the numbers in them.

NUMBER = st.floats(-1e12, 1e12) | st.sampled_from([0.0, -0.0, 0.5, 1.5, -2.5, 999.5, 999_999.5, -0.0049, 1e15])
NAME = st.sampled_from(["tau", "sum.right", "end", "spread.end", "flow.half"])
TEST = st.builds("{} {} {}".format, NAME, st.sampled_from(["==", "<", "<=", ">", ">="]), NAME | st.integers(-2, 2))
WAY = st.builds(
    lambda parts, conditions: Say(" ".join(parts), *conditions),
    st.lists(
        st.sampled_from(["{tau}", "{end:2}", "{end}", "{tau} %", "{sum.right:0}", "so", "it is"]),
        min_size=1,
        max_size=3,
    ),
    st.lists(TEST, max_size=2),
)
FACT = st.integers(-3, 3).map(float) | NUMBER | st.sampled_from([NAN, math.inf, -math.inf])


@MANY
@given(NUMBER, st.integers(0, 4))
def test_a_number_in_a_sentence(value, decimals):
    assert page_value(PAGE, f"shownNumber({code(value)}, {decimals})") == shown(value, decimals)


def two_hundred():
    """Numbers and their spreads: of all sizes, at the edges, and without one."""
    rng = np.random.default_rng(5)
    sizes = 10.0 ** rng.uniform(-9, 9, size=180) * rng.choice([-1, 1], size=180)
    spreads = np.abs(sizes) * 10.0 ** rng.uniform(-4, 2, size=180)
    edges = [0.0, -0.0, 9.995, 999.5, 999.4999, 0.001, 0.00099999, 1e7, 9999999.5, 0.0415]
    return [*zip(sizes.tolist(), spreads.tolist(), strict=True), *((v, s) for v in edges for s in (NAN, 0.03))]


def test_digits_stop_where_the_spread_begins_on_both_sides():
    pairs = two_hundred()
    assert len(pairs) == 200
    ours = [digits(value, spread) for value, spread in pairs]
    assert page_value(PAGE, f"{code(pairs)}.map(([value, spread]) => digits(value, spread))") == ours
    for (value, spread), text in zip(pairs, ours, strict=True):
        figures = re.sub(r"×?10[⁻⁰¹²³⁴⁵⁶⁷⁸⁹]*$|[−.,]", "", text).strip("0")
        assert len(figures) <= (3 if abs(value) < 1000 or abs(value) >= 1e7 else 8), (value, spread, text)
    assert [digits(v, s) for v, s in ((0.0414, 0.02), (0.0414, 0.05), (16.9, 2.0), (0.003, 0.5), (12345.6, NAN))] == [
        "0.041", "0.04", "16.9", "0.003", "12,346",
    ]  # fmt: skip


def test_percentages_from_ten_on_have_no_decimals():
    way = Say("{a} % and {b} %, {c} nats, {d} %")
    facts = {"a": 16.94, "b": 9.16, "c": 16.94, "d": 99.63}
    assert way.filled(facts) == "17 % and 9.16 %, 16.9 nats, 99.6 %"
    assert page_value(PAGE, f"sayAll([[{json.dumps(way.spec())}]], {code(facts)})") == way.filled(facts)


@MANY
@given(st.lists(st.lists(WAY, max_size=3), max_size=3), st.dictionaries(NAME, FACT))
def test_sentences_and_their_conditions(ways, facts):
    spec = json.dumps([[way.spec() for way in line] for line in ways])
    assert page_value(PAGE, f"sayAll({spec}, {code(facts)})") == say(ways, facts)


@MANY
@given(st.lists(st.tuples(st.integers(-3, 3) | st.sampled_from([NAN, math.inf]), st.booleans()), max_size=9))
def test_the_run_that_stands_for_all(ends):
    runs = [{"loss": [9.0, float(end)], "diverged_at": [5.0 if lost else NAN]} for end, lost in ends]
    made = [{"finished": True, "lost": lost, "readings": {"loss": [9.0, float(end)]}} for end, lost in ends]
    growing = {"finished": False, "lost": False, "readings": {"loss": [0.0]}}
    place = middle_run(runs, "loss")
    assert page_value(PAGE, f"middleRun({code([*made, growing])}, 'loss')") == place
    known = sorted(end for end, lost in ends if math.isfinite(end) and not lost)
    if known:
        assert ends[place] == (known[(len(known) - 1) // 2], False)
    assert middle_run(runs, None) == page_value(PAGE, f"middleRun({code(made)}, null)") == 0


@MANY
@given(st.lists(st.none() | st.integers(0, 10**7), min_size=1, max_size=6))
def test_runs_that_diverged(at):
    lost = [step for step in at if step is not None]
    ours = divergence({"diverged_at": [NAN if step is None else step for step in at]})
    assert page_value(PAGE, f"saidDivergence({lost}, {len(at)})") == ours


# Single numbers of theory and runs.


def outcome(V):
    return {"end": [V[-1]], "right": [1.0 if V[-1] > 0.0 else 0.0]}


def share(runs, sum_right, lost, task_N, nobody):
    return {"now": [sum_right / runs if runs else NAN], "all": [runs + lost], "odd": [task_N + nobody]}


OWN = """{
  outcome: (V) => ({ end: [V[V.length - 1]], right: [V[V.length - 1] > 0 ? 1 : 0] }),
  share: (runs, right, lost, N, nobody) =>
    ({ now: [runs ? right / runs : NaN], all: [runs + lost], odd: [N + nobody] }),
}"""


@MANY
@given(
    st.lists(st.tuples(FACT.filter(lambda end: end != -math.inf), st.booleans()), max_size=6),  # no ∞ − ∞
    st.dictionaries(st.sampled_from(["task.N", "flow.V"]), st.lists(NUMBER, min_size=1, max_size=2)),
    st.booleans(),
)
def test_facts(ends, theory, summed):
    runs = [{"V": [0.0, end], "diverged_at": [5.0 if lost else NAN]} for end, lost in ends]
    expected = facts_of(outcome, theory, runs, share if summed else None)
    spec = {"outcome": "outcome", "measured": ["V"], "summary": "share" if summed else None}
    spec["summed"] = ["runs", "sum_right", "lost", "task_N", "nobody"]
    made = [{"finished": True, "lost": lost, "readings": {"V": [0.0, end]}} for end, lost in ends]
    growing = {"finished": False, "lost": False, "readings": {"V": [1.0]}}
    found = PAGE.eval(
        f"JSON.stringify(factsOf({code(spec)}, {OWN}, {code(theory)}, {code([*made, growing])}),"
        " (key, v) => (typeof v === 'number' ? String(v + 0) : v))"
    )
    ours = {key: value + 0.0 for key, value in expected.items()}  # one sign for nought
    np.testing.assert_equal({key: float(value) for key, value in json.loads(found).items()}, ours)


# Arrays of panels.


def example(seed):
    """Panels of every kind, and random numbers for them: some runs, theory, and single numbers."""
    rng = np.random.default_rng(seed)
    K, R, N, T, G = (int(rng.integers(low, high)) for low, high in ((2, 9), (1, 6), (1, 5), (1, 6), (2, 5)))
    own, frames = rng.normal(size=K + 2).cumsum(), int(rng.integers(1, 6))
    theory = {
        "f.t": np.arange(float(K)), "f.V": rng.normal(size=K), "f.fine": rng.normal(size=3 * K), "f.place": own,
        "f.W": rng.normal(size=own.size), "f.V.spread": abs(rng.normal(size=K)), "f.N": np.array([float(N)]),
        "f.token": np.arange(float(N)), "f.law": rng.dirichlet(np.ones(N)), "f.profile": rng.normal(size=K * N),
        "f.x": np.linspace(-1, 1, G), "f.y": np.linspace(0, 2, G + 1), "f.at": np.sort(rng.normal(size=frames)),
        "f.target": (rng.uniform(size=N * T) < 0.3) * rng.integers(1, 9, N * T).astype(float),
        "f.sizes": np.array([1.0, T - 1.0]), "f.one": np.ones(1), "f.zero": np.zeros(1),
        **{f"f.{name}": rng.normal(size=G * (G + 1)) for name in "uvb"},
    }  # fmt: skip
    sizes = {"V": K, "A": K, "rows": K * N, "z": frames * N * T, "z0": N * T, "px": K + 1, "py": K + 1, "pt": K + 1}
    runs = [{**{name: rng.normal(size=size) for name, size in sizes.items()}, "diverged_at": [NAN]} for _ in range(R)]
    for run in runs[1:]:  # a run may have no number here and there
        run["V"][rng.uniform(size=K) < 0.2] = NAN
    facts = {"end": float(rng.normal()), "lower": NAN}
    series = [
        Line("V", "V"), Line("A", "A", each=True), Line("rows", "rows", rows="f.N"), Line("f.V", "theory", theory=True),
        Line("f.W", "finer", theory=True, x="f.place"), Line("f.V", "published", error="f.V.spread"),
        Line("f.V", "recorded", band=("f.V.spread", "f.t")),
    ]  # fmt: skip
    panels = [
        lines("f.t", series, title="a", marks=[Mark("end", "end"), Mark("lower", "?")], **AXES),
        lines("f.token", [Line("f.profile", "moves"), Line("f.law", "stands")], title="b", frames=True, **AXES),
        bars("f.token", [Line("f.law", "law"), Line("f.profile", "moves", theory=True)], title="c", frames="f.t",
             **AXES),
        heatmap("z", rows="f.N", columns=T, frames="f.at", title="d", yticks="f.token", outline="f.target",
                outline_label="target", groups="f.sizes", group_labels=("one", "rest"), **MAP),
        heatmap("z0", rows="f.N", columns=T, frames=False, title="e", **MAP),
        plane([Path("V", "A", "runs"), Path("px", "py", "own times", t="pt"), Path("f.V", "f.V", "flow", theory=True)],
              title="f", field=Field("f.x", "f.y", "f.u", "f.v"), basin="f.b", basin_labels=["left", "right"],
              curves=[Path("f.fine", "f.fine", "line")], points=[Path("f.one", "f.one", "end")], **AXES),
        cloud("end", "f.one", low="lower", high="end", curve=("f.t", "f.V", "law"), title="g", label="now",
              recorded_label="then", recorded=[Recorded(0, 0, {})], **AXES),
        arcs(weights="f.profile", tokens="f.token", letters="abcdefgh", asks="f.zero", frames=True, alt="h"),
        grid(cells="z", rows="f.N", columns=T, outline="f.target", frames="f.at", alt="i"),
        columns(heights="f.law", level="f.one", kinds="f.token", alt="j"),
        stems(values="f.profile", kinds="f.token", letters="abcdefgh", frames=True, alt="k"),
        ink(weights="f.profile", tokens="f.token", words="abcdefgh", frames=True, alt="m"),
        arrows(angles="f.law", names="abcdefgh"[:N], alt="n"),
        ring(walk="f.token", nodes=8, attention="f.profile", here="f.zero", frames=True, alt="o"),
        points(x="f.law", y="f.law", xlim=(0, 1), ylim=(0, 1), lines=[Path("f.x", "f.x", "line")], weights="f.profile",
               frames=True, alt="p"),
        landscape(x="f.x", y="f.y", z="f.b", paths=[Path("px", "py", "run")], places=[Path("f.one", "f.one", "end")],
                  alt="l", **AXES),
    ]  # fmt: skip
    return panels, theory, runs, {**facts, "f.one": 1.0, "f.N": float(N)}


@pytest.mark.parametrize("seed", range(40))
def test_arrays_of_panels(seed):
    panels, theory, runs, facts = example(seed)
    spec = {"time": {"key": "f.t"}, "computes": {"runs": len(runs)}}
    spec["panels"] = [{**panel.spec(), "sources": panel.sources()} for panel in panels]
    shown = int(np.random.default_rng(seed).integers(len(runs)))
    state = {"theory": theory, "facts": facts, "shown": shown}
    state["runs"] = [
        {"readings": {k: np.asarray(v) for k, v in run.items()}, "finished": True, "lost": False} for run in runs
    ]
    plain = "(key, v) => (ArrayBuffer.isView(v) ? Array.from(v) : v)"
    found = json.loads(PAGE.eval(f"JSON.stringify(bindArrays({json.dumps(spec)}, {code(state)}), {plain})"))
    lists = [{key: list(values) for key, values in run.items()} for run in runs]
    result = Result({key: values.tolist() for key, values in theory.items()}, lists, facts, shown)
    for i, panel in enumerate(panels):
        items = panel.items(shaped(panel, result, "f.t"), "f.t")
        for role, expected in items.items():
            if len(runs) < 3 and role.endswith((".low", ".high")):
                continue  # Python has a band of one run, the page its line
            one = found[f"{i}.{role}"]
            values = np.array([NAN if v is None else v for v in one["data"]], dtype=float)
            if len(runs) < 3 and f"{role}.low" in items:
                values = np.nanmedian(values.reshape(one["shape"]), axis=0) if len(one["shape"]) > 1 else values
            np.testing.assert_allclose(values.ravel(), expected.ravel(), rtol=1e-13, atol=1e-15, err_msg=f"{i}.{role}")
        bands = {role for role in items if role.endswith((".low", ".high"))}
        assert len(runs) < 3 or bands == {key[2:] for key in found if re.match(rf"{i}\..*\.(low|high)$", key)}


# How far two models lie apart.


@pytest.mark.parametrize("seed", range(10))
def test_how_far_medians_lie_apart(seed):
    rng = np.random.default_rng(seed)
    count, length = int(rng.integers(3, 8)), int(rng.integers(1, 9))
    runs = [{"a": rng.normal(size=length), "diverged_at": [3.0 if k == 1 else NAN]} for k in range(count + 1)]
    found = Comparison({}, {"a": rng.normal(size=(4, length))}, 0.1)
    (expected,) = found.apart(runs).values()
    kept = [{"readings": {"a": run["a"]}} for run in runs if run["diverged_at"] != [3.0]]
    band = {"a": {"middle": found.bands()["a"][1]}}
    ((name, most, width),) = page_value(PAGE, f"mediansApart({code(band)}, {code(kept)})")
    assert (name, most, width) == ("a", pytest.approx(expected[0]), pytest.approx(expected[1]))


# What settings a figure takes: typed, in a link, as weights.

TOY = toy_computed.explorer()
SPEC = TOY.spec()
DIGITS = st.text("0123456789", max_size=4)
TYPED = st.one_of(
    st.builds("".join, st.tuples(st.sampled_from(["", "-", "+"]), DIGITS, st.sampled_from(["", ".", "e"]), DIGITS)),
    st.sampled_from(["", " 3", "3 ", "0x3", "1_0", "nan", "NaN", "inf", "Infinity", "1e999", "٣", "3e0", "True"]),
    st.integers(-2, 2500).map(str), st.floats(-3, 3).map(repr),
)  # fmt: skip


@MANY
@given(st.sampled_from(["N", "T", "lr", "start_V", "seed", "run", "t", "tour", "nobody"]), TYPED)
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
    controls, asked = json.dumps(SPEC["controls"]), code({**TOY.default, name: value})
    refused = page_value(PAGE, f"refusalOf({controls}, {asked})")
    if refused is None:
        fitted = page_value(PAGE, f"makeFitting({controls})({asked})")  # as many weights as the sliders say
        assert TOY.check(fitted)[name] == value
        return
    assert refused[0] == name
    with pytest.raises(InputError, match=f"^{name}: expected a"):
        TOY.check({name: value})


# Messages, subscripts, and colours of regions.


@MANY
@given(st.text(max_size=3), st.integers(0, 100))
def test_a_long_text_is_cut_at_the_same_place(text, times):
    assert page_value(PAGE, f"shortened({json.dumps(text * times)})") == shortened(text * times)


@MANY
@given(st.text("aV_{}1 +α", max_size=12))
def test_subscripts(text):
    page = page_value(PAGE, f"rich({json.dumps(text)}).split(/<.?sub>/)")
    still = re.split(r"\$_\{\\mathrm\{([^{}]*)\}\}\$", picture.maths(text))
    assert page == still


def test_regions_have_the_same_colours():
    assert page_value(PAGE, "REGION_COLOURS") == picture.REGIONS
