"""The benchmark compares like with like: all implementations agree at a tiny size. Nothing is timed here."""

import json
from importlib import import_module
from importlib.util import find_spec

import numpy as np
import pytest

from hal.chapters import written
from hal.results import path_of
from lib.models import scan_snap as ss
from lib.models import scb as model


@pytest.fixture
def small(bench, monkeypatch):
    """The benchmark at a size where its algorithm has all its parts: a switch, and a threshold that bites."""
    for name, value in {"STEPS": 60, "SWITCH": 20, "THRESHOLD": 1e-3, "LR": 0.1, "LR_AFTER": 0.05, "BATCH": 8}.items():
        monkeypatch.setattr(bench, name, value)
    return bench, model.ring_task(T=48, N=3)


@pytest.mark.parametrize("name", ["Einsum", "Loop", "Autograd"])
def test_every_implementation_ends_at_our_parameters(small, name):
    bench, task = small
    other = getattr(bench.slow, name)(task)
    given = bench.samples(task, 60)
    for start, stop in ((0, 20), (20, 60)):
        bench.advance(other, given, start, stop)
        assert bench.gap(bench.ours(task, stop, np.float64), other) <= bench.SAME_64
    assert bench.gap(bench.ours(task, 60), other) <= bench.SAME_32
    assert np.abs(other.A - 1 / 48).max() > 0.05  # it has learned something, so agreement means something
    bench.advance(other, given, 0, 1)
    assert bench.gap(bench.ours(task, 60), other) > 1e-4  # control: one step more is seen


def test_ordinary_samples_have_the_right_shape_and_law(bench):
    task = model.ring_task(T=30, N=3, c=1.0, weights=(1.0,))
    tokens, last, label = bench.slow.draw(task, 500, np.random.default_rng(0))
    assert tokens.shape == (500, 30)
    looked_at = tokens[np.arange(500), task.Q.argmax(axis=1)[last]]
    np.testing.assert_array_equal(label, (looked_at + 1) % 3)  # the ring at full strength is a shift


def test_one_point_of_the_sweep_equals_many(bench):
    points = [{"T": 16, "N": 3, "batch": 4, "lr": lr, "lam": lam, "seed": 1} for lr, lam in ((0.02, 0.0), (0.05, 0.1))]
    from parts.scb_scaling import one_setting

    together = one_setting.many(points)
    for point, values in zip(points, together, strict=True):
        for name, value in one_setting(**point).items():
            np.testing.assert_array_equal(values[name], value)


def test_a_record_has_its_tables_and_says_where_it_comes_from(bench, tmp_path):
    path = tmp_path / "one" / "benchmarks.json"
    bench.write(path, {"tables": [], "x": 1}, "python benchmarks/one.py", {"N": 3})
    found = json.loads(path.read_text())
    assert (found["tables"], found["x"], found["provenance"]["settings"]) == ([], 1, {"N": 3})
    assert found["provenance"]["command"] == "python benchmarks/one.py"


@pytest.mark.parametrize("slug", [row.slug for row in written()])
def test_recorded_tables_are_those_of_the_recorded_numbers(bench, slug):
    record = json.loads(path_of(slug, "benchmarks").read_text())
    assert import_module(slug).tables(record) == record["tables"]


def test_tables_of_scb_say_who_took_how_long(bench):
    from parts.scb_tables import tables

    runs, steps = tables(
        {
            "compare": {"seconds": {"loop": 38.0, "ours": 0.2, "drawing": 2.0}, "with_drawing": {"loop": 40.0}},
            "slopes": {"sizes": [[500, 4]], "seconds_a_step": [5e-5], "slope": 0.97},
            "sweep": {"settings": 200, "seeds": 5, "seconds": 41.2},
        }
    )
    assert runs["rows"] == [
        ["this library", "0.2 s", "", "1"],
        ["the formulas as they stand, a sample at a time", "40 s", "38 s", "200"],
    ]
    assert "takes 41 s on two cores" in runs["note"]
    assert steps["rows"] == [["500 tokens", "4", "50 µs"]]


def test_tables_of_scan_snap_say_what_a_step_takes(bench):
    from parts.scan_snap_tables import tables

    times = {"ours": 0.5, "ours 16": 0.1, "one-hot": 9.0, "our draw": 0.2, "its draw": 1.0}
    (table,) = tables(
        {"compare": {"small": {"M": 34, "milliseconds": times}}, "figure6": {"runs": 640, "seconds": 21.4}}
    )
    assert [row[2:] for row in table["rows"]] == [
        ["0.5 ms", "0.3 ms", "1"],
        ["0.1 ms", "", "0.2"],
        ["10 ms", "9 ms", "20"],
    ]
    assert table["note"].startswith("The 640 runs of Figure 6")


def test_the_plain_loop_of_scan_snap_has_the_library_s_loss_and_gradient(bench):
    from parts.scan_snap_loop import Loop

    task, rng = ss.base_task(K=4, common=3, distinct=2, queries=2, L=9), np.random.default_rng(0)
    loop = Loop(task)
    for _ in range(3):
        samples = [loop.draw(rng) for _ in range(5)]
        label = np.array([[n for n, _ in samples]])
        batch = ss.Batch(np.array([[counts for _, counts in samples]], dtype=float), task.query[label], label)
        loss, slope = ss.loss_and_gradient(ss.Params(loop.params["Y"][None], loop.params["Z"][None]), batch, task)
        own, found = loop.gradient(samples)
        np.testing.assert_allclose(own, loss[0], rtol=1e-12)
        np.testing.assert_allclose(found["Y"], slope.Y[0], atol=1e-14)
        np.testing.assert_allclose(found["Z"], slope.Z[0], atol=1e-14)
        loop.step(samples)


def test_the_run_of_the_page_is_shown_beside_the_others(bench):
    from parts.page_run import MOST, WORDS, ratio, table

    record = json.loads(path_of("scb", "benchmarks").read_text())["page"]
    assert ratio(record) <= MOST
    found = {**record, "seconds": dict(zip(WORDS, (0.06, 0.1, 0.05, 1.5, 2.5), strict=True))}
    assert [row[1:] for row in table(found, "a run")["rows"]] == [
        ["0.06 s", "1.2"],
        ["0.1 s", "2"],
        ["0.05 s", "1"],
        ["1.5 s", "30"],
        ["2.5 s", "50"],
    ]
    assert ratio(found) == pytest.approx(1.2)


@pytest.mark.browser
def test_a_page_s_run_takes_processor_time(bench, chromium):
    from parts.page_run import Page

    from lib.models.scb import textbook

    small = textbook.Settings(T=64, batch=8, stage1=100)
    page = Page(chromium.browser, textbook, small)
    assert page.first() > 0
    later = page.later(40)
    page.page.close()
    assert 0 < later < 0.1


def test_recorded_costs_of_sweeps_keep_their_budgets(bench):
    from sweeps import A_POINT, AGAIN, FEW, IN_ALL, MANY, MEMORY, RECORD

    record = json.loads(RECORD.read_text())
    for place, most in A_POINT.items():
        assert record["overhead"][f"{place}, {FEW}"]["computed"] / FEW <= most
        assert record["overhead"][f"{place}, {MANY}"]["computed"] <= IN_ALL[place]
        assert record["overhead"][f"{place}, {MANY}"]["megabytes"] <= MEMORY
    assert record["overhead"][f"here, {FEW}"]["found again"] <= AGAIN


def test_a_run_takes_the_same_alone_and_among_many(bench):
    """Both sides of the ratio compute the same: 32 seeds in one call, and one a call."""
    from parts.sweep_vectorised import SMALL

    ready = [row.slug for row in written() if find_spec(f"lib.models.{row.slug}.experiment")]
    assert sorted(SMALL) == sorted(ready)
    learn = import_module("lib.models.scb.experiment").learn
    together = learn.many([{**SMALL["scb"], "steps": 5, "seed": seed} for seed in (0, 1)])
    for seed, found in enumerate(together):
        np.testing.assert_array_equal(found["loss"], learn(**SMALL["scb"], steps=5, seed=seed)["loss"])


def test_kinds_of_sweeps_that_are_forecast_are_what_they_are_called(bench):
    from parts.sweep_kinds import COUNT, KINDS, constant, growing, rarely_long

    assert all(abs(len(points) - COUNT) < 20 for _, points, _ in KINDS.values())
    assert constant(3, 0) == constant(9, 0)
    assert growing(9000, 0)["total"] > growing(3, 0)["total"]
    totals = [rarely_long(a, 0)["total"] ** 0.5 for a in range(300)]  # as the number of turns
    assert max(totals) > 5 * float(np.median(totals))
