"""The explorer that computes, without a browser: its program, sentences, arrays, refusals, and the notebook's side."""

import base64
import json

import numpy as np
import pytest

from hal.figure import computed as core
from hal.figure.facts import packed
from hal.figure.program import translated
from lib.models.scb import textbook
from lib.portable import OutsideSubset
from tests.figure import changed as changing
from tests.figure import toy_flow as flow
from tests.figure.engine import engine, page_value

SMALL = {"T": 16, "N": 3, "Q": 2, "skew": 0.3, "lr": 0.2}


@pytest.fixture(scope="module")
def explorer():
    return core.Computed(flow)


@pytest.fixture(scope="module")
def small(explorer):
    return explorer.compute(SMALL, runs=4)


def test_a_function_that_is_not_portable_is_refused_with_its_line():
    with pytest.raises(OutsideSubset, match=r"tests/figure/changed\.py:9: `is` asks"):
        translated(textbook, [changing.changed])


def bound(explorer, result, finished=True, under="{}"):
    """What the page draws of a result, by role."""
    context = engine("binding")

    def numbers(v):
        return "Float64Array.of(" + ",".join("NaN" if x != x else repr(float(x)) for x in v) + ")"

    def record(d):
        return "{" + ",".join(f"{json.dumps(k)}:{numbers(v)}" for k, v in d.items()) + "}"

    runs = ",".join(
        f"{{readings:{record(run)},finished:{str(finished).lower()},lost:{str(run['diverged_at'][0] >= 0).lower()}}}"
        for run in result.runs
    )
    facts = json.dumps({name: value for name, value in result.facts.items() if value == value})
    context.eval(
        f"const state = {{theory: {record(result.theory)}, runs: [{runs}], facts: {facts}}};"
        f"const arrays = bindArrays({json.dumps(explorer.spec())}, state, {under})"
    )
    text = context.eval("JSON.stringify(arrays, (k, v) => ArrayBuffer.isView(v) ? Array.from(v) : v)")
    return {
        key: np.array([np.nan if x is None else x for x in one["data"]], float).reshape(one["shape"])
        for key, one in json.loads(text).items()
    }


def test_a_growing_run_a_lost_run_and_none_at_all(explorer):
    none = explorer.compute(SMALL, runs=0)
    assert bound(explorer, none)["1.y0"].shape == (0, 49)
    growing = explorer.compute(SMALL)
    run = {key: values[:20] for key, values in growing.runs[0].items()}
    drawn = bound(explorer, growing._replace(runs=[run]), finished=False)
    assert np.isfinite(drawn["1.y0"]).sum() == 20
    lost = explorer.compute({"T": 512, "Q": 8, "skew": 1.5, "lr": 0.2}, seed=1)
    assert lost.runs[0]["diverged_at"][0] >= 0
    assert lost.facts["runs"] == 0
    drawn = bound(explorer, lost)
    alpha = np.array(lost.runs[0]["alpha_V"])
    last = np.isfinite(alpha).nonzero()[0][-1]
    assert drawn["1.y0.lost"].tolist() == [[lost.runs[0]["steps"][last], alpha[last]]]


def test_every_bit_of_the_default_runs_arrives(small):
    for sent, run in zip(packed(small.runs), small.runs, strict=True):
        for key, text in sent.items():
            np.testing.assert_array_equal(np.frombuffer(base64.b64decode(text), "<f8"), run[key])


TRAIN = """
let clock = 0;
globalThis.performance = { now: () => clock };
const sent = [];
const queue = [];
const model = {
  start: (settings, seed) => {
    if (settings.bad) throw new Error("T: expected more");
    return { n: 0, seed, cost: settings.cost };
  },
  step: (state) => ([state.n, clock] = [state.n + 1, clock + state.cost]),
  done: (state) => state.n >= 100 || (state.seed === 99 && state.n > 0),
  read: (state) => ({ n: [state.n], seed: [state.seed], diverged_at: [state.seed === 99 ? state.n : NaN] }),
};
const trainer = makeTrainer(model, (message) => sent.push(message), (f) => queue.push(f));
const turn = () => queue.shift()?.();
"""


def trainer():
    context = engine("trainer")
    context.eval(TRAIN)
    return context


def test_runs_come_one_after_the_other_in_slices():
    context = trainer()
    context.eval("trainer.start({id: 1, settings: {cost: 1}, seed: 5, run: 1, runs: 3}); while (queue.length) turn();")
    sent = page_value(
        context, "sent.map(({run, readings, finished}) => [run, readings.seed[0], readings.n[0], finished])"
    )
    assert [one for one in sent if one[3]] == [[1, 6, 100, True], [2, 7, 100, True]]
    steps = np.diff([0, *[n for run, _, n, _ in sent if run == 1]])
    assert len(steps) >= 4
    assert steps.max() <= 26  # some 20 ms at 1 ms a step


def test_a_new_job_takes_the_place_of_the_old_and_a_resting_trainer_does_nothing():
    context = trainer()
    context.eval("trainer.start({id: 1, settings: {cost: 1}, seed: 0, run: 0, runs: 8}); turn();")
    context.eval("trainer.start({id: 2, settings: {cost: 1}, seed: 0, run: 0, runs: 1}); turn(); turn();")
    assert page_value(context, "sent.map((m) => m.job)") == [1, 2, 2]
    context.eval("trainer.rest(true); turn(); turn();")
    assert page_value(context, "[sent.length, queue.length]") == [3, 0]
    context.eval("trainer.rest(false); while (queue.length) turn();")
    assert page_value(context, "sent[sent.length - 1].finished") is True
    context.eval("trainer.start({id: 3, settings: {cost: 1}, seed: 0, run: 0, runs: 1}); trainer.stop(); turn();")
    assert page_value(context, "sent[sent.length - 1].job") == 2


def test_a_refused_or_diverged_run_is_told():
    context = trainer()
    context.eval("trainer.start({id: 1, settings: {bad: true}, seed: 0, run: 0, runs: 8}); turn();")
    assert page_value(context, "sent.length") == 1
    told = page_value(context, "sent[0]")
    assert (told["job"], told["error"]) == (1, "T: expected more")
    assert "start" in told["stack"]  # where it was thrown, for a reader's own code
    context.eval("trainer.start({id: 2, settings: {cost: 30}, seed: 99, run: 0, runs: 1}); turn();")
    assert page_value(context, "[sent[sent.length - 1].finished, queue.length]") == [True, 0]


@pytest.mark.parametrize(("low", "high"), [(4, 512), (2, 12), (16, 1024)])
def test_a_logarithmic_track_has_a_place_for_every_whole_number(low, high):
    places = page_value(engine("controls"), f"placesOf({{integer: true, log: true, low: {low}, high: {high}}})")
    track = np.round(low * (high / low) ** (np.arange(places + 1) / places))
    assert set(track) == set(range(low, high + 1))
